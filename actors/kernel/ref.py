"""The address of an actor: all that others may hold of it. It is usable from Trio, asyncio and plain threads.

It owns nothing but the ways to send; the mailbox decides about room and the cell about life.
"""

# ruff: noqa: ANN401 - messages and replies are whatever their users say

from __future__ import annotations

import asyncio
import threading
import time
import uuid
import weakref
from typing import TYPE_CHECKING, Any, Final, Literal, overload

import pykka
import trio
from pykka.messages import _ActorStop

from ...protocols.errors import ActorDeadError, MailboxFullError
from .dead_letters import DeadLetterReason
from .envelope import Envelope
from .errors import AskTimeoutError
from .future import Future
from .loop_kind import LoopKind, loop_kind, refuse_to_block

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .actor import Actor
    from .cell import Cell
    from .mailbox import Mailbox
    from .terminated import Terminated

__all__ = ["ActorRef"]

DEFAULT_TIMEOUT_S: Final = 5.0
"""Seconds that an ask waits for its answer unless told otherwise; OTP's default for a call."""


def _no_actor() -> None:
    """Stand in for the weak reference until the first instance is built."""


class ActorRef(pykka.ActorRef[Any]):
    """A reference to an actor. It stays the same across restarts and may be passed anywhere."""

    actor_inbox: Mailbox  # type: ignore[assignment] # it takes our envelopes only, with their ids and deadlines
    _actor_weakref: Callable[[], Actor | None]  # type: ignore[assignment] # there is no actor at first

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        self._actor_weakref = _no_actor
        self.actor_class = pykka.Actor
        self.actor_urn = uuid.uuid4().urn
        self.actor_inbox = cell.mailbox
        self.actor_stopped = threading.Event()

    def point_to(self, actor: Actor) -> None:
        """Refer to the next incarnation's instance. Its cell alone calls it."""
        self._actor_weakref = weakref.ref(actor)
        self.actor_class = type(actor)

    def tell(self, message: Any, *, timeout_s: float | None = DEFAULT_TIMEOUT_S, trace: str | None = None) -> None:
        """Send a message and wait for no answer.

        Args:
            message: what to send.
            timeout_s: seconds that a plain thread waits for room; None waits without end. A thread that runs an
                event loop never waits: await `atell()` there.
            trace: an opaque trace context; None takes that of the message being handled.

        Raises:
            MailboxFullError: there is no room (in time).
            ActorDeadError: the actor is stopped. To a suspended one nothing is raised: it is a dead letter.
        """
        self.actor_inbox.put(Envelope(message, trace=trace), timeout_s=timeout_s)

    async def atell(self, message: Any, *, trace: str | None = None) -> None:
        """Send a message, waiting for room; from Trio or asyncio. A cancelled one was not sent.

        Args:
            message: what to send.
            trace: an opaque trace context; None takes that of the message being handled.

        Raises:
            ActorDeadError: the actor is stopped.
        """
        if loop_kind() is LoopKind.ASYNCIO:
            await asyncio.sleep(0)
        else:
            await trio.lowlevel.checkpoint()
        await self.actor_inbox.aput(Envelope(message, trace=trace))

    async def aask(
        self, message: Any, timeout_s: float | None = DEFAULT_TIMEOUT_S, *, trace: str | None = None
    ) -> Any:
        """Send a message and wait for the answer; from Trio or from asyncio.

        Args:
            message: what to send.
            timeout_s: seconds for room, handling and answer together; None waits without end. A message whose
                time ran out in the queue is not handled.
            trace: an opaque trace context; None takes that of the message being handled.

        Returns:
            What the handler returned, or what was given to its `reply_later()`.

        Raises:
            DeadlineExceededError: the time ran out; the message may or may not have been handled.
            UnexpectedMessageError: the actor doesn't accept this type.
            CallerError: the handler refused.
            OutsideError: the handler met a failure outside.
            ActorCrashedError: the actor crashed while it handled this message.
            ActorSuspendedError: the actor is suspended.
            ActorDeadError: the actor is stopped.
        """
        envelope = Envelope(message, Future(), deadline=self._deadline(timeout_s), trace=trace)
        return await self._await(self._send_and_wait(envelope), timeout_s)

    @overload
    def ask(
        self, message: Any, *, block: Literal[False], timeout: float | None = None, trace: str | None = None
    ) -> Future: ...

    @overload
    def ask(
        self, message: Any, *, block: Literal[True], timeout: float | None = None, trace: str | None = None
    ) -> Any: ...

    @overload
    def ask(
        self, message: Any, *, block: bool = True, timeout: float | None = None, trace: str | None = None
    ) -> Any: ...

    def ask(
        self, message: Any, *, block: bool = True, timeout: float | None = None, trace: str | None = None
    ) -> Any:
        """Send a message and block this plain thread for the answer, or get a future of it.

        Args:
            message: what to send.
            block: whether to wait here. A thread that runs an event loop must not.
            timeout: seconds; None waits without end.
            trace: an opaque trace context; None takes that of the message being handled.

        Returns:
            The answer, or with `block=False` a future. Every failure to send is in the future then.

        Raises:
            WouldDeadlockError: this thread runs an event loop; nothing was sent.
            DeadlineExceededError: the time ran out.
            MailboxFullError: no room came in time.
            ActorDeadError: the actor is stopped.
        """
        if block:
            refuse_to_block(f"ask() of {self}", "use `await ref.aask()` or ask(block=False)")
        started = time.monotonic()
        future = Future()
        try:
            self.actor_inbox.put(
                Envelope(message, future, deadline=self._deadline(timeout), trace=trace), timeout_s=timeout
            )
        except (MailboxFullError, ActorDeadError) as error:
            future.settle(error=error)
        if not block:
            return future
        remaining = None if timeout is None else max(0.0, started + timeout - time.monotonic())
        return self._get(future, remaining)

    @overload
    def stop(self, *, block: Literal[True], timeout: float | None = None) -> bool: ...

    @overload
    def stop(self, *, block: Literal[False], timeout: float | None = None) -> Future: ...

    @overload
    def stop(self, *, block: bool = True, timeout: float | None = None) -> Any: ...

    def stop(self, *, block: bool = True, timeout: float | None = None) -> Any:
        """Stop the actor after the messages that are queued already. A permanent child is then restarted.

        Args:
            block: whether to wait here. A thread that runs an event loop must not.
            timeout: seconds to wait; None waits without end.

        Returns:
            Whether it was alive; with `block=False` a future of that.

        Raises:
            WouldDeadlockError: this thread runs an event loop; await `astop()` there.
            DeadlineExceededError: the time ran out; the stop stays ordered.
        """
        if block:
            refuse_to_block(f"stop() of {self}", "use `await ref.astop()` or stop(block=False)")
        future = self._order_stop()
        return self._get(future, timeout) if block else future

    async def astop(self, timeout_s: float | None = None) -> bool:
        """Stop the actor after the messages that are queued already, and wait; from Trio or asyncio.

        Args:
            timeout_s: seconds to wait; None waits without end.

        Returns:
            Whether it was alive.

        Raises:
            DeadlineExceededError: the time ran out; the stop stays ordered.
        """
        future = self._order_stop()
        return bool(await self._await(future, timeout_s))

    def watch(self, watcher: ActorRef) -> None:
        """Tell `watcher` a `Terminated` when this actor has stopped for good; at once if it has.

        The watcher must accept `Terminated`; its mailbox's bound does not hold for it.
        """
        self._cell.watch(watcher)

    def send_signal(self, signal: Terminated) -> None:
        """Tell a message of the kernel's own, beyond the bound; to a dead actor it is a dead letter."""
        envelope = Envelope(signal)
        try:
            self.actor_inbox.put_signal(envelope)
        except ActorDeadError:
            self._cell.bury(envelope, DeadLetterReason.STOPPED)

    def _deadline(self, timeout_s: float | None) -> float | None:
        return None if timeout_s is None else self._cell.system.current_time() + timeout_s

    def _order_stop(self) -> Future:
        future = Future()
        self.actor_inbox.put_signal(Envelope(_ActorStop(), future))
        return future

    async def _send_and_wait(self, envelope: Envelope) -> Any:
        await self.actor_inbox.aput(envelope)
        return await envelope.reply_to if envelope.reply_to is not None else None

    async def _await(self, answer: Awaitable[Any], timeout_s: float | None) -> Any:
        if loop_kind() is LoopKind.ASYNCIO:
            try:
                async with asyncio.timeout(timeout_s) as limit:
                    return await answer
            except TimeoutError:
                if limit.expired():
                    raise self._late(timeout_s) from None
                raise
        if timeout_s is None:
            return await answer
        with trio.move_on_after(timeout_s):
            return await answer
        raise self._late(timeout_s)

    def _get(self, future: Future, timeout_s: float | None) -> Any:
        try:
            return future.get(timeout=timeout_s)
        except AskTimeoutError:
            if future.done():
                raise
            raise self._late(timeout_s) from None

    def _late(self, timeout_s: float | None) -> AskTimeoutError:
        return AskTimeoutError(f"{self} gave no answer within {timeout_s} s; the message may still be handled")
