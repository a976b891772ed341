"""What the tests of the buses share: a server for those that don't kill it, servants, and a client."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from omoide.protocols.settings import Settings
from omoide.runtime.bus.bridge import Bridge, open_bridge
from omoide.runtime.bus.nats.service import serve_nats
from omoide.runtime.failpoints import ArmedFailpoints
from omoide.runtime.host import Runtime, open_runtime
from omoide.tests.runtime.bus.servers import NatsServer, Sender, kill

SERVANT = Path(__file__).with_name("servant.py")

_number = itertools.count()


@pytest.fixture(scope="session")
def shared_nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    """A server that nobody kills; tests keep apart by their prefixes."""
    server = NatsServer(tmp_path_factory.mktemp("nats") / "server")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def own_nats(tmp_path: Path) -> Iterator[NatsServer]:
    """A server of the test's own, to be killed."""
    server = NatsServer(tmp_path / "nats")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def settings(tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    """Settings for the server that the test uses, with a prefix of its own."""
    name = "own_nats" if "own_nats" in request.fixturenames else "shared_nats"
    server: NatsServer = request.getfixturevalue(name)
    bus = {
        "prefix": f"t{next(_number)}",
        "nats": {"url": server.url, "timeout_s": 1.0},
        "backoff_min_s": 0.02,
        "backoff_max_s": 0.2,
    }
    return Settings.model_validate(
        {"data_dir": tmp_path / "data", "strong_memory": name != "own_nats", "bus": bus}
    )


@pytest.fixture
async def bridge() -> AsyncIterator[Bridge]:
    async with open_bridge() as bridge:
        yield bridge


@pytest.fixture
async def sender(settings: Settings, bridge: Bridge) -> AsyncIterator[Sender]:
    sender = Sender(bridge, settings.bus.nats.url, settings.bus.prefix)
    await sender.connect()
    yield sender
    await sender.close()


@pytest.fixture(scope="session")
def forks() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, SERVANT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def serve(forks: subprocess.Popen[str], settings: Settings) -> Iterator[Callable[..., int]]:
    """Start a process that serves the settings' folder on the bus, and return its pid."""
    pids: list[int] = []

    def start(**job: Any) -> int:
        assert forks.stdin is not None
        assert forks.stdout is not None
        forks.stdin.write(json.dumps({"settings": settings.model_dump(mode="json"), **job}) + "\n")
        forks.stdin.flush()
        pids.append(int(forks.stdout.readline()))
        return pids[-1]

    yield start
    for pid in pids:
        if Path(f"/proc/{pid}").exists():
            kill(pid)


@pytest.fixture
def failpoints() -> ArmedFailpoints:
    return ArmedFailpoints()


@pytest.fixture
async def runtime(settings: Settings, failpoints: ArmedFailpoints) -> AsyncIterator[Runtime]:
    """A runtime whose characters are on the bus."""
    async with open_runtime(settings, failpoints=failpoints) as runtime, trio.open_nursery() as nursery:
        ready = trio.Event()
        nursery.start_soon(partial(serve_nats, runtime, on_ready=ready.set))
        await ready.wait()
        yield runtime
        nursery.cancel_scope.cancel()
