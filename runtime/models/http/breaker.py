"""When a server that fails is left alone, and when it is tried again. Pure: the time is an argument.

Closed: requests go through, and failures in a row are counted. Open: none does. After the wait one request may
try; if it fails, the wait doubles, and if it succeeds, all is as before.
"""

from __future__ import annotations

from typing import Final

from ....protocols.settings import ProviderSettings

_GROWTH: Final = 2.0
"""Growth of the wait from one opening to the next."""


class Breaker:
    """The circuit breaker of one server.

    Attributes:
        retry_at: when one request may try, in seconds since the epoch; None while it is closed.
    """

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings
        self._failures = 0
        self._wait_s = settings.breaker_min_s
        self._trying = False
        self.retry_at: float | None = None

    def admits(self, now: float) -> bool:
        """Return whether a request may go through now; one that may is to be reported on, however it ends."""
        if self.retry_at is None:
            return True
        if self._trying or self.leaves_alone(now):
            return False
        self._trying = True
        return True

    def leaves_alone(self, now: float) -> bool:
        """Return whether the server is left alone now; for longer than it can be, the clock was set back."""
        return self.retry_at is not None and now < self.retry_at <= now + self._settings.breaker_max_s

    def succeeded(self) -> None:
        """Note that the server answered."""
        self._failures = 0
        self._trying = False
        self._wait_s = self._settings.breaker_min_s
        self.retry_at = None

    def failed(self, now: float) -> None:
        """Note that the server didn't answer."""
        self._failures += 1
        if self._trying:
            self._wait_s = min(self._wait_s * _GROWTH, self._settings.breaker_max_s)
        if self._trying or (self.retry_at is None and self._failures >= self._settings.breaker_failures):
            self.retry_at = now + self._wait_s
        self._trying = False

    def released(self) -> None:
        """Note that a request that was admitted ended without telling anything of the server."""
        self._trying = False
