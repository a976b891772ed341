"""The bounded queue in front of an actor: many senders in any thread, one reader on the system's loop.

It owns the bound, the order and the senders who wait for room. It must not know what a message means
or why it is shut. One lock guards it, so the bound is exact whoever sends; a sender who finds no room
waits in one line with all others, and the reader hands each freed place to the first in that line, so
nobody overtakes.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from typing import TYPE_CHECKING, Final

import trio

from ...protocols.errors import MailboxFullError
from .errors import AskTimeoutError, DeadActorError
from .future import Future
from .loop_kind import loop_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from .envelope import Envelope

    Refusal = Callable[[Envelope], None]

__all__ = ["DEFAULT_MAILBOX_SIZE", "Mailbox"]

logger = logging.getLogger(__name__)

DEFAULT_MAILBOX_SIZE: Final = 1000
"""Messages that a mailbox holds unless told otherwise: seconds of work for a busy actor, 100 KiB at most."""


class _WaitingSender:
    """A sender in the line for room."""

    __slots__ = ("admitted", "envelope")

    def __init__(self, envelope: Envelope) -> None:
        self.envelope = envelope
        self.admitted = Future()


class Mailbox:
    """A bounded mailbox. It is Pykka's `ActorInbox`: `put`, `get`, `empty`."""

    __slots__ = (
        "_line",
        "_lock",
        "_loop_thread",
        "_queue",
        "_reader",
        "_refusal",
        "_token",
        "_waking",
        "capacity",
    )

    def __init__(self, capacity: int, token: trio.lowlevel.TrioToken, loop_thread: int) -> None:
        """Make an empty mailbox.

        Args:
            capacity: messages that it holds at most; at least 1.
            token: the Trio run in which the reader lives.
            loop_thread: the identity of that run's thread.
        """
        self.capacity = capacity
        self._token = token
        self._loop_thread = loop_thread
        self._lock = threading.Lock()
        self._queue: deque[Envelope] = deque()
        self._line: deque[_WaitingSender] | None = None
        self._reader: trio.lowlevel.Task | None = None
        self._waking = False
        self._refusal: Refusal | None = None

    def __len__(self) -> int:
        return len(self._queue)

    def empty(self) -> bool:
        """Return whether no message is queued."""
        return not self._queue

    def put(self, envelope: Envelope, /, *, timeout_s: float | None = None) -> None:
        """Queue an envelope; from a plain thread, wait for room.

        Args:
            envelope: what to queue.
            timeout_s: seconds that a plain thread waits for room; None waits without end.

        Raises:
            MailboxFullError: there is no room, and this thread runs an event loop or the time ran out.
            ActorDeadError: the actor is stopped.
        """
        sender = self._admit(envelope, _on_plain_thread)
        if sender is None:
            return
        try:
            sender.admitted.get(timeout=timeout_s)
        except AskTimeoutError:
            if self._leave_line(sender):
                raise self._full(f"and none came within {timeout_s} s") from None

    async def aput(self, envelope: Envelope) -> None:
        """Queue an envelope, waiting for room; from Trio or asyncio. If cancelled, it is withdrawn.

        Raises:
            ActorDeadError: the actor is stopped.
        """
        sender = self._admit(envelope, _always)
        if sender is None:
            return
        try:
            await sender.admitted
        except BaseException:
            self._leave_line(sender)
            raise

    def put_signal(self, envelope: Envelope) -> None:
        """Queue an envelope of the kernel's own (a stop, a `Terminated`) beyond the bound: it never waits.

        Raises:
            ActorDeadError: the actor is stopped.
        """
        self._admit(envelope, _always, beyond_bound=True)

    def get(self) -> Envelope:
        """Take the first envelope, and give its place to the first sender in line.

        Raises:
            IndexError: the mailbox is empty.
        """
        with self._lock:
            envelope = self._queue.popleft()
            admitted = self._admit_first() if self._line else None
        if admitted is not None:
            admitted.admitted.set()
        return envelope

    async def wait(self) -> None:
        """Return when a message is queued or `interrupt()` was called. The actor's task alone calls it."""
        with self._lock:
            if self._queue:
                return
            self._reader = trio.lowlevel.current_task()
        await trio.lowlevel.wait_task_rescheduled(self._abort_wait)

    def interrupt(self) -> None:
        """Wake the reader if it waits. Called on the loop's thread."""
        with self._lock:
            self._waking = False
            reader, self._reader = self._reader, None
        if reader is not None:
            trio.lowlevel.reschedule(reader)

    def resize(self, capacity: int) -> None:
        """Change the bound. What is queued stays, even beyond a smaller one."""
        admitted = []
        with self._lock:
            self.capacity = capacity
            while self._line and (sender := self._admit_first()) is not None:
                admitted.append(sender)
        for sender in admitted:
            sender.admitted.set()

    def shut(self, refusal: Refusal) -> tuple[Envelope, ...]:
        """Hand every later envelope, and those of the senders in line, to `refusal`.

        Args:
            refusal: answers the envelope, or raises what its sender is to get.

        Returns:
            What was queued, in order; the mailbox is empty now.
        """
        with self._lock:
            self._refusal = refusal
            queued = tuple(self._queue)
            self._queue.clear()
            line, self._line = self._line, None
        for sender in line or ():
            try:
                refusal(sender.envelope)
            except DeadActorError as error:
                sender.admitted.set_exception(error)
            else:
                sender.admitted.set()
        return queued

    def reopen(self) -> None:
        """Take envelopes again after `shut()`."""
        with self._lock:
            self._refusal = None

    def _admit(
        self, envelope: Envelope, may_wait: Callable[[], bool], *, beyond_bound: bool = False
    ) -> _WaitingSender | None:
        """Queue the envelope and return None, or put its sender in line and return the place."""
        on_loop = threading.get_ident() == self._loop_thread
        reader = None
        with self._lock:
            refusal = self._refusal
            if refusal is None:
                if len(self._queue) >= self.capacity and not beyond_bound:
                    if not may_wait():
                        raise self._full("and this call can't wait")
                    return self._join_line(envelope)
                self._queue.append(envelope)
                reader = self._reader
                if reader is None or self._waking:
                    return None
                if on_loop:
                    self._reader = None
                else:
                    self._waking = True
        if refusal is not None:
            refusal(envelope)
        elif not on_loop:
            self._wake_from_thread()
        elif reader is not None:
            trio.lowlevel.reschedule(reader)
        return None

    def _wake_from_thread(self) -> None:
        try:
            self._token.run_sync_soon(self.interrupt)
        except trio.RunFinishedError:
            raise DeadActorError("the actor system's Trio run has ended; start a new one") from None

    def _join_line(self, envelope: Envelope) -> _WaitingSender:
        if self._line is None:
            self._line = deque()
        sender = _WaitingSender(envelope)
        self._line.append(sender)
        return sender

    def _leave_line(self, sender: _WaitingSender) -> bool:
        """Withdraw a sender; return False if its envelope is queued already."""
        with self._lock:
            if self._line is None or sender not in self._line:
                return False
            self._line.remove(sender)
            return True

    def _admit_first(self) -> _WaitingSender | None:
        if not self._line or len(self._queue) >= self.capacity:
            return None
        sender = self._line.popleft()
        self._queue.append(sender.envelope)
        return sender

    def _abort_wait(self, _raise_cancel: object) -> trio.lowlevel.Abort:
        with self._lock:
            self._reader = None
        return trio.lowlevel.Abort.SUCCEEDED

    def _full(self, why: str) -> MailboxFullError:
        return MailboxFullError(
            f"the mailbox is full: {len(self._queue)} of {self.capacity} messages, {why}; "
            "slow down, or await `atell()` or `aask()`"
        )


def _always() -> bool:
    return True


def _on_plain_thread() -> bool:
    return loop_kind() is None
