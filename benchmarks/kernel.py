"""Measure the actor kernel beside `pykka.ThreadingActor` in one run: `python -m benchmarks.kernel`.

Prints, for 10, 1,000 and 10,000 actors: the time to start one, the resident memory that an idle one costs,
tells handled in a second, the percentiles of an ask, and the time to stop all. Every cell is one run.
Each row is measured in a process of its own, so that one row's memory is not the next one's.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pykka
import trio

from omoide.actors.kernel import Actor, ActorRef, open_system
from omoide.protocols.errors import MailboxFullError

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES: Final = (10, 1_000, 10_000)
TELLS: Final = 20_000
ASKS: Final = 2_000
TURN: Final = 2_000
"""Tells between a sender's checkpoints: about 5 ms, the interpreter's own switch interval between threads."""


@dataclass(frozen=True)
class Row:
    """What one kind of actor does at one number of actors."""

    kind: str
    actors: int
    spawn_us: float
    kib_per_actor: float
    tells_per_s: float
    ask_p50_us: float
    ask_p99_us: float
    stop_all_s: float


class _Counter:
    """Counts handled tells over all actors of a row; ends the measurement at the last one."""

    def __init__(self, on_last: Callable[[], object]) -> None:
        self.left = TELLS
        self.on_last = on_last
        self.lock = threading.Lock()

    def count(self) -> None:
        with self.lock:
            self.left -= 1
            if self.left:
                return
        self.on_last()


class KernelActor(Actor):
    """Counts what it is told and answers what it is asked."""

    def __init__(self, counter: _Counter) -> None:
        super().__init__()
        self._counter = counter

    async def receive(self, message: Any) -> Any:  # noqa: ANN401 - Pykka's signature
        """Count a tell, echo an ask."""
        if message is None:
            self._counter.count()
        return message


class ThreadActor(pykka.ThreadingActor):
    """The same on a thread."""

    def __init__(self, counter: _Counter) -> None:
        super().__init__()
        self._counter = counter

    def on_receive(self, message: Any) -> Any:  # noqa: ANN401 - Pykka's signature
        """Count a tell, echo an ask."""
        if message is None:
            self._counter.count()
        return message


def resident_kib() -> float:
    gc.collect()
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return float(fields["VmRSS"].split()[0])


def percentiles(durations_s: list[float]) -> tuple[float, float]:
    cuts = statistics.quantiles(durations_s, n=100)
    return cuts[49] * 1e6, cuts[98] * 1e6


async def kernel_row(count: int) -> Row:
    done = trio.Event()
    counter = _Counter(done.set)
    async with open_system() as system:
        before = resident_kib()
        started = time.perf_counter()
        refs = [system.spawn(lambda: KernelActor(counter)) for _ in range(count)]
        await refs[-1].aask(0)
        spawn_s = time.perf_counter() - started
        memory = resident_kib() - before
        tell_s = await _kernel_tells(refs, done)
        asks = await _kernel_asks(refs)
        stopping = time.perf_counter()
        await system.stop_all()
        stop_s = time.perf_counter() - stopping
    p50, p99 = percentiles(asks)
    return Row("kernel", count, spawn_s / count * 1e6, memory / count, TELLS / tell_s, p50, p99, stop_s)


async def _kernel_tells(refs: list[ActorRef], done: trio.Event) -> float:
    started = time.perf_counter()
    for number in range(TELLS):
        ref = refs[number % len(refs)]
        try:
            ref.tell(None)
        except MailboxFullError:
            await ref.atell(None)
        if number % TURN == TURN - 1:
            await trio.lowlevel.checkpoint()
    await done.wait()
    return time.perf_counter() - started


async def _kernel_asks(refs: list[ActorRef]) -> list[float]:
    durations = []
    for number in range(ASKS):
        started = time.perf_counter()
        await refs[number % len(refs)].aask(number)
        durations.append(time.perf_counter() - started)
    return durations


def thread_row(count: int) -> Row:
    done = threading.Event()
    counter = _Counter(done.set)
    before = resident_kib()
    started = time.perf_counter()
    refs = [ThreadActor.start(counter) for _ in range(count)]
    refs[-1].ask(0)
    spawn_s = time.perf_counter() - started
    memory = resident_kib() - before
    started = time.perf_counter()
    for number in range(TELLS):
        refs[number % count].tell(None)
    done.wait()
    tell_s = time.perf_counter() - started
    asks = []
    for number in range(ASKS):
        asked = time.perf_counter()
        refs[number % count].ask(number)
        asks.append(time.perf_counter() - asked)
    stopping = time.perf_counter()
    pykka.ActorRegistry.stop_all()
    stop_s = time.perf_counter() - stopping
    p50, p99 = percentiles(asks)
    return Row("pykka", count, spawn_s / count * 1e6, memory / count, TELLS / tell_s, p50, p99, stop_s)


def measure(kind: str, count: int) -> Row:
    return trio.run(kernel_row, count) if kind == "kernel" else thread_row(count)


def measure_apart(kind: str, count: int) -> Row:
    command = [sys.executable, "-m", "benchmarks.kernel", "--row", kind, str(count)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - our own module
    return Row(**json.loads(printed))


def show(sizes: tuple[int, ...]) -> None:
    head = ("actors", "spawn us", "KiB/actor", "tell/s", "ask p50 us", "ask p99 us", "stop s")
    print(f"{'kind':8}" + "".join(f"{name:>12}" for name in head))
    for count in sizes:
        rows = {kind: measure_apart(kind, count) for kind in ("pykka", "kernel")}
        for row in rows.values():
            print(
                f"{row.kind:8}{row.actors:>12,}{row.spawn_us:>12.0f}{row.kib_per_actor:>12.1f}{row.tells_per_s:>12,.0f}"
                f"{row.ask_p50_us:>12.0f}{row.ask_p99_us:>12.0f}{row.stop_all_s:>12.2f}"
            )
        print(f"{'':8}tell: {rows['kernel'].tells_per_s / rows['pykka'].tells_per_s:.1f} times pykka's")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--row", nargs=2, metavar=("KIND", "ACTORS"), help="measure one row and print it as JSON")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of actors")
    asked = parser.parse_args()
    if asked.row:
        print(json.dumps(asdict(measure(asked.row[0], int(asked.row[1])))))
    else:
        show(tuple(asked.sizes))


if __name__ == "__main__":
    main()
