"""The bounded mailbox: its bound is exact, and each sender's messages stay in order."""

# ruff: noqa: ARG001 - a clock works by being asked for; hooks take what they are given

from __future__ import annotations

import threading
from typing import Any

import pytest
import trio
import trio.testing
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.actors.kernel import Actor, ActorRef, ActorSystem, DeadActorError, Envelope, open_system
from omoide.actors.kernel.mailbox import Mailbox
from omoide.protocols.errors import MailboxFullError


class Gate(Actor):
    """Notes what it gets; handles nothing while its gate is shut."""

    def __init__(self, gate: trio.Event, seen: list[Any]) -> None:
        super().__init__()
        self._gate = gate
        self._seen = seen

    async def receive(self, message: Any) -> None:
        await self._gate.wait()
        self._seen.append(message)


def mailbox_of(capacity: int) -> Mailbox:
    return Mailbox(capacity, trio.lowlevel.current_trio_token(), threading.get_ident())


async def test_a_tell_on_the_loop_fails_at_once_when_there_is_no_room() -> None:
    mailbox = mailbox_of(2)
    mailbox.put(Envelope(1))
    mailbox.put(Envelope(2))
    with pytest.raises(MailboxFullError, match="2 of 2"):
        mailbox.put(Envelope(3))
    assert len(mailbox) == 2


async def test_a_waiting_sender_gets_the_place_before_anyone_who_comes_later() -> None:
    mailbox = mailbox_of(1)
    mailbox.put(Envelope("first"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(mailbox.aput, Envelope("waiting"))
        await trio.testing.wait_all_tasks_blocked()
        assert mailbox.get().message == "first"
        with pytest.raises(MailboxFullError):
            mailbox.put(Envelope("pushing in"))
    assert mailbox.get().message == "waiting"


async def test_several_waiting_senders_never_overshoot_the_bound(system: ActorSystem) -> None:
    gate, seen = trio.Event(), list[Any]()
    ref = system.spawn(lambda: Gate(gate, seen), mailbox_size=3)
    lengths = list[int]()

    async def send(number: int) -> None:
        await ref.atell(number)
        lengths.append(len(ref.actor_inbox))

    async with trio.open_nursery() as nursery:
        for number in range(40):
            nursery.start_soon(send, number)
        await trio.testing.wait_all_tasks_blocked()
        gate.set()
    assert max(lengths) <= 3
    assert len(ref.actor_inbox) <= 3
    await ref.astop()
    assert sorted(seen) == list(range(40))


async def test_foreign_threads_and_trio_senders_together_never_overshoot_the_bound(system: ActorSystem) -> None:
    gate, seen = trio.Event(), list[Any]()
    gate.set()
    ref = system.spawn(lambda: Gate(gate, seen), mailbox_size=4)
    longest = 0

    def from_thread(start: int) -> None:
        nonlocal longest
        for number in range(start, start + 200):
            ref.tell(number, timeout_s=20)
            longest = max(longest, len(ref.actor_inbox))

    async def from_trio(start: int) -> None:
        for number in range(start, start + 200):
            await ref.atell(number)

    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            for start in (0, 200, 400):
                nursery.start_soon(trio.to_thread.run_sync, from_thread, start)
            for start in (600, 800):
                nursery.start_soon(from_trio, start)
        await ref.astop()
    assert longest <= 4
    assert sorted(seen) == list(range(1000))
    for start in range(0, 1000, 200):
        own = [number for number in seen if start <= number < start + 200]
        assert own == sorted(own)


async def test_a_thread_that_waits_for_room_in_vain_gets_mailbox_full(system: ActorSystem) -> None:
    gate = trio.Event()
    ref = system.spawn(lambda: Gate(gate, []), mailbox_size=1)
    await ref.atell("handled")
    await trio.testing.wait_all_tasks_blocked()
    await ref.atell("queued")
    with pytest.raises(MailboxFullError, match=r"within 0.01 s"):
        await trio.to_thread.run_sync(lambda: ref.tell("no room", timeout_s=0.01))
    assert len(ref.actor_inbox) == 1
    gate.set()


async def test_a_sender_that_is_cancelled_while_it_waits_has_sent_nothing(
    system: ActorSystem, autojump_clock: object
) -> None:
    gate, seen = trio.Event(), list[Any]()
    ref = system.spawn(lambda: Gate(gate, seen), mailbox_size=1)
    await ref.atell(1)
    await trio.testing.wait_all_tasks_blocked()
    await ref.atell(2)
    with trio.move_on_after(1):
        await ref.atell("withdrawn")
    gate.set()
    await ref.aask(3)
    assert seen == [1, 2, 3]


async def test_a_sender_in_line_learns_that_the_actor_died(system: ActorSystem) -> None:
    gate = trio.Event()
    ref = system.spawn(lambda: Gate(gate, []), mailbox_size=1, shutdown_s=0)
    await ref.atell(1)
    await trio.testing.wait_all_tasks_blocked()
    await ref.atell(2)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_expect_dead, ref)
        await trio.testing.wait_all_tasks_blocked()
        await system.stop_all()


async def _expect_dead(ref: ActorRef) -> None:
    with pytest.raises(DeadActorError):
        await ref.atell("too late")


async def test_a_larger_bound_lets_waiting_senders_in() -> None:
    mailbox = mailbox_of(1)
    mailbox.put(Envelope(1))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(mailbox.aput, Envelope(2))
        await trio.testing.wait_all_tasks_blocked()
        mailbox.resize(2)
    assert len(mailbox) == 2


async def test_four_threads_that_send_to_a_sleeping_actor_never_lose_a_wake_up(system: ActorSystem) -> None:
    gate, seen = trio.Event(), list[Any]()
    gate.set()
    ref = system.spawn(lambda: Gate(gate, seen))

    def send() -> None:
        for number in range(300):
            ref.tell(number)

    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            for _ in range(4):
                nursery.start_soon(trio.to_thread.run_sync, send)
        await ref.astop()
    assert len(seen) == 1200


steps = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(("tell", "atell", "yield"))), max_size=60)


@settings(max_examples=60)
@given(steps=steps, capacity=st.integers(1, 5))
def test_the_mailbox_is_fifo_a_sender_whatever_way_it_sends(steps: list[tuple[int, str]], capacity: int) -> None:
    accepted, handled = trio.run(_play, steps, capacity)
    for sender in range(4):
        assert [m for m in handled if m[0] == sender] == accepted[sender]


async def _play(
    steps: list[tuple[int, str]], capacity: int
) -> tuple[list[list[tuple[int, int]]], list[tuple[int, int]]]:
    accepted: list[list[tuple[int, int]]] = [[] for _ in range(4)]
    handled = list[tuple[int, int]]()
    gate = trio.Event()
    gate.set()
    async with open_system() as system:
        ref = system.spawn(lambda: Gate(gate, handled), mailbox_size=capacity)

        async def send(sender: int) -> None:
            for number, (who, way) in enumerate(steps):
                if who != sender:
                    continue
                if way == "yield":
                    await trio.lowlevel.checkpoint()
                    continue
                if way == "atell":
                    await ref.atell((sender, number))
                elif not _told(ref, (sender, number)):
                    continue
                accepted[sender].append((sender, number))
                assert len(ref.actor_inbox) <= capacity

        async with trio.open_nursery() as nursery:
            for sender in range(4):
                nursery.start_soon(send, sender)
        await ref.astop()
    return accepted, handled


def _told(ref: ActorRef, message: object) -> bool:
    try:
        ref.tell(message)
    except MailboxFullError:
        return False
    return True
