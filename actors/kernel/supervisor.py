"""The actor that starts, stops and restarts others, in OTP's words.

It owns its children's cells and the plan of who is started when. Children run in the system's nursery,
not in the supervisor's own, because they must be stopped in order before it ends. Its monitor and its
hooks are tasks of their own, so that neither a handler nor a hook that hangs holds a restart up.
"""

# ruff: noqa: ANN401 - the constructor passes on whatever it is given

from __future__ import annotations

import logging
import math
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import trio

from ...protocols.errors import CallerError
from .actor import SHUTDOWN_S, Actor
from .cell import Cell, Exit
from .child import Child, ChildState, ChildStatus
from .crash_site import crash_site

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from .child_spec import ChildSpec
    from .ref import ActorRef

__all__ = ["Strategy", "Supervisor"]

logger = logging.getLogger(__name__)


class Strategy(StrEnum):
    """Who is restarted with a child that ended; OTP's words."""

    ONE_FOR_ONE = "one_for_one"
    """That child alone."""
    ONE_FOR_ALL = "one_for_all"
    """All children."""
    REST_FOR_ONE = "rest_for_one"
    """That child and those started after it."""


class Supervisor(Actor):
    """An actor with children.

    Its own `on_start` runs first; then the children are started in the order of their specs, each when the
    `on_start` of the one before has ended, well or not; then it takes messages. It stops them in the reverse
    order before its own `on_stop`. If it crashes itself, its children are stopped.

    A child that ends and is to be restarted keeps its ref and its mailbox. One that is restarted more often
    than its intensity allows is suspended, whatever the strategy: its siblings go on.
    """

    strategy: ClassVar[Strategy] = Strategy.ONE_FOR_ONE
    """Who is restarted with a child that ended."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._children: dict[str, Child] = {}
        self._exits, self._next_exit = trio.open_memory_channel[tuple[Child, Exit]](math.inf)
        self._hooks, self._next_hook = trio.open_memory_channel["Callable[[], Awaitable[None]]"](math.inf)

    def child_specs(self) -> Sequence[ChildSpec]:
        """Return the children to start with, in order. Called once an incarnation, before `on_start`."""
        return ()

    def child(self, child_id: str) -> ActorRef:
        """Return a child's ref, which is there from before `on_start`, whether the child runs or not.

        Raises:
            CallerError: there is no such child, or `child_specs()` has not returned yet.
        """
        return self._find(child_id).cell.ref

    def children_status(self) -> Mapping[str, ChildStatus]:
        """Return what every child is doing, in start order; a snapshot."""
        return {child_id: child.status() for child_id, child in self._children.items()}

    async def start_child(self, spec: ChildSpec) -> ActorRef:
        """Add a child after the others and return its ref when its `on_start` has ended, well or not.

        Raises:
            CallerError: a sibling of that id has not been stopped.
        """
        child = self._adopt(spec)
        await self._start_in_order((child,), _claim((child,)))
        return child.cell.ref

    async def stop_child(self, child_id: str) -> None:
        """Stop a child for good; return when it has stopped. It stays in the status as stopped.

        Raises:
            CallerError: there is no such child.
        """
        await self._stop_for_good(self._find(child_id))

    async def on_child_crashed(self, child_id: str, error: BaseException) -> None:
        """Learn that a child crashed. What this raises is logged.

        Args:
            child_id: the child.
            error: what crashed it.
        """

    async def on_child_suspended(self, child_id: str, error: BaseException | None) -> None:
        """Learn that a child was suspended, or again after a probe that failed. What this raises is logged.

        Args:
            child_id: the child.
            error: what crashed it, or None if it ended in order too often.
        """

    async def on_child_recovered(self, child_id: str) -> None:
        """Learn that a suspended child is well: it handled a message, or ran for `reset_after_s`.

        Args:
            child_id: the child.
        """

    # --- life -----------------------------------------------------------------------------------

    async def _begin(self) -> None:
        for spec in self.child_specs():
            self._adopt(spec)
        self.start_soon(self._monitor)
        self.start_soon(self._run_hooks)
        await self.on_start()
        children = tuple(self._children.values())
        await self._start_in_order(children, _claim(children))

    async def _end(self) -> None:
        children = tuple(reversed(self._children.values()))
        for child in children:
            child.halting = True
            child.ticket = None
        try:
            for child in children:
                await self._stop_for_good(child)
        except trio.Cancelled:
            for child in children:
                child.cell.kill()
            with trio.CancelScope(shield=True):
                for child in children:
                    await child.cell.ended()
                    child.cell.close(None)
            raise

    def _shutdown_s(self) -> float:
        return SHUTDOWN_S + sum(child.spec.shutdown_s for child in self._children.values())

    def _adopt(self, spec: ChildSpec) -> Child:
        known = self._children.get(spec.id)
        if known is not None:
            if known.state is not ChildState.STOPPED:
                raise CallerError(f"{self} has a child {spec.id!r} already; stop it first or choose another id")
            del self._children[spec.id]
        cell = Cell(
            self.system, spec.factory, mailbox_size=spec.mailbox_size, shutdown_s=spec.shutdown_s, supervised=True
        )
        self.system.enrol(cell)
        child = self._children[spec.id] = Child(spec, cell)
        return child

    def _find(self, child_id: str) -> Child:
        try:
            return self._children[child_id]
        except KeyError:
            known = ", ".join(self._children) or "none"
            raise CallerError(
                f"{self} has no child {child_id!r} (it has: {known}); refs exist once child_specs() has returned, "
                "so a factory that needs a sibling asks for it when it is called"
            ) from None

    # --- starting and stopping ------------------------------------------------------------------

    async def _start_in_order(self, children: Sequence[Child], ticket: object) -> None:
        """Start children one after the other, save those that another plan has claimed meanwhile."""
        await trio.sleep_until(max((child.not_before for child in children), default=-math.inf))
        for child in children:
            if child.ticket is ticket:
                child.ticket = None
                self._launch(child)
                await child.settled.wait()

    def _launch(self, child: Child) -> None:
        child.launches += 1
        child.running_since = None
        child.settled = trio.Event()
        child.cell.on_started = partial(self._started, child)
        child.cell.on_handled = partial(self._recovered, child) if child.probing else None
        child.cell.launch(self.system.nursery, partial(self._ended, child))

    async def _halt(self, child: Child) -> None:
        child.ticket = None
        child.halting = True
        await child.cell.stop_within(child.spec.shutdown_s)
        child.halting = False

    async def _stop_for_good(self, child: Child) -> None:
        await self._halt(child)
        child.enter(ChildState.STOPPED)
        child.cell.close(None)

    # --- called by the cells, on the loop -------------------------------------------------------

    def _started(self, child: Child) -> None:
        child.running_since = trio.current_time()
        if not child.probing:
            child.enter(ChildState.RUNNING)
        child.settled.set()

    def _ended(self, child: Child, ended: Exit) -> None:
        child.settled.set()
        if ended.crash is not None:
            child.last_error = f"{type(ended.crash).__name__}: {ended.crash}"
        if child.halting:
            return
        if child.spec.restart.applies(crashed=ended.crash is not None):
            child.enter(ChildState.RESTARTING)
            self._exits.send_nowait((child, ended))
            return
        child.enter(ChildState.STOPPED)
        child.cell.close(ended.reason)
        if ended.crash is not None:
            self._tell_hook(self.on_child_crashed, child.spec.id, ended.crash)

    def _recovered(self, child: Child) -> None:
        child.probing = False
        child.cell.on_handled = None
        child.window.clear()
        child.attempt = 0
        child.enter(ChildState.RUNNING)
        logger.info("%s: child %s is well again", self, child.spec.id)
        self._tell_hook(self.on_child_recovered, child.spec.id)

    # --- the monitor ----------------------------------------------------------------------------

    async def _monitor(self) -> None:
        async for child, ended in self._next_exit:
            if ended.crash is not None:
                self._tell_hook(self.on_child_crashed, child.spec.id, ended.crash)
            # A child may have been stopped, or started again with its siblings, since it ended.
            if child.state is not ChildState.RESTARTING or child.cell.running:
                continue
            if child.probing or child.window.exceeded_by(trio.current_time()):
                self._suspend(child, ended.crash)
            else:
                await self._restart(child)

    async def _restart(self, child: Child) -> None:
        if child.ran_well():
            child.attempt = 0
        delay_s = child.spec.backoff.delay_s(child.attempt, self.system.rng)
        child.attempt += 1
        child.not_before = trio.current_time() + delay_s
        logger.warning("%s: child %s restarts in %.3f s", self, child.spec.id, delay_s)
        group = self._group(child)
        for member in group:
            member.ticket = None
        for member in reversed(group):
            if member.spec.restart.applies(crashed=True):
                await self._halt(member)
                member.enter(ChildState.RESTARTING)
            else:
                await self._stop_for_good(member)
        planned = [member for member in group if member.state is ChildState.RESTARTING]
        self.start_soon(self._start_in_order, planned, _claim(planned))

    def _group(self, child: Child) -> list[Child]:
        children = list(self._children.values())
        if self.strategy is Strategy.ONE_FOR_ONE:
            return [child]
        if self.strategy is Strategy.REST_FOR_ONE:
            children = children[children.index(child) :]
        return [one for one in children if one.state in {ChildState.RUNNING, ChildState.RESTARTING}]

    def _suspend(self, child: Child, error: BaseException | None) -> None:
        child.probing = False
        child.enter(ChildState.SUSPENDED)
        child.cell.suspend(error)
        logger.warning("%s: child %s is suspended", self, child.spec.id)
        self._tell_hook(self.on_child_suspended, child.spec.id, error)
        self.start_soon(self._probe_later, child, _claim((child,)))

    async def _probe_later(self, child: Child, ticket: object) -> None:
        await trio.sleep(child.spec.probe_s)
        if child.ticket is not ticket:
            return
        child.ticket = None
        child.probing = True
        child.enter(ChildState.RESTARTING)
        child.cell.resume()
        self._launch(child)
        launch = child.launches
        await child.settled.wait()
        await trio.sleep(child.spec.backoff.reset_after_s)
        if child.probing and child.launches == launch and child.cell.running:
            self._recovered(child)

    def _tell_hook(self, hook: Callable[..., Awaitable[None]], *args: object) -> None:
        self._hooks.send_nowait(partial(hook, *args))

    async def _run_hooks(self) -> None:
        async for hook in self._next_hook:
            try:
                await hook()
            except Exception as error:  # noqa: BLE001 - whatever a hook does wrong, supervision goes on
                logger.error("%s: a hook raised: %s", self, crash_site(error))  # noqa: TRY400 - a traceback may quote


def _claim(children: Iterable[Child]) -> object:
    """Take children into a new plan at once, before its task runs; no older plan starts them then."""
    ticket = object()
    for child in children:
        child.ticket = ticket
    return ticket
