"""One commit inside a transaction: what it becomes as rows, or why it is refused.

A `Ledger` holds what a batch needs to know, loaded with one statement a table, and decides each
commit against it in memory; nothing is written before all are decided. A refused commit leaves the
ledger as it was, so that it can't harm the others of its batch, and no savepoint is needed.
Knows no thread, no file and no clock: `now` is an argument.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

import msgspec

from ...protocols.cursors import Cursor
from ...protocols.encoding import encoded
from ...protocols.errors import (
    ChangedMeanwhileError,
    CorruptStorageError,
    CursorBehindError,
    IdempotencyConflictError,
    InvalidRequestError,
    InvalidTextError,
    NotFoundError,
)
from ...protocols.events import AnyChange, Event, record_ids_of, record_of, subject_of
from ...protocols.messages import Commit, Committed
from ...protocols.records import OpId, PersonaEntry, Reflection
from ...protocols.vectors import Vector
from ...protocols.work import OpState, op_id
from . import chain, cursors, events, outbox, rows, vectors, views

_encoder: Final = msgspec.json.Encoder()

_PENDING: Final = OpState.PENDING.value
_DONE: Final = OpState.DONE.value
_PARKED: Final = OpState.PARKED.value
_DISCARDED: Final = OpState.DISCARDED.value

_FROM: Final = {
    "retried": frozenset({_PARKED}),
    "discarded": frozenset({_PENDING, _PARKED}),
}
"""The states from which a person can move an op, by the word for what is done to it."""


class Head(msgspec.Struct, frozen=True, gc=False):
    """Where a character's journal ends: its newest event, that event's chain, its newest op and newest vector."""

    seq: int
    chain: bytes
    op_seq: int
    vector_seq: int


class EncodedChange(msgspec.Struct, frozen=True, gc=False):
    """A change as it will be stored."""

    change: AnyChange
    kind: str
    subject: str
    record_ids: tuple[str, ...]
    record_ids_json: str
    payload: bytes
    digest: bytes


class Prepared(msgspec.Struct, frozen=True, gc=False):
    """A commit with everything encoded that can be encoded without knowing the journal."""

    character: int
    commit: Commit
    changes: list[EncodedChange]
    enqueues: list[tuple[OpId, bytes]]


def load_head(connection: sqlite3.Connection, character: int) -> Head:
    """Return where the journal of a character that is in the file ends.

    Raises:
        CorruptStorageError: if it isn't in the file.
    """
    head = find_head(connection, character)
    if head is None:
        raise CorruptStorageError(f"character {character} isn't in the file that its journal is read from")
    return head


def find_head(connection: sqlite3.Connection, character: int) -> Head | None:
    """Return where a character's journal ends, as the file says, or None where the character isn't in it."""
    row = connection.execute("SELECT head_seq, head_chain FROM characters WHERE id = ?", (character,)).fetchone()
    if row is None:
        return None
    seq, link = row
    return Head(seq, link, outbox.last_seq(connection, character), vectors.last_seq(connection, character))


class _Known(msgspec.Struct, frozen=True, gc=False):
    fingerprint: str
    after_seq: int
    upto_seq: int


def prepare(character: int, commit: Commit) -> Prepared:
    """Encode a commit.

    Args:
        character: number of the character inside the file.
        commit: what to encode.

    Raises:
        InvalidTextError: if a text in it is not Unicode.
    """
    try:
        _check_unicode(commit)
        return Prepared(
            character,
            commit,
            [_encode(change) for change in commit.changes],
            [(op_id(work), _encoder.encode(work)) for work in commit.enqueues],
        )
    except UnicodeEncodeError as error:
        raise InvalidTextError(
            f"the commit of {commit.actor!r} holds a lone surrogate in {error.object!r}: send valid Unicode"
        ) from error


@cache
def _kind_of(change: type[AnyChange]) -> str:
    return str(change.__struct_config__.tag)


def _check_unicode(commit: Commit) -> None:
    """Raise `UnicodeEncodeError` for a lone surrogate in what is not encoded anyway: ids, keys and reasons."""
    texts = [commit.actor, commit.cause, *commit.settles, *commit.retries, *commit.discards]
    if commit.idempotency is not None:
        texts += (commit.idempotency.key, commit.idempotency.fingerprint)
    for failure in commit.failures:
        texts += (failure.op, failure.error)
    "".join(texts).encode()


def _encode(change: AnyChange) -> EncodedChange:
    payload = encoded(change)
    record = record_of(change)
    record_ids = record_ids_of(record)
    return EncodedChange(
        change,
        _kind_of(type(change)),
        subject_of(record),
        record_ids,
        _encoder.encode(record_ids).decode(),
        payload,
        chain.digest_of(payload),
    )


_Moved: TypeAlias = dict[tuple[int, OpId], outbox.OpRow]
"""Ops as they will be, by character and id."""


class Ledger:
    """What one transaction knows and what it will write.

    Args:
        connection: the writer's connection, inside a transaction.
        heads: where each character's journal ends, by the character's number.
        prepared: the commits that will be decided.
        unseen: whether idempotency keys and enqueued work are taken for new without a look. Where one isn't,
            `write` fails with `sqlite3.IntegrityError`, and the commits are to be decided anew with a look.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        heads: Mapping[int, Head],
        prepared: Sequence[Prepared],
        *,
        unseen: bool = False,
    ) -> None:
        self._connection = connection
        self._before = heads
        self.heads: dict[int, Head] = {}
        self._events: list[rows.Row] = []
        self._folded: list[views.Folded] = []
        self._vectors: dict[int, list[Vector]] = {}
        self._moved: _Moved = {}
        self._latest: dict[tuple[int, str], Reflection | PersonaEntry] = {}
        self._new_keys: dict[tuple[int, str], _Known] = {}
        self._committed: dict[tuple[int, str], tuple[Event, ...]] = {}
        op_keys: set[tuple[int, OpId]] = set()
        known_keys: set[tuple[int, str]] = set()
        for one in prepared:
            number, commit = one.character, one.commit
            moved = (
                *commit.settles,
                *(failure.op for failure in commit.failures),
                *commit.retries,
                *commit.discards,
            )
            op_keys.update((number, op) for op in moved)
            if not unseen:
                op_keys.update((number, op) for op, _ in one.enqueues)
                if commit.idempotency is not None:
                    known_keys.add((number, commit.idempotency.key))
        places = {(one.character, one.commit.cursor.source) for one in prepared if one.commit.cursor is not None}
        self._cursors = cursors.load(connection, tuple(places)) if places else {}
        self._moved_cursors: dict[tuple[int, str], Cursor] = {}
        self._ops = outbox.load(connection, tuple(op_keys))
        self._keys = _load_keys(connection, tuple(known_keys))

    def plan(self, prepared: Prepared, now: float) -> Committed:
        """Decide one commit, after those decided before it.

        Args:
            prepared: the commit.
            now: seconds since the epoch (UTC); `at` of its events and of what it enqueues.

        Raises:
            ChangedMeanwhileError: if a record is not what it expects.
            IdempotencyConflictError: if its key was used for other content.
            NotFoundError: if an op that it retries, discards or fails is not in the outbox.
            InvalidRequestError: if an op's state doesn't allow what is asked.
            CursorBehindError: if its cursor isn't ahead of the one that is stored.
        """
        number, commit = prepared.character, prepared.commit
        if commit.idempotency is not None and (repeated := self._repeated(prepared)) is not None:
            if commit.cursor is not None and self._is_ahead(number, commit.cursor):
                self._move(number, commit.cursor)
            return repeated
        if commit.cursor is not None and not self._is_ahead(number, commit.cursor):
            raise CursorBehindError(
                f"place {commit.cursor.place} of {commit.cursor.source!r} was taken up before with other content, "
                "so nothing was stored: the stream has lost its end, or two programs read it for one character"
            )
        head = self._head(number)
        moved: _Moved | None = {}
        if commit.settles or commit.failures or commit.retries or commit.discards:
            moved = self._moves(prepared, now)
        if moved is None:
            return Committed(repeated=True)
        for expected in commit.expects:
            self._check_unchanged(number, expected)
        enqueued = self._enqueued(prepared, moved, head.op_seq, now)
        appended, link = self._append(prepared, head, now)
        if commit.idempotency is not None:
            key = (number, commit.idempotency.key)
            self._new_keys[key] = self._keys[key] = _Known(
                commit.idempotency.fingerprint, head.seq, head.seq + len(appended)
            )
            self._committed[key] = appended
        self._moved.update(moved)
        self._ops.update(moved)
        self.heads[number] = Head(head.seq + len(appended), link, head.op_seq + enqueued, head.vector_seq)
        if commit.cursor is not None:
            self._move(number, commit.cursor)
        if commit.vectors:
            self._vectors.setdefault(number, []).extend(commit.vectors)
        return Committed(events=appended, enqueued=enqueued)

    def write(self) -> None:
        """Write everything that was decided.

        Raises:
            CorruptStorageError: if the chain's head is not the one that this program left.
            sqlite3.Error: if the database refuses; the transaction is to be rolled back.
        """
        events.write(self._connection, self._events)
        views.write(self._connection, self._folded)
        outbox.write(self._connection, self._moved.values())
        for number, its_vectors in self._vectors.items():
            vectors.write(self._connection, number, its_vectors)
            newest = vectors.last_seq(self._connection, number)
            self.heads[number] = msgspec.structs.replace(self.heads[number], vector_seq=newest)
        cursors.write(self._connection, ((number, cursor) for (number, _), cursor in self._moved_cursors.items()))
        rows.insert(
            self._connection,
            "INSERT INTO idempotency (character, key, fingerprint, after_seq, upto_seq)",
            [(*key, known.fingerprint, known.after_seq, known.upto_seq) for key, known in self._new_keys.items()],
        )
        for number, head in self.heads.items():
            before = self._before[number]
            if head.seq == before.seq:
                continue
            moved = self._connection.execute(
                "UPDATE characters SET head_seq = ?, head_chain = ? WHERE id = ? AND head_seq = ?",
                (head.seq, head.chain, number, before.seq),
            )
            if moved.rowcount != 1:
                raise CorruptStorageError(
                    f"the journal's head was moved by another program: event {before.seq} was expected to be "
                    "the newest. Nothing was written; close this program and run `omoide doctor`"
                )

    def _is_ahead(self, number: int, cursor: Cursor) -> bool:
        known = self._cursors.get((number, cursor.source))
        return known is None or cursor.place > known.place

    def _move(self, number: int, cursor: Cursor) -> None:
        self._cursors[number, cursor.source] = self._moved_cursors[number, cursor.source] = cursor

    def _head(self, number: int) -> Head:
        return self.heads.get(number) or self._before[number]

    def _repeated(self, prepared: Prepared) -> Committed | None:
        wanted = prepared.commit.idempotency
        if wanted is None:
            return None
        key = (prepared.character, wanted.key)
        known = self._keys.get(key)
        if known is None:
            return None
        # The fingerprint of what was erased is gone; under its key nothing is taken in any more.
        if known.fingerprint and known.fingerprint != wanted.fingerprint:
            raise IdempotencyConflictError(
                f"idempotency key {wanted.key!r} was used before for other content (its events are "
                f"{known.after_seq + 1} to {known.upto_seq}): use a new key for new content"
            )
        if key in self._committed:
            return Committed(events=self._committed[key], repeated=True)
        found = events.read(self._connection, prepared.character, after=known.after_seq, upto=known.upto_seq)
        return Committed(events=found, repeated=True)

    def _check_unchanged(self, number: int, expected: Reflection | PersonaEntry) -> None:
        known = self._latest.get((number, expected.id))
        if known is None and isinstance(expected, Reflection):
            known = views.record(self._connection, number, Reflection, expected.id)
        elif known is None:
            known = views.record(self._connection, number, PersonaEntry, expected.id)
        if known != expected:
            raise ChangedMeanwhileError(f"{expected.id} changed since it was read: nothing was written")

    def _moves(self, prepared: Prepared, now: float) -> _Moved | None:
        """Return the ops that the commit moves, or None where work that it settles or fails isn't pending."""
        number, commit = prepared.character, prepared.commit
        moved: _Moved = {}
        for settled in dict.fromkeys(commit.settles):
            op = self._ops.get((number, settled))
            if op is None or op.state != _PENDING:
                return None
            moved[number, settled] = op._replace(state=_DONE)
        for failure in commit.failures:
            op = moved.get((number, failure.op)) or self._ops.get((number, failure.op))
            if op is None or op.state != _PENDING:
                return None
            moved[number, failure.op] = op._replace(
                state=_PARKED if failure.parks else _PENDING,
                attempts=op.attempts + failure.counts,
                not_before=failure.not_before,
                error=failure.error,
            )
        for retried in commit.retries:
            op = self._movable(moved, number, retried, "retried")
            moved[number, retried] = op._replace(state=_PENDING, attempts=0, not_before=now)
        for discarded in commit.discards:
            op = self._movable(moved, number, discarded, "discarded")
            moved[number, discarded] = op._replace(state=_DISCARDED)
        return moved

    def _movable(
        self, moved: Mapping[tuple[int, OpId], outbox.OpRow], number: int, wanted: OpId, verb: str
    ) -> outbox.OpRow:
        op = moved.get((number, wanted)) or self._ops.get((number, wanted))
        if op is None:
            raise NotFoundError(f"no work {wanted!r} is in the outbox: `omoide outbox NAME` lists what is")
        if op.state not in _FROM[verb]:
            allowed = " or ".join(sorted(_FROM[verb]))
            raise InvalidRequestError(f"work {wanted!r} is {op.state}: only {allowed} work can be {verb}")
        return op

    def _enqueued(
        self,
        prepared: Prepared,
        moved: _Moved,
        op_seq: int,
        now: float,
    ) -> int:
        """Add the work that is new to `moved` and return how much that is."""
        number, enqueued = prepared.character, 0
        for work_id, work in prepared.enqueues:
            if (number, work_id) in self._ops or (number, work_id) in moved:
                continue
            enqueued += 1
            # By position: this is on the way of every turn, and names cost a third of a microsecond.
            moved[number, work_id] = outbox.OpRow(
                number, op_seq + enqueued, work_id, work, prepared.commit.cause, _PENDING, 0, now, now, ""
            )
        return enqueued

    def _append(self, prepared: Prepared, head: Head, now: float) -> tuple[tuple[Event, ...], bytes]:
        number, commit = prepared.character, prepared.commit
        link = head.chain
        appended = []
        for seq, one in enumerate(prepared.changes, head.seq + 1):
            header: chain.Header = (
                seq,
                now,
                commit.actor,
                commit.cause,
                one.kind,
                one.subject,
                one.record_ids_json,
            )
            link = chain.link(link, one.digest, header)
            self._events.append((number, *header, one.payload, one.digest, link))
            self._folded.append(views.fold(number, seq, one.change))
            if isinstance(record := record_of(one.change), Reflection | PersonaEntry):
                self._latest[number, record.id] = record
            appended.append(
                Event(
                    seq=seq,
                    at=now,
                    actor=commit.actor,
                    cause=commit.cause,
                    kind=one.kind,
                    subject=one.subject,
                    record_ids=one.record_ids,
                    change=one.change,
                    digest=one.digest.hex(),
                    chain=link.hex(),
                )
            )
        return tuple(appended), link


def _load_keys(connection: sqlite3.Connection, keys: tuple[tuple[int, str], ...]) -> dict[tuple[int, str], _Known]:
    found = rows.select(
        connection,
        "wanted.a, wanted.b, i.fingerprint, i.after_seq, i.upto_seq",
        keys,
        "idempotency AS i ON i.character = wanted.a AND i.key = wanted.b",
    )
    return {(number, key): _Known(*known) for number, key, *known in found}
