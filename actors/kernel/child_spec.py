"""What a supervisor must know of a child to start it, stop it, and start it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from .backoff import Backoff
from .intensity import Intensity

if TYPE_CHECKING:
    from collections.abc import Callable

    from .actor import Actor

__all__ = ["ChildSpec", "Restart"]


class Restart(StrEnum):
    """When a child that ended is started again; OTP's words."""

    PERMANENT = "permanent"
    """Always."""
    TRANSIENT = "transient"
    """After a crash only."""
    TEMPORARY = "temporary"
    """Never."""

    def applies(self, *, crashed: bool) -> bool:
        """Return whether a child of this type that ended so is to be started again."""
        return self is Restart.PERMANENT or (self is Restart.TRANSIENT and crashed)


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """A child of a supervisor.

    Attributes:
        id: its name, unique among its siblings.
        factory: builds a fresh instance for each start. It may call the supervisor's `child()` for siblings.
        restart: when it is started again.
        shutdown_s: seconds it has to stop before it is cancelled; `math.inf` suits a supervisor.
        mailbox_size: messages that its mailbox holds; None takes the class's once the first instance is built.
        backoff: how long a restart waits.
        intensity: how many restarts are too many; then the child is suspended.
        probe_s: seconds after which a suspended child is tried again.
    """

    id: str
    factory: Callable[[], Actor]
    restart: Restart = Restart.PERMANENT
    shutdown_s: float = 5.0
    mailbox_size: int | None = None
    backoff: Backoff = field(default_factory=Backoff)
    intensity: Intensity = field(default_factory=Intensity)
    probe_s: float = 60.0
