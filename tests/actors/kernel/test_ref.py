"""The ways to reach an actor: from its own loop, from a plain thread, from an asyncio program."""

# ruff: noqa: ARG001, ARG002 - a clock works by being asked for; hooks take what they are given

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pykka
import pytest
import trio
import trio.testing

from omoide.actors.kernel import Actor, ActorSystem, current_envelope, open_system
from omoide.protocols.errors import (
    ActorDeadError,
    CallerError,
    DeadlineExceededError,
    InvalidTextError,
    MailboxFullError,
    WouldDeadlockError,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class Echo(Actor):
    async def receive(self, message: Any) -> Any:
        if isinstance(message, Exception):
            raise message
        if message == "sleep":
            await trio.sleep_forever()
        return message


class Relay(Actor):
    """Notes its envelope, and sends the message on."""

    def __init__(
        self, seen: list[tuple[str, int, int | None, str | None]], onward: Callable[[Any], object]
    ) -> None:
        super().__init__()
        self._seen = seen
        self._onward = onward

    async def receive(self, message: Any) -> None:
        envelope = current_envelope()
        assert envelope is not None
        self._seen.append((message, envelope.id, envelope.cause, envelope.trace))
        self._onward(message)


def in_asyncio(main: Callable[[], Any]) -> Any:
    return asyncio.run(main())


async def test_a_blocking_ask_on_the_loop_is_refused_before_anything_is_enqueued(system: ActorSystem) -> None:
    ref = system.spawn(Echo)
    with pytest.raises(WouldDeadlockError, match="trio"):
        ref.ask("hello")
    assert len(ref.actor_inbox) == 0


async def test_a_blocking_stop_on_the_loop_is_refused(system: ActorSystem) -> None:
    ref = system.spawn(Echo)
    with pytest.raises(WouldDeadlockError):
        ref.stop()
    assert ref.is_alive()


async def test_an_ask_that_does_not_block_gives_a_future(system: ActorSystem) -> None:
    assert await system.spawn(Echo).ask(5, block=False) == 5


async def test_an_ask_that_does_not_block_finds_its_failure_in_the_future(system: ActorSystem) -> None:
    ref = system.spawn(Echo, mailbox_size=1)
    ref.ask("fills it", block=False)
    refused = ref.ask("no room", block=False)
    with pytest.raises(MailboxFullError):
        await refused
    await ref.astop()
    with pytest.raises(pykka.ActorDeadError):
        await ref.ask("too late", block=False)


async def test_a_tell_to_a_dead_actor_is_refused_in_pykkas_words_too(system: ActorSystem) -> None:
    ref = system.spawn(Echo)
    await ref.astop()
    with pytest.raises(pykka.ActorDeadError):
        ref.tell("too late")
    with pytest.raises(ActorDeadError):
        await ref.atell("too late")


async def test_an_ask_without_an_answer_ends_at_its_deadline_in_pykkas_words_too(
    system: ActorSystem, autojump_clock: object
) -> None:
    asked_at = trio.current_time()
    with pytest.raises(pykka.Timeout):
        await system.spawn(Echo, shutdown_s=1).aask("sleep", timeout_s=7)
    assert trio.current_time() - asked_at == pytest.approx(7)


async def test_waiting_for_room_counts_toward_the_deadline(system: ActorSystem, autojump_clock: object) -> None:
    ref = system.spawn(Echo, mailbox_size=1, shutdown_s=1)
    ref.tell("sleep")
    await trio.testing.wait_all_tasks_blocked()
    ref.tell("fills it")
    with pytest.raises(DeadlineExceededError):
        await ref.aask("no room", timeout_s=3)
    assert len(ref.actor_inbox) == 1


async def test_a_plain_thread_asks_and_stops(system: ActorSystem) -> None:
    ref = system.spawn(Echo)

    def use() -> tuple[object, bool, bool]:
        return ref.ask("hi", timeout=5), ref.stop(timeout=5), ref.is_alive()

    assert await trio.to_thread.run_sync(use) == ("hi", True, False)


async def test_a_plain_thread_gets_the_handlers_refusal(system: ActorSystem) -> None:
    ref = system.spawn(Echo)
    with pytest.raises(InvalidTextError, match="empty"):
        await trio.to_thread.run_sync(lambda: ref.ask(InvalidTextError("empty"), timeout=5))


async def test_a_plain_thread_stops_waiting_at_its_timeout(system: ActorSystem) -> None:
    ref = system.spawn(Echo, shutdown_s=0)
    with pytest.raises(DeadlineExceededError, match=r"Echo.*no answer"):
        await trio.to_thread.run_sync(lambda: ref.ask("sleep", timeout=0.02))


async def test_an_actor_can_be_spawned_from_a_thread_only_through_the_loop(system: ActorSystem) -> None:
    def spawn() -> object:
        with pytest.raises(CallerError, match="from_thread"):
            system.spawn(Echo)
        return trio.from_thread.run_sync(system.spawn, Echo).ask(1, timeout=5)

    assert await trio.to_thread.run_sync(spawn) == 1


async def test_an_asyncio_program_in_another_thread_asks_tells_and_stops(system: ActorSystem) -> None:
    ref = system.spawn(Echo)

    async def program() -> list[object]:
        answers = await asyncio.gather(*(ref.aask(number) for number in range(50)))
        await ref.atell("told")
        ref.tell("told at once")
        return [*answers, await ref.ask("future", block=False), await ref.astop()]

    with trio.fail_after(20):
        answers = await trio.to_thread.run_sync(in_asyncio, program)
    assert answers == [*range(50), "future", True]


async def test_an_asyncio_program_meets_the_same_errors(system: ActorSystem) -> None:
    ref = system.spawn(Echo, shutdown_s=0)

    async def program() -> None:
        with pytest.raises(InvalidTextError):
            await ref.aask(InvalidTextError("empty"))
        with pytest.raises(WouldDeadlockError, match="asyncio"):
            ref.ask("blocks")
        with pytest.raises(DeadlineExceededError):
            await ref.aask("sleep", timeout_s=0.02)
        asker = asyncio.create_task(ref.aask("behind", timeout_s=None))
        await asyncio.sleep(0)
        asker.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asker

    with trio.fail_after(20):
        await trio.to_thread.run_sync(in_asyncio, program)


async def test_a_full_mailbox_makes_an_asyncio_program_wait_or_fail_but_never_blocks_its_loop(
    system: ActorSystem,
) -> None:
    ref = system.spawn(Echo, mailbox_size=1, shutdown_s=0)
    ref.tell("sleep")
    await trio.testing.wait_all_tasks_blocked()
    ref.tell("fills it")

    async def program() -> None:
        with pytest.raises(MailboxFullError):
            ref.tell("no room")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ref.atell("no room"), 0.02)

    await trio.to_thread.run_sync(in_asyncio, program)
    assert len(ref.actor_inbox) == 1


async def test_an_actor_on_one_trio_loop_is_asked_from_another(system: ActorSystem) -> None:
    ref = system.spawn(Echo)
    with trio.fail_after(20):
        assert await trio.to_thread.run_sync(lambda: trio.run(ref.aask, "across")) == "across"


def test_an_actor_is_unreachable_but_not_hanging_after_its_loop_has_ended() -> None:
    async def main() -> Any:
        async with open_system() as system:
            return system.spawn(Echo)

    ref = trio.run(main)
    with pytest.raises(ActorDeadError):
        ref.tell("late")
    with pytest.raises(ActorDeadError):
        ref.ask("late")
    assert ref.stop() is False


async def test_a_message_names_the_one_that_caused_it_and_carries_its_trace(system: ActorSystem) -> None:
    seen = list[tuple[str, int, int | None, str | None]]()
    second = system.spawn(lambda: Relay(seen, lambda _: None))
    first = system.spawn(lambda: Relay(seen, second.tell))
    await first.aask("hello", trace="00-trace-01")
    await trio.testing.wait_all_tasks_blocked()
    (_, first_id, first_cause, first_trace), (_, second_id, second_cause, second_trace) = seen
    assert (first_cause, first_trace) == (None, "00-trace-01")
    assert (second_cause, second_trace) == (first_id, "00-trace-01")
    assert second_id != first_id


async def test_a_message_sent_from_outside_has_no_cause_even_after_another(system: ActorSystem) -> None:
    seen = list[tuple[str, int, int | None, str | None]]()
    ref = system.spawn(lambda: Relay(seen, lambda _: None))
    await ref.aask("one")
    await ref.aask("two")
    assert [cause for _, _, cause, _ in seen] == [None, None]


async def test_a_thread_that_a_handler_waits_for_sends_with_the_handlers_cause(system: ActorSystem) -> None:
    seen = list[tuple[str, int, int | None, str | None]]()
    second = system.spawn(lambda: Relay(seen, lambda _: None))

    class Worker(Actor):
        async def receive(self, message: Any) -> int:
            await trio.to_thread.run_sync(second.tell, message)
            envelope = current_envelope()
            return 0 if envelope is None else envelope.id

    handled_id = await system.spawn(Worker).aask("from a thread")
    await trio.testing.wait_all_tasks_blocked()
    assert seen[0][2] == handled_id


async def test_a_reply_after_the_asking_asyncio_loop_has_closed_harms_nobody(system: ActorSystem) -> None:
    ref, gate = system.spawn(Echo), threading.Event()

    class Slow(Actor):
        async def receive(self, message: Any) -> None:
            await trio.to_thread.run_sync(gate.wait)

    slow = system.spawn(Slow)

    async def program() -> None:
        waiting = asyncio.ensure_future(slow.aask("x", timeout_s=None))
        await asyncio.sleep(0.01)
        waiting.cancel()

    await trio.to_thread.run_sync(in_asyncio, program)
    gate.set()
    assert await slow.ask("y", block=False) is None
    assert await ref.aask("alive") == "alive"
