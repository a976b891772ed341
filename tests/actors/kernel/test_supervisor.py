"""Supervision: who is restarted when, what survives, and what nobody else feels."""

# ruff: noqa: ARG001, ARG002 - a clock works by being asked for; hooks take what they are given

from __future__ import annotations

import logging
import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import trio
import trio.testing

from omoide.actors.kernel import (
    Actor,
    ActorRef,
    ActorSystem,
    Backoff,
    ChildSpec,
    ChildState,
    Intensity,
    Restart,
    Terminated,
    open_system,
)
from omoide.protocols.errors import (
    ActorCrashedError,
    ActorDeadError,
    CallerError,
    DeadlineExceededError,
    InvalidTextError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
from omoide.tests.actors.kernel.families import STEADY, AllFamily, Child, Family, World, crash, run_family, suspend

# --- start and stop ------------------------------------------------------------------------------


async def test_children_start_in_order_each_after_the_one_before_has_started(autojump_clock: object) -> None:
    world = World()
    world.slow_starts = {"a": 3, "b": 1}
    async with open_system() as system:
        system.spawn(
            lambda: Family(lambda _: [ChildSpec(one, partial(Child, one, world)) for one in "abc"], world)
        )
        await trio.sleep(3.5)
        assert world.log == ["family starts", "a starts"]
        await trio.sleep(1)
    assert world.log[:4] == ["family starts", "a starts", "b starts", "c starts"]


async def test_children_stop_in_reverse_order_before_their_supervisor(autojump_clock: object) -> None:
    async with open_system() as system:
        home = await run_family(system, "a", "b", "c")
    assert home.log == ["c stops", "b stops", "a stops", "family stops"]


async def test_a_child_that_fails_to_start_does_not_keep_the_next_from_starting(
    system: ActorSystem, autojump_clock: object
) -> None:
    world = World()
    world.failing_starts["a"] = 1
    home = await run_family(system, "a", "b", world=world)
    assert home.state("a") is ChildState.RESTARTING
    assert home.state("b") is ChildState.RUNNING
    await trio.sleep(1.5)
    assert home.state("a") is ChildState.RUNNING


async def test_a_child_that_hangs_at_its_stop_is_cancelled_after_its_shutdown_time_and_the_rest_still_stop(
    autojump_clock: object,
) -> None:
    world = World()
    world.slow_stops["b"] = 100
    async with open_system() as system:
        home = await run_family(system, "a", "b", "c", world=world, shutdown_s=2.0)
        leaving_at = trio.current_time()
    assert trio.current_time() - leaving_at == pytest.approx(2)
    assert home.log == ["c stops", "a stops", "family stops"]


async def test_a_supervisor_has_time_for_all_its_children_to_stop(autojump_clock: object) -> None:
    world = World()
    world.slow_stops = dict.fromkeys("abc", 4.0)
    async with open_system() as system:
        home = await run_family(system, "a", "b", "c", world=world)
    assert home.log == ["c stops", "b stops", "a stops", "family stops"]


async def test_a_supervisor_that_is_cancelled_takes_its_children_with_it(autojump_clock: object) -> None:
    world = World()
    world.slow_stops = dict.fromkeys("ab", 100.0)
    async with open_system() as system:
        families = list[Family]()

        def factory() -> Family:
            families.append(Family(lambda _: [ChildSpec(one, partial(Child, one, world)) for one in "ab"], world))
            return families[-1]

        await system.spawn(factory, shutdown_s=1).aask("started")
        leaving_at = trio.current_time()
    assert trio.current_time() - leaving_at == pytest.approx(1)
    assert not families[0].child("a").is_alive()
    assert len(system) == 0


async def test_siblings_know_each_other_before_any_of_them_runs(system: ActorSystem) -> None:
    class Talker(Actor):
        def __init__(self, sibling: ActorRef) -> None:
            super().__init__()
            self._sibling = sibling

        async def on_start(self) -> None:
            self._sibling.tell("you will read this")

    world = World()
    heard = list[Any]()

    class Listener(Actor):
        async def receive(self, message: Any) -> None:
            heard.append(message)

    def specs(family: Family) -> Sequence[ChildSpec]:
        return [
            ChildSpec("talker", lambda: Talker(family.child("listener"))),
            ChildSpec("listener", Listener),
        ]

    await system.spawn(lambda: Family(specs, world)).aask("started")
    await trio.testing.wait_all_tasks_blocked()
    assert heard == ["you will read this"]


async def test_an_unknown_child_is_named_with_those_that_are_known(system: ActorSystem) -> None:
    home = await run_family(system, "a", "b")
    with pytest.raises(CallerError, match=r"no child 'c'.*a, b"):
        home.child("c")


async def test_two_children_of_one_id_crash_the_supervisor_with_a_clear_reason(system: ActorSystem) -> None:
    world = World()
    ref = system.spawn(lambda: Family(lambda _: [ChildSpec("a", lambda: Child("a", world))] * 2))
    with pytest.raises(ActorDeadError, match="has a child 'a' already"):
        await ref.aask("started")


async def test_the_mailbox_takes_the_childs_class_size_unless_its_spec_says_otherwise(system: ActorSystem) -> None:
    home = await run_family(system, "a", mailbox_size=3)
    assert home.child("a").actor_inbox.capacity == 3
    home = await run_family(system, "a")
    assert home.child("a").actor_inbox.capacity == Child.mailbox_size


# --- restarts ------------------------------------------------------------------------------------


async def test_a_crashed_child_comes_back_fresh_under_the_same_ref_after_its_backoff(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a")
    ref = home.child("a")
    assert await ref.aask("x") == ("x", 1)
    await crash(ref)
    assert home.state("a") is ChildState.RESTARTING
    crashed_at = trio.current_time()
    assert await ref.aask("y") == ("y", 1)
    assert trio.current_time() - crashed_at == pytest.approx(1)
    assert home.child("a") is ref


async def test_queued_messages_survive_repeated_crashes_in_order_and_none_is_tried_again(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a")
    ref = home.child("a")
    order = list[int]()

    def note(number: int) -> Callable[[object], None]:
        return lambda _: order.append(number)

    for number, message in enumerate(["crash", 1, 2, "crash", "crash", 3, 4]):
        ref.ask(message, block=False).add_done_callback(note(number))
    await trio.sleep(10)
    assert order == list(range(7))
    assert home.family.children_status()["a"].restarts == 3


async def test_a_supervisor_shows_what_each_child_is_doing_and_why(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", "b")
    await crash(home.child("a"))
    crashed_at = trio.current_time()
    await trio.sleep(5)
    status = home.family.children_status()
    assert list(status) == ["a", "b"]
    assert (status["a"].state, status["a"].restarts) == ("running", 1)
    assert status["a"].last_error == "ZeroDivisionError: a bug"
    assert status["a"].since == pytest.approx(crashed_at + 1)
    assert (status["b"].state, status["b"].restarts, status["b"].last_error) == ("running", 0, None)


async def test_a_refusal_restarts_nobody(system: ActorSystem) -> None:
    home = await run_family(system, "a")
    with pytest.raises(InvalidTextError):
        await home.child("a").aask("refuse")
    assert home.family.children_status()["a"].restarts == 0


async def test_the_backoff_grows_with_each_crash_and_starts_anew_after_a_good_run(
    system: ActorSystem, autojump_clock: object
) -> None:
    backoff = Backoff(min_s=1, max_s=30, factor=2, jitter=0, reset_after_s=50)
    home = await run_family(system, "a", backoff=backoff, intensity=Intensity(max_restarts=99))
    waits = list[float]()

    async def crash_and_wait() -> None:
        await crash(home.child("a"))
        crashed_at = trio.current_time()
        await home.child("a").aask("back", timeout_s=60)
        waits.append(round(trio.current_time() - crashed_at, 3))

    for _ in range(3):
        await crash_and_wait()
    await trio.sleep(49)
    await crash_and_wait()
    await trio.sleep(51)
    await crash_and_wait()
    assert waits == [1, 2, 4, 8, 1]


async def test_the_systems_random_source_sets_the_jitter(autojump_clock: object) -> None:
    async def wait_of(seed: int) -> float:
        async with open_system(rng=random.Random(seed)) as system:
            home = await run_family(system, "a", backoff=Backoff(min_s=10, max_s=20, jitter=0.5))
            await crash(home.child("a"))
            crashed_at = trio.current_time()
            await home.child("a").aask("back", timeout_s=60)
            return round(trio.current_time() - crashed_at, 3)

    waits = [await wait_of(1), await wait_of(1), await wait_of(2)]
    assert waits[0] == waits[1] != waits[2]


@pytest.mark.parametrize(
    ("restart", "how", "expected"),
    [
        (Restart.PERMANENT, "crash", ChildState.RUNNING),
        (Restart.PERMANENT, "stop", ChildState.RUNNING),
        (Restart.TRANSIENT, "crash", ChildState.RUNNING),
        (Restart.TRANSIENT, "stop", ChildState.STOPPED),
        (Restart.TEMPORARY, "crash", ChildState.STOPPED),
        (Restart.TEMPORARY, "stop", ChildState.STOPPED),
    ],
)
async def test_a_child_is_started_again_as_its_restart_type_says(
    system: ActorSystem, autojump_clock: object, restart: Restart, how: str, expected: ChildState
) -> None:
    home = await run_family(system, "a", restart=restart)
    home.child("a").tell(how)
    await trio.sleep(5)
    assert home.state("a") is expected
    assert home.child("a").is_alive() == (expected is ChildState.RUNNING)


async def test_a_watcher_hears_nothing_of_restarts_and_once_of_the_end(
    system: ActorSystem, autojump_clock: object
) -> None:
    told = list[Terminated]()

    class Watcher(Actor):
        async def receive(self, message: Terminated) -> None:
            told.append(message)

    home = await run_family(system, "a")
    home.child("a").watch(system.spawn(Watcher))
    await crash(home.child("a"))
    await trio.sleep(5)
    assert told == []
    await home.ref.aask(lambda family: family.stop_child("a"))
    await trio.testing.wait_all_tasks_blocked()
    assert told == [Terminated(home.child("a"), None)]


# --- hooks and later children --------------------------------------------------------------------


async def test_a_hook_that_fails_or_hangs_holds_no_restart_up(
    system: ActorSystem, autojump_clock: object, caplog: pytest.LogCaptureFixture
) -> None:
    class Clumsy(Family):
        async def on_child_crashed(self, child_id: str, error: BaseException) -> None:
            if child_id == "a":
                raise RuntimeError("clumsy")
            await trio.sleep_forever()

    home = await run_family(system, "a", "b", kind=Clumsy)
    with caplog.at_level(logging.ERROR):
        await crash(home.child("a"))
    await crash(home.child("b"))
    assert (await home.child("b").aask("back"))[0] == "back"
    await crash(home.child("b"))
    assert (await home.child("a").aask("back"))[0] == "back"
    assert (await home.child("b").aask("back"))[0] == "back"
    assert "a hook raised" in caplog.text


async def test_a_supervisor_in_the_middle_of_a_message_still_restarts_its_children(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a")

    async def ask_through_a_crash(family: Family) -> object:
        family.child("a").tell("crash")
        return await family.child("a").aask("after")

    assert await home.ref.aask(ask_through_a_crash) == ("after", 1)


async def test_a_child_can_be_added_and_removed_later(system: ActorSystem, autojump_clock: object) -> None:
    home = await run_family(system, "a")
    world = home.world
    ref = await home.ref.aask(lambda family: family.start_child(ChildSpec("late", lambda: Child("late", world))))
    assert await ref.aask("hi") == ("hi", 1)
    await home.ref.aask(lambda family: family.stop_child("late"))
    assert home.state("late") is ChildState.STOPPED
    with pytest.raises(ActorDeadError):
        await ref.aask("gone")
    again = await home.ref.aask(lambda family: family.start_child(ChildSpec("late", lambda: Child("late", world))))
    assert again is not ref
    assert await again.aask("hi") == ("hi", 1)


async def test_adding_a_child_whose_id_is_in_use_is_refused(system: ActorSystem) -> None:
    home = await run_family(system, "a")
    with pytest.raises(CallerError, match="already"):
        await home.ref.aask(lambda family: family.start_child(ChildSpec("a", lambda: Child("a", home.world))))


async def test_a_child_stopped_while_it_waits_for_its_restart_stays_stopped(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", "b", kind=AllFamily)
    await crash(home.child("a"))
    await home.ref.aask(lambda family: family.stop_child("a"))
    await trio.sleep(5)
    assert home.state("a") is ChildState.STOPPED
    assert home.state("b") is ChildState.RUNNING


async def test_a_suspended_child_that_is_stopped_is_never_probed(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", intensity=Intensity(max_restarts=0), probe_s=10)
    await suspend(home, crashes=1)
    await home.ref.aask(lambda family: family.stop_child("a"))
    home.log.clear()
    await trio.sleep(100)
    assert home.log == []
    with pytest.raises(ActorDeadError):
        await home.child("a").aask("x")


async def test_a_supervisor_that_crashes_stops_its_children_in_order(
    system: ActorSystem, autojump_clock: object
) -> None:
    home = await run_family(system, "a", "b")

    async def fault(_family: Family) -> None:
        raise ZeroDivisionError

    with pytest.raises(ActorCrashedError):
        await home.ref.aask(fault)
    await trio.testing.wait_all_tasks_blocked()
    assert home.log == ["b stops", "a stops"]
    assert not home.child("a").is_alive()


async def test_a_supervisor_can_be_a_child_and_is_restarted_with_new_children(
    system: ActorSystem, autojump_clock: object
) -> None:
    world = World()
    inner = list[Family]()

    def build_inner() -> Family:
        inner.append(Family(lambda _: [ChildSpec("leaf", lambda: Child("leaf", world))], world))
        return inner[-1]

    async def fault(_family: Family) -> None:
        raise ZeroDivisionError

    outer = list[Family]()

    def build_outer() -> Family:
        outer.append(Family(lambda _: [ChildSpec("inner", build_inner, backoff=STEADY)]))
        return outer[-1]

    await system.spawn(build_outer).aask("started")
    with pytest.raises(ActorCrashedError):
        await outer[0].child("inner").aask(fault)
    await trio.sleep(5)
    assert len(inner) == 2
    assert not inner[0].child("leaf").is_alive()
    assert (await inner[1].child("leaf").aask("hi"))[0] == "hi"


async def test_a_hanging_child_harms_no_sibling(system: ActorSystem, autojump_clock: object) -> None:
    home = await run_family(system, "a", "b")
    with pytest.raises(DeadlineExceededError):
        await home.child("a").aask("hang", timeout_s=1)
    assert (await home.child("b").aask("x"))[0] == "x"
