"""The life of a system: who is stopped when, and what leaves it."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING, Any

import pytest
import trio
import trio.testing

from omoide.actors.kernel import Actor, ActorSystem, DeadLetterReason, Envelope, open_system
from omoide.protocols.errors import ActorDeadError, CallerError

if TYPE_CHECKING:
    from collections.abc import Callable


class Logged(Actor):
    def __init__(self, name: str, log: list[str]) -> None:
        super().__init__()
        self._name = name
        self._log = log

    async def receive(self, message: Any) -> Any:
        if callable(message):
            return await message(self)
        return message

    async def on_stop(self) -> None:
        await trio.lowlevel.checkpoint()
        self._log.append(self._name)


def logged(name: str, log: list[str]) -> Callable[[], Actor]:
    return lambda: Logged(name, log)


async def test_leaving_stops_all_actors_in_reverse_start_order() -> None:
    log = list[str]()
    async with open_system() as system:
        for name in "abc":
            system.spawn(logged(name, log))
        await trio.testing.wait_all_tasks_blocked()
    assert log == ["c", "b", "a"]
    assert len(system) == 0


async def test_an_error_in_the_block_comes_out_as_it_is_after_an_orderly_stop() -> None:
    log = list[str]()
    with pytest.raises(KeyError, match="mine"):  # noqa: PT012 - the block is what is tested
        async with open_system() as system:
            ref = system.spawn(logged("a", log))
            await ref.aask(1)
            raise KeyError("mine")
    assert log == ["a"]


async def test_a_cancelled_block_still_stops_its_actors_in_order() -> None:
    log = list[str]()
    with trio.CancelScope() as scope:
        async with open_system() as system:
            for name in "ab":
                await system.spawn(logged(name, log)).aask(1)
            scope.cancel()
            await trio.sleep_forever()
    assert scope.cancelled_caught
    assert log == ["b", "a"]


async def test_an_actor_that_was_never_given_a_turn_is_stopped_without_its_stop_hook() -> None:
    log = list[str]()
    async with open_system() as system:
        system.spawn(logged("a", log))
    assert log == []


async def test_an_actor_that_does_not_stop_in_time_is_cancelled_and_the_others_still_stop(
    autojump_clock: object,  # noqa: ARG001
) -> None:
    log = list[str]()

    async def hang(_actor: Actor) -> None:
        await trio.sleep_forever()

    async with open_system() as system:
        await system.spawn(logged("first", log)).aask(1)
        system.spawn(logged("hangs", log)).tell(hang)
        await trio.testing.wait_all_tasks_blocked()
        leaving_at = trio.current_time()
    assert trio.current_time() - leaving_at == pytest.approx(5)
    assert log == ["first"]


async def test_messages_queued_when_the_system_is_left_are_answered_not_handled() -> None:
    async with open_system() as system:
        ref = system.spawn(logged("a", []))
        ref.tell("told")
        answer = ref.ask("asked", block=False)
    with pytest.raises(ActorDeadError):
        await answer
    assert system.dead_letters.counts["stopped"] == 1


async def test_no_actor_starts_while_the_system_is_left() -> None:
    refused = list[str]()

    class Late(Actor):
        async def on_stop(self) -> None:
            try:
                self.system.spawn(Actor)
            except ActorDeadError as error:
                refused.append(str(error))

    async with open_system() as system:
        system.spawn(Late)
        await trio.testing.wait_all_tasks_blocked()
    assert "starts no more actors" in refused[0]


async def test_living_actors_are_found_by_their_urn(system: ActorSystem) -> None:
    ref = system.spawn(logged("a", []))
    assert system.get(ref.actor_urn) is ref
    await ref.astop()
    assert system.get(ref.actor_urn) is None


async def test_two_systems_on_one_loop_do_not_disturb_each_other(system: ActorSystem) -> None:
    async with open_system() as other:
        theirs = other.spawn(logged("theirs", []))
        ours = system.spawn(logged("ours", []))
        assert await theirs.aask("a") == "a"
    assert not theirs.is_alive()
    assert await ours.aask("b") == "b"


async def test_pykkas_start_uses_the_enclosing_system() -> None:
    async with open_system() as system:
        ref = Logged.start("a", [])
        assert system.get(ref.actor_urn) is ref
        assert await ref.aask("hi") == "hi"


def test_pykkas_start_without_a_system_says_what_to_do() -> None:
    with pytest.raises(CallerError, match="open_system"):
        Logged.start("a", [])


async def test_an_actor_may_stop_itself(system: ActorSystem) -> None:
    async def end(actor: Actor) -> None:
        actor.stop()

    log = list[str]()
    ref = system.spawn(logged("a", log))
    await ref.aask(end)
    await trio.testing.wait_all_tasks_blocked()
    assert log == ["a"]
    assert not ref.is_alive()


async def test_a_thousand_actors_stop_in_a_fraction_of_a_second() -> None:
    async with open_system() as system:
        for _ in range(1_000):
            system.spawn(Actor)
        await trio.testing.wait_all_tasks_blocked()
        started = time.perf_counter()
        await system.stop_all()
        # Measured: 0.1 s. The bound catches a scan of all for each, not a slow machine.
        assert time.perf_counter() - started < 2


async def test_a_keyboard_interrupt_passes_through_an_actor() -> None:
    async def interrupt(_actor: Actor) -> None:
        raise KeyboardInterrupt

    with pytest.raises(BaseExceptionGroup) as caught:  # noqa: PT012 - the block is what is tested
        async with open_system() as system:
            system.spawn(logged("a", [])).tell(interrupt)
            await trio.sleep_forever()
    assert caught.value.subgroup(KeyboardInterrupt) is not None


def test_ctrl_c_lets_an_actor_finish_what_it_handles_and_then_stops_it() -> None:
    log = list[str]()

    async def interrupted(_actor: Actor) -> None:
        signal.raise_signal(signal.SIGINT)
        log.append("handled")

    async def main() -> None:
        async with open_system() as system:
            system.spawn(logged("stopped", log)).tell(interrupted)
            await trio.sleep_forever()

    with pytest.raises(KeyboardInterrupt):
        trio.run(main)
    assert log == ["handled", "stopped"]


async def test_a_subscriber_is_sent_every_dead_letter_from_then_on(system: ActorSystem) -> None:
    ref = system.spawn(logged("a", []))
    stopping = ref.stop(block=False)
    ref.tell("lost")
    with system.dead_letters.subscribe() as letters:
        await stopping
        letter = await letters.receive()
    assert (letter.message, letter.reason) == ("lost", "stopped")
    assert letter.recipient == str(ref)


async def test_a_slow_or_closed_subscriber_is_not_waited_for(system: ActorSystem) -> None:
    slow = system.dead_letters.subscribe(buffer=1)
    closed = system.dead_letters.subscribe()
    closed.close()
    for number in range(300):
        system.dead_letters.record(Envelope(number), "nobody", DeadLetterReason.STOPPED, "")
    assert slow.receive_nowait().message == 0
    assert system.dead_letters.counts["stopped"] == 300
    assert [letter.message for letter in system.dead_letters.latest] == list(range(44, 300))


async def test_a_dead_letter_from_a_thread_reaches_a_subscriber_on_the_loop(system: ActorSystem) -> None:
    with system.dead_letters.subscribe() as letters:
        await trio.to_thread.run_sync(
            lambda: system.dead_letters.record(Envelope("far"), "nobody", DeadLetterReason.STOPPED, "")
        )
        assert (await letters.receive()).message == "far"
