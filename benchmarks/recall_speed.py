"""How long `Character.recall` takes, beside rank_bm25, SQLite FTS5 and bm25s over the same rows in one run.

    python -m benchmarks.recall_speed [--memories 1000 10000 50000] [--embeddings]

Each memory is a turn and the fact that was made of it, so that twice as many rows are ranked; the others get the
facts alone. Texts are synthetic (`benchmarks.index`), questions have 2 to 6 distinct words of one memory. Vectors
are random, of 384 components, and the query's is made at once, so that its time stands apart: `omoide models
check` measures that. What is timed is the whole call: wishes, bans, ranking, hits and their text.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import bm25s
import numpy as np
import trio
from numpy.typing import NDArray

from omoide.benchmarks.index import (
    QUERIES,
    SEED,
    SLOW_QUERIES,
    Row,
    make_queries,
    make_rows,
    measure_fts5,
    measure_rank_bm25,
)
from omoide.protocols.events import FactAdded, TurnHeard
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate, Commit
from omoide.protocols.ports import Journal, Likeness
from omoide.protocols.records import Entity, Role, Turn, TurnId
from omoide.protocols.settings import Settings
from omoide.protocols.vectors import Space, Vector, normalised, packed
from omoide.runtime.character import Character
from omoide.runtime.host import open_runtime

DIMENSION: Final = 384
START: Final = 1_700_000_000.0
SPACE: Final = Space("random", DIMENSION)
BATCH: Final = 1_000
"""Memories in one commit."""


class RandomEmbedder:
    """Answers at once with random vectors, so that what is timed is what recall does with them."""

    id = SPACE.model
    dimension = DIMENSION
    likeness = Likeness()

    async def embed(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """Return one random vector a text."""
        del query
        await trio.lowlevel.checkpoint()
        return vectors(len(texts), seed=sum(map(len, texts)))


def vectors(count: int, seed: int) -> NDArray[np.float32]:
    return normalised(np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32))


async def store(journal: Journal, rows: Sequence[Row], *, embedded: bool) -> None:
    """Store a turn and its fact for each row, some conversations of 20 turns a day."""
    for number, batch in enumerate(split(rows, BATCH)):
        changes: list[TurnHeard | FactAdded] = []
        for at, row in enumerate(batch, number * BATCH):
            said_at = START + at // 20 * 30_000.0 + at % 20
            text = " ".join(row.terms)
            turn = Turn(id=TurnId(row.doc_id), role=Role.PERSON, text=text, said_at=said_at, heard_at=said_at)
            fact = fact_of(turn, Candidate(text=text, entity=Entity.OWNER, importance=5), said_at)
            changes += (TurnHeard(turn=turn), FactAdded(fact=fact))
        ids = [change.turn.id if isinstance(change, TurnHeard) else change.fact.id for change in changes]
        kept = [
            Vector(record=record, space=SPACE, digest=b"\0" * 16, components=packed(vector))
            for record, vector in zip(ids, vectors(len(ids), number), strict=True)
        ]
        await journal.commit(
            Commit(actor="bench", cause="bench", changes=tuple(changes), vectors=tuple(kept) if embedded else ())
        )


def split(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    return (rows[at : at + size] for at in range(0, len(rows), size))


async def timed(character: Character, query: str) -> float:
    begun = time.perf_counter()
    await character.recall(query)
    return (time.perf_counter() - begun) * 1e3


async def measure(count: int, *, embedded: bool) -> dict[str, list[float]]:
    """Return the times of calls in milliseconds, by what was timed."""
    rng = random.Random(SEED)  # noqa: S311 - the same rows in every run
    rows = list(make_rows(count, rng))
    queries = [" ".join(query) for query in make_queries(rows, rng)[: QUERIES // (1 if count <= 10_000 else 4)]]
    name = "recall, with embeddings" if embedded else "recall"
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        embedder = RandomEmbedder() if embedded else None
        settings = Settings(data_dir=Path(folder))
        async with open_runtime(settings) as runtime:
            await runtime.character("yui", owner="Sam")
            async with runtime.resident("yui") as resident:
                await store(resident.journal, rows, embedded=embedded)
        async with open_runtime(settings, embedder=embedder) as runtime:
            yui = await runtime.character("yui")
            times[f"{name}: first, which loads"] = [await timed(yui, "w1")]
            times[name] = [await timed(yui, query) for query in queries]
            times[f"{name}: a turn heard before each"] = await while_writing(yui, queries[:100])
    if not embedded:
        times["rank_bm25"] = [measure_rank_bm25(rows, [query.split() for query in queries[:SLOW_QUERIES]]).p50]
        times["SQLite FTS5"] = [measure_fts5(rows, [query.split() for query in queries]).p50]
        times["bm25s"] = bm25s_times(rows, queries)
    return {what: its for what, its in times.items() if its}


async def while_writing(character: Character, queries: Sequence[str]) -> list[float]:
    """Return the times of recalls that each follow a new turn."""
    found = []
    for number, query in enumerate(queries):
        await character.hear(f"w{number} w{number + 7} w{number * 3}")
        found.append(await timed(character, query))
    return found


def bm25s_times(rows: Sequence[Row], queries: Sequence[str]) -> list[float]:
    """Return the times of bm25s."""
    engine = bm25s.BM25(method="atire", k1=1.5, b=0.75)
    engine.index([list(row.terms) for row in rows], show_progress=False)
    found = []
    for query in queries:
        begun = time.perf_counter()
        engine.retrieve([query.split()], k=min(8, len(rows)), show_progress=False)
        found.append((time.perf_counter() - begun) * 1e3)
    return found


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recall_speed", description=__doc__.partition("\n")[0]
    )
    parser.add_argument(
        "--memories", type=int, nargs="+", default=[1_000, 10_000, 50_000], help="sizes to measure"
    )
    parser.add_argument("--embeddings", action="store_true", help="also with vectors")
    asked = parser.parse_args()
    print(f"{'memories':>8}  {'what':<52}{'p50 ms':>10}{'p95 ms':>10}{'p99 ms':>10}")
    for count in asked.memories:
        for embedded in (False, True) if asked.embeddings else (False,):
            for what, times in trio.run(partial(measure, count, embedded=embedded)).items():
                p50, p95, p99 = np.percentile(times, (50, 95, 99))
                print(f"{count:>8,}  {what:<52}{p50:>10.2f}{p95:>10.2f}{p99:>10.2f}", flush=True)


if __name__ == "__main__":
    main()
