"""Named points of the durable path, and what can be made to happen there.

The points are part of the program, so that what is tested is what runs; unarmed they cost one call.
`omoide scenario` and the soak harness arm them.
"""

from __future__ import annotations

import os
import signal
import threading
from enum import StrEnum
from fnmatch import fnmatchcase

from ..protocols.errors import DefectError


class InjectedFaultError(DefectError):
    """A failpoint was armed to crash the actor that reaches it."""


class Unarmed:
    """Failpoints at which nothing happens."""

    def reach(self, point: str) -> None:
        """Pass."""


class Fault(StrEnum):
    """What happens at an armed failpoint."""

    CRASH = "crash"
    """The actor crashes with `InjectedFaultError`."""
    KILL = "kill"
    """The process gets SIGKILL."""


class ArmedFailpoints:
    """Failpoints that can be armed, each for one time. Safe to use from several threads."""

    def __init__(self) -> None:
        self._armed: list[tuple[str, Fault, int]] = []
        self._lock = threading.Lock()

    def arm(self, pattern: str, fault: Fault, *, skip: int = 0) -> None:
        """Make `fault` happen the next time a point that matches the glob `pattern` is reached.

        Args:
            pattern: such as `dedup.before_commit` or `dedup.*`.
            fault: what happens.
            skip: how many times the point is passed before it happens.
        """
        with self._lock:
            self._armed.append((pattern, fault, skip))

    def reach(self, point: str) -> None:
        """Pass a point, unless something is armed there.

        Raises:
            InjectedFaultError: where a crash was armed.
        """
        match self._take(point):
            case Fault.KILL:
                os.kill(os.getpid(), signal.SIGKILL)
            case Fault.CRASH:
                raise InjectedFaultError(f"failpoint {point} was armed")
            case None:
                return

    def _take(self, point: str) -> Fault | None:
        if not self._armed:
            return None
        with self._lock:
            for at, (pattern, fault, skip) in enumerate(self._armed):
                if fnmatchcase(point, pattern):
                    if skip:
                        self._armed[at] = (pattern, fault, skip - 1)
                        continue
                    del self._armed[at]
                    return fault
        return None
