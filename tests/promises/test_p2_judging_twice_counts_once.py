"""P2 for beliefs: an answer that is judged again after a kill moves what is believed once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from omoide.protocols.records import Reflection, Rejection
from omoide.protocols.settings import Settings
from omoide.runtime.host import open_runtime
from omoide.runtime.store.doctor import examine

BELIEVER = Path(__file__).with_name("believer.py")

POINTS = [
    ("signals.received", 2),
    ("signals.received", 12),
    ("signals.judged", 1),
    ("signals.judged", 7),
    ("reflection.received", 5),
    ("reflection.synthesised", 0),
    ("reflection.before_commit", 5),
    ("reflection.after_commit", 5),
    ("reflection.after_commit", 8),
    ("reflection.before_commit", 11),
    ("reflection.after_commit", 11),
]
"""Points with how often each is passed before the kill, from the first facts to the denial."""


def believe(jobs: list[dict[str, Any]]) -> list[bool]:
    done = subprocess.run(
        [sys.executable, BELIEVER],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    killed: list[bool] = json.loads(done.stdout)
    return killed


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[object, Path]:
    """A folder that nothing disturbed, and one a point that was killed there and then told everything again."""
    root = tmp_path_factory.mktemp("believers")
    places = {point: root / f"{point[0]}-{point[1]}" for point in POINTS}
    kills = [{"data_dir": str(folder), "kill": kill, "skip": skip} for (kill, skip), folder in places.items()]
    killed = believe(kills)
    assert [point for point, was in zip(places, killed, strict=True) if not was] == []
    assert not any(believe([{"data_dir": str(folder)} for folder in (root / "calm", *places.values())]))
    folders: dict[object, Path] = dict(places.items())
    folders["calm"] = root / "calm"
    return folders


async def believed(folder: Path) -> tuple[list[Reflection], list[str], bool]:
    """Return every reflection without the times of this machine, the rejected texts, and the doctor's word."""
    settings = Settings(data_dir=folder)
    async with open_runtime(settings) as runtime:
        character = await runtime.character("yui", create=False)
        parked = (await character.settle()).parked
        async with runtime.resident("yui") as resident:
            reflections = await resident.journal.records(Reflection)
            rejections = await resident.journal.records(Rejection)
    return (
        [_timeless(reflection) for reflection in reflections],
        sorted(rejection.text for rejection in rejections),
        examine(settings, "yui").healthy and parked == 0,
    )


def _timeless(reflection: Reflection) -> Reflection:
    evidence = reflection.evidence
    still = replace(
        evidence,
        reinforcement=round(evidence.reinforcement, 3),
        disputation=round(evidence.disputation, 3),
        rein_last_signal_at=None,
        disp_last_signal_at=None,
    )
    return replace(
        reflection,
        evidence=still,
        created_at=0,
        status_at=0,
        age_anchor_at=0,
        next_eligible_at=0,
        last_promote_attempt_at=None,
        mentions=replace(reflection.mentions, recent=(), suppressed_at=None),
    )


@pytest.mark.kill
async def test_an_undisturbed_run_confirms_twice_and_denies_once(folders: dict[object, Path]) -> None:
    (reflection,), rejected, healthy = await believed(folders["calm"])

    evidence = reflection.evidence
    assert (evidence.reinforcement, evidence.disputation, reflection.status, healthy) == (2.0, 1.0, "denied", True)
    assert rejected == [reflection.text]


@pytest.mark.kill
@pytest.mark.parametrize("point", POINTS, ids=str)
async def test_a_kill_and_a_redelivery_leave_the_evidence_of_an_undisturbed_run(
    folders: dict[object, Path], point: tuple[str, int]
) -> None:
    assert await believed(folders[point]) == await believed(folders["calm"])
