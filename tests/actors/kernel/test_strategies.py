"""Who is restarted with a child that crashed, by the supervisor's strategy."""

# ruff: noqa: ARG001 - a clock works by being asked for; hooks take what they are given

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import trio
import trio.testing

from omoide.actors.kernel import (
    ActorSystem,
    ChildSpec,
    ChildState,
    Restart,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
from omoide.tests.actors.kernel.families import (
    STEADY,
    AllFamily,
    Child,
    Family,
    RestFamily,
    World,
    crash,
    run_family,
)


async def test_one_for_one_restarts_the_child_that_crashed_alone(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", "b", "c")
    await crash(home.child("b"))
    await trio.sleep(5)
    assert home.log == ["hook: b crashed by ZeroDivisionError", "b starts"]


async def test_one_for_all_stops_the_others_in_reverse_and_starts_all_in_order(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", "b", "c", kind=AllFamily)
    await crash(home.child("b"))
    await trio.sleep(5)
    assert [entry for entry in home.log if "hook" not in entry] == [
        "c stops", "a stops", "a starts", "b starts", "c starts",
    ]  # fmt: skip


async def test_rest_for_one_restarts_those_started_after_it_too(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", "b", "c", "d", kind=RestFamily)
    await crash(home.child("b"))
    await trio.sleep(5)
    assert [entry for entry in home.log if "hook" not in entry] == [
        "d stops", "c stops", "b starts", "c starts", "d starts",
    ]  # fmt: skip


async def test_a_group_restart_keeps_the_mailboxes_of_all(system: ActorSystem, autojump_clock: object) -> None:
    home = await run_family(system, "a", "b", kind=AllFamily)
    await crash(home.child("a"))
    answer = home.child("b").ask("kept", block=False)
    assert await answer == ("kept", 1)
    assert home.family.children_status()["b"].restarts == 1


async def test_a_temporary_sibling_is_stopped_by_a_group_restart_and_not_started_again(
    system: ActorSystem, autojump_clock: object
) -> None:
    world = World()

    def specs(_family: Family) -> Sequence[ChildSpec]:
        return [
            ChildSpec("a", lambda: Child("a", world), backoff=STEADY),
            ChildSpec("t", lambda: Child("t", world), restart=Restart.TEMPORARY),
        ]

    families = list[Family]()

    def factory() -> Family:
        families.append(AllFamily(specs, world))
        return families[-1]

    await system.spawn(factory).aask("started")
    await crash(families[0].child("a"))
    await trio.sleep(5)
    assert [status.state for status in families[0].children_status().values()] == ["running", "stopped"]


async def test_a_crash_while_the_group_is_being_started_starts_nobody_twice(
    system: ActorSystem, autojump_clock: object
) -> None:
    world = World()
    home = await run_family(system, "a", "b", "c", kind=AllFamily, world=world)
    world.failing_starts["b"] = 2
    await crash(home.child("a"))
    await trio.sleep(20)
    assert [home.state(one) for one in "abc"] == [ChildState.RUNNING] * 3
    starts = Counter(entry for entry in home.log if entry.endswith("starts"))
    stops = Counter(entry for entry in home.log if entry.endswith("stops"))
    assert starts["a starts"] == stops["a stops"] + 1
    assert starts["b starts"] == 3
