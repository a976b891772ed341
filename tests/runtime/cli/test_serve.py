"""`omoide serve` and `omoide token`, as real processes."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from omoide.tests.runtime.cli.command_line import Omoide


@contextmanager
def server(omoide: Omoide) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Run the server, and yield its process and its address."""
    with omoide.start("serve", "--port", "0", "--json") as process:
        try:
            assert process.stdout is not None
            yield process, json.loads(process.stdout.readline())["address"]
        finally:
            process.kill()


def hear(address: str, text: str) -> str:
    answer = httpx.post(f"{address}/v1/characters/yui/hear", json={"text": text}, timeout=10)
    turn: str = answer.raise_for_status().json()["turn"]
    return turn


@pytest.mark.kill
def test_what_was_answered_is_there_after_the_server_is_killed(omoide: Omoide) -> None:
    with server(omoide) as (process, address):
        acknowledged = [hear(address, f"I own {number} kayaks.") for number in range(5)]
        process.send_signal(signal.SIGKILL)
        process.wait()

    with server(omoide) as (_, address):
        turns = httpx.get(f"{address}/v1/characters/yui/turns", timeout=10).json()["items"]

    assert [turn["id"] for turn in turns] == acknowledged


@pytest.mark.kill
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_asked_to_stop_ends_in_order(omoide: Omoide, stop: signal.Signals) -> None:
    with server(omoide) as (process, address):
        hear(address, "I own a kayak.")

        process.send_signal(stop)

        assert process.wait(timeout=20) == 0


def test_a_token_is_printed_apart_from_its_table(omoide: Omoide) -> None:
    made = omoide("token", "kitchen", "--subject", "group:qq:77")

    assert made.out.startswith("[[token]]\n")
    assert made.err.rsplit(" ", 1)[1].strip() not in made.out


def test_an_address_that_others_reach_is_refused_without_tokens(omoide: Omoide) -> None:
    refused = omoide("serve", "--host", "0.0.0.0", "--port", "0", code=2)  # noqa: S104 - it is refused

    assert "omoide token NAME" in refused.err


@pytest.mark.parametrize("command", [("serve",), ("mcp", "yui", "--http")], ids=" ".join)
def test_a_port_that_is_taken_is_told_with_what_to_do(omoide: Omoide, command: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        refused = omoide.process(*command, "--port", str(port), code=1)

    assert f"127.0.0.1:{port} can't be listened at, since another program listens there" in refused.err
    assert refused.err.count("\n") == 1
