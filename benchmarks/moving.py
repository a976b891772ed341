"""Exporting and importing one character: seconds, and memory that doesn't grow with the journal.

    python -m benchmarks.moving [--folder FOLDER] [--turns 25000]

Each turn is heard and makes a fact: two events, an op that is done and an idempotency key, so that the default is
50,000 events. Exports the character, imports it under its name and under another, in a process each, and prints
seconds, bytes and the growth of the process's resident memory. A quarter of the journal is measured beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import trio

from omoide.protocols.events import FactAdded, TurnHeard
from omoide.protocols.messages import Commit, IdempotencyKey
from omoide.protocols.records import Entity, Fact, FactId, FactSource, Role, Turn, TurnId
from omoide.protocols.settings import Settings
from omoide.protocols.work import ExtractTurn, op_id
from omoide.runtime.clock import SystemClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import export_character, import_character, open_store

TEXT: Final = "My sister Ingrid moved to Bergen last spring and we talk every Sunday evening. " * 2
BATCH: Final = 250
KIB: Final = 1024


def commits_of(number: int) -> tuple[Commit, Commit]:
    turn = Turn(id=TurnId(f"turn_{number:09d}"), role=Role.PERSON, text=TEXT, said_at=1.7e9, heard_at=1.7e9)
    work = ExtractTurn(turn=turn.id)
    source = FactSource(turn=turn.id, said_at=1.7e9, text=TEXT, importance=5, entity=Entity.OTHER)
    fact = Fact(
        id=FactId(f"fact_{number:09d}"),
        key=f"{TEXT} {number}".casefold(),
        text=TEXT,
        entity=Entity.OTHER,
        importance=5,
        subject=turn.subject,
        speaker=None,
        trust=None,
        sources=(source,),
        said_at=1.7e9,
        last_said_at=1.7e9,
        created_at=1.7e9,
    )
    heard = Commit(
        actor="scribe",
        cause=f"hear:{turn.id}",
        changes=(TurnHeard(turn=turn),),
        enqueues=(work,),
        idempotency=IdempotencyKey(key=turn.id, fingerprint=hashlib.sha256(turn.id.encode()).hexdigest()),
    )
    learned = Commit(actor="dedup", cause=op_id(work), changes=(FactAdded(fact=fact),), settles=(op_id(work),))
    return heard, learned


async def write_journal(settings: Settings, turns: int) -> None:
    async with open_store(settings, SystemClock(), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        for start in range(0, turns, BATCH):
            commits = [commits_of(number) for number in range(start, min(start + BATCH, turns))]
            await journal.commit_all([heard for heard, _ in commits])
            await journal.commit_all([learned for _, learned in commits])


def measured(job: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that a job takes in a process of its own, and by how many MiB its memory grows."""
    receiving, sending = multiprocessing.Pipe(duplex=False)

    def run() -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        started = time.perf_counter()
        job()
        seconds = time.perf_counter() - started
        sending.send((seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / KIB))

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join()
    if process.exitcode:
        sys.exit(f"the job failed with exit code {process.exitcode}")
    seconds, grown_mib = receiving.recv()
    return float(seconds), float(grown_mib)


def measure(folder: Path, turns: int) -> None:
    settings = Settings(data_dir=folder / "data")
    made, _ = measured(lambda: trio.run(write_journal, settings, turns))
    points = Unarmed()
    there = Settings(data_dir=folder / "there")
    rows = (
        ("export", lambda: export_character(settings, "yui", folder / "x", now=0.0, failpoints=points)),
        ("import", lambda: import_character(there, folder / "x", now=0.0, failpoints=points)),
        ("import --as", lambda: import_character(there, folder / "x", "mio", now=0.0, failpoints=points)),
    )
    print(f"{2 * turns:,} events, written in {made:.1f} s")
    for name, job in rows:
        seconds, grown_mib = measured(job)
        print(f"  {name:12} {seconds:6.2f} s   +{grown_mib:5.1f} MiB")
    size = sum(file.stat().st_size for file in (folder / "x").iterdir())
    print(f"  the export has {size / KIB / KIB:,.0f} MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where to write; a temporary folder by default")
    parser.add_argument("--turns", type=int, default=25_000)
    options = parser.parse_args()
    for turns in (options.turns // 4, options.turns):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            measure(Path(folder), turns)


if __name__ == "__main__":
    main()
