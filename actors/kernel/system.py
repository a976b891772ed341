"""The actor system: the Trio loop's own registry of actors, their birth, and their orderly end.

It owns the nursery in which every incarnation runs. It is shielded from the block around it, so that
leaving the block in any way, by an error or a cancellation too, stops the actors in order.
"""

from __future__ import annotations

import random
import threading
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import trio

from ...protocols.errors import CallerError
from .actor import SHUTDOWN_S, current_system
from .cell import Cell, Exit
from .dead_letters import DeadLetters
from .errors import DeadActorError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from .actor import Actor
    from .ref import ActorRef

__all__ = ["ActorSystem", "open_system"]


class ActorSystem:
    """The actors of one Trio loop. `open_system()` makes it.

    Attributes:
        token: the Trio run that it lives in, for `trio.from_thread`.
        loop_thread: the identity of that run's thread.
        rng: the source of jitter for the supervisors' backoff.
        dead_letters: messages that nobody will answer for.
    """

    def __init__(self, nursery: trio.Nursery, rng: random.Random) -> None:
        self.token = trio.lowlevel.current_trio_token()
        self.loop_thread = threading.get_ident()
        self.rng = rng
        self.dead_letters = DeadLetters(self.token, self.loop_thread)
        self.nursery = nursery
        self._clock = trio.lowlevel.current_clock()
        self._cells: dict[str, Cell] = {}
        self._closing = False

    def __len__(self) -> int:
        """Return how many actors there are that have not stopped for good."""
        return len(self._cells)

    def current_time(self) -> float:
        """Return the loop's monotonic time in seconds; unlike `trio.current_time()`, from any thread."""
        return self._clock.current_time()

    def get(self, actor_urn: str) -> ActorRef | None:
        """Return the ref of a living actor by its URN, or None."""
        cell = self._cells.get(actor_urn)
        return None if cell is None else cell.ref

    def spawn(
        self, factory: Callable[[], Actor], *, mailbox_size: int | None = None, shutdown_s: float | None = None
    ) -> ActorRef:
        """Start an actor that nobody supervises: if it crashes, it stays stopped. On the loop's thread only.

        The factory runs here and now; what it raises is the actor's crash, not this call's.

        Args:
            factory: builds the actor.
            mailbox_size: messages that its mailbox holds; None takes the class's.
            shutdown_s: seconds it has to stop when the system is left, before it is cancelled; None gives an actor
                5, and a supervisor 5 more than its children have together.

        Returns:
            Its ref; the actor takes messages already.

        Raises:
            CallerError: this is another thread.
            ActorDeadError: the system is being left.
        """
        if threading.get_ident() != self.loop_thread:
            raise CallerError(
                "spawn() belongs to the system's loop; from a thread call "
                "trio.from_thread.run_sync(system.spawn, factory, trio_token=system.token)"
            )
        cell = Cell(self, factory, mailbox_size=mailbox_size, shutdown_s=shutdown_s)
        self.enrol(cell)
        cell.build()
        cell.launch(self.nursery, partial(_close, cell))
        return cell.ref

    def enrol(self, cell: Cell) -> None:
        """Enter a cell in the registry. Called by `spawn` and by supervisors.

        Raises:
            ActorDeadError: the system is being left.
        """
        if self._closing:
            raise DeadActorError("the actor system is being left and starts no more actors")
        self._cells[cell.ref.actor_urn] = cell

    def forget(self, cell: Cell) -> None:
        """Strike a cell that has stopped for good from the registry. Called by the cell."""
        self._cells.pop(cell.ref.actor_urn, None)

    async def stop_all(self) -> None:
        """Stop every actor, the latest started first, each within its shutdown time."""
        self._closing = True
        for cell in reversed(tuple(self._cells.values())):
            if not cell.supervised:
                actor = cell.actor
                limit = SHUTDOWN_S if actor is None else actor._shutdown_s()  # noqa: SLF001
                await cell.stop_within(limit if cell.shutdown_s is None else cell.shutdown_s)


@asynccontextmanager
async def open_system(*, rng: random.Random | None = None) -> AsyncIterator[ActorSystem]:
    """Run an actor system on this Trio loop for the time of the block.

    Leaving the block, in whichever way, stops the actors in reverse order of their start.

    Args:
        rng: the source of jitter for the supervisors' backoff; a test gives a seeded one.

    Yields:
        The system.
    """
    failure: BaseException | None = None
    async with trio.open_nursery() as outer:
        system, leave = await outer.start(_hold_open, rng or random.Random())  # noqa: S311 - jitter is no secret
        token = current_system.set(system)
        try:
            yield system
        except BaseException as error:  # noqa: BLE001 - carried past the nursery, which would wrap it in a group
            failure = error
        current_system.reset(token)
        # From here on the stop must not be cut short by whatever cancelled the block.
        outer.cancel_scope.shield = True
        await system.stop_all()
        leave.set()
    if failure is not None:
        raise failure


async def _hold_open(rng: random.Random, *, task_status: trio.TaskStatus[tuple[ActorSystem, trio.Event]]) -> None:
    leave = trio.Event()
    with trio.CancelScope(shield=True):
        async with trio.open_nursery() as nursery:
            task_status.started((ActorSystem(nursery, rng), leave))
            await leave.wait()


def _close(cell: Cell, ended: Exit) -> None:
    cell.close(ended.reason)
