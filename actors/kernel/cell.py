"""What of an actor outlives its instances: the ref, the mailbox, and the task that runs one incarnation.

Every outcome of a handler or a hook is decided here; the package's docstring has them in one table. The
cell must not know of supervision: it runs one incarnation, says how that ended, and obeys `close`,
`suspend` and `resume`. Nothing that an actor does leaves its cell, save a `KeyboardInterrupt`.
"""

# ruff: noqa: ANN401 - messages and replies are whatever their users say

from __future__ import annotations

import inspect
import logging
import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import trio
from pykka.messages import ProxyCall, ProxyGetAttr, ProxySetAttr, _ActorStop

from ...protocols.errors import (
    ActorCrashedError,
    ActorSuspendedError,
    CallerError,
    OutsideError,
    UnexpectedMessageError,
)
from .actor import Actor, building
from .crash_site import crash_site
from .dead_letters import DeadLetterReason
from .envelope import Envelope, set_current_envelope
from .errors import AskTimeoutError, DeadActorError
from .mailbox import DEFAULT_MAILBOX_SIZE, Mailbox
from .ref import ActorRef
from .terminated import Terminated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .future import Future
    from .system import ActorSystem

__all__ = ["Cell", "Exit"]

logger = logging.getLogger(__name__)

_PROXY_MESSAGES: Final = frozenset({ProxyCall, ProxyGetAttr, ProxySetAttr})

_BURST: Final = 64
"""Messages handled before the others on the loop get a turn: about 0.3 ms of trivial handlers."""

_watch_lock: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Exit:
    """How an incarnation ended.

    Attributes:
        crash: what crashed it, or None.
        stop_error: what its `on_stop` or `on_failure` raised, or None.
    """

    crash: BaseException | None = None
    stop_error: BaseException | None = None

    @property
    def reason(self) -> BaseException | None:
        """What `Terminated` tells the watchers."""
        return self.crash or self.stop_error


class Cell:
    """The lasting part of one actor. All methods are called on the loop's thread, save `watch`."""

    __slots__ = (
        "_began",
        "_crash",
        "_ended",
        "_factory",
        "_fixed_size",
        "_halting",
        "_killed",
        "_nursery",
        "_scope",
        "_stop_reply",
        "_unbuildable",
        "_watchers",
        "actor",
        "built",
        "handled",
        "mailbox",
        "on_handled",
        "on_started",
        "reason",
        "ref",
        "running",
        "shutdown_s",
        "supervised",
        "system",
    )

    def __init__(
        self,
        system: ActorSystem,
        factory: Callable[[], Actor],
        *,
        mailbox_size: int | None = None,
        shutdown_s: float | None = None,
        supervised: bool = False,
    ) -> None:
        """Make the ref and the mailbox; nothing runs yet.

        Args:
            system: where the actor is to live.
            factory: builds one instance for each incarnation.
            mailbox_size: messages; None takes the actor class's, once the first instance is built.
            shutdown_s: seconds it has to stop; None asks the instance.
            supervised: whether a supervisor, not the system, starts and stops it.
        """
        self.system = system
        self.supervised = supervised
        self.shutdown_s = shutdown_s
        self.mailbox = Mailbox(mailbox_size or DEFAULT_MAILBOX_SIZE, system.token, system.loop_thread)
        self.ref = ActorRef(self)
        self.actor: Actor | None = None
        self.built = False
        self.running = False
        self.reason: BaseException | None = None
        self.handled: Envelope | None = None
        self.on_started: Callable[[], None] | None = None
        self.on_handled: Callable[[], None] | None = None
        self._factory = factory
        self._fixed_size = mailbox_size
        self._unbuildable: BaseException | None = None
        self._began = False
        self._crash: BaseException | None = None
        self._halting = False
        self._killed = False
        self._ended: trio.Event | None = None
        self._nursery: trio.Nursery | None = None
        self._scope: trio.CancelScope | None = None
        self._stop_reply: Future | None = None
        self._watchers: list[ActorRef] = []

    # --- life -----------------------------------------------------------------------------------

    def build(self) -> None:
        """Build the next incarnation's instance. What the factory raises is that incarnation's crash."""
        self.built = False
        token = building.set(self)
        try:
            actor = self._factory()
        except BaseException as error:  # noqa: BLE001 - told as the crash of the incarnation
            self._unbuildable = self._fault(error)
            return
        finally:
            building.reset(token)
        if not isinstance(actor, Actor) or getattr(actor, "_cell", None) is not self:
            self._unbuildable = CallerError(
                f"the factory returned {type(actor).__name__}, not a new actor; "
                "build one in it, and call super().__init__() in the actor's constructor"
            )
            return
        self.actor = actor
        self.ref.point_to(actor)
        if self._fixed_size is None:
            self.mailbox.resize(actor.mailbox_size)

    def launch(self, nursery: trio.Nursery, on_exit: Callable[[Exit], None]) -> None:
        """Run one incarnation as a task; `on_exit` is called on the loop when it has ended."""
        self.running = True
        nursery.start_soon(self._incarnate, on_exit, name=self.ref.actor_class.__name__)

    def halt(self) -> None:
        """Let the incarnation end after the message being handled; what is queued stays queued."""
        if not self.running:
            return
        self._halting = True
        self.mailbox.interrupt()

    def kill(self) -> None:
        """Cancel the incarnation, its handler and its `on_stop`."""
        if not self.running:
            return
        self._halting = self._killed = True
        if self._scope is not None:
            self._scope.cancel()
        self.mailbox.interrupt()

    async def stop_within(self, seconds: float) -> None:
        """End the incarnation in order, or cancel it when the time is over. Return when it has ended."""
        if not self.running:
            return
        self.halt()
        with trio.move_on_after(seconds):
            await self.ended()
        if self.running:
            if seconds > 0:
                logger.warning("%s did not stop within %s s and is cancelled", self.ref, seconds)
            self.kill()
            with trio.CancelScope(shield=True):
                await self.ended()

    async def ended(self) -> None:
        """Return when no incarnation is running."""
        if self.running:
            if self._ended is None:
                self._ended = trio.Event()
            await self._ended.wait()

    def close(self, reason: BaseException | None) -> None:
        """Stop for good: answer what is queued and tell the watchers. A second call does nothing."""
        with _watch_lock:
            if self.ref.actor_stopped.is_set():
                return
            self.reason = reason
            self.ref.actor_stopped.set()
            watchers, self._watchers = self._watchers, []
        for envelope in self.mailbox.shut(self._refuse_dead):
            if envelope.reply_to is None:
                self.bury(envelope, DeadLetterReason.STOPPED)
            elif isinstance(envelope.message, _ActorStop):
                envelope.reply_to.settle(value=True)
            else:
                envelope.reply_to.settle(error=self._dead_error())
        self.system.forget(self)
        for watcher in watchers:
            watcher.send_signal(Terminated(self.ref, reason))

    def suspend(self, error: BaseException | None) -> None:
        """Answer what is queued, and all that comes, with `ActorSuspendedError` until `resume()`."""
        self.reason = error
        for envelope in self.mailbox.shut(self._refuse_suspended):
            self._refuse_suspended(envelope)

    def resume(self) -> None:
        """Take messages again."""
        self.mailbox.reopen()

    def watch(self, watcher: ActorRef) -> None:
        """Tell the watcher once when the actor is gone; at once if it is. From any thread."""
        with _watch_lock:
            if not self.ref.actor_stopped.is_set():
                self._watchers.append(watcher)
                return
        watcher.send_signal(Terminated(self.ref, self.reason))

    def bury(self, envelope: Envelope, reason: DeadLetterReason, error: BaseException | None = None) -> None:
        """Make a dead letter of an envelope that was sent to this actor. From any thread."""
        detail = "" if error is None else _named(error)
        self.system.dead_letters.record(envelope, str(self.ref), reason, detail)

    def start_soon(self, async_fn: Callable[..., Awaitable[object]], *args: Any) -> None:
        """Run a task in the incarnation's nursery. See `Actor.start_soon`."""
        if self._nursery is None:
            raise DeadActorError(f"{self.ref} runs no tasks: it has not started, or it is stopping")
        self._nursery.start_soon(self._run_beside, async_fn, args)

    # --- one incarnation ------------------------------------------------------------------------

    @trio.lowlevel.enable_ki_protection
    async def _incarnate(self, on_exit: Callable[[Exit], None]) -> None:
        # Ctrl-C is for the program's main task, at its next checkpoint. Raised at any line of an actor, it would
        # end the task without its exit being told.
        await self._run()
        stop_error = await self._finish()
        ended = Exit(self._crash, stop_error)
        self.actor = self._unbuildable = self._crash = self._scope = None
        self._began = self._halting = self._killed = self.running = False
        on_exit(ended)
        if self._stop_reply is not None:
            self._stop_reply.settle(value=True)
            self._stop_reply = None
        if self._ended is not None:
            self._ended.set()
            self._ended = None

    async def _run(self) -> None:
        try:
            async with trio.open_nursery() as nursery:
                self._scope = nursery.cancel_scope
                self._nursery = nursery
                if self._killed:
                    nursery.cancel_scope.cancel()
                try:
                    await self._live()
                except BaseException as error:  # noqa: BLE001 - the outcome of every fault is decided here
                    self._note(error)
                self._nursery = None
                nursery.cancel_scope.cancel()
        except BaseException as error:  # noqa: BLE001
            self._note(error)
        self._nursery = None
        if self.handled is not None:
            self._answer_interrupted(self.handled)
            self.handled = None
        set_current_envelope(None)
        if self._crash is not None:
            logger.error("%s crashed: %s", self.ref, crash_site(self._crash))
            logger.debug("%s crashed", self.ref, exc_info=self._crash)

    async def _live(self) -> None:
        if self._halting:
            return
        if self.actor is None and self._unbuildable is None:
            self.build()
        if self.actor is None:
            raise self._unbuildable or DeadActorError(f"{self.ref} could not be built")
        self._began = True
        await self.actor._begin()  # noqa: SLF001 - the cell is the other half of the actor
        if self.on_started is not None:
            self.on_started()
        await self._consume(self.actor)

    async def _finish(self) -> BaseException | None:
        actor = self.actor
        if actor is None or not self._began:
            return None
        with trio.CancelScope() as self._scope:
            if self._killed:
                self._scope.cancel()
            error = await self._guard(actor._end())  # noqa: SLF001
            crash = self._crash
            if crash is None:
                return await self._guard(actor.on_stop()) or error
            return await self._guard(actor.on_failure(type(crash), crash, crash.__traceback__)) or error
        return None

    async def _guard(self, hook: Awaitable[object]) -> BaseException | None:
        try:
            await hook
        except BaseException as error:  # noqa: BLE001 - a hook's fault never leaves the cell
            fault = self._fault(error)
            if fault is not None:
                logger.error("%s: a stop hook raised; the stop goes on: %s", self.ref, crash_site(fault))  # noqa: TRY400 - the fault may be a part of what was raised
            return fault
        return None

    @trio.lowlevel.enable_ki_protection
    async def _run_beside(self, async_fn: Callable[..., Awaitable[object]], args: tuple[Any, ...]) -> None:
        try:
            await async_fn(*args)
        except BaseException as error:  # noqa: BLE001 - it crashes the actor, and only that
            self._note(error)
            if self._crash is not None and self._scope is not None:
                self._scope.cancel()

    def _note(self, error: BaseException) -> None:
        fault = self._fault(error)
        if self._crash is None:
            self._crash = fault

    def _fault(self, error: BaseException) -> BaseException | None:
        """Return the part of an exception that is a fault: cancellation that someone ordered is none."""
        if isinstance(error, KeyboardInterrupt | GeneratorExit):
            raise error
        if isinstance(error, BaseExceptionGroup):
            _, rest = error.split(trio.Cancelled)
            if rest is None:
                return None
            if rest.subgroup((KeyboardInterrupt, GeneratorExit)) is not None:
                raise rest
            return rest
        if isinstance(error, trio.Cancelled):
            ordered = self._scope is not None and self._scope.cancel_called
            return None if ordered or trio.current_effective_deadline() == -math.inf else error
        return error

    # --- messages -------------------------------------------------------------------------------

    async def _consume(self, actor: Actor) -> None:
        mailbox, burst = self.mailbox, 0
        while not self._halting:
            if mailbox.empty():
                # An idle actor must not keep its last message alive, nor name it as a cause.
                set_current_envelope(None)
                burst = 0
                await mailbox.wait()
            elif burst >= _BURST:
                burst = 0
                await trio.lowlevel.checkpoint()
            else:
                burst += 1
                await self._handle(actor, mailbox.get())

    async def _handle(self, actor: Actor, envelope: Envelope) -> None:
        message = envelope.message
        if isinstance(message, _ActorStop):
            self._stop_reply = envelope.reply_to
            self._halting = True
            return
        if envelope.deadline is not None and envelope.deadline <= trio.current_time():
            self._expire(envelope)
            return
        if not isinstance(message, actor.accepts):
            self._refuse_unexpected(actor, envelope)
            return
        set_current_envelope(envelope)
        self.handled = envelope
        try:
            if type(message) in _PROXY_MESSAGES:
                reply = await _call_by_proxy(actor, message)
            else:
                reply = await actor.receive(message)
        except (CallerError, OutsideError) as error:
            if envelope.reply_to is not None:
                envelope.reply_to.settle(error=error)
            else:
                self.bury(envelope, DeadLetterReason.REFUSED, error)
        else:
            if envelope.reply_to is not None and not envelope.deferred:
                envelope.reply_to.settle(reply)
        self.handled = None
        if self.on_handled is not None:
            self.on_handled()

    def _answer_interrupted(self, envelope: Envelope) -> None:
        """Answer the message during which the incarnation ended."""
        if envelope.deferred:
            return
        crash = self._crash
        if envelope.reply_to is None:
            why = DeadLetterReason.STOPPED if crash is None else DeadLetterReason.CRASHED
            self.bury(envelope, why, crash)
        elif crash is None:
            envelope.reply_to.settle(
                error=DeadActorError(f"{self.ref} was cancelled while it handled the message")
            )
        else:
            error = ActorCrashedError(
                f"{self.ref} crashed while it handled {type(envelope.message).__name__}: {_named(crash)}"
            )
            error.__cause__ = crash
            envelope.reply_to.settle(error=error)

    def _expire(self, envelope: Envelope) -> None:
        self.bury(envelope, DeadLetterReason.EXPIRED)
        if envelope.reply_to is not None:
            envelope.reply_to.settle(
                error=AskTimeoutError(
                    f"{self.ref} skipped {type(envelope.message).__name__}: its deadline had passed"
                )
            )

    def _refuse_unexpected(self, actor: Actor, envelope: Envelope) -> None:
        accepted = ", ".join(kind.__name__ for kind in actor.accepts) or "nothing"
        error = UnexpectedMessageError(
            f"{self.ref} doesn't accept {type(envelope.message).__name__}; it accepts {accepted}"
        )
        if envelope.reply_to is not None:
            envelope.reply_to.settle(error=error)
        else:
            self.bury(envelope, DeadLetterReason.UNEXPECTED, error)

    def _refuse_dead(self, envelope: Envelope) -> None:
        if isinstance(envelope.message, _ActorStop) and envelope.reply_to is not None:
            envelope.reply_to.settle(value=False)
        elif envelope.reply_to is not None:
            envelope.reply_to.settle(error=self._dead_error())
        else:
            raise self._dead_error()

    def _refuse_suspended(self, envelope: Envelope) -> None:
        error = ActorSuspendedError(
            f"{self.ref} is suspended after {_named(self.reason)}; a probe will try it again"
        )
        error.__cause__ = self.reason
        if envelope.reply_to is not None:
            envelope.reply_to.settle(error=error)
        else:
            self.bury(envelope, DeadLetterReason.SUSPENDED, error)

    def _dead_error(self) -> DeadActorError:
        why = "" if self.reason is None else f" after {_named(self.reason)}"
        error = DeadActorError(f"{self.ref} is stopped{why}")
        error.__cause__ = self.reason
        return error


async def _call_by_proxy(actor: Actor, message: Any) -> Any:
    """Let Pykka find the attribute or the method; await what an async method returns."""
    reply = actor._handle_receive(message)  # noqa: SLF001 - Pykka's dispatch
    return await reply if inspect.iscoroutine(reply) else reply


def _named(error: BaseException | None) -> str:
    return "too many restarts" if error is None else f"{type(error).__name__}: {error}"
