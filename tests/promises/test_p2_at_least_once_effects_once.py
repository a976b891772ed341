"""P2: a background step that is killed anywhere is run again, and leaves what one run leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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
LAYOUTS = ["per-character", "shared"]

Killed = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def killed(talk: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """Listeners killed at every point, half-way through; each folder as the kill left it."""
    folder = tmp_path_factory.mktemp("killed")
    jobs = {
        (point, layout): {
            "data_dir": str(folder / layout / point),
            "layout": layout,
            "kill": point,
            "skip": 3,
            "messages": 7,
        }
        for point in POINTS
        for layout in LAYOUTS
    }
    results = talk(list(jobs.values()))
    return {key: job | result for (key, job), result in zip(jobs.items(), results, strict=True)}


@pytest.fixture(scope="module")
def redelivered(talk: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """The same, with every message delivered again after the kill; and one folder that was never disturbed."""
    folder = tmp_path_factory.mktemp("redelivered")
    jobs: Killed = {
        ("undisturbed", layout): {"data_dir": str(folder / layout), "layout": layout} for layout in LAYOUTS
    }
    again = {
        (point, layout): {"data_dir": str(folder / f"{layout}-{point}"), "layout": layout}
        for point in POINTS
        for layout in LAYOUTS
    }
    kills = [again[key] | {"kill": key[0], "messages": 7} for key in again]
    assert [result["killed"] for result in talk(kills)] == [True] * len(kills)
    jobs |= again
    results = talk([job | {"messages": 7} for job in jobs.values()])
    assert [result["exit"] for result in results] == [0] * len(jobs)
    return jobs


@pytest.mark.kill
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("point", POINTS)
async def test_what_was_acknowledged_before_a_kill_at_a_named_point_is_kept_and_learned_once(
    point: str,
    layout: str,
    killed: Killed,
    remember: Callable[..., Any],
) -> None:
    left = killed[point, layout]

    memory = await remember(left["data_dir"], layout)

    assert left["killed"], f"nothing passes {point}"
    assert left["acknowledged"], "the kill came before anything was acknowledged"
    assert set(left["acknowledged"]) <= {turn.said_at for turn in memory.turns}
    assert len(memory.facts) == len({fact.key for fact in memory.facts})
    assert (memory.parked, memory.healthy) == (0, True)


@pytest.mark.kill
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("point", POINTS)
async def test_a_kill_and_a_redelivery_leave_what_an_undisturbed_run_leaves(
    point: str,
    layout: str,
    redelivered: Killed,
    remember: Callable[..., Any],
) -> None:
    undisturbed = await remember(redelivered["undisturbed", layout]["data_dir"], layout)

    memory = await remember(redelivered[point, layout]["data_dir"], layout)

    assert memory.timeless() == undisturbed.timeless()
