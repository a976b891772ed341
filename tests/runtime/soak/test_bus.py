"""A soak over NATS, whose server is killed too: no promise is broken, and a bug of its commands is found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from omoide.protocols.errors import InvalidRequestError
from omoide.runtime.soak.driver import play
from omoide.runtime.soak.generate import Generator
from omoide.runtime.soak.grammar import Act
from omoide.runtime.soak.plan import Bus, FaultKind, Plan, Settle, Talk, read_plan
from omoide.tests.runtime.bus.servers import binary

pytest.importorskip("psutil", reason="the extra `soak` is not installed")

MUTANT = str(Path(__file__).with_name("mutant.py"))

PLAN = Plan(
    seed=5,
    bus="nats",
    minds="offline",
    characters=4,
    for_s=9.0,
    rate=30.0,
    every=12.0,
    faults=(FaultKind.BUS, FaultKind.KILL, FaultKind.DELIVERY),
)


@pytest.mark.kill
async def test_restarts_of_the_bus_and_of_the_process_break_no_promise() -> None:
    binary("nats-server")

    run = await play(PLAN)

    assert run.violations == []
    assert run.bus_restarts == run.faults["bus"] > 0
    assert run.by_bus > 20
    assert len(run.recoveries_s) > 1


@pytest.mark.kill
async def test_a_message_that_comes_twice_over_the_bus_and_has_no_key_is_found() -> None:
    binary("nats-server")
    first = Talk(who="yui 1", act=Act.CHAT, family=0, item=7, place="private", id="m1")
    plan = replace(PLAN, steps=(first, replace(first, id="m2", bus=True, copies=2), Settle(who="yui 1")))

    run = await play(plan, command=(sys.executable, MUTANT, "missing_idempotency_key"))

    assert [violation.promise for violation in run.violations] == ["P2"]
    assert run.by_bus == 1


def test_a_plan_without_a_bus_makes_no_step_that_needs_one() -> None:
    made = [step for step, _ in zip(Generator(replace(PLAN, bus=None)).steps(), range(400), strict=False)]

    assert not any(isinstance(step, Bus) or getattr(step, "bus", False) for step in made)


def test_steps_over_a_bus_in_a_plan_without_one_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text('steps: [{"do": "bus", "for_s": 0.1}]', encoding="utf-8")

    with pytest.raises(InvalidRequestError, match="bus: nats"):
        read_plan(file)
