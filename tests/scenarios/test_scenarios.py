"""Plays every scenario here, and those that are shared beside the repository where there are any."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from omoide.runtime.scenario.parse import read_scenario
from omoide.runtime.scenario.player import Performance, Verdict, play_all

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "scenarios"
OWN_FILES = sorted(HERE.glob("*.yaml"))
SHARED_FILES = sorted(SHARED.glob("*.yaml"))

PASSING = frozenset(
    {
        "correction_lasts",
        "directive_until_lifted",
        "directive_zh",
        "forged_speaker",
        "replay_after_kill",
        "scope_before_ranking",
    }
)
"""Shared scenarios that must pass; another one may wait for features that don't exist yet."""


@pytest.fixture(scope="module")
def played() -> dict[Path, Performance]:
    files = [*OWN_FILES, *SHARED_FILES]
    return dict(zip(files, trio.run(play_all, [read_scenario(file) for file in files]), strict=True))


@pytest.mark.kill
@pytest.mark.parametrize("file", OWN_FILES, ids=lambda file: file.stem)
def test_a_scenario_of_ours_passes_and_all_that_it_prepares_happens(
    played: dict[Path, Performance], file: Path
) -> None:
    performance = played[file]
    assert [str(failure) for failure in performance.failures] + list(performance.notes) == []


@pytest.mark.kill
@pytest.mark.skipif(not SHARED_FILES, reason="there are no shared scenarios beside the repository")
@pytest.mark.parametrize("file", SHARED_FILES, ids=lambda file: file.stem)
def test_a_shared_scenario_passes_where_its_features_exist(played: dict[Path, Performance], file: Path) -> None:
    performance = played[file]
    lines = [str(failure) for failure in performance.failures]
    if lines and file.stem not in PASSING:
        reason = lines[-1]
        if ": not available yet: " in reason:
            pytest.skip(reason)
    assert (performance.verdict, lines) == (Verdict.PASSED, [])
