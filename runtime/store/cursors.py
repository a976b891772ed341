"""The table of cursors: how far each stream was taken up or told, kept in the transaction of the effect.

No event makes a row: that a command came by a bus is no change of what is remembered.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from ...protocols.cursors import Cursor
from . import rows


def load(connection: sqlite3.Connection, keys: Sequence[tuple[int, str]]) -> dict[tuple[int, str], Cursor]:
    """Return the cursors of characters (by their numbers) and sources, where there are any."""
    found = rows.select(
        connection,
        "wanted.a, wanted.b, c.epoch, c.seq",
        keys,
        "cursors AS c ON c.character = wanted.a AND c.source = wanted.b",
    )
    return {(number, source): Cursor(source=source, epoch=epoch, seq=seq) for number, source, epoch, seq in found}


def write(connection: sqlite3.Connection, moved: Iterable[tuple[int, Cursor]]) -> None:
    """Put cursors in the place of those that their sources have."""
    rows.insert(
        connection,
        "INSERT INTO cursors (character, source, epoch, seq)",
        [(number, cursor.source, cursor.epoch, cursor.seq) for number, cursor in moved],
        "ON CONFLICT (character, source) DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq",
    )


def read(connection: sqlite3.Connection, character: int, source: str) -> Cursor | None:
    """Return one cursor of a character."""
    return load(connection, [(character, source)]).get((character, source))


def every(connection: sqlite3.Connection, character: int) -> tuple[Cursor, ...]:
    """Return all cursors of a character."""
    found = connection.execute("SELECT source, epoch, seq FROM cursors WHERE character = ?", (character,))
    return tuple(Cursor(source=source, epoch=epoch, seq=seq) for source, epoch, seq in found)
