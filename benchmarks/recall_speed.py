"""How long `Character.recall` takes, beside rank_bm25, SQLite FTS5 and bm25s over the same rows in one run.

    python -m benchmarks.recall_speed [--memories 1000 10000 50000] [--embeddings]

Each memory is a turn and the fact that was made of it, so that twice as many rows are ranked, here and by the
others; rank_bm25 is timed in turn with recall, and once more with one row a memory. Texts are synthetic
(`benchmarks.index`), questions have 2 to 6 distinct words of one memory. Vectors are random, of 384 components,
one a text, so that a fact has its turn's, and the query's is made at once, so that its time stands apart:
`omoide models check` measures that. What is timed is the whole call: wishes, bans, ranking, hits and their text.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import bm25s
import numpy as np
import trio
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from omoide.benchmarks.index import QUERIES, SEED, SLOW_QUERIES, Row, Times, elapsed, make_queries, make_rows
from omoide.protocols.errors import OmoideError
from omoide.protocols.events import FactAdded, TurnHeard
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate, Commit
from omoide.protocols.ports import Journal, Likeness
from omoide.protocols.records import Entity, Role, Turn, TurnId
from omoide.protocols.settings import EmbeddingSettings, Settings
from omoide.protocols.vectors import Space, Vector, normalised, packed
from omoide.runtime.character import Character
from omoide.runtime.host import open_runtime
from omoide.runtime.models.embeddings.catalogue import engine_of

DIMENSION: Final = 384
START: Final = 1_700_000_000.0
SPACE: Final = Space("random", DIMENSION)
BATCH: Final = 1_000
"""Memories in one commit."""

RECALL: Final = "recall"
RECALL_EMBEDDED: Final = "recall, with embeddings"
WRITING: Final = ": a turn heard before each"
LOADING: Final = ": first, which loads"
LOADING_BESIDE: Final = ": first, beside turns that are heard"
RANK_BM25: Final = "rank_bm25"
RANK_BM25_HALF: Final = "rank_bm25, one row a memory"


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
            for record, vector in zip(ids, np.repeat(vectors(len(batch), number), 2, axis=0), strict=True)
        ]
        await journal.commit(
            Commit(actor="bench", cause="bench", changes=tuple(changes), vectors=tuple(kept) if embedded else ())
        )


def split(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    return (rows[at : at + size] for at in range(0, len(rows), size))


async def timed(character: Character, query: str) -> Times:
    """Return how long one recall took; its computing time is that of all threads, the ranking's among them."""
    wall, cpu = time.perf_counter(), time.process_time()
    await character.recall(query)
    return Times((time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3)


async def measure(count: int, *, embedded: bool) -> dict[str, list[Times]]:
    """Return the times of calls, by what was timed."""
    rng = random.Random(SEED)  # noqa: S311 - the same rows in every run
    rows = list(make_rows(count, rng))
    queries = [" ".join(query) for query in make_queries(rows, rng)[: QUERIES // (1 if count <= 10_000 else 4)]]
    name = RECALL_EMBEDDED if embedded else RECALL
    times: dict[str, list[Times]] = {}
    with tempfile.TemporaryDirectory() as folder:
        embedder = RandomEmbedder() if embedded else None
        settings = Settings(data_dir=Path(folder))
        async with open_runtime(settings) as runtime:
            await runtime.character("yui", owner="Sam")
            async with runtime.resident("yui") as resident:
                await store(resident.journal, rows, embedded=embedded)
        async with open_runtime(settings, embedder=embedder) as runtime:
            times[f"{name}{LOADING}"] = [await timed(await runtime.character("yui"), "w1")]
        async with open_runtime(settings, embedder=embedder) as runtime:
            yui = await runtime.character("yui")
            times |= await loading(yui, name)
            if embedded:
                times[name] = [await timed(yui, query) for query in queries]
            else:
                times |= await in_turn(yui, name, queries, [row for row in rows for _ in ("turn", "fact")])
            times[f"{name}{WRITING}"] = await while_writing(yui, queries[:100])
    if not embedded:
        times |= others(rows, queries)
    return times


async def in_turn(
    character: Character, name: str, queries: Sequence[str], rows: Sequence[Row]
) -> dict[str, list[Times]]:
    """Return the times of recall, and those of rank_bm25 over the same rows, taken in turn at some queries."""
    okapi = BM25Okapi([row.terms for row in rows])
    every = max(1, len(queries) // SLOW_QUERIES)
    ours: list[Times] = []
    theirs: list[Times] = []
    for at, query in enumerate(queries):
        ours.append(await timed(character, query))
        if not at % every:
            theirs.append(elapsed(okapi.get_top_n, query.split(), rows, min(8, len(rows))))
    return {name: ours, RANK_BM25: theirs}


async def loading(character: Character, name: str) -> dict[str, list[Times]]:
    """Return the time of the first recall, which loads, and those of turns that are heard meanwhile."""
    first: list[Times] = []
    heard: list[Times] = []
    loaded = trio.Event()

    async def recall() -> None:
        first.append(await timed(character, "w1"))
        loaded.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(recall)
        while not loaded.is_set():
            wall, cpu = time.perf_counter(), time.thread_time()
            await character.hear(f"w{len(heard)} w{len(heard) + 3}")
            heard.append(Times((time.perf_counter() - wall) * 1e3, (time.thread_time() - cpu) * 1e3))
            await trio.sleep(0.05)
    await character.settle()
    return {f"{name}{LOADING_BESIDE}": first, "hear, while it loads": heard}


async def while_writing(character: Character, queries: Sequence[str]) -> list[Times]:
    """Return the times of recalls that each follow a new turn."""
    found = []
    for number, query in enumerate(queries):
        await character.hear(f"w{number} w{number + 7} w{number * 3}")
        found.append(await timed(character, query))
    return found


def others(rows: Sequence[Row], queries: Sequence[str]) -> dict[str, list[Times]]:
    """Return the times of other engines on the same rows, and of rank_bm25 on one row a memory."""
    asked = [query.split() for query in queries]
    okapi = BM25Okapi([row.terms for row in rows])
    found = {
        RANK_BM25_HALF: [
            elapsed(okapi.get_top_n, query, rows, min(8, len(rows))) for query in asked[:SLOW_QUERIES]
        ]
    }
    rows = [row for row in rows for _ in ("turn", "fact")]
    engine = bm25s.BM25(method="atire", k1=1.5, b=0.75)
    engine.index([list(row.terms) for row in rows], show_progress=False)
    search = partial(engine.retrieve, k=min(8, len(rows)), show_progress=False)
    found["bm25s"] = [elapsed(search, [query]) for query in asked]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE memory USING fts5(terms)")
        database.executemany("INSERT INTO memory (terms) VALUES (?)", ((" ".join(row.terms),) for row in rows))
        statement = "SELECT rowid FROM memory WHERE memory MATCH ? ORDER BY rank LIMIT 8"
        found["SQLite FTS5"] = [
            elapsed(lambda query=query: database.execute(statement, (" OR ".join(query),)).fetchall())
            for query in asked
        ]
    return found


def embedding_times(model: str) -> list[Times]:
    """Return how long a real model takes for a query; none where it isn't installed."""
    try:
        engine = engine_of(EmbeddingSettings(model=model))
        engine.load()
    except OmoideError as error:
        print(f"query embedding: {model} can't be measured ({error})")
        return []
    return [elapsed(partial(engine.compute, query=True), [f"where did we go in week {at}?"]) for at in range(60)][
        10:
    ]


class Target(NamedTuple):
    """One figure to reach: what it is, what was measured, and the most that it may be."""

    what: str
    measured: float
    most: float

    def __str__(self) -> str:
        verdict = "met" if self.measured <= self.most else "MISSED"
        return f"  {verdict:<7}{self.what:<68}{self.measured:>9.2f}  (at most {self.most:g})"


def targets(found: Mapping[tuple[int, str], list[Times]]) -> Iterator[Target]:
    """Yield the targets that the sizes which were measured can tell of."""

    def figure(count: int, what: str, share: float) -> float:
        return float(np.percentile([one.wall for one in found[count, what]], share))

    for count, name in [one for one in found if one[1] in {RECALL, RECALL_EMBEDDED}]:
        if count == 10_000:
            yield Target(f"{name} at 10,000: p99, ms", figure(count, name, 99), 5.0)
        for share in (50, 99):
            slower = figure(count, f"{name}{WRITING}", share) / figure(count, name, share)
            yield Target(f"{name} at {count:,}: p{share} while writing, times", slower, 2.0)
        if count == 50_000:
            yield Target(f"{name} at 50,000: loading, ms", figure(count, f"{name}{LOADING}", 50), 2_000.0)
        if (10_000, name) in found and count > 10_000:
            grown = figure(count, name, 50) / figure(10_000, name, 50) / (count / 10_000)
            yield Target(f"{name} at {count:,}: p50 over p50 at 10,000, over the sizes", grown, 1.0)
        if count == 100_000:
            yield Target(f"{name} at 100,000: p95, ms", figure(count, name, 95), 150.0)
        if count == 10_000 and name == RECALL:
            of_theirs = figure(count, name, 50) / figure(count, RANK_BM25, 50)
            yield Target("recall at 10,000: p50 over that of rank_bm25 over the same rows", of_theirs, 0.1)


def main() -> None:
    """Measure and print a table, and which targets were met."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recall_speed", description=__doc__.partition("\n")[0]
    )
    parser.add_argument(
        "--memories", type=int, nargs="+", default=[1_000, 10_000, 50_000], help="sizes to measure"
    )
    parser.add_argument("--embeddings", action="store_true", help="also with vectors")
    parser.add_argument("--model", default="minilm", help="the model whose query embedding is timed by itself")
    asked = parser.parse_args()
    print(f"{'memories':>8}  {'what':<52}{'p50 ms':>10}{'p95 ms':>10}{'p99 ms':>10}{'CPU p50':>10}{'CPU p99':>10}")
    found: dict[tuple[int, str], list[Times]] = {}
    for count in asked.memories:
        for embedded in (False, True) if asked.embeddings else (False,):
            for what, times in trio.run(partial(measure, count, embedded=embedded)).items():
                found[count, what] = times
                print(row_of(f"{count:,}", what, times), flush=True)
    if asked.embeddings and (times := embedding_times(asked.model)):
        print(row_of("", f"query embedding by {asked.model}, not in the above", times))
    print("\ntargets, by the clock; on a busy machine only ratios within one run tell something")
    print(*targets(found), sep="\n")


def row_of(count: str, what: str, times: Sequence[Times]) -> str:
    """Return one line of the table."""
    wall, cpu = zip(*times, strict=True)
    figures = (*np.percentile(wall, (50, 95, 99)), *np.percentile(cpu, (50, 99)))
    return f"{count:>8}  {what:<52}" + "".join(f"{figure:>10.2f}" for figure in figures)


if __name__ == "__main__":
    main()
