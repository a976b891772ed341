"""The player's end of the process that holds the runtime: start, ask, kill, close. Leaves none behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio

from ...protocols.errors import OutsideError
from ..patience import patiently
from .protocol import AnyAsk, Close, Reply, decode_reply, encode

REPLY_TIMEOUT_S: Final = 120
"""Longest real time that one request may take, in seconds; a step of a scenario takes well under one."""

EXIT_TIMEOUT_S: Final = 30
"""Longest time from the reply to `Close` to the end of the process, in seconds. The interpreter needs 0.12 s of a
processor to end; with work for five times as many processors it took 1.3 s."""

_PACKAGES: Final = Path(__file__).parents[3]
"""Folder that the package lies in, so that the process finds it however the player did."""

_MODULE: Final = f"{__package__}.worker"


class WorkerDiedError(OutsideError):
    """The process ended, or stopped answering, without having been told to. Its log says more."""


class Worker:
    """A running process. Made by `open_worker`."""

    def __init__(self, process: trio.Process) -> None:
        self._process = process
        self._received = bytearray()

    @property
    def pid(self) -> int:
        """Id of the process."""
        return self._process.pid

    async def ask(self, request: AnyAsk) -> Reply:
        """Return the reply to a request.

        Raises:
            WorkerDiedError: if the process ended, or gave no reply within `REPLY_TIMEOUT_S`.
        """
        try:
            with trio.fail_after(REPLY_TIMEOUT_S):
                await self._stdin.send_all(encode(request))
            return decode_reply(await patiently(self._line, REPLY_TIMEOUT_S))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise await self._died() from error
        except trio.TooSlowError as error:
            raise WorkerDiedError(f"the process gave no reply within {REPLY_TIMEOUT_S} s") from error

    async def kill(self) -> None:
        """Kill the process without warning (SIGKILL), and return when it is gone."""
        self._process.kill()
        await self._process.wait()

    async def close(self) -> Reply:
        """Have the runtime closed in order, and return when the process is gone.

        Raises:
            WorkerDiedError: if it didn't end in order.
        """
        reply = await self.ask(Close())
        try:
            code = await patiently(self._process.wait, EXIT_TIMEOUT_S)
        except trio.TooSlowError as error:
            raise WorkerDiedError(f"the process didn't end within {EXIT_TIMEOUT_S} s of being closed") from error
        if code != 0:
            raise WorkerDiedError(f"the process ended with exit code {code} after it was closed")
        return reply

    @property
    def _stdin(self) -> trio.abc.SendStream:
        if self._process.stdin is None:
            raise trio.ClosedResourceError
        return self._process.stdin

    async def _line(self) -> bytes:
        while (end := self._received.find(b"\n")) < 0:
            if self._process.stdout is None:
                raise trio.ClosedResourceError
            chunk = await self._process.stdout.receive_some()
            if not chunk:
                raise trio.BrokenResourceError
            self._received += chunk
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return line

    async def _died(self) -> WorkerDiedError:
        try:
            code = await patiently(self._process.wait, EXIT_TIMEOUT_S)
        except trio.TooSlowError:
            return WorkerDiedError("the process closed its output and goes on")
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return WorkerDiedError(f"the process {how} in the middle of a step")


@asynccontextmanager
async def open_worker(log: Path) -> AsyncIterator[Worker]:
    """Start a process, yield it, and kill it if it still runs at the end of the block.

    Args:
        log: file that what it logs is appended to.
    """
    paths = [str(_PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    with log.open("ab") as stderr:
        process = await trio.lowlevel.open_process(
            [sys.executable, "-P", "-m", _MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"},
        )
    try:
        yield Worker(process)
    finally:
        with trio.CancelScope(shield=True):
            if process.returncode is None:
                process.kill()
                await process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    await stream.aclose()
