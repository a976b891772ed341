"""The actor: what its author writes, and what the author may use inside.

The class owns no loop, no mailbox and no life: its cell has those. A fresh instance is built for every
incarnation, so what is on `self` is gone after a crash.
"""

# ruff: noqa: ANN401 - messages and replies are whatever their users say

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, ClassVar, Final

import pykka

from ...protocols.errors import CallerError, DefectError, UnexpectedMessageError
from .envelope import current_envelope
from .future import Future
from .mailbox import DEFAULT_MAILBOX_SIZE, Mailbox
from .pending_reply import PendingReply

if TYPE_CHECKING:
    import threading
    from collections.abc import Awaitable, Callable
    from types import TracebackType

    from .cell import Cell
    from .ref import ActorRef
    from .system import ActorSystem

    class _PykkaActor:
        """Pykka's actor as the type checkers are to see it: its hooks are synchronous and ours are not."""

        actor_urn: str
        actor_inbox: Mailbox
        actor_stopped: threading.Event
        _actor_ref: ActorRef

        def _handle_receive(self, message: Any) -> Any: ...

else:
    _PykkaActor = pykka.Actor

__all__ = ["Actor"]

#: The cell whose factory is running: it lends the new instance its ref and its mailbox.
building: Final[ContextVar[Cell | None]] = ContextVar("omoide_building_cell", default=None)
#: The system in whose block this task runs, for Pykka's `Actor.start()`.
current_system: Final[ContextVar[ActorSystem | None]] = ContextVar("omoide_actor_system", default=None)

SHUTDOWN_S: Final = 5.0
"""Seconds an actor has to stop before it is cancelled; OTP's default for a worker."""


class Actor(_PykkaActor):
    """An actor: state of its own, changed by one message at a time.

    Subclass it, name what it `accepts`, and write `receive`. `ActorSystem.spawn` and a supervisor's child
    spec take a factory that builds it; constructing one anywhere else is refused.
    """

    accepts: ClassVar[tuple[type, ...]] = (object,)
    """Types of the messages that `receive` takes; any other is refused with `UnexpectedMessageError`."""

    mailbox_size: ClassVar[int] = DEFAULT_MAILBOX_SIZE
    """Messages that its mailbox holds, unless the spawner or the child spec says otherwise."""

    def __init__(self, *_args: Any, **_kwargs: Any) -> None:
        cell = building.get()
        if cell is None or cell.built:
            name = type(self).__name__
            raise CallerError(
                f"{name} was constructed outside its factory; pass a factory: system.spawn(lambda: {name}(...)). "
                "A factory builds one actor."
            )
        cell.built = True
        self._cell = cell
        self.actor_urn = cell.ref.actor_urn
        self.actor_inbox = cell.mailbox
        self.actor_stopped = cell.ref.actor_stopped
        self._actor_ref = cell.ref

    @classmethod
    def start(cls, *args: Any, **kwargs: Any) -> ActorRef:
        """Start an actor as Pykka does: in the system whose `open_system()` block encloses this call.

        Returns:
            The ref of the new actor.

        Raises:
            CallerError: no block encloses the call.
        """
        system = current_system.get()
        if system is None:
            raise CallerError(f"{cls.__name__}.start() needs a system; call it inside `async with open_system()`")
        return system.spawn(lambda: cls(*args, **kwargs))

    @property
    def ref(self) -> ActorRef:
        """This actor's ref; the same across restarts."""
        return self._actor_ref

    @property
    def actor_ref(self) -> ActorRef:
        """Pykka's name for `ref`."""
        return self._actor_ref

    @property
    def system(self) -> ActorSystem:
        """The system that this actor lives in."""
        return self._cell.system

    async def on_start(self) -> None:
        """Prepare, before the first message. What it raises counts as a crash."""

    async def on_stop(self) -> None:
        """Clean up after the last message. What it raises is logged and told to the watchers."""

    async def on_failure(
        self,
        exception_type: type[BaseException] | None,
        exception_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Clean up after a crash, in place of `on_stop`. What it raises is logged."""

    async def receive(self, message: Any) -> Any:
        """Handle one message.

        Args:
            message: an instance of one of the types in `accepts`.

        Returns:
            The reply, if it was asked.

        Raises:
            CallerError: the sender is wrong; it is the reply and the actor goes on.
            OutsideError: something outside failed; it is the reply and the actor goes on.
            BaseException: anything else crashes the actor.
        """
        raise UnexpectedMessageError(f"{self} has no handler for {type(message).__name__}")

    def reply_later(self) -> PendingReply:
        """Take the duty to answer the message being handled; the handler's return value is then ignored.

        Returns:
            The reply to give, from any thread, once.

        Raises:
            CallerError: no message of this actor is being handled here.
        """
        envelope = self._cell.handled
        if envelope is None or envelope is not current_envelope():
            raise CallerError(f"{self} handles no message here; call reply_later() inside receive()")
        envelope.deferred = True
        return PendingReply(envelope.reply_to)

    def start_soon(self, async_fn: Callable[..., Awaitable[object]], *args: Any) -> None:
        """Run a task beside the handlers, until it ends or the actor stops or crashes.

        Args:
            async_fn: what to run; an exception out of it crashes the actor.
            *args: its arguments.

        Raises:
            ActorDeadError: the actor has not started or is stopping.
        """
        self._cell.start_soon(async_fn, *args)

    def on_receive(self, message: Any) -> Any:
        """Hand over to `receive`; Pykka's entry for messages that are no proxy calls."""
        return self.receive(message)

    def stop(self) -> None:
        """Ask this actor to stop after the messages that are queued already."""
        self._actor_ref.stop(block=False)

    async def _begin(self) -> None:
        """Start this incarnation; a supervisor starts its children too."""
        await self.on_start()

    async def _end(self) -> None:
        """End what this incarnation started outside its own nursery; a supervisor stops its children."""

    def _shutdown_s(self) -> float:
        return SHUTDOWN_S

    @staticmethod
    def _create_actor_inbox() -> Mailbox:
        cell = building.get()
        if cell is None:
            raise CallerError("a mailbox belongs to a cell; use system.spawn()")
        return cell.mailbox

    @staticmethod
    def _create_future() -> Future:
        return Future()

    def _start_actor_loop(self) -> None:
        raise DefectError("an actor's loop is run by its cell; use system.spawn()")
