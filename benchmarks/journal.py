"""Group commit of the journal beside raw SQLite: the same rows, tables and batch size, on the same disk.

    python -m benchmarks.journal [--folder FOLDER] [--commits 12800]

Raw SQLite is a loop on one thread that makes rows of the same commits, JSON and all, and inserts them with
`executemany`; "ready-made" is the same loop with the rows made beforehand, the bound of what SQLite itself
takes. The journal also hashes, chains, checks idempotency, and answers callers that hand in a batch by
`commit_all`, as the journal's actor does, or one commit each. All commit with WAL and synchronous=FULL. The
disk's own fsync is measured in the same run. Ratios are medians over paired rounds. Exits with 1 where the
journal's actor would not reach half of raw SQLite's rate at the highest concurrency.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import trio

from omoide.protocols.events import TurnHeard
from omoide.protocols.messages import Commit, IdempotencyKey
from omoide.protocols.records import Role, Turn, TurnId
from omoide.protocols.settings import Settings
from omoide.protocols.work import ExtractTurn
from omoide.runtime.clock import SystemClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import JournalStore, SqliteJournal, open_store
from omoide.runtime.store.schema import migrate

CONCURRENCY: Final = (1, 16, 128)
REQUIRED_RATIO: Final = 0.5
TEXT: Final = "My sister Ingrid moved to Bergen last spring and we talk every Sunday evening. " * 2
ROUNDS: Final = 5
DIGEST: Final = hashlib.sha256(b"").digest()


Rows = tuple[list[tuple[Any, ...]], ...]


class Measured(NamedTuple):
    """Commits a second, and the time of one commit in milliseconds."""

    rate: float
    p50_ms: float
    p99_ms: float


def commit_of(number: int, run: str) -> Commit:
    turn = Turn(id=TurnId(f"{run}-{number:09d}"), role=Role.PERSON, text=TEXT, said_at=1.7e9, heard_at=1.7e9)
    return Commit(
        actor="scribe",
        cause=f"hear:{turn.id}",
        changes=(TurnHeard(turn=turn),),
        enqueues=(ExtractTurn(turn=turn.id),),
        idempotency=IdempotencyKey(key=turn.id, fingerprint=hashlib.sha256(turn.id.encode()).hexdigest()),
    )


def raw_rows(commits: Sequence[Commit], first: int) -> Rows:
    """Return the rows of one batch as the journal stores them: events, turns, outbox, idempotency."""
    events: list[tuple[Any, ...]] = []
    turns: list[tuple[Any, ...]] = []
    outbox: list[tuple[Any, ...]] = []
    keys: list[tuple[Any, ...]] = []
    for number, commit in enumerate(commits, first):
        change = commit.changes[0]
        assert isinstance(change, TurnHeard)
        turn, key = change.turn, commit.idempotency
        assert key is not None
        payload, ids = msgspec.json.encode(change), f'["{turn.id}"]'
        events.append(
            (1, number, 1.7e9, "scribe", commit.cause, "turn_heard", "private", ids, payload, DIGEST, DIGEST)
        )
        turns.append((1, number, turn.id, "private", msgspec.json.encode(turn)))
        work = msgspec.json.encode(commit.enqueues[0])
        outbox.append((1, number, f"op_{key.fingerprint}", work, commit.cause, "pending", 0, 1.7e9, 1.7e9, ""))
        keys.append((1, turn.id, key.fingerprint, number - 1, number))
    return events, turns, outbox, keys


def open_raw(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")
    migrate(connection)
    connection.execute("INSERT INTO characters VALUES (1, 'raw', 0, 0, x'00')")
    return connection


def measure_raw(connection: sqlite3.Connection, batches: Sequence[Callable[[], Rows]]) -> Measured:
    times: list[float] = []
    stored = 0
    started = time.perf_counter()
    for rows_of in batches:
        before = time.perf_counter()
        tables = rows_of()
        connection.execute("BEGIN IMMEDIATE")
        for table, its_rows in zip(("events", "turns", "outbox", "idempotency"), tables, strict=True):
            places = ",".join("?" * len(its_rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", its_rows)  # noqa: S608 - constants
        connection.execute("COMMIT")
        stored += len(tables[0])
        times.append(time.perf_counter() - before)
    return measured(stored, time.perf_counter() - started, times)


async def measure_journal(journal: SqliteJournal, ready: Sequence[Commit], concurrency: int) -> Measured:
    times: list[float] = []
    left = iter(ready)

    async def caller() -> None:
        for commit in left:
            before = time.perf_counter()
            await journal.commit(commit)
            times.append(time.perf_counter() - before)

    started = time.perf_counter()
    async with trio.open_nursery() as nursery:
        for _ in range(concurrency):
            nursery.start_soon(caller)
    return measured(len(times), time.perf_counter() - started, times)


async def measure_together(journal: SqliteJournal, ready: Sequence[Commit], batch: int) -> Measured:
    times: list[float] = []
    started = time.perf_counter()
    for first in range(0, len(ready), batch):
        before = time.perf_counter()
        await journal.commit_all(ready[first : first + batch])
        times.append(time.perf_counter() - before)
    return measured(len(ready), time.perf_counter() - started, times)


def measure_fsync(folder: Path, count: int = 500) -> Measured:
    times = []
    with (folder / "fsync").open("wb") as file:
        started = time.perf_counter()
        for _ in range(count):
            file.write(b"x" * 4096)
            file.flush()
            before = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - before)
    return measured(count, time.perf_counter() - started, times)


def measured(count: int, took_s: float, times: list[float]) -> Measured:
    cuts = statistics.quantiles(times, n=100) if len(times) > 1 else times * 99
    return Measured(count / took_s, cuts[49] * 1e3, cuts[98] * 1e3)


async def compare(store: JournalStore, folder: Path, concurrency: int, commits: int) -> float:
    """Measure all in turns, print the median round of each, and return the ratio of `commit_all` to raw SQLite.

    The turns take all of them through the same growth of their files and the same moods of the disk.
    """
    sides: dict[str, list[Measured]] = {"raw, ready-made rows": [], "raw": [], "callers": [], "commit_all": []}
    batches = max(1, commits // concurrency)
    journal = await store.open(f"bench{concurrency}", create=True)
    with closing(open_raw(folder / f"raw-{concurrency}.db")) as connection:
        for at in range(ROUNDS):
            firsts = [1 + (at * batches + batch) * concurrency for batch in range(batches)]
            ready = {
                run: [[commit_of(number, run) for number in range(first, first + concurrency)] for first in firsts]
                for run in sides
            }
            made = [
                raw_rows(commits, 2 * first)
                for first, commits in zip(firsts, ready["raw, ready-made rows"], strict=True)
            ]
            offset = 10_000_000
            makers = [
                partial(raw_rows, each, offset + first) for first, each in zip(firsts, ready["raw"], strict=True)
            ]
            gc.collect()
            gc.freeze()  # what is ready-made here must not slow the collector down for one side
            sides["raw, ready-made rows"].append(
                measure_raw(connection, [partial(lambda rows: rows, rows) for rows in made])
            )
            sides["raw"].append(measure_raw(connection, makers))
            flat = [commit for each in ready["callers"] for commit in each]
            sides["callers"].append(await measure_journal(journal, flat, concurrency))
            flat = [commit for each in ready["commit_all"] for commit in each]
            sides["commit_all"].append(await measure_together(journal, flat, concurrency))
    return report(sides, concurrency)


def report(sides: dict[str, list[Measured]], concurrency: int) -> float:
    """Print a line a side, with its ratio to raw SQLite, and return that of `commit_all`."""
    ratio = 0.0
    for what, rounds in sides.items():
        pairs = zip(rounds, sides["raw"], strict=True)
        ratio = statistics.median(ours.rate / raw.rate for ours, raw in pairs)
        middle = sorted(rounds, key=lambda row: row.rate)[len(rounds) // 2]
        print_row(f"{what}, {concurrency} a batch", middle, f"{ratio:8.2f}")
    return ratio


async def run(folder: Path, commits: int) -> float:
    """Print the table and return the ratio at the highest concurrency."""
    print(f"SQLite {sqlite3.sqlite_version}, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    print(f"{'':34}{'commits/s':>12}{'p50 ms':>10}{'p99 ms':>10}{'ratio':>8}")
    print_row("fsync of 4 KiB", measure_fsync(folder))
    ratio = 0.0
    async with open_store(Settings(data_dir=folder / "journals"), SystemClock(), Unarmed()) as store:
        for concurrency in CONCURRENCY:
            ratio = await compare(store, folder, concurrency, commits if concurrency > 1 else commits // 10)
    return ratio


def print_row(what: str, row: Measured, ratio: str = "") -> None:
    print(f"{what:34}{row.rate:12,.0f}{row.p50_ms:10.3f}{row.p99_ms:10.3f}{ratio}")


def main() -> None:
    """Measure in a new folder and say whether the requirement is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--folder", type=Path, default=None, help="where to measure (default: the temporary folder)"
    )
    parser.add_argument("--commits", type=int, default=12_800, help="commits a round")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        ratio = trio.run(run, Path(folder), options.commits)
    met = ratio >= REQUIRED_RATIO
    print(
        f"ratio at {CONCURRENCY[-1]}: {ratio:.2f} ({'meets' if met else 'misses'} the required {REQUIRED_RATIO})"
    )
    sys.exit(not met)


if __name__ == "__main__":
    main()
