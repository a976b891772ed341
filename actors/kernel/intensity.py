"""How often a child may be restarted, counted in a sliding window of its own. A pure rule: time is an argument."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

__all__ = ["Intensity", "RestartWindow"]


@dataclass(frozen=True, slots=True)
class Intensity:
    """The restart intensity that a child is allowed, as OTP's `MaxR` and `MaxT`, but a child each.

    Attributes:
        max_restarts: restarts allowed within the window; one more suspends the child.
        within_s: seconds that the window spans.
    """

    max_restarts: int = 5
    within_s: float = 60.0


class RestartWindow:
    """The restarts of one child that are recent enough to count."""

    def __init__(self, intensity: Intensity) -> None:
        self._intensity = intensity
        self._times: deque[float] = deque()

    def exceeded_by(self, now: float) -> bool:
        """Count a restart and say whether it is one too many.

        Args:
            now: when, in seconds; not before the last call's.

        Returns:
            True if more than `max_restarts` fall into the `within_s` seconds that end now.
        """
        self._times.append(now)
        while self._times[0] <= now - self._intensity.within_s:
            self._times.popleft()
        return len(self._times) > self._intensity.max_restarts

    def clear(self) -> None:
        """Forget all restarts."""
        self._times.clear()
