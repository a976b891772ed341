"""Soaks of half a minute each, with every fault: no promise is broken."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from omoide.runtime.soak.command import PROFILES, Profile
from omoide.runtime.soak.driver import play
from omoide.runtime.soak.plan import FaultKind

pytest.importorskip("psutil", reason="the extra `soak` is not installed")


@pytest.mark.kill
@pytest.mark.parametrize(
    ("seed", "layout", "minds"),
    [
        (1, "per-character", "both"),
        (2, "shared", "both"),
        (3, "shared", "provider"),
        (4, "per-character", "offline"),
    ],
)
async def test_half_a_minute_with_every_fault_breaks_no_promise(seed: int, layout: str, minds: str) -> None:
    plan = replace(PROFILES[Profile.CI], seed=seed, layout=layout, minds=minds)

    run = await play(plan)

    assert run.violations == []
    assert run.faults.total() > 0
    assert run.checks > 50
    assert set(plan.faults) == set(FaultKind)
