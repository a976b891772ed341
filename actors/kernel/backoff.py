"""How long a supervisor waits before it starts a crashed child again. A pure rule: chance is an argument."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...protocols.errors import CallerError

if TYPE_CHECKING:
    import random

__all__ = ["Backoff"]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential backoff with jitter.

    Attributes:
        min_s: seconds before the first restart.
        max_s: seconds that no restart waits longer than, jitter included.
        factor: growth from one restart to the next.
        jitter: share of the wait by which it may be shorter or longer, 0 to 1.
        reset_after_s: seconds that an incarnation must run for the next wait to be the first again.
    """

    min_s: float = 0.1
    max_s: float = 30.0
    factor: float = 2.0
    jitter: float = 0.2
    reset_after_s: float = 60.0

    def __post_init__(self) -> None:
        if not 0 <= self.min_s <= self.max_s or self.factor < 1 or not 0 <= self.jitter <= 1:
            raise CallerError(
                f"{self} is no backoff: 0 <= min_s <= max_s, factor >= 1 and 0 <= jitter <= 1 must hold"
            )

    def delay_s(self, attempt: int, rng: random.Random) -> float:
        """Return the seconds to wait before a restart.

        Args:
            attempt: restarts since the last reset; 0 for the first.
            rng: the source of jitter.

        Returns:
            `min_s * factor ** attempt`, at most `max_s`, then up to `jitter` shorter or longer, at most `max_s`.
        """
        delay = self.min_s
        # Multiplied step by step: a power of a large attempt overflows.
        while attempt > 0 and 0 < delay < self.max_s and self.factor > 1:
            delay *= self.factor
            attempt -= 1
        delay = min(delay, self.max_s)
        return min(self.max_s, delay * rng.uniform(1 - self.jitter, 1 + self.jitter))
