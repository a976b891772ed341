"""What each row of a journal must satisfy, judged on the raw bytes that are stored.

Connections here return text as bytes, since a damaged text need not be Unicode.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from ...protocols.events import AnyChange
from ...protocols.work import ErasedWork, OpState, op_id
from . import chain, events, outbox, rows, views


class EventRow(NamedTuple):
    """An event as it is stored; of a damaged file any column may hold any type."""

    seq: Any
    at: Any
    actor: Any
    cause: Any
    kind: Any
    subject: Any
    record_ids: Any
    payload: Any
    digest: Any
    chain: Any


class ViewRow(NamedTuple):
    """A view's row: the id that names it within its character, and every column."""

    id: bytes
    columns: rows.Row


def event_rows(connection: sqlite3.Connection, character: int) -> Iterator[EventRow]:
    """Yield a character's events in order of their seq."""
    for row in connection.execute(
        f"SELECT {events.COLUMNS} FROM events WHERE character = ? ORDER BY seq",  # noqa: S608 - constant columns
        (character,),
    ):
        yield EventRow(*row)


def change_of(row: EventRow) -> AnyChange | None:
    """Return the change of an event, or None where its payload can't be read as one."""
    try:
        return events.decode(row.payload)
    except (msgspec.DecodeError, TypeError, UnicodeDecodeError):
        return None


class ChainVerifier:
    """Follows a chain event by event. `seq` and `chain` are those of the last event seen.

    After a broken link it goes on from what is stored, so that each break is told once.
    """

    def __init__(self, character: str) -> None:
        self.seq = 0
        self.chain = chain.genesis(character)

    def verify(self, row: EventRow) -> Iterator[tuple[int, str]]:
        """Yield the seq and the description of everything that is wrong with the next event."""
        if not isinstance(row.seq, int):
            yield self.seq + 1, f"event {self.seq + 1}: its seq can't be read"
            return
        if row.seq != self.seq + 1:
            missing = (
                f"event {self.seq + 1} is"
                if row.seq == self.seq + 2
                else f"events {self.seq + 1} to {row.seq - 1} are"
            )
            yield self.seq + 1, f"{missing} missing"
        if row.payload is not None and _digest(row.payload) != row.digest:
            yield row.seq, f"event {row.seq}: its payload doesn't match its digest"
        if _link(self.chain, row) != row.chain:
            yield row.seq, f"event {row.seq}: its columns and the event before it don't match its chain"
        self.seq, self.chain = row.seq, row.chain


def _digest(payload: Any) -> bytes | None:  # noqa: ANN401 - a damaged column may hold any type
    return chain.digest_of(payload) if isinstance(payload, bytes) else None


def _link(previous: Any, row: EventRow) -> bytes | None:  # noqa: ANN401 - a damaged column may hold any type
    try:
        texts = [text.decode() for text in (row.actor, row.cause, row.kind, row.subject, row.record_ids)]
        actor, cause, kind, subject, record_ids = texts
        return chain.link(previous, row.digest, (row.seq, row.at, actor, cause, kind, subject, record_ids))
    except (AttributeError, TypeError, UnicodeDecodeError):
        return None


def view_rows(connection: sqlite3.Connection, view: views.View, character: int) -> Iterator[ViewRow]:
    """Yield a character's rows of a view, in order of their ids."""
    its_id = "x''" if view.key is None else view.key
    for row in connection.execute(
        f"SELECT {its_id}, {', '.join(view.columns)} FROM {view.table} WHERE character = ? ORDER BY 1",  # noqa: S608 - constant names
        (character,),
    ):
        yield ViewRow(row[0], row[1:])


def record_in(body: Any, kind: type[object]) -> object:  # noqa: ANN401 - a damaged column may hold any type
    """Return the record that a view's row holds, or the body itself where it holds none of that kind."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, TypeError, UnicodeDecodeError):
        return body


def _equal(one: ViewRow, other: ViewRow, kind: type[object]) -> bool:
    """Compare records, not bytes: an older program wrote them without the fields that came later."""
    if one.columns == other.columns:
        return True
    *columns, body = one.columns
    *its_columns, its_body = other.columns
    return columns == its_columns and record_in(body, kind) == record_in(its_body, kind)


def differences(
    live: Iterable[ViewRow], rebuilt: Iterable[ViewRow], kind: type[object]
) -> Iterator[tuple[bytes, str]]:
    """Yield the id of every row in which two sorted sequences differ, and how.

    Args:
        live: a view's rows.
        rebuilt: what the events make of it.
        kind: of the records in it.
    """
    ours, theirs = iter(live), iter(rebuilt)
    one, other = next(ours, None), next(theirs, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one.id < other.id):
            assert one is not None
            yield one.id, "is in the view, but no event stores it"
            one = next(ours, None)
        elif one is None or other.id < one.id:
            yield other.id, "was stored by an event, but isn't in the view"
            other = next(theirs, None)
        else:
            if not _equal(one, other, kind):
                yield one.id, "differs from what its events say"
            one, other = next(ours, None), next(theirs, None)


def outbox_rows(connection: sqlite3.Connection, character: int) -> Iterator[tuple[str, str]]:
    """Yield the state of every op and what is wrong with it, an empty text where nothing is."""
    expected = 0
    for seq, its_id, work, state, attempts, error in connection.execute(
        "SELECT seq, id, work, state, attempts, error FROM outbox WHERE character = ? ORDER BY seq", (character,)
    ):
        expected += 1
        name, its_state = _text(its_id), _text(state)
        if seq != expected:
            problem = f"op {expected} is missing before op {seq}"
            expected = seq
        elif (key := _op_id(work, seq)) != name:
            problem = f"op {name}: its work {'is that of ' + key if key else 'can not be read'}"
        elif its_state not in frozenset(OpState):
            problem = f"op {name}: no op can be {its_state!r}"
        elif its_state == OpState.PARKED and (not error or not attempts):
            problem = f"op {name} is parked without an error"
        else:
            problem = ""
        yield its_state, problem


def _op_id(work: Any, seq: int) -> str | None:  # noqa: ANN401 - a damaged column may hold any type
    try:
        found = outbox.decode(work)
        return outbox.erased_id(seq) if isinstance(found, ErasedWork) else op_id(found)
    except (msgspec.DecodeError, TypeError, UnicodeDecodeError):
        return None


def _text(raw: Any) -> str:  # noqa: ANN401 - a damaged column may hold any type
    return raw.decode(errors="backslashreplace") if isinstance(raw, bytes) else str(raw)
