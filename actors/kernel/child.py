"""A supervisor's record of one child, and what it shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import trio

from .intensity import RestartWindow

if TYPE_CHECKING:
    from .cell import Cell
    from .child_spec import ChildSpec

__all__ = ["Child", "ChildState", "ChildStatus"]


class ChildState(StrEnum):
    """What a child is doing."""

    RUNNING = "running"
    """It has started and takes messages."""
    RESTARTING = "restarting"
    """It is being started, waits for its backoff, or is being probed. Its mailbox takes messages."""
    SUSPENDED = "suspended"
    """It crashed too often and waits for its probe. Asks are refused, tells are dead letters."""
    STOPPED = "stopped"
    """It has stopped for good."""


@dataclass(frozen=True, slots=True)
class ChildStatus:
    """What a supervisor shows of a child.

    Attributes:
        state: what it is doing.
        restarts: how often it was started again, probes included.
        last_error: class name and message of its latest crash, or None.
        since: when it came into this state, in seconds of the system's Trio clock.
    """

    state: ChildState
    restarts: int
    last_error: str | None
    since: float


class Child:
    """The record of one child. Its supervisor alone reads and changes it.

    Attributes:
        ticket: the plan that may start it next; whoever takes it into another plan replaces the ticket.
        settled: set when its `on_start` has ended or its incarnation has.
        halting: whether its supervisor is stopping it, so that its end is no news.
        probing: whether its incarnation is a probe that has not proved itself.
        attempt: restarts since its backoff was reset.
        not_before: earliest time of its next start.
        running_since: when its `on_start` ended, or None.
    """

    def __init__(self, spec: ChildSpec, cell: Cell) -> None:
        self.spec = spec
        self.cell = cell
        self.state = ChildState.RESTARTING
        self.since = trio.current_time()
        self.launches = 0
        self.last_error: str | None = None
        self.window = RestartWindow(spec.intensity)
        self.attempt = 0
        self.not_before = self.since
        self.running_since: float | None = None
        self.ticket: object | None = None
        self.settled = trio.Event()
        self.halting = False
        self.probing = False

    def enter(self, state: ChildState) -> None:
        """Change the state, and note when."""
        if state is not self.state:
            self.state = state
            self.since = trio.current_time()

    def status(self) -> ChildStatus:
        """Return a snapshot for people."""
        return ChildStatus(self.state, max(0, self.launches - 1), self.last_error, self.since)

    def ran_well(self) -> bool:
        """Return whether the incarnation that just ended ran long enough for its backoff to start anew."""
        if self.running_since is None:
            return False
        return trio.current_time() - self.running_since >= self.spec.backoff.reset_after_s
