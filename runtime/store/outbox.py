"""The outbox: durable work as rows, and how it is read. Which state follows which is decided in `apply`."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import msgspec

from ...protocols.records import OpId
from ...protocols.work import AnyWork, OpState, OutboxOp
from . import rows

_work_decoder: Final[msgspec.json.Decoder[AnyWork]] = msgspec.json.Decoder(AnyWork)

_COLUMNS: Final = (
    "outbox.seq, outbox.id, outbox.work, outbox.cause, outbox.state, outbox.attempts, outbox.not_before, "
    "outbox.enqueued_at, outbox.error"
)


class OpRow(NamedTuple):
    """One op as it is stored, in the order of the table's columns.

    `state` is the value of an `OpState`, and `work` stays encoded, since moving an op never reads it.
    """

    character: int
    seq: int
    id: OpId
    work: bytes
    cause: str
    state: str
    attempts: int
    not_before: float
    enqueued_at: float
    error: str


def erased_id(seq: int) -> OpId:
    """Return the id of an op whose work was erased: a digest of what it was would tell of it."""
    return OpId(f"op_erased_{seq}")


def decode(work: bytes) -> AnyWork:
    """Return the work that an op's column holds.

    Raises:
        msgspec.DecodeError: if it holds none.
    """
    return _work_decoder.decode(work)


def write(connection: sqlite3.Connection, ops: Collection[OpRow]) -> None:
    """Store ops as they are now, new ones and known ones alike."""
    rows.insert(
        connection,
        f"INSERT INTO outbox ({', '.join(OpRow._fields)})",
        tuple(ops),
        "ON CONFLICT (character, seq) DO UPDATE SET state = excluded.state, attempts = excluded.attempts, "
        "not_before = excluded.not_before, error = excluded.error",
    )


def load(connection: sqlite3.Connection, keys: Sequence[tuple[int, OpId]]) -> dict[tuple[int, OpId], OpRow]:
    """Return those of the ops, named by character and id, that are stored."""
    found = rows.select(
        connection,
        f"wanted.a, {_COLUMNS}",
        keys,
        "outbox ON outbox.character = wanted.a AND outbox.id = wanted.b",
    )
    return {(op.character, op.id): op for op in map(OpRow._make, found)}


def last_seq(connection: sqlite3.Connection, character: int) -> int:
    """Return the seq of the newest op, 0 where there is none."""
    newest = connection.execute("SELECT max(seq) FROM outbox WHERE character = ?", (character,)).fetchone()[0]
    return int(newest or 0)


def op(connection: sqlite3.Connection, character: int, wanted: OpId) -> OutboxOp | None:
    """Return one op."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM outbox WHERE character = ? AND id = ?",  # noqa: S608 - constant columns
        (character, wanted),
    ).fetchone()
    return None if row is None else _op(row)


def ops(
    connection: sqlite3.Connection,
    character: int,
    states: Sequence[OpState],
    due_at: float | None,
    longest_s: float,
    limit: int | None,
) -> tuple[OutboxOp, ...]:
    """Return ops in these states, in order of their seq; with `due_at`, only those due by then.

    Due is also what has never failed, and what would wait for longer than `longest_s`: the clock was set back.
    """
    latest = None if due_at is None else due_at + longest_s
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM outbox WHERE character = ? AND state IN ({','.join('?' * len(states))}) "  # noqa: S608 - constant columns
        "AND (? IS NULL OR not_before <= ? OR error = '' OR not_before > ?) ORDER BY seq LIMIT ?",
        (character, *(state.value for state in states), due_at, due_at, latest, -1 if limit is None else limit),
    )
    return tuple(_op(row) for row in found)


def next_due(connection: sqlite3.Connection, character: int) -> float | None:
    """Return the earliest `not_before` of the pending ops, or None where nothing is pending."""
    due: float | None = connection.execute(
        "SELECT min(not_before) FROM outbox WHERE character = ? AND state = ?",
        (character, OpState.PENDING.value),
    ).fetchone()[0]
    return due


def _op(row: rows.Row) -> OutboxOp:
    seq, its_id, work, cause, state, attempts, not_before, enqueued_at, error = row
    return OutboxOp(
        id=its_id,
        seq=seq,
        work=decode(work),
        cause=cause,
        state=OpState(state),
        attempts=attempts,
        not_before=not_before,
        enqueued_at=enqueued_at,
        error=error,
    )
