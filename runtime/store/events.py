"""The event log as rows: written once, read in order, never changed but for erased payloads."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

import msgspec

from ...protocols.events import AnyChange, Event
from . import rows

_change_decoder: Final[msgspec.json.Decoder[AnyChange]] = msgspec.json.Decoder(AnyChange)
_ids_decoder: Final = msgspec.json.Decoder(tuple[str, ...])

COLUMNS: Final = "seq, at, actor, cause, kind, subject, record_ids, payload, digest, chain"
"""An event's columns beside the character, in the order in which rows are written and read."""


def write(connection: sqlite3.Connection, its_rows: Sequence[rows.Row]) -> None:
    """Append events; a row is the character's number and `COLUMNS`."""
    rows.insert(connection, f"INSERT INTO events (character, {COLUMNS})", its_rows)


def read(
    connection: sqlite3.Connection,
    character: int,
    *,
    after: int = 0,
    upto: int | None = None,
    limit: int | None = None,
) -> tuple[Event, ...]:
    """Return events with a seq above `after` and at most `upto`, oldest first, `limit` of them."""
    found = connection.execute(
        f"SELECT {COLUMNS} FROM events WHERE character = ? AND seq > ? AND (? IS NULL OR seq <= ?) "  # noqa: S608 - constant columns
        "ORDER BY seq LIMIT ?",
        (character, after, upto, upto, -1 if limit is None else limit),
    )
    return tuple(_event(row) for row in found)


def decode(payload: bytes) -> AnyChange:
    """Return the change that a stored payload holds.

    Raises:
        msgspec.DecodeError: if it holds none.
    """
    return _change_decoder.decode(payload)


def _event(row: rows.Row) -> Event:
    seq, at, actor, cause, kind, subject, record_ids, payload, digest, chain = row
    return Event(
        seq=seq,
        at=at,
        actor=actor,
        cause=cause,
        kind=kind,
        subject=subject,
        record_ids=_ids_decoder.decode(record_ids),
        change=None if payload is None else decode(payload),
        digest=digest.hex(),
        chain=chain.hex(),
    )
