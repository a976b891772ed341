"""`omoide bus`, and what `omoide serve` and `omoide status` tell of a bus."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from omoide.tests.processes import running
from omoide.tests.runtime.bus.servers import NatsServer
from omoide.tests.runtime.cli.command_line import Omoide


@pytest.fixture
def server(tmp_path: Path) -> Iterator[NatsServer]:
    server = NatsServer(tmp_path / "nats")
    server.start()
    yield server
    server.stop()


def test_a_bus_and_a_server_share_characters_and_tell_how_they_are(server: NatsServer, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(
        [sys.executable, "-m", "omoide", "--data", data, "--json", "serve", "--nats", "--port", "0"],
        env={**Omoide(data).environ(), "OMOIDE_BUS__NATS__URL": server.url},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        transport = httpx.HTTPTransport(retries=3)
        with httpx.Client(base_url=address, transport=transport, timeout=30) as client:
            while 'omoide_bus_connected{bus="nats"} 1.0' not in client.get("/metrics").text:
                assert process.poll() is None
            healthy = client.get("/health").json()
            server.kill()
            while (degraded := client.get("/health").json()["degraded"]) != ["bus:nats"]:
                assert process.poll() is None
        process.send_signal(signal.SIGTERM)

    (told,) = Omoide(data)("status", "--json").documents
    assert healthy == {"status": "ok", "degraded": []}
    assert degraded == ["bus:nats"]
    assert (process.returncode, told["buses"][0]["status"]["kind"]) == (0, "nats")


def test_a_user_that_the_server_doesnt_know_is_told_what_to_check(tmp_path: Path) -> None:
    server = NatsServer(tmp_path / "nats", more='authorization { user: "omoide", password: "secret" }\n')
    server.start()
    try:
        done = Omoide(tmp_path / "data")(
            "bus", "nats", "--url", server.url.replace("//", "//omoide:wrong@"), code=2
        )
    finally:
        server.stop()

    assert "doesn't let this user in" in done.err
    assert "wrong" not in done.err
