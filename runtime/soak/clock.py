"""A clock that runs fast and jumps: time in a soak, for outboxes whose patience is minutes."""

from __future__ import annotations

import time
from typing import Final

import trio

_LONGEST_NAP_S: Final = 60.0


class JumpingClock:
    """A clock that goes `speed` times as fast as the machine's, and can be set forward and back.

    Args:
        start: what `now()` returns at first, in seconds since the epoch.
        speed: seconds of it in one second of the machine's monotonic clock.
    """

    def __init__(self, start: float, speed: float) -> None:
        self._start = start
        self._speed = speed
        self._began = time.monotonic()
        self._jumped = trio.Event()

    def now(self) -> float:
        """Return seconds since the epoch (UTC)."""
        return self._start + (time.monotonic() - self._began) * self._speed

    def jump(self, by_s: float) -> None:
        """Set the clock forward, or back for a negative number of seconds, and have every sleeper look again."""
        self._start += by_s
        jumped, self._jumped = self._jumped, trio.Event()
        jumped.set()

    async def sleep_until(self, at: float) -> None:
        """Return once the clock has reached `at`, or as much time has passed as lay between."""
        ends = time.monotonic() + (at - self.now()) / self._speed
        while (left_s := min(at - self.now(), (ends - time.monotonic()) * self._speed)) > 0:
            with trio.move_on_after(min(left_s / self._speed, _LONGEST_NAP_S)):
                await self._jumped.wait()
        await trio.lowlevel.checkpoint()
