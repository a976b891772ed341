"""What each way in costs: `hear` and `recall` in-process, from threads, from asyncio and over HTTP, in one run.

    python -m benchmarks.doors [--rounds 6] [--seconds 2] [--rate 50] [--door http ...]

Each door is called by a process of its own: a host that has the runtime inside it, or a client and nothing else,
whose server is another process. All have the same memories, hear the same sentences and learn from them meanwhile.
`hear` begins at a fixed rate whether or not the calls before have ended, and is timed from the moment at which it
was due, so that waiting counts; `recall` is called once at a time. The doors take turns in rounds, with all
background work done in between, so that a busy machine harms all alike; read the ratios, not milliseconds.
Learning from fifty sentences a second takes a good part of a core: with less than that to spare calls queue behind
it, in whatever way they come in, and the last line says so. `http` is a plain socket that is kept open, `httpx`
the client library; what the second costs beyond the first is the client's own work.

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
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Final

import httpx
import msgspec
import trio

from omoide.benchmarks.index import SEED, make_rows
from omoide.runtime import aio, blocking
from omoide.runtime.host import open_runtime

MEMORIES: Final = 300
HEAR_RATIO: Final = 3.0
RECALL_ADDS_S: Final = 0.005
YUI: Final = "/v1/characters/yui"
IDLE_S: Final = 5.0
"""Longest time that a connection is kept between calls, in seconds."""

WARM_UP: Final = 20
"""Calls before the first round that aren't counted."""

Call = Callable[[str], Awaitable[object]]


@dataclass(frozen=True)
class Door:
    """A way in: how it is called."""

    hear: Call
    recall: Call
    settle: Callable[[], Awaitable[object]]


class Pipe:
    """Connections to the server, each for one request at a time, kept open."""

    def __init__(self, address: str) -> None:
        host, port = address.removeprefix("http://").rsplit(":", 1)
        self._host, self._port = host, int(port)
        self._idle: list[tuple[float, trio.SocketStream]] = []

    async def post(self, path: str, body: object) -> bytes:
        """Send a request and return the body of its answer."""
        payload = msgspec.json.encode(body)
        head = f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Length: {len(payload)}\r\n\r\n"
        stream = await self._connection()
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
        self._idle.append((trio.current_time(), stream))
        return rest

    async def _connection(self) -> trio.SocketStream:
        """Return a connection that was used just now, or a new one: the server closes idle ones by and by."""
        while self._idle:
            used_at, stream = self._idle.pop()
            if trio.current_time() - used_at < IDLE_S:
                return stream
            await stream.aclose()
        return await trio.open_tcp_stream(self._host, self._port)


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


@asynccontextmanager
async def in_process(folder: str) -> AsyncIterator[Door]:
    """The Trio API, in the host's own loop."""
    async with open_runtime(folder) as runtime:
        yui = await runtime.character("yui")
        yield Door(yui.hear, yui.recall, yui.settle)


@asynccontextmanager
async def from_threads(folder: str) -> AsyncIterator[Door]:
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
            lambda text: call(partial(yui.hear, text)),
            lambda text: call(partial(yui.recall, text)),
            partial(call, yui.settle),
        )


@asynccontextmanager
async def from_asyncio(folder: str) -> AsyncIterator[Door]:
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
async def over_http(address: str) -> AsyncIterator[Door]:
    """The server, called over plain sockets."""
    pipe = Pipe(address)
    yield Door(
        lambda text: pipe.post(f"{YUI}/hear", {"text": text}),
        lambda text: pipe.post(f"{YUI}/recall", {"query": text}),
        partial(pipe.post, f"{YUI}/settle", {}),
    )


@asynccontextmanager
async def over_httpx(address: str) -> AsyncIterator[Door]:
    """The server, called by a usual client library."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        yield Door(
            lambda text: client.post(f"{YUI}/hear", json={"text": text}),
            lambda text: client.post(f"{YUI}/recall", json={"query": text}),
            lambda: client.post(f"{YUI}/settle", json={}),
        )


DOORS: Final[dict[str, Callable[[str], AbstractAsyncContextManager[Door]]]] = {
    "in-process": in_process,
    "blocking": from_threads,
    "aio": from_asyncio,
    "http": over_http,
    "httpx": over_httpx,
}
"""The doors by name, the one that the others are compared with first."""


async def be_caller(name: str, where: str) -> None:
    """Call a door as each line of stdin says, and print how long each call took, in seconds."""
    async with DOORS[name](where) as door:
        while line := await trio.to_thread.run_sync(sys.stdin.readline):
            order = json.loads(line)
            if order["what"] == "settle":
                await door.settle()
                took = []
            elif order["what"] == "hear":
                took = await at_rate(door.hear, order["texts"], order["rate"])
            else:
                took = [await timed(door.recall, text) for text in order["texts"]]
            print(json.dumps(took), flush=True)


async def timed(call: Call, text: str) -> float:
    """Return how long a call took, in seconds."""
    began = trio.current_time()
    await call(text)
    return trio.current_time() - began


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


class Caller:
    """The process that calls one door, and how long each call took there, in seconds."""

    def __init__(self, name: str, process: subprocess.Popen[str]) -> None:
        self.name = name
        self.took: dict[str, list[float]] = {"hear": [], "recall": []}
        self._process = process

    def order(self, what: str, texts: list[str] | None = None, rate: float = 0.0) -> list[float]:
        """Have the door called, and return how long each call took."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"what": what, "texts": texts or [], "rate": rate}) + "\n")
        self._process.stdin.flush()
        took: list[float] = json.loads(self._process.stdout.readline())
        return took


@contextmanager
def caller(name: str, where: str) -> Iterator[Caller]:
    """Run the process that calls a door."""
    with subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-m", "omoide.benchmarks.doors", "--call", name, where],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Caller(name, process)
        assert process.stdin is not None
        process.stdin.close()


def measure(callers: list[Caller], *, rounds: int, seconds: float, rate: float) -> None:
    """Time `hear` at a rate, door by door, and `recall` one call at a time, the doors in turn."""
    texts = [" ".join(row.terms) for row in make_rows(MEMORIES, random.Random(SEED))]  # noqa: S311 - the same each time
    for one in callers:
        one.order("hear", texts[:WARM_UP], rate)
        one.order("recall", texts[:WARM_UP])
    count = int(seconds * rate)
    for turn in range(rounds):
        said = [f"{texts[(turn * count + n) % MEMORIES]} {turn} {n}" for n in range(count)]
        for one in callers if turn % 2 else reversed(callers):
            one.order("settle")
            one.took["hear"] += one.order("hear", said, rate)
        for one in callers:
            one.order("settle")
        for one in callers:
            one.took["recall"] += one.order("recall", texts[: min(count, MEMORIES)])


def report(callers: list[Caller], count: int, rate: float) -> bool:
    """Print what was measured, `count` calls of `hear` a round, and return whether both targets are met."""
    base = callers[0]
    print(f"{'':12}{'p50 ms':>10}{'p99 ms':>10}{'p50 adds':>10}{'p99 ratio':>10}  by round      calls")
    for what in ("hear", "recall"):
        print(what)
        for one in callers:
            middle, worst = percentiles(one.took[what])
            base_middle, base_worst = percentiles(base.took[what])
            ratios = [
                percentiles(one.took[what][at : at + count])[1] / percentiles(base.took[what][at : at + count])[1]
                for at in range(0, len(one.took[what]), count)
            ]
            print(
                f"  {one.name:10}{middle * 1e3:10.2f}{worst * 1e3:10.2f}{(middle - base_middle) * 1e3:10.2f}"
                f"{worst / base_worst:10.2f}  {min(ratios):.2f} to {max(ratios):.2f}  {len(one.took[what])}"
            )
    http = next((one for one in callers if one.name == "http"), None)
    if http is None:
        return True
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
    if percentiles(base.took["hear"])[0] > 1 / rate:
        print("Calls queued in-process too: the machine had less than a core to spare, and no figure above holds.")
    return ratio <= HEAR_RATIO and adds < RECALL_ADDS_S


def percentiles(took: list[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile."""
    cuts = quantiles(took, n=100, method="inclusive")
    return cuts[49], cuts[98]


def run(names: list[str], rounds: int, seconds: float, rate: float) -> bool:
    """Measure the doors of these names beside the first, and return whether both targets are met."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        address = stack.enter_context(server(Path(folder) / "served"))
        callers = [
            stack.enter_context(caller(name, address if name.startswith("http") else f"{folder}/{name}"))
            for name in DOORS
            if name in {*names, next(iter(DOORS))}
        ]
        began = time.perf_counter()
        measure(callers, rounds=rounds, seconds=seconds, rate=rate)
        print(f"{rounds} rounds of {seconds:g} s at {rate:g} calls a second, {time.perf_counter() - began:.0f} s")
        return report(callers, int(seconds * rate), rate)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rate", type=float, default=50.0)
    parser.add_argument("--door", action="append", choices=DOORS, help="measure this beside the in-process call")
    parser.add_argument("--call", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.call:
        trio.run(be_caller, *given.call)
        return
    sys.exit(0 if run(given.door or list(DOORS), given.rounds, given.seconds, given.rate) else 1)


if __name__ == "__main__":
    main()
