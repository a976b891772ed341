"""Keeps a process under test alive: starts it again after each end, and knows which ends were meant."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import trio

from ...protocols.errors import OutsideError
from .process import Host, HostDiedError, HostEndedError, open_nest
from .protocol import AnyAnswer, AnyRequest, Arm, Done, Jump, Open, SetDisk

LOG_CHARS: Final = 2_000


class HostKeeper:
    """One process under test after the other.

    Args:
        log: where they log.
        command: what starts one.
        speed: seconds of its clock in one second.
        start: what its clock starts with, in seconds since the epoch.

    Attributes:
        recoveries_s: how long each took from its start until it was ready, in seconds.
        unmeant: how those ended that nobody killed.
        is_closed: whether no other follows.
    """

    def __init__(self, log: Path, command: Sequence[str], speed: float, start: float) -> None:
        self.recoveries_s: list[float] = []
        self.unmeant: list[str] = []
        self.is_closed = False
        self._log = log
        self._command = command
        self._speed = speed
        self._start = start
        self._began = time.monotonic()
        self._jumped_s = 0.0
        self._host: Host | None = None
        self._ready = trio.Event()
        self._may_die: set[int] = set()
        self._disk = SetDisk(limit=None, wait_s=0.0)
        self._latest: Host | None = None

    @property
    def current(self) -> Host | None:
        """The process that is ready now, or None."""
        return self._host

    async def host(self) -> Host:
        """Return the process that is ready, once one is."""
        while (host := self._host) is None:
            await self._ready.wait()
        return host

    def steady_now(self) -> float:
        """Return the time of a clock that goes as fast as the host's and never jumps."""
        return self._start + (time.monotonic() - self._began) * self._speed

    async def keep(self, settings: dict[str, Any]) -> None:
        """Start a process, and another whenever one ends, until `close`.

        Raises:
            HostEndedError: if one ended that nobody made end.
        """
        async with open_nest(self._log, self._command) as nest:
            while not self.is_closed:
                started = time.monotonic()
                async with nest.start() as host:
                    self._latest = host
                    try:
                        await self._open(host, settings)
                        self.recoveries_s.append(time.monotonic() - started)
                        self._host = host
                        self._ready.set()
                        await host.gone.wait()
                    except HostDiedError:
                        pass
                    self._host = None
                    if self._ready.is_set():  # else those who wait would wait for an event that never comes
                        self._ready = trio.Event()
                code = await nest.exit_code()
                meant = host.pid in self._may_die and code in {0, -signal.SIGKILL}
                if not meant and not self.is_closed:
                    self.unmeant.append(f"the process ended by itself with {_named(code)}")
                    raise HostEndedError(self.unmeant[-1])

    async def _open(self, host: Host, settings: dict[str, Any]) -> None:
        now = self.steady_now() + self._jumped_s
        answer = await host.ask(Open(settings=settings, now=now, speed=self._speed, serves_bus="bus" in settings))
        if not isinstance(answer, Done):
            raise OutsideError(f"the process can't open its folder: {answer}")
        if self._disk.limit is not None or self._disk.wait_s:
            await host.ask(self._disk)

    async def try_ask(self, request: AnyRequest) -> AnyAnswer | None:
        """Ask the process that is ready; None if it dies of it."""
        try:
            return await (await self.host()).ask(request)
        except HostDiedError:
            return None

    async def arm(self, request: Arm) -> None:
        """Have the process kill itself at a point."""
        host = await self.host()
        self._may_die.add(host.pid)
        await self.try_ask(request)

    async def kill_after(self, after_s: float) -> None:
        """Kill whatever process there is, after a while, be it ready or not."""
        await trio.sleep(after_s)
        host = self._latest
        if host is not None and not self.is_closed:
            self._may_die.add(host.pid)
            host.kill()

    async def restart(self) -> None:
        """Close the runtime in order; another process follows."""
        host = await self.host()
        self._may_die.add(host.pid)
        try:
            await host.close()
        except HostDiedError:
            return  # it was killed meanwhile, which is judged where it is seen

    async def jump(self, by_s: float) -> None:
        """Move the clock of this process and of those that follow."""
        self._jumped_s += by_s
        await self.try_ask(Jump(by_s=by_s))

    async def spoil(self, request: SetDisk) -> None:
        """Spoil the disk of this process and of those that follow, or mend it."""
        self._disk = request
        await self.try_ask(request)

    async def close(self) -> None:
        """End the last process in order, or as it was armed to end.

        Raises:
            HostDiedError: if it ends otherwise.
        """
        self._disk = SetDisk(limit=None, wait_s=0.0)
        host = await self.host()
        self.is_closed = True
        try:
            await host.close()
        except HostDiedError:
            if host.pid not in self._may_die:
                raise

    def last_words(self) -> str:
        """Return the end of the log, on one line."""
        if not self._log.exists():
            return ""
        return " / ".join(self._log.read_text(encoding="utf-8", errors="replace")[-LOG_CHARS:].splitlines())


def _named(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
