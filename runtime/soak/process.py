"""The harness's end of the processes under test: start, ask, kill, close. Leaves none behind.

One process imports the program once and forks one under test whenever it is told to, so that hundreds of real
kills take seconds. Each of these talks over a socket of its own, so that nothing of a killed one reaches the next.
"""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import trio

from ...protocols.errors import OutsideError
from ..patience import patiently
from .protocol import AnyAnswer, AnyRequest, Close, Envelope, decode_reply, encode

COMMAND: Final = (sys.executable, "-P", "-m", f"{__package__}.worker")
"""What starts the process that forks those under test. The path of a socket follows."""

ANSWER_TIMEOUT_S: Final = 120
"""Longest time for one answer, in seconds. What takes longer hangs."""

EXIT_TIMEOUT_S: Final = 30
"""Longest time from the end of the last request to the end of the process, in seconds."""

START: Final = b"start\n"
"""What the forking process is told."""

_PACKAGES: Final = Path(__file__).parents[3]
_CHUNK: Final = 1 << 16


class HostDiedError(OutsideError):
    """The process ended before it answered."""


class HostEndedError(OutsideError):
    """The process ended, and nobody made it."""


class HostHangsError(OutsideError):
    """The process lives and doesn't answer."""


class _Waiter:
    __slots__ = ("answer", "come")

    def __init__(self) -> None:
        self.come = trio.Event()
        self.answer: AnyAnswer | None = None


class Host:
    """A process under test. Made by `Nest.start`.

    Args:
        pid: id of the process.
        stream: what it talks on.
    """

    def __init__(self, pid: int, stream: trio.SocketStream) -> None:
        self.pid = pid
        self.gone = trio.Event()
        """Set once the process can't answer any more."""
        self._stream = stream
        self._numbers = itertools.count(1)
        self._waiting: dict[int, _Waiter] = {}
        self._sending = trio.Lock()

    async def ask(self, request: AnyRequest) -> AnyAnswer:
        """Return the answer to a request; many may wait at once.

        Raises:
            HostDiedError: if the process ended first.
            HostHangsError: if no answer came within `ANSWER_TIMEOUT_S`.
        """
        if self.gone.is_set():
            await trio.lowlevel.checkpoint()
            raise HostDiedError("the process is gone")
        waiter, number = _Waiter(), next(self._numbers)
        self._waiting[number] = waiter
        try:
            with trio.fail_after(ANSWER_TIMEOUT_S):
                await self._send(Envelope(number=number, request=request))
            await patiently(waiter.come.wait, ANSWER_TIMEOUT_S)
        except trio.TooSlowError as error:
            raise HostHangsError(f"no answer to {type(request).__name__} within {ANSWER_TIMEOUT_S} s") from error
        finally:
            del self._waiting[number]
        if waiter.answer is None:
            raise HostDiedError("the process ended before it answered")
        return waiter.answer

    def kill(self) -> None:
        """Kill the process without warning (SIGKILL), if it still runs."""
        if not self.gone.is_set():
            with suppress(ProcessLookupError):  # it ended a moment ago
                os.kill(self.pid, signal.SIGKILL)

    async def close(self) -> None:
        """Have the runtime closed in order, and return when the process can't answer any more.

        Raises:
            HostDiedError: if it ended before.
            HostHangsError: if it doesn't end.
        """
        await self.ask(Close())
        try:
            await patiently(self.gone.wait, EXIT_TIMEOUT_S)
        except trio.TooSlowError as error:
            raise HostHangsError(f"the process didn't end within {EXIT_TIMEOUT_S} s of being closed") from error

    async def _send(self, envelope: Envelope) -> None:
        try:
            async with self._sending:
                with trio.CancelScope(shield=True):  # half a line would garble the next
                    await self._stream.send_all(encode(envelope))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise HostDiedError("the process ended before it was asked") from error

    async def read(self) -> None:
        """Hand answers to those who wait, until the process ends."""
        received = bytearray()
        try:
            while chunk := await self._stream.receive_some(_CHUNK):
                received += chunk
                *lines, rest = received.split(b"\n")
                received = bytearray(rest)
                for line in lines:
                    reply = decode_reply(bytes(line))
                    if (waiter := self._waiting.get(reply.number)) is not None:
                        waiter.answer = reply.answer
                        waiter.come.set()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return
        finally:
            self.gone.set()
            for waiter in self._waiting.values():
                waiter.come.set()


class Nest:
    """The process that forks those under test, one at a time. Made by `open_nest`."""

    def __init__(self, process: trio.Process, listener: trio.socket.SocketType) -> None:
        self._process = process
        self._listener = listener
        self._told = bytearray()

    @asynccontextmanager
    async def start(self) -> AsyncIterator[Host]:
        """Start a process under test, yield it, and kill it if it still runs at the end of the block.

        Raises:
            OutsideError: if the forking process is gone.
        """
        assert self._process.stdin is not None
        try:
            await self._process.stdin.send_all(START)
            pid = int(await self._line())
        except (trio.BrokenResourceError, trio.ClosedResourceError, ValueError) as error:
            raise OutsideError("the process that starts those under test is gone; its log says why") from error
        with trio.fail_after(ANSWER_TIMEOUT_S):
            connection, _ = await self._listener.accept()
        stream = trio.SocketStream(connection)
        async with stream, trio.open_nursery() as nursery:
            host = Host(pid, stream)
            nursery.start_soon(host.read)
            try:
                yield host
            finally:
                host.kill()
                nursery.cancel_scope.cancel()

    async def exit_code(self) -> int:
        """Return the exit code of the process that was started last, once it has ended; negative for a signal."""
        return int(await self._line())

    async def _line(self) -> bytes:
        assert self._process.stdout is not None
        while (end := self._told.find(b"\n")) < 0:
            chunk = await self._process.stdout.receive_some(_CHUNK)
            if not chunk:
                raise trio.BrokenResourceError
            self._told += chunk
        line = bytes(self._told[:end])
        del self._told[: end + 1]
        return line


@asynccontextmanager
async def open_nest(log: Path, command: Sequence[str]) -> AsyncIterator[Nest]:
    """Start the process that forks those under test, yield it, and kill it at the end of the block.

    Args:
        log: file that what all of them log is appended to.
        command: what starts it.
    """
    found = [str(_PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    with (
        tempfile.TemporaryDirectory(prefix="omoide-soak-") as folder,
        trio.socket.socket(trio.socket.AF_UNIX, trio.socket.SOCK_STREAM) as listener,
    ):
        address = str(Path(folder) / "socket")
        await listener.bind(address)
        listener.listen(1)
        with log.open("ab") as stderr:
            process = await trio.lowlevel.open_process(
                [*command, address],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(found), "PYTHONUTF8": "1"},
                process_group=0,  # Ctrl-C is for the harness, which ends these in order
            )
        try:
            yield Nest(process, listener)
        finally:
            with trio.CancelScope(shield=True):
                process.kill()
                await process.wait()
                for stream in (process.stdin, process.stdout):
                    if stream is not None:
                        await stream.aclose()
