"""Statements over the rows of a whole batch.

Rows go in one a statement, by `executemany`: a statement of many rows that meets a constraint must be
undone alone, so SQLite keeps a journal of its own for it, in a temporary file, which was measured to
write two thirds as much again as the batch itself. Look-ups change nothing and take many keys at once; only
a handful of sizes occur, so that each is prepared once and then comes from the connection's cache.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

_SIZES: Final = (64, 16, 4, 1)
"""Keys a look-up."""

Row = tuple[Any, ...]
"""Values of one row, as `sqlite3` takes them."""


def insert(connection: sqlite3.Connection, head: str, rows: Sequence[Row], tail: str = "") -> None:
    """Insert rows in their order: `head` goes up to VALUES, `tail` is a conflict clause."""
    if rows:
        connection.executemany(f"{head} VALUES {_places(len(rows[0]), 1)} {tail}", rows)


def select(connection: sqlite3.Connection, columns: str, keys: Sequence[Row], join: str) -> Iterator[Row]:
    """Yield the rows that `join` finds for keys of two parts, which it knows as `wanted.a` and `wanted.b`."""
    for chunk in _chunks(keys):
        yield from connection.execute(_selection(columns, len(chunk), join), tuple(chain.from_iterable(chunk)))


def _chunks(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    start = 0
    for size in _SIZES:
        while len(rows) - start >= size:
            yield rows[start : start + size]
            start += size


@cache
def _selection(columns: str, count: int, join: str) -> str:
    return f"WITH wanted (a, b) AS (VALUES {_places(2, count)}) SELECT {columns} FROM wanted CROSS JOIN {join}"  # noqa: S608 - callers pass constants


def _places(width: int, count: int) -> str:
    one = f"({','.join('?' * width)})"
    return ",".join([one] * count)
