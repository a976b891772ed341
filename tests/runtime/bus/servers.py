"""Message servers that tests start and kill, and a client of theirs."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nats
import pytest
import trio
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import AckPolicy, ConsumerConfig, PubAck
from nats.js.errors import NotFoundError

from omoide.runtime.bus.bridge import Bridge

PATIENCE_S = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def binary(name: str) -> str:
    """Return the path of a server's program, or skip where it isn't installed."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if found is None:
        pytest.skip(f"the server {name} is not installed")
    return found


class Server:
    """A server in a process of its own, at the same port whenever it is started."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.folder = folder
        folder.mkdir()
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self.command(), stdout=log, stderr=log)
        began = time.monotonic()
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                assert time.monotonic() - began < PATIENCE_S, (self.folder / "log").read_text()
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()


class NatsServer(Server):
    """`nats-server` with JetStream, which syncs every message before it acknowledges it."""

    def __init__(self, folder: Path, more: str = "") -> None:
        super().__init__(folder)
        (folder / "conf").write_text(
            f'listen: "127.0.0.1:{self.port}"\n'
            f'jetstream {{ store_dir: "{folder}/store", sync_interval: always }}\n{more}'
        )

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def copy_store(self) -> None:
        """Keep what is on disk now, while it isn't running."""
        shutil.copytree(self.folder / "store", self.folder / "earlier")

    def restore_store(self) -> None:
        """Put back what was on disk then."""
        shutil.rmtree(self.folder / "store")
        shutil.copytree(self.folder / "earlier", self.folder / "store")

    def command(self) -> list[str]:
        return [binary("nats-server"), "-c", str(self.folder / "conf")]


class Mosquitto(Server):
    """An MQTT broker that keeps sessions on its disk."""

    def __init__(self, folder: Path, more: str = "allow_anonymous true\n") -> None:
        super().__init__(folder)
        (folder / "conf").write_text(
            f"listener {self.port} 127.0.0.1\npersistence true\npersistence_location {folder}/\nuser root\n"
            f"autosave_interval 1\nautosave_on_changes true\n{more}"
        )

    def command(self) -> list[str]:
        return [binary("mosquitto"), "-c", str(self.folder / "conf")]


class Sender:
    """A client of the bus, as a host's program would be one, used from Trio."""

    def __init__(self, bridge: Bridge, url: str, prefix: str) -> None:
        self.bridge = bridge
        self.prefix = prefix
        self.url = url
        self.client = Client()

    async def connect(self, **more: Any) -> None:
        async def connect() -> Client:
            return await nats.connect(self.url, max_reconnect_attempts=-1, reconnect_time_wait=0.1, **more)

        self.client = await self.bridge.run(connect)

    async def close(self) -> None:
        await self.bridge.run(self.client.close)

    async def publish(
        self, subject: str, body: bytes | dict[str, Any], headers: dict[str, str] | None = None
    ) -> PubAck:
        """Publish until the server acknowledges it; given an id, it is one message all the same."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()

        async def publish() -> PubAck:
            while True:
                try:
                    return await self.client.jetstream(timeout=1).publish(subject, raw, headers=headers)
                except (NatsError, TimeoutError, OSError):
                    await asyncio.sleep(0.1)

        with trio.fail_after(PATIENCE_S):
            return await self.bridge.run(publish)

    async def send(self, word: str, command: str, *, id: str = "", **body: Any) -> int:  # noqa: A002 - as headers name it
        """Send a command, and return its seq in the stream."""
        headers = {"Nats-Msg-Id": id} if id else None
        return (await self.publish(f"{self.prefix}.cmd.{word}.{command}", body, headers)).seq

    async def order(self, word: str, command: str, **body: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        inbox = self.client.new_inbox()
        subscription = await self.bridge.run(partial(self.client.subscribe, inbox))
        await self.publish(f"{self.prefix}.cmd.{word}.{command}", body, {"Omoide-Answer-To": inbox})
        message = await self.bridge.run(partial(subscription.next_msg, timeout=PATIENCE_S))
        answer: dict[str, Any] = json.loads(message.data)
        return answer

    async def ask(self, word: str, command: str, **body: Any) -> dict[str, Any]:
        """Ask a question and return its answer."""
        subject = f"{self.prefix}.ask.{word}.{command}"
        raw = json.dumps(body).encode()
        message = await self.bridge.run(partial(self.client.request, subject, raw, timeout=PATIENCE_S))
        answer: dict[str, Any] = json.loads(message.data)
        return answer

    async def stored(self, kind: str) -> list[Any]:
        """Return every message of a stream, in order; of `cmd`, `evt` or `dead`."""
        stream = f"{self.prefix.upper()}_{kind.upper()}"

        async def read() -> list[Any]:
            streams = self.client.jetstream()
            try:
                info = await streams.stream_info(stream)
            except NotFoundError:  # nobody has made it yet
                return []
            found: list[Any] = []
            config = ConsumerConfig(ack_policy=AckPolicy.NONE, mem_storage=True, inactive_threshold=5)
            reader = await streams.pull_subscribe_bind(
                (await streams.add_consumer(stream, config)).name, stream=stream
            )
            while len(found) < info.state.messages:
                found += await reader.fetch(min(256, info.state.messages - len(found)), timeout=5)
            await reader.unsubscribe()
            return found

        return await self.bridge.run(read)


async def until(condition: Callable[[], Any], every_s: float = 0.05) -> Any:
    """Return what an async function returns, once that is true."""
    with trio.fail_after(PATIENCE_S):
        while not (found := await condition()):  # noqa: ASYNC110 - what is waited for is another process
            await trio.sleep(every_s)
        return found


def kill(pid: int) -> None:
    """Kill a process that somebody else reaps, and return once it is gone."""
    os.kill(pid, signal.SIGKILL)
    while Path(f"/proc/{pid}").exists():
        time.sleep(0.005)
