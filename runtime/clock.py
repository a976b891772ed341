"""The two clocks: the machine's, and one that moves only when it is told to."""

from __future__ import annotations

import heapq
import itertools
import time

import trio

_LONGEST_NAP_S = 60.0
"""A sleep is cut into naps of this length, so that a wall clock that is set forward is noticed."""


class SystemClock:
    """The machine's wall clock. The only place in the program that reads it."""

    def now(self) -> float:
        """Return seconds since the epoch (UTC)."""
        return time.time()  # noqa: TID251 - this is the clock

    async def sleep_until(self, at: float) -> None:
        """Return once the wall clock has reached `at`, or as much time has passed as lay between."""
        ends = trio.current_time() + at - self.now()
        while (left_s := min(at - self.now(), ends - trio.current_time())) > 0:  # noqa: ASYNC110 - no event tells it
            await trio.sleep(min(left_s, _LONGEST_NAP_S))


class VirtualClock:
    """A clock that stands still until `advance_to` moves it, for scenarios and tests.

    Args:
        start: what `now()` returns at first, in seconds since the epoch.
    """

    def __init__(self, start: float) -> None:
        self._now = start
        self._sleepers: list[tuple[float, int, trio.Event]] = []
        self._order = itertools.count()

    def now(self) -> float:
        """Return seconds since the epoch (UTC)."""
        return self._now

    async def sleep_until(self, at: float) -> None:
        """Return once the clock has been moved to `at` or beyond, or forward by as much as lay between."""
        if at <= self._now:
            await trio.lowlevel.checkpoint()
            return
        due = trio.Event()
        heapq.heappush(self._sleepers, (at, next(self._order), due))
        await due.wait()

    def next_alarm(self) -> float | None:
        """Return when the next sleeper is due, or None if nobody sleeps."""
        return self._sleepers[0][0] if self._sleepers else None

    def advance_to(self, at: float) -> None:
        """Move the clock forward to `at` and wake those who are due; a time in the past moves nothing."""
        self._now = max(self._now, at)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            heapq.heappop(self._sleepers)[2].set()

    def set_back(self, by_s: float) -> None:
        """Set the clock back by a number of seconds; who sleeps has as long to sleep as before."""
        self._now -= by_s
        self._sleepers = [(at - by_s, order, due) for at, order, due in self._sleepers]
