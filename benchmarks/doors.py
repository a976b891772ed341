"""What each way in costs: `hear` and `recall` in-process, from threads, from asyncio and over HTTP, in one run.

    python -m benchmarks.doors [--rounds 5] [--seconds 2] [--rate 50]

Each door has a data folder of its own with the same memories; the HTTP server is a process of its own, reached
by a real socket. `hear` begins at a fixed rate whether or not the calls before have ended, and is timed from the
moment at which it was due, so that waiting counts; `recall` is called once at a time. The doors take turns in
rounds, with all background work done in between, so that a busy machine harms all alike; read the ratios, not
milliseconds, and with less than a core to spare neither. `http` is a plain socket that is kept open,
`httpx` the client library; what the second costs beyond the first is the client's own work.

Targets (issue: doors): p99 of `hear` over HTTP at most 3 times that of the in-process call at 50 a second; p50 of
`recall` over HTTP at most 5 ms more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Final

import httpx
import msgspec
import trio

from omoide.benchmarks.index import SEED, make_rows
from omoide.runtime import aio, blocking
from omoide.runtime.character import Character
from omoide.runtime.host import open_runtime

MEMORIES: Final = 300
HEAR_RATIO: Final = 3.0
RECALL_ADDS_S: Final = 0.005
WARM_UP: Final = 20
"""Calls before the first round that aren't counted."""

Call = Callable[[str], Awaitable[object]]


@dataclass
class Door:
    """A way in: how it is called, and how long each call took, in seconds."""

    name: str
    hear: Call
    recall: Call
    settle: Callable[[], Awaitable[object]]
    took: dict[str, list[float]] = field(default_factory=lambda: {"hear": [], "recall": []})


class Pipe:
    """Connections to the server, each for one request at a time, kept open."""

    def __init__(self, address: str) -> None:
        host, port = address.removeprefix("http://").rsplit(":", 1)
        self._host, self._port = host, int(port)
        self._idle: list[trio.SocketStream] = []

    async def post(self, path: str, body: object) -> bytes:
        """Send a request and return the body of its answer."""
        payload = msgspec.json.encode(body)
        head = f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Length: {len(payload)}\r\n\r\n"
        stream = self._idle.pop() if self._idle else await trio.open_tcp_stream(self._host, self._port)
        await stream.send_all(head.encode() + payload)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += await _some(stream)
        headers, _, rest = answer.partition(b"\r\n\r\n")
        if not headers.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(answer.decode())
        fields = dict(line.lower().split(b": ", 1) for line in headers.split(b"\r\n")[1:])
        while len(rest) < int(fields[b"content-length"]):
            rest += await _some(stream)
        if fields.get(b"connection") == b"close":
            await stream.aclose()
            return rest
        self._idle.append(stream)
        return rest


async def _some(stream: trio.SocketStream) -> bytes:
    received = await stream.receive_some()
    if not received:
        raise RuntimeError("the server hung up in the middle of an answer")
    return bytes(received)


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Run `omoide serve` on a free port, and yield its address."""
    with subprocess.Popen(
        [sys.executable, "-m", "omoide", "serve", "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        env={**os.environ, "OMOIDE_DATA": str(folder)},
    ) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["address"]
        finally:
            process.terminate()


def in_process(yui: Character) -> Door:
    return Door("in-process", yui.hear, yui.recall, yui.settle)


@asynccontextmanager
async def from_threads(folder: Path) -> AsyncIterator[Door]:
    """The blocking twin, called from a pool of threads."""
    with blocking.open_runtime(folder) as runtime, ThreadPoolExecutor(16) as pool:
        yui = runtime.character("yui")

        async def call(function: Callable[[], object]) -> object:
            done, results = trio.Event(), list[object]()
            token = trio.lowlevel.current_trio_token()

            def work() -> None:
                results.append(function())
                token.run_sync_soon(done.set)

            pool.submit(work)
            await done.wait()
            return results[0]

        yield Door(
            "blocking",
            lambda text: call(partial(yui.hear, text)),
            lambda text: call(partial(yui.recall, text)),
            partial(call, yui.settle),
        )


@asynccontextmanager
async def from_asyncio(folder: Path) -> AsyncIterator[Door]:
    """The asyncio twin, called in an asyncio loop of its own thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    opening = aio.open_runtime(folder)

    async def call(coroutine: Callable[[], Awaitable[object]]) -> object:
        done, results = trio.Event(), list[object]()
        token = trio.lowlevel.current_trio_token()

        async def work() -> None:
            results.append(await coroutine())
            token.run_sync_soon(done.set)

        asyncio.run_coroutine_threadsafe(work(), loop)
        await done.wait()
        return results[0]

    runtime = await call(opening.__aenter__)
    assert isinstance(runtime, aio.Runtime)
    yui = await call(lambda: runtime.character("yui"))
    assert isinstance(yui, aio.Character)
    try:
        yield Door(
            "aio",
            lambda text: call(partial(yui.hear, text)),
            lambda text: call(partial(yui.recall, text)),
            partial(call, yui.settle),
        )
    finally:
        await call(lambda: opening.__aexit__(None, None, None))
        loop.call_soon_threadsafe(loop.stop)
        await trio.to_thread.run_sync(thread.join)
        loop.close()


@asynccontextmanager
async def over_http(folder: Path) -> AsyncIterator[tuple[Door, Door]]:
    """The server, called over plain sockets and by httpx."""
    with server(folder) as address:
        pipe, path = Pipe(address), "/v1/characters/yui"
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            yield (
                Door(
                    "http",
                    lambda text: pipe.post(f"{path}/hear", {"text": text}),
                    lambda text: pipe.post(f"{path}/recall", {"query": text}),
                    partial(pipe.post, f"{path}/settle", {}),
                ),
                Door(
                    "httpx",
                    lambda text: client.post(f"{path}/hear", json={"text": text}),
                    lambda text: client.post(f"{path}/recall", json={"query": text}),
                    partial(pipe.post, f"{path}/settle", {}),
                ),
            )


async def at_rate(call: Call, texts: list[str], rate: float) -> list[float]:
    """Begin a call every 1/rate seconds, and return how long each took from when it was due."""
    took: list[float] = []
    began = trio.current_time()

    async def one(text: str, due: float) -> None:
        await call(text)
        took.append(trio.current_time() - due)

    async with trio.open_nursery() as nursery:
        for number, text in enumerate(texts):
            due = began + number / rate
            await trio.sleep_until(due)
            nursery.start_soon(one, text, due)
    return took


async def measure(doors: list[Door], *, rounds: int, seconds: float, rate: float) -> None:
    """Time `hear` at a rate, door by door, and `recall` one call at a time, the doors in turn."""
    texts = [" ".join(row.terms) for row in make_rows(MEMORIES, random.Random(SEED))]  # noqa: S311 - the same each time
    for door in doors:
        for text in texts[:WARM_UP]:
            await door.hear(text)
            await door.recall(text)
    count, heard = int(seconds * rate), 0
    for turn in range(rounds):
        for door in doors if turn % 2 else reversed(doors):
            await door.settle()
            heard += 1
            said = [f"{texts[(heard + n) % MEMORIES]} {heard} {n}" for n in range(count)]
            door.took["hear"] += await at_rate(door.hear, said, rate)
        for door in doors:
            await door.settle()
        for text in texts[: min(count, MEMORIES)]:
            for door in doors:
                began = trio.current_time()
                await door.recall(text)
                door.took["recall"].append(trio.current_time() - began)


def report(doors: list[Door]) -> bool:
    """Print what was measured, and return whether both targets are met."""
    base = doors[0]
    print(f"{'':12}{'p50 ms':>10}{'p99 ms':>10}{'p50 adds':>10}{'p99 ratio':>10}  calls")
    for what in ("hear", "recall"):
        print(what)
        for door in doors:
            middle, worst = percentiles(door.took[what])
            base_middle, base_worst = percentiles(base.took[what])
            print(
                f"  {door.name:10}{middle * 1e3:10.2f}{worst * 1e3:10.2f}{(middle - base_middle) * 1e3:10.2f}"
                f"{worst / base_worst:10.2f}  {len(door.took[what])}"
            )
    http = next(door for door in doors if door.name == "http")
    ratio = percentiles(http.took["hear"])[1] / percentiles(base.took["hear"])[1]
    adds = percentiles(http.took["recall"])[0] - percentiles(base.took["recall"])[0]
    for told, met in (
        (
            f"hear over HTTP: p99 is {ratio:.2f} times the in-process call's, at most {HEAR_RATIO:g}",
            ratio <= HEAR_RATIO,
        ),
        (f"recall over HTTP: p50 adds {adds * 1e3:.2f} ms, at most {RECALL_ADDS_S * 1e3:g}", adds < RECALL_ADDS_S),
    ):
        print(f"{'met   ' if met else 'MISSED'} {told}")
    return ratio <= HEAR_RATIO and adds < RECALL_ADDS_S


def percentiles(took: list[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile."""
    cuts = quantiles(took, n=100)
    return cuts[49], cuts[98]


async def run(rounds: int, seconds: float, rate: float) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            runtime = await stack.enter_async_context(open_runtime(Path(folder) / "embedded"))
            doors = [in_process(await runtime.character("yui"))]
            doors += [
                await stack.enter_async_context(from_threads(Path(folder) / "threads")),
                await stack.enter_async_context(from_asyncio(Path(folder) / "asyncio")),
                *(await stack.enter_async_context(over_http(Path(folder) / "served"))),
            ]
            began = time.perf_counter()
            await measure(doors, rounds=rounds, seconds=seconds, rate=rate)
            print(
                f"{rounds} rounds of {seconds:g} s at {rate:g} calls a second, {time.perf_counter() - began:.0f} s"
            )
            return report(doors)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rate", type=float, default=50.0)
    given = parser.parse_args()
    sys.exit(0 if trio.run(run, given.rounds, given.seconds, given.rate) else 1)


if __name__ == "__main__":
    main()
