"""A child that crashes too often is suspended, and tried again; nobody else feels it."""

# ruff: noqa: ARG001 - a clock works by being asked for; hooks take what they are given

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import trio
import trio.testing

from omoide.actors.kernel import (
    ActorSystem,
    ChildState,
    Intensity,
)
from omoide.protocols.errors import (
    ActorSuspendedError,
)

if TYPE_CHECKING:
    pass
from omoide.tests.actors.kernel.families import STEADY, AllFamily, World, crash, run_family, suspend


async def test_a_child_that_crashes_once_too_often_within_the_window_is_suspended(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a")
    await suspend(home, crashes=5)
    assert home.state("a") is ChildState.RESTARTING
    await suspend(home, crashes=1)
    assert home.state("a") is ChildState.SUSPENDED


async def test_crashes_spread_wider_than_the_window_never_suspend(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a")
    for _ in range(12):
        await crash(home.child("a"))
        await trio.sleep(13)
    assert home.state("a") is ChildState.RUNNING


async def test_asks_to_a_suspended_child_are_refused_queued_or_new_and_tells_become_dead_letters(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", intensity=Intensity(max_restarts=0))
    ref = home.child("a")
    ref.tell("crash")
    queued = ref.ask("queued", block=False)
    ref.tell("queued tell")
    with pytest.raises(ActorSuspendedError, match="ZeroDivisionError: a bug"):
        await queued
    with pytest.raises(ActorSuspendedError):
        await ref.aask("new")
    await ref.atell("new tell")
    assert system.dead_letters.counts["suspended"] == 2
    assert ref.is_alive()


async def test_siblings_and_supervisor_go_on_while_a_child_is_suspended(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", "b", kind=AllFamily)
    await suspend(home)
    home.log.clear()
    assert (await home.child("b").aask("x"))[0] == "x"
    assert await home.ref.aask("y") == "y"
    assert home.log == []


async def test_a_suspended_childs_siblings_can_still_be_restarted_without_it(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", "b", "c", kind=AllFamily)
    await suspend(home)
    await home.child("b").aask("back", timeout_s=60)
    await crash(home.child("b"))
    await home.child("c").aask("back", timeout_s=60)
    assert home.state("a") is ChildState.SUSPENDED


async def test_a_probe_starts_a_suspended_child_and_its_first_handled_message_proves_it_well(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", probe_s=100)
    await suspend(home)
    suspended_at = home.family.children_status()["a"].since
    await trio.sleep_until(suspended_at + 101)
    assert home.state("a") is ChildState.RESTARTING
    assert await home.child("a").aask("well?") == ("well?", 1)
    await trio.testing.wait_all_tasks_blocked()
    assert home.state("a") is ChildState.RUNNING
    assert home.log[-2:] == ["a starts", "hook: a recovered"]


async def test_a_probe_that_runs_long_enough_without_a_message_is_well_too(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", probe_s=100, intensity=Intensity(max_restarts=0))
    await suspend(home, crashes=1)
    await trio.sleep(100 + STEADY.reset_after_s + 1)
    assert home.state("a") is ChildState.RUNNING
    assert "hook: a recovered" in home.log


async def test_a_probe_that_crashes_suspends_the_child_again(system: ActorSystem, autojump_clock: object) -> None:
    home = await run_family(system, "a", probe_s=100, intensity=Intensity(max_restarts=0))
    await suspend(home, crashes=1)
    home.world.failing_starts["a"] = 2
    await trio.sleep(101)
    assert home.state("a") is ChildState.SUSPENDED
    assert home.log.count("hook: a suspended") == 2
    await trio.sleep(202)
    assert (await home.child("a").aask("well?"))[0] == "well?"


async def test_a_child_that_recovered_has_its_whole_intensity_again(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", probe_s=1)
    await suspend(home)
    await trio.sleep(1.5)
    await home.child("a").aask("well")
    await suspend(home, crashes=5)
    assert home.state("a") is ChildState.RESTARTING


async def test_a_start_that_keeps_failing_is_suspended(system: ActorSystem, autojump_clock: object) -> None:
    world = World()
    world.failing_starts["a"] = 100
    home = await run_family(system, "a", "b", world=world)
    await trio.sleep(20)
    assert home.state("a") is ChildState.SUSPENDED
    assert home.family.children_status()["a"].last_error == "OSError: a can't start"
