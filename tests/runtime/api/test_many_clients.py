"""Many clients, slow ones, silent ones, and a server that is killed in the middle: what is acknowledged stays."""

from __future__ import annotations

import json
import signal
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
import trio

from omoide.tests.runtime.api.served import Served, serving
from omoide.tests.runtime.cli.command_line import Omoide

YUI = "/v1/characters/yui"
AT_ONCE = 1_000
UNREAD = 200


async def connect(address: str) -> trio.SocketStream:
    host, port = address.removeprefix("http://").rsplit(":", 1)
    return await trio.open_tcp_stream(host, int(port))


def request(text: str, message_id: str) -> bytes:
    body = json.dumps({"text": text, "message_id": message_id})
    head = (
        f"POST {YUI}/hear HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


async def answer(stream: trio.SocketStream) -> bytes:
    return b"".join([part async for part in stream])


async def test_a_thousand_requests_that_are_in_flight_at_once_are_all_kept(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as served, trio.open_nursery() as nursery:
        streams = [await connect(served.url) for _ in range(AT_ONCE)]
        for number, stream in enumerate(streams):  # all but the last byte, so that none is answered yet
            await stream.send_all(request(f"Locker {number}.", f"m{number}")[:-1])
        statuses: list[bytes] = []

        async def finish(stream: trio.SocketStream) -> None:
            await stream.send_all(b"}")
            statuses.append((await answer(stream))[:12])
            await stream.aclose()

        async with trio.open_nursery() as finishing:
            for stream in streams:
                finishing.start_soon(finish, stream)
        async with served.client() as client:
            turns = (await client.get(f"{YUI}/turns", params={"limit": AT_ONCE})).json()
        nursery.cancel_scope.cancel()

    assert (set(statuses), len(turns["items"]), turns["next_before"]) == ({b"HTTP/1.1 200"}, AT_ONCE, None)


async def test_clients_that_say_nothing_more_are_hung_up_on_and_others_are_served(tmp_path: Path) -> None:
    beginnings = [
        b"",
        b"POST /v1/char",
        f"POST {YUI}/hear HTTP/1.1\r\nHost: localhost\r\nContent-".encode(),
        f'POST {YUI}/hear HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n{{"text": "half'.encode(),
    ]
    async with serving(tmp_path / "data", idle_s=1) as served:
        streams = [await connect(served.url) for _ in beginnings for _ in range(25)]
        for stream, beginning in zip(streams, beginnings * 25, strict=True):
            await stream.send_all(beginning)

        async with served.client() as client:
            heard = await client.post(f"{YUI}/hear", json={"text": "I own a kayak."})
        with trio.fail_after(15):
            last_words = {(await answer(stream))[:12] for stream in streams}
        for stream in streams:
            await stream.aclose()

    assert heard.status_code == 200
    assert last_words <= {b"", b"HTTP/1.1 400", b"HTTP/1.1 408", b"HTTP/1.1 499", b"HTTP/1.1 503"}


async def test_a_client_that_sends_a_byte_at_a_time_is_understood(served: Served) -> None:
    stream = await connect(served.url)
    for byte in request("My cat is called Mochi.", "m1"):
        await stream.send_all(bytes([byte]))
        await trio.lowlevel.checkpoint()

    assert (await answer(stream)).startswith(b"HTTP/1.1 200")
    await stream.aclose()


@pytest.mark.kill
async def test_what_was_answered_before_a_kill_in_the_middle_is_there_once(omoide: Omoide) -> None:
    acknowledged: list[str] = []
    with omoide.start("serve", "--port", "0", "--json") as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]

        async def talk(talker: int) -> None:
            async with httpx.AsyncClient(base_url=address, timeout=20) as client:
                for number in range(1_000):
                    said = {"text": f"Talker {talker} owns {number} books.", "message_id": f"{talker}-{number}"}
                    try:
                        heard = await client.post(f"{YUI}/hear", json=said)
                    except httpx.TransportError:
                        return
                    acknowledged.append(heard.json()["turn"])
                    if len(acknowledged) == 100:
                        process.send_signal(signal.SIGKILL)

        async with trio.open_nursery() as nursery:
            for talker in range(16):
                nursery.start_soon(talk, talker)
        await trio.to_thread.run_sync(process.communicate)

    listed = await trio.to_thread.run_sync(omoide.process, "turns", "yui", "--limit", "5000", "--json")
    stored = [turn["id"] for turn in listed.documents]
    assert set(acknowledged) <= set(stored)
    assert len(stored) == len(set(stored)) <= len(acknowledged) + 16


async def ask_and_never_read(stream: trio.SocketStream) -> None:
    """Ask for more than the buffers on the way hold, and give the server the time to fill them."""
    await stream.send_all(b"GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * UNREAD)
    await trio.sleep(1)


async def test_a_client_that_reads_no_answer_does_not_keep_the_server_from_ending(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", shutdown_s=0.5) as served, await connect(served.url) as stream:
        await ask_and_never_read(stream)

        served.stopping.set()

        with trio.fail_after(15):
            await served.stopped.wait()


async def test_a_client_that_reads_no_answer_is_hung_up_on_and_others_are_served(tmp_path: Path) -> None:
    got = bytearray()
    async with (
        serving(tmp_path / "data", idle_s=1) as served,
        served.client() as client,
        await connect(served.url) as stream,
    ):
        await ask_and_never_read(stream)
        others = await client.get("/health")
        await trio.sleep(1)
        with trio.fail_after(15), suppress(trio.BrokenResourceError):
            async for part in stream:
                got += part

    assert (others.status_code, got.count(b"HTTP/1.1 200") < UNREAD) == (200, True)


async def test_a_client_that_only_listens_is_not_taken_for_one_that_is_gone(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", idle_s=1) as served, served.client() as client:
        await client.post(f"{YUI}/hear", json={"text": "I own a kayak."})
        async with await connect(served.url) as listener:
            await listener.send_all(f"GET {YUI}/changes HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            await trio.sleep(1.5)
            await client.post(f"{YUI}/hear", json={"text": "My cat is called Mochi."})

            seen = b""
            with trio.fail_after(10):
                while b"Mochi" not in seen and (part := await listener.receive_some()):
                    seen += part

    assert b"Mochi" in seen
