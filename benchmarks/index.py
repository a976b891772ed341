"""How fast the lexical index answers, beside rank_bm25 and SQLite FTS5 over the same rows in one run.

Run with `python -m benchmarks.index` from the repository's root, or `--rows 1000 10000` for a shorter one.

Rows are synthetic: 4 to 20 terms each from a vocabulary of 30,000 with Zipf's distribution, from a fixed
seed. A query has 2 to 6 distinct terms of one row, so that something is always found and frequent
terms are asked for as often as they are said.
"""

from __future__ import annotations

import argparse
import gc
import random
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import accumulate
from time import perf_counter, thread_time
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from rank_bm25 import BM25Okapi

from omoide.actors.recall.index import InvertedIndex
from omoide.protocols.scopes import PRIVATE, Subject

SEED: Final = 20240501
VOCABULARY: Final = 30_000
LIMIT: Final = 8
QUERIES: Final = 500
SLOW_QUERIES: Final = 100
"""Questions to rank_bm25, which takes up to a tenth of a second for one at 50,000 rows."""

_T = TypeVar("_T")

SUBJECTS: Final = (PRIVATE, Subject("group:qq:1"), Subject("member:qq:1:2"))


Query: TypeAlias = list[str]


class Row(NamedTuple):
    """One synthetic memory."""

    doc_id: str
    terms: tuple[str, ...]


class Times(NamedTuple):
    """How long one call took, in milliseconds: by the clock, and of this thread's computing time."""

    wall: float
    cpu: float


class Measured(NamedTuple):
    """Times of many calls, in milliseconds. On a busy machine `p99` is the scheduler's, `cpu_p99` ours."""

    p50: float
    p99: float
    cpu_p99: float


def make_rows(count: int, rng: random.Random) -> Iterator[Row]:
    """Yield rows whose terms are separate strings, as they are when each text is split by itself."""
    weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
    for number in range(count):
        terms = rng.choices(range(VOCABULARY), cum_weights=weights, k=rng.randint(4, 20))
        yield Row(f"{number:032x}", tuple(f"w{term}" for term in terms))


def make_queries(rows: Sequence[Row], rng: random.Random) -> list[Query]:
    """Return queries of 2 to 6 distinct terms of one row each."""
    queries = []
    for _ in range(QUERIES):
        terms = sorted(set(rng.choice(rows).terms))
        queries.append(rng.sample(terms, min(len(terms), rng.randint(2, 6))))
    return queries


def elapsed(call: Callable[..., object], *arguments: object) -> Times:
    """Return how long one call took."""
    wall, cpu = perf_counter(), thread_time()
    call(*arguments)
    return Times((perf_counter() - wall) * 1e3, (thread_time() - cpu) * 1e3)


def summary(times: Sequence[Times]) -> Measured:
    """Return the median and the 99th percentile."""
    wall, cpu = zip(*times, strict=True)
    return Measured(float(np.percentile(wall, 50)), float(np.percentile(wall, 99)), float(np.percentile(cpu, 99)))


def measure(call: Callable[[_T], object], arguments: Iterable[_T]) -> Measured:
    """Return the times of one call for each argument."""
    return summary([elapsed(call, argument) for argument in arguments])


def fill(rows: Iterable[Row], subjects: Sequence[Subject] = (PRIVATE,)) -> InvertedIndex:
    """Return an index of rows; of 20 rows, one goes to each subject after the first and the rest to that."""
    index = InvertedIndex()
    others = dict(enumerate(subjects[1:]))
    for number, row in enumerate(rows):
        index.put(row.doc_id, others.get(number % 20, subjects[0]), row.terms)
    return index


def measure_index(rows: Sequence[Row], queries: Sequence[Query], rng: random.Random) -> dict[str, Measured]:
    """Return the times of searches in one subject, in three, with hidden rows, and of writes between searches."""
    index = fill(rows)
    hidden = {row.doc_id for row in rng.sample(rows, len(rows) // 20)}
    spread = fill(rows, SUBJECTS)
    times = {
        "omoide": measure(lambda query: index.search(query, (PRIVATE,), limit=LIMIT), queries),
        "omoide, 3 subjects": measure(lambda query: spread.search(query, SUBJECTS, limit=LIMIT), queries),
        "omoide, 5 % hidden": measure(
            lambda query: index.search(query, (PRIVATE,), limit=LIMIT, hidden=hidden), queries
        ),
        "omoide, with a term of most rows": measure(
            lambda query: index.search([*query, "w0"], (PRIVATE,), limit=LIMIT), queries
        ),
    }
    puts, searches = [], []
    for query in queries:
        row, other = rng.sample(rows, 2)
        puts.append(elapsed(spread.put, row.doc_id, PRIVATE, other.terms))
        searches.append(elapsed(partial(spread.search, limit=LIMIT), query, SUBJECTS))
    times["omoide, search after each put"] = summary(searches)
    times["omoide, put between searches"] = summary(puts)
    return times


def measure_rank_bm25(rows: Sequence[Row], queries: Sequence[Query]) -> Measured:
    """Return the times of scoring every row and sorting, as `BM25Okapi.get_top_n` does."""
    bm25 = BM25Okapi([row.terms for row in rows])
    return measure(lambda query: np.argsort(bm25.get_scores(query))[::-1][:LIMIT], queries[:SLOW_QUERIES])


def measure_fts5(rows: Sequence[Row], queries: Sequence[Query]) -> Measured:
    """Return the times of SQLite's full-text search in memory, ordered by its own BM25."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE memory USING fts5(terms)")
        database.executemany("INSERT INTO memory (terms) VALUES (?)", ((" ".join(row.terms),) for row in rows))
        statement = "SELECT rowid FROM memory WHERE memory MATCH ? ORDER BY rank LIMIT ?"
        return measure(
            lambda query: database.execute(statement, (" OR ".join(query), LIMIT)).fetchall(),
            queries,
        )


def largest_difference(rows: Sequence[Row], queries: Sequence[Query]) -> float:
    """Return by how much the index's score of any row differs from rank_bm25's, at most."""
    index, bm25 = fill(rows), BM25Okapi([row.terms for row in rows])
    numbers = {row.doc_id: number for number, row in enumerate(rows)}
    differences = [0.0]
    for query in queries[:SLOW_QUERIES]:
        scores = bm25.get_scores(query)
        found = index.search(query, (PRIVATE,), limit=len(rows)).matches
        differences.extend(abs(match.score - scores[numbers[match.doc_id]]) for match in found)
    return max(differences)


def bytes_a_row(count: int) -> float:
    """Return the memory that an index takes for one row, its id and its share of the terms' strings included."""
    tracemalloc.start()
    index = fill(make_rows(count, random.Random(SEED)))  # noqa: S311
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken / len(index)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 10_000, 50_000], help="sizes to measure")
    sizes = parser.parse_args().rows
    print(f"{'rows':>7}  {'what':<38}{'p50 ms':>10}{'p99 ms':>10}{'p99 CPU ms':>12}{'p50 vs omoide':>15}")
    for count in sizes:
        rng = random.Random(SEED)  # noqa: S311 - the same rows in every run
        rows = list(make_rows(count, rng))
        queries = make_queries(rows, rng)
        times = measure_index(rows, queries, rng)
        times["rank_bm25 get_scores + argsort"] = measure_rank_bm25(rows, queries)
        times["SQLite FTS5"] = measure_fts5(rows, queries)
        for what, (p50, p99, cpu_p99) in times.items():
            ratio = p50 / times["omoide"].p50
            print(f"{count:>7,}  {what:<38}{p50:>10.3f}{p99:>10.3f}{cpu_p99:>12.3f}{ratio:>14.1f}x")
        load = elapsed(fill, rows)
        print(f"{count:>7,}  load {load.wall:,.0f} ms ({load.cpu:,.0f} ms CPU); ", end="")
        print(f"{bytes_a_row(count):,.0f} bytes a row; ", end="")
        print(f"largest difference from rank_bm25 {largest_difference(rows, queries):.1e}\n")


if __name__ == "__main__":
    main()
