"""How fast commands go through NATS, beside what the server and the disk allow: `python benchmarks/bus.py`.

One run measures all in the same minute on the same disk: publishing with acknowledgement alone, `hear` in this
process alone, and commands over the bus from publishing to the answer, one by one and from several senders.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import nats
import trio
from nats.aio.client import Client
from nats.aio.msg import Msg

from omoide.protocols.settings import Settings
from omoide.runtime.bus.bridge import Bridge, open_bridge
from omoide.runtime.bus.nats.service import serve_nats
from omoide.runtime.host import Runtime, open_runtime

TEXT = "ok, see you at number {}"


def told(name: str, seconds: list[float], whole: float) -> None:
    """Print a line of the table."""
    ordered = sorted(seconds)
    p50, p99 = ordered[len(ordered) // 2] * 1e3, ordered[int(len(ordered) * 0.99)] * 1e3
    print(f"{name:<52} {len(seconds) / whole:>9,.0f} /s   p50 {p50:>7.2f} ms   p99 {p99:>7.2f} ms")


async def timed(count: int, call: Callable[[int], Awaitable[object]], senders: int) -> tuple[list[float], float]:
    """Return how long each call took and all together, from several senders one after the other each."""
    seconds: list[float] = []

    async def send(first: int) -> None:
        for number in range(first, count, senders):
            began = time.perf_counter()
            await call(number)
            seconds.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(send(first) for first in range(senders)))
    return seconds, time.perf_counter() - began


async def raw(client: Client, count: int, senders: int) -> None:
    """Measure publishing into a stream with acknowledgement, and nothing behind it."""
    stream = client.jetstream()
    await stream.add_stream(name="RAW", subjects=["raw.>"])
    body = json.dumps({"text": TEXT.format(0)}).encode()
    for at_once in (1, senders):
        seconds, whole = await timed(count, lambda number: stream.publish(f"raw.{number % 10}", body), at_once)
        told(f"publish and acknowledgement, {at_once} at once", seconds, whole)


async def over_the_bus(client: Client, count: int, senders: int, run: str) -> None:
    """Measure commands from publishing to the answer, which says that they are on disk."""
    stream = client.jetstream()
    waiting: dict[str, asyncio.Future[bytes]] = {}
    prefix = client.new_inbox()

    async def arrived(message: Msg) -> None:
        waiting.pop(message.subject).set_result(message.data)

    await client.subscribe(f"{prefix}.*", cb=arrived)

    async def order(characters: int, number: int) -> None:
        inbox = f"{prefix}.{number}-{characters}"
        answer = waiting[inbox] = asyncio.get_running_loop().create_future()
        body = {"text": TEXT.format(number), "message_id": f"{run}-{number}-{characters}"}
        subject = f"omoide.cmd.c{number % characters}.hear"
        await stream.publish(subject, json.dumps(body).encode(), headers={"Omoide-Answer-To": inbox})
        assert b'"result"' in await answer

    for at_once, characters in ((1, 1), (senders, senders)):
        seconds, whole = await timed(count, partial(order, characters), at_once)
        told(f"hear over the bus, {at_once} at once, {characters} characters", seconds, whole)


async def main(count: int, senders: int, url: str, folder: Path) -> None:
    """Run everything in one process but the server."""
    settings = Settings.model_validate({"data_dir": folder / "data", "bus": {"nats": {"url": url}}})
    async with open_bridge() as bridge, open_runtime(settings) as runtime:
        client = await bridge.run(lambda: nats.connect(url))
        await bridge.run(lambda: raw(client, count, senders))
        await _embedded(runtime, count)
        await _on_the_bus(bridge, runtime, client, count, senders)
        await bridge.run(client.close)


async def _embedded(runtime: Runtime, count: int) -> None:
    character = await runtime.character("alone")
    seconds = []
    began = time.perf_counter()
    for number in range(count):
        before = time.perf_counter()
        await character.hear(TEXT.format(number))
        seconds.append(time.perf_counter() - before)
    told("hear in this process, 1 at once", seconds, time.perf_counter() - began)
    await character.settle()


async def _on_the_bus(bridge: Bridge, runtime: Runtime, client: Client, count: int, senders: int) -> None:
    async with trio.open_nursery() as nursery:
        ready = trio.Event()
        nursery.start_soon(partial(serve_nats, runtime, on_ready=ready.set))
        await ready.wait()
        await bridge.run(lambda: over_the_bus(client, count, senders, "bench"))
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="calls of each kind (default: 1,000)")
    parser.add_argument("--senders", type=int, default=10, help="senders and characters at once (default: 10)")
    wanted = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as scratch:
        conf = Path(scratch, "conf")
        conf.write_text(
            f'listen: "127.0.0.1:{port}"\njetstream {{ store_dir: "{scratch}/js", sync_interval: always }}\n'
        )
        command = [str(Path(sys.executable).with_name("nats-server")), "-c", str(conf)]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:  # noqa: S603 - our own command
            try:
                time.sleep(1)
                trio.run(main, wanted.count, wanted.senders, f"nats://127.0.0.1:{port}", Path(scratch))
            finally:
                server.terminate()
