"""The harness sees five deliberate bugs, each by the promise that it breaks, and sees nothing without them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from omoide.runtime.soak.driver import play
from omoide.runtime.soak.plan import FaultKind, Plan

pytest.importorskip("psutil", reason="the extra `soak` is not installed")

MUTANT = str(Path(__file__).with_name("mutant.py"))

SEEDS = (3, 4, 5)
"""Which memories are asked for depends on what was worked out by then, so that one soak alone may miss a bug."""

PLAN = Plan(
    seed=SEEDS[0],
    minds="offline",
    characters=2,
    turns=360,
    rate=None,
    every=6.0,
    life=90,
    faults=(FaultKind.KILL, FaultKind.DELIVERY, FaultKind.RESTART),
)

FOUND_BY = {
    "settle_before_effect": {"P2", "P3"},
    "missing_idempotency_key": {"P2"},
    "filter_after_ranking": {"P5"},
    "stale_directives": {"P4"},
    "unverified_chain": {"P7"},
}
"""Work that is lost is a fact that is missing, or a denial that nobody learned of."""


@pytest.mark.kill
@pytest.mark.parametrize("bug", FOUND_BY)
async def test_a_soak_finds_the_bug(bug: str) -> None:
    found: list[str] = []
    for seed in SEEDS:
        run = await play(replace(PLAN, seed=seed), command=(sys.executable, MUTANT, bug))
        found += [violation.promise for violation in run.violations]
        if found:
            break

    assert len(found) == 1
    assert FOUND_BY[bug].issuperset(found)


@pytest.mark.kill
async def test_the_same_soak_finds_nothing_without_a_bug() -> None:
    run = await play(replace(PLAN, turns=240), command=(sys.executable, MUTANT, "none"))

    assert run.violations == []
    assert len(run.steps) == 240
    assert run.faults.total() > 20
