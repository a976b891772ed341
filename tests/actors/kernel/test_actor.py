"""What happens when something goes wrong in an actor: the table in the package's docstring, row by row."""

# ruff: noqa: ARG001, ARG002 - a clock works by being asked for; hooks take what they are given

from __future__ import annotations

import logging
import weakref
from typing import TYPE_CHECKING

import pytest
import trio
import trio.testing

from omoide.actors.kernel import Actor, ActorRef, ActorSystem, Terminated, open_system
from omoide.protocols.errors import (
    ActorCrashedError,
    ActorDeadError,
    CallerError,
    DeadlineExceededError,
    InvalidTextError,
    StorageError,
    UnexpectedMessageError,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
from omoide.tests.actors.kernel.scripted import OnlyText, Scripted, Watcher, fail, fault, sleep_for_ever


async def test_an_unexpected_message_is_refused_to_the_asker_and_the_actor_goes_on(system: ActorSystem) -> None:
    ref = system.spawn(OnlyText)
    with pytest.raises(UnexpectedMessageError, match=r"OnlyText.*doesn't accept int; it accepts str"):
        await ref.aask(3)
    assert await ref.aask("on") == "ON"


async def test_an_unexpected_tell_becomes_a_dead_letter_and_the_actor_goes_on(system: ActorSystem) -> None:
    ref = system.spawn(OnlyText)
    ref.tell(3)
    assert await ref.aask("on") == "ON"
    assert system.dead_letters.counts["unexpected"] == 1
    assert system.dead_letters.latest[0].message == 3


async def test_an_actor_without_a_handler_refuses_every_message(system: ActorSystem) -> None:
    with pytest.raises(UnexpectedMessageError, match="no handler"):
        await system.spawn(Actor).aask("anything")


@pytest.mark.parametrize("error", [InvalidTextError("empty"), StorageError("disk")])
async def test_a_refusal_is_the_reply_and_the_actor_goes_on(system: ActorSystem, error: Exception) -> None:
    ref = system.spawn(Scripted)
    with pytest.raises(type(error), match=str(error)):
        await ref.aask(error)
    assert await ref.aask("on") == "on"


async def test_a_refused_tell_becomes_a_dead_letter_with_its_reason(system: ActorSystem) -> None:
    ref = system.spawn(Scripted)
    ref.tell(InvalidTextError("empty"))
    assert await ref.aask("on") == "on"
    (letter,) = system.dead_letters.latest
    assert (letter.reason, letter.detail) == ("refused", "InvalidTextError: empty")


async def test_a_fault_crashes_the_actor_and_tells_the_asker_why(system: ActorSystem) -> None:
    ref = system.spawn(Scripted)
    with pytest.raises(ActorCrashedError, match="ZeroDivisionError: a bug") as caught:
        await ref.aask(fault)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    await trio.testing.wait_all_tasks_blocked()
    assert not ref.is_alive()


@pytest.mark.parametrize("error", [SystemExit(3), BaseExceptionGroup("both", [ValueError("a"), SystemExit(1)])])
async def test_even_an_exit_crashes_only_its_actor(system: ActorSystem, error: BaseException) -> None:
    ref, other = system.spawn(Scripted), system.spawn(Scripted)
    with pytest.raises(ActorCrashedError):
        await ref.aask(error)
    assert await other.aask("alive") == "alive"


async def test_a_cancellation_that_nobody_ordered_crashes_only_its_actor(system: ActorSystem) -> None:
    stolen = list[BaseException]()
    with trio.move_on_after(0):
        try:
            await trio.sleep_forever()
        except trio.Cancelled as cancelled:
            stolen.append(cancelled)
            raise
    ref, other = system.spawn(Scripted), system.spawn(Scripted)
    with pytest.raises(ActorCrashedError):
        await ref.aask(stolen[0])
    assert await other.aask("alive") == "alive"


async def test_a_tell_that_crashes_its_actor_becomes_a_dead_letter(system: ActorSystem) -> None:
    system.spawn(Scripted).tell(fault)
    await trio.testing.wait_all_tasks_blocked()
    assert system.dead_letters.counts == {"crashed": 1}


async def test_what_waits_behind_a_crash_is_answered_when_nobody_supervises(system: ActorSystem) -> None:
    ref = system.spawn(Scripted)
    ref.tell(fault)
    ref.tell("left")
    with pytest.raises(ActorDeadError, match="is stopped after ZeroDivisionError: a bug"):
        await ref.aask("asked")
    assert system.dead_letters.counts["stopped"] == 1


async def test_a_start_that_fails_leaves_the_actor_dead_and_asks_are_told_why(system: ActorSystem) -> None:
    ref = system.spawn(lambda: Scripted(on_start=fail(OSError("no such folder"))))
    with pytest.raises(ActorDeadError, match="OSError: no such folder") as caught:
        await ref.aask("hello")
    assert isinstance(caught.value.__cause__, OSError)


async def test_a_factory_that_fails_leaves_the_actor_dead_and_asks_are_told_why(system: ActorSystem) -> None:
    def factory() -> Actor:
        raise LookupError("no model")

    with pytest.raises(ActorDeadError, match="LookupError: no model"):
        await system.spawn(factory).aask("hello")


async def test_a_stop_hook_that_fails_is_logged_and_told_to_the_watchers_and_the_stop_completes(
    system: ActorSystem, caplog: pytest.LogCaptureFixture
) -> None:
    told = list[Terminated]()
    ref = system.spawn(lambda: Scripted(on_stop=fail(OSError("still open"))))
    watcher = system.spawn(lambda: Watcher(told))
    ref.watch(watcher)
    with caplog.at_level(logging.ERROR):
        assert await ref.astop()
    await trio.testing.wait_all_tasks_blocked()
    assert not ref.is_alive()
    assert "OSError at" in caplog.text
    assert [(one.ref, str(one.reason)) for one in told] == [(ref, "still open")]


async def test_a_watcher_of_an_orderly_stop_is_told_no_reason(system: ActorSystem) -> None:
    told = list[Terminated]()
    ref, watcher = system.spawn(Scripted), system.spawn(lambda: Watcher(told))
    ref.watch(watcher)
    await ref.astop()
    await trio.testing.wait_all_tasks_blocked()
    assert told == [Terminated(ref, None)]


async def test_watching_a_dead_actor_fires_at_once(system: ActorSystem) -> None:
    told = list[Terminated]()
    ref, watcher = system.spawn(Scripted), system.spawn(lambda: Watcher(told))
    with pytest.raises(ActorCrashedError):
        await ref.aask(fault)
    await trio.testing.wait_all_tasks_blocked()
    ref.watch(watcher)
    await trio.testing.wait_all_tasks_blocked()
    assert isinstance(told[0].reason, ZeroDivisionError)


async def test_a_watcher_is_told_even_when_its_mailbox_is_full(system: ActorSystem) -> None:
    told = list[Terminated]()
    ref, watcher = system.spawn(Scripted), system.spawn(lambda: Watcher(told), mailbox_size=1)
    ref.watch(watcher)
    watcher.tell("fills it")
    await ref.astop()
    await trio.testing.wait_all_tasks_blocked()
    assert len(told) == 1


async def test_a_dead_watcher_makes_its_news_a_dead_letter(system: ActorSystem) -> None:
    ref, watcher = system.spawn(Scripted), system.spawn(lambda: Watcher([]))
    ref.watch(watcher)
    await watcher.astop()
    await ref.astop()
    await trio.testing.wait_all_tasks_blocked()
    assert isinstance(system.dead_letters.latest[-1].message, Terminated)


async def test_an_ask_whose_deadline_passed_in_the_queue_is_not_handled(
    system: ActorSystem, autojump_clock: object
) -> None:
    seen = list[str]()

    async def late(_actor: Actor) -> None:
        seen.append("late")

    async def slow(_actor: Actor) -> None:
        await trio.sleep(10)

    ref = system.spawn(Scripted)
    ref.tell(slow)
    with pytest.raises(DeadlineExceededError, match="no answer within 1 s"):
        await ref.aask(late, timeout_s=1)
    await ref.aask("after", timeout_s=60)
    assert seen == []
    assert system.dead_letters.counts["expired"] == 1


async def test_an_asker_that_is_cancelled_drops_the_reply_and_the_actor_goes_on(
    system: ActorSystem, autojump_clock: object
) -> None:
    ref = system.spawn(Scripted)

    async def slow(_actor: Actor) -> str:
        await trio.sleep(5)
        return "nobody hears"

    with trio.move_on_after(1):
        await ref.aask(slow, timeout_s=None)
    assert await ref.aask("on", timeout_s=60) == "on"


async def test_messages_are_handled_one_at_a_time_in_order(system: ActorSystem, autojump_clock: object) -> None:
    log = list[str]()
    ref = system.spawn(Scripted)

    def step(name: str) -> Callable[[Actor], Awaitable[None]]:
        async def run(_actor: Actor) -> None:
            log.append(f"{name} begins")
            await trio.sleep(1)
            log.append(f"{name} ends")

        return run

    ref.tell(step("first"))
    await ref.aask(step("second"))
    assert log == ["first begins", "first ends", "second begins", "second ends"]


async def test_an_idle_actor_does_not_keep_its_last_message_alive(system: ActorSystem) -> None:
    class Heavy:
        pass

    ref, heavy = system.spawn(Scripted), Heavy()
    alive = weakref.ref(heavy)
    ref.tell(heavy)
    del heavy
    await trio.testing.wait_all_tasks_blocked()
    assert alive() is None


async def test_a_flood_to_one_actor_does_not_starve_the_loop(system: ActorSystem) -> None:
    ref = system.spawn(Scripted, mailbox_size=10_000)
    for number in range(10_000):
        ref.tell(number)
    turns = 0
    while len(ref.actor_inbox):
        await trio.lowlevel.checkpoint()
        turns += 1
    assert turns > 100


async def test_a_task_beside_the_handlers_runs_until_the_actor_stops(system: ActorSystem) -> None:
    log = list[str]()

    async def beside() -> None:
        try:
            await trio.sleep_forever()
        finally:
            log.append("cancelled")

    async def begin(actor: Actor) -> None:
        actor.start_soon(beside)

    ref = system.spawn(lambda: Scripted(on_stop=lambda: log.append("on_stop")))
    await ref.aask(begin)
    assert log == []
    await ref.astop()
    assert log == ["cancelled", "on_stop"]


async def test_a_fault_in_a_task_beside_the_handlers_crashes_the_actor(system: ActorSystem) -> None:
    async def begin(actor: Actor) -> None:
        actor.start_soon(fault, actor)
        await trio.sleep_forever()

    with pytest.raises(ActorCrashedError, match="ZeroDivisionError"):
        await system.spawn(Scripted).aask(begin)


async def test_an_actor_that_was_built_but_not_started_runs_no_tasks(system: ActorSystem) -> None:
    class Hasty(Actor):
        def __init__(self) -> None:
            super().__init__()
            self.start_soon(trio.sleep_forever)

    with pytest.raises(ActorDeadError, match="runs no tasks"):
        await system.spawn(Hasty).aask("hello")


async def test_a_crash_runs_the_failure_hook_in_place_of_the_stop_hook(system: ActorSystem) -> None:
    log = list[str]()

    class Careful(Scripted):
        async def on_failure(self, exception_type: object, exception_value: object, traceback: object) -> None:
            log.append(f"{exception_value} {traceback is not None}")

    ref = system.spawn(lambda: Careful(on_stop=lambda: log.append("on_stop")))
    with pytest.raises(ActorCrashedError):
        await ref.aask(fault)
    await trio.testing.wait_all_tasks_blocked()
    assert log == ["a bug True"]


async def test_an_actor_constructed_outside_its_factory_is_refused(system: ActorSystem) -> None:
    with pytest.raises(CallerError, match=r"system.spawn\(lambda: OnlyText"):
        OnlyText()


async def test_a_factory_that_returns_no_new_actor_leaves_a_dead_one(system: ActorSystem) -> None:
    first = list[Actor]()

    def factory() -> Actor:
        if not first:
            first.append(OnlyText())
        return first[0]

    assert await system.spawn(factory).aask("a") == "A"
    with pytest.raises(ActorDeadError, match="not a new actor"):
        await system.spawn(factory).aask("b")


async def test_a_cancelled_handler_tells_its_asker_that_the_actor_is_dead(autojump_clock: object) -> None:
    async with open_system() as system:
        answer = system.spawn(Scripted, shutdown_s=2).ask(sleep_for_ever, block=False)
        await trio.testing.wait_all_tasks_blocked()
        stopping_since = trio.current_time()
    assert trio.current_time() - stopping_since == pytest.approx(2)
    with pytest.raises(ActorDeadError, match="cancelled while it handled"):
        await answer


async def test_a_stop_lets_what_was_queued_before_be_handled(system: ActorSystem) -> None:
    ref, log = system.spawn(Scripted), list[str]()

    async def note(_actor: Actor) -> None:
        log.append("handled")

    ref.tell(note)
    stopping = ref.stop(block=False)
    behind: ActorRef = ref
    answer = behind.ask("behind the stop", block=False)
    assert await stopping is True
    assert log == ["handled"]
    with pytest.raises(ActorDeadError):
        await answer


async def test_stopping_a_dead_actor_says_that_it_was_dead(system: ActorSystem) -> None:
    ref = system.spawn(Scripted)
    assert await ref.astop() is True
    assert await ref.astop() is False
