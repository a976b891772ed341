"""What came of a plan: a record that fills while it is played, and what is noted in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from .measures import Sample
from .oracle import Violation
from .plan import AnyStep, Plan


class Run(Struct):
    """What came of a plan.

    Attributes:
        plan: what was to be done.
        violations: what broke a promise.
        steps: what was done, in order.
        took_s: how long it took, in seconds.
        done: how often each kind of step was done.
        faults: how often each kind of fault was made.
        refused: how often the runtime refused something, by the error's class.
        by_bus: how many commands were acknowledged over the bus, those that repeat an earlier one among them.
        bus_restarts: how often the server of the bus was killed and came back.
        checks: how many things were held against an oracle.
        hears_ms: how long each acknowledgement took that wasn't interrupted, in ms.
        recoveries_s: how long each process took to be ready, in seconds.
        samples: how the process was, over time.
        interrupted: whether a person ended it.
    """

    plan: Plan
    violations: list[Violation] = field(default_factory=list)
    steps: list[AnyStep] = field(default_factory=list)
    took_s: float = 0.0
    done: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    by_bus: int = 0
    bus_restarts: int = 0
    checks: int = 0
    hears_ms: list[float] = field(default_factory=list)
    recoveries_s: list[float] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    interrupted: bool = False


Watch = Callable[[Run], None]
"""Called with the run now and then."""


def unwatched(_run: Run) -> None:
    """Show nothing."""


class Enough(Exception):  # noqa: N818 - ends the run, and is no error
    """Enough promises were broken."""


class Notes:
    """Where what breaks a promise is noted.

    Args:
        run: the record.
        most: after how many broken promises the run ends, at least 1.
    """

    def __init__(self, run: Run, most: int) -> None:
        self._run = run
        self._most = most

    def broken(self, promise: str, who: str, step: int, message: str, ids: Sequence[str] = ()) -> None:
        """Note a broken promise.

        Raises:
            Enough: if that is enough.
        """
        self.last(promise, who, step, message, ids)
        if len(self._run.violations) >= self._most:
            raise Enough

    def last(self, promise: str, who: str, step: int, message: str, ids: Sequence[str] = ()) -> None:
        """Note a broken promise once the run is over; the same one is noted once."""
        known = any((one.promise, one.who, one.message) == (promise, who, message) for one in self._run.violations)
        if not known and len(self._run.violations) < self._most:
            violation = Violation(promise=promise, who=who, step=step, message=message, ids=tuple(ids))
            self._run.violations.append(violation)
