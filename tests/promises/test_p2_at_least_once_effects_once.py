"""P2: a background step that is killed anywhere is run again, and leaves what one run leaves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omoide.protocols.settings import Settings

MESSAGES = 7
POINTS = [
    "scribe.before_commit",
    "journal.received",
    "journal.before_commit",
    "journal.after_commit",
    "scribe.after_commit",
    "outbox.before_attempt",
    "extraction.extracted",
    "dedup.received",
    "dedup.before_commit",
    "dedup.after_commit",
]


@pytest.mark.kill
@pytest.mark.parametrize("point", POINTS)
async def test_a_kill_at_a_named_point_leaves_what_an_undisturbed_run_leaves(
    point: str,
    tmp_path: Path,
    talk: Callable[..., dict[str, Any]],
    remember: Callable[[Settings], Any],
) -> None:
    disturbed = Settings(data_dir=tmp_path / "disturbed")
    undisturbed = Settings(data_dir=tmp_path / "undisturbed")
    killed = talk(disturbed, kill=point, messages=MESSAGES)
    redelivered = talk(disturbed, kill=None, messages=MESSAGES)
    talk(undisturbed, kill=None, messages=MESSAGES)

    left = await remember(disturbed)

    assert killed["killed"], f"nothing passes {point}"
    assert redelivered["exit"] == 0
    assert left.timeless() == (await remember(undisturbed)).timeless()
    assert left.sound


@pytest.mark.kill
@pytest.mark.parametrize("point", POINTS)
async def test_what_was_acknowledged_before_a_kill_at_a_named_point_is_kept_without_redelivery(
    point: str,
    settings: Settings,
    talk: Callable[..., dict[str, Any]],
    remember: Callable[[Settings], Any],
) -> None:
    killed = talk(settings, kill=point, skip=3, messages=MESSAGES)

    memory = await remember(settings)

    said_at = [turn.said_at for turn in memory.turns]
    assert killed["acknowledged"], "the kill came before anything was acknowledged"
    assert set(killed["acknowledged"]) <= set(said_at)
    assert len(memory.facts) == len({fact.id for fact in memory.facts})
    assert memory.parked == 0
