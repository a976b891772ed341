"""Statements over many rows at once.

A worker thread gives the interpreter lock away and takes it back at every step of a statement; under
a busy event loop each taking back can wait for its switch interval (5 ms). So the rows of a batch go
in with few steps: one statement takes up to `_SIZES[0]` rows, and only a handful of sizes occur, so
that each is prepared once and then comes from the connection's statement cache.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

_SIZES: Final = (64, 16, 4, 1)
"""Rows a statement; times the 11 columns of the widest table stays under SQLite's oldest limit of 999."""

Row = tuple[Any, ...]
"""Values of one row, as `sqlite3` takes them."""


def insert(connection: sqlite3.Connection, head: str, rows: Sequence[Row], tail: str = "") -> None:
    """Insert rows in their order: `head` goes up to VALUES, `tail` is a conflict clause."""
    for chunk in _chunks(rows):
        connection.execute(_insertion(head, len(chunk[0]), len(chunk), tail), tuple(chain.from_iterable(chunk)))


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
def _insertion(head: str, width: int, count: int, tail: str) -> str:
    return f"{head} VALUES {_places(width, count)} {tail}"


@cache
def _selection(columns: str, count: int, join: str) -> str:
    return f"WITH wanted (a, b) AS (VALUES {_places(2, count)}) SELECT {columns} FROM wanted CROSS JOIN {join}"  # noqa: S608 - callers pass constants


def _places(width: int, count: int) -> str:
    one = f"({','.join('?' * width)})"
    return ",".join([one] * count)
