"""One character's journal: the `Journal` port over a group writer and read connections."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

import trio

from ...protocols.cursors import Cursor
from ...protocols.errors import ActorDeadError, InvalidRequestError, OmoideError
from ...protocols.events import Event
from ...protocols.evidence import Tier
from ...protocols.messages import Commit, Committed
from ...protocols.ports import Counts, Kept
from ...protocols.records import Fact, FactId, FactStatus, OpId, Profile, Reflection, Turn, TurnId
from ...protocols.scopes import Subject
from ...protocols.vectors import Embeddable, Space, VectorCounts, Vectors
from ...protocols.work import OpState, OutboxOp
from . import cursors, events, outbox, reflections, vectors, views
from .apply import Head
from .newest import Newest
from .readers import Readers
from .remembered import Remembered, Source, sources_of
from .writer import GroupWriter, Outcome

T = TypeVar("T")


class SqliteJournal:
    """One character's durable memory. See `protocols.ports.Journal` for what each method promises.

    Args:
        character: its name.
        number: its number inside the file.
        last_seq: seq of its newest event.
        vector_seq: seq of its newest vector.
        readers: the file's read connections.
        writer: the file's writer, or None for a journal that is only read.
    """

    def __init__(
        self,
        character: str,
        number: int,
        last_seq: int,
        vector_seq: int,
        readers: Readers,
        writer: GroupWriter | None,
    ) -> None:
        self._character = character
        self._number = number
        self._last_seq = last_seq
        self._vector_seq = vector_seq
        self._readers = readers
        self._writer = writer
        self._remembered = Remembered()
        self._newest = Newest()
        self._under_way = 0
        self._settled = trio.Event()
        self._settled.set()
        self._grew = trio.Event()

    @property
    def character(self) -> str:
        """Name of the character."""
        return self._character

    @property
    def last_seq(self) -> int:
        """Seq of the newest committed event, 0 for an empty journal. Of a reader: as of its opening."""
        return self._last_seq

    async def grown(self, beyond: int) -> None:
        """Return once an event with a seq above `beyond` is committed.

        Raises:
            ActorDeadError: if the journal is closed before.
        """
        await trio.lowlevel.checkpoint()
        while self._last_seq <= beyond:
            if self._writer is None:
                raise ActorDeadError(f"the journal of {self._character!r} is closed: open it again to go on")
            await self._grew.wait()

    async def commit(self, commit: Commit) -> Committed:
        """Apply a commit in one fsynced transaction, grouped with others that are waiting.

        Raises:
            IdempotencyConflictError: if its idempotency key was used for other content.
            CursorBehindError: if its cursor is not ahead of the one that is stored.
            NotFoundError: if an op that it retries or discards is not in the outbox.
            InvalidRequestError: if an op's state doesn't allow what is asked, or the journal is closed or
                only read.
            InvalidTextError: if a text in it is not Unicode.
            StorageFullError: if the disk is full; nothing of the commit landed.
            StorageError: if the database refused; nothing of the commit landed.
        """
        (only,) = await self._write((commit,))
        match only:
            case Committed() as committed:
                return committed
            case error:
                raise error

    async def commit_all(self, commits: Sequence[Commit]) -> tuple[Committed | OmoideError, ...]:
        """Apply several commits in this order, and return each one's outcome or why it was refused."""
        told: list[Committed | OmoideError] = []
        for one in await self._write(commits):
            if not isinstance(one, Committed | OmoideError):
                raise one
            told.append(one)
        return tuple(told)

    async def events(self, *, after: int = 0, limit: int | None = None) -> tuple[Event, ...]:
        """Return events with a seq above `after`, oldest first."""
        newest = self._newest.after(after, self._last_seq, limit)
        if newest is not None:
            await trio.lowlevel.checkpoint()
            return newest
        return await self._readers.read(
            lambda connection: events.read(connection, self._number, after=after, limit=limit)
        )

    async def profile(self) -> Profile:
        """Return what the host said about the character, or an empty profile."""
        return await self._answer(Profile, None, lambda connection: views.profile(connection, self._number))

    async def turn(self, turn: TurnId) -> Turn | None:
        """Return one turn."""
        return await self._answer(turn, None, lambda connection: views.turn(connection, self._number, turn))

    async def turns(
        self, *, subjects: Sequence[Subject] | None = None, newest: int, before: TurnId | None = None
    ) -> tuple[Turn, ...]:
        """Return the newest turns of the subjects (all subjects for None), oldest first; those before one."""
        return await self._readers.read(
            lambda connection: views.turns(connection, self._number, subjects, newest, before)
        )

    async def facts(
        self,
        *,
        subjects: Sequence[Subject] | None = None,
        statuses: Sequence[FactStatus] = (FactStatus.ACTIVE,),
    ) -> tuple[Fact, ...]:
        """Return the facts of the subjects (all for None) in these statuses, in order of storing."""
        return await self._readers.read(
            lambda connection: views.facts(connection, self._number, subjects, statuses)
        )

    async def facts_by_id(self, ids: Sequence[FactId]) -> dict[FactId, Fact]:
        """Return those of the facts that are stored, whatever their status."""
        return await self._readers.read(lambda connection: views.facts_by_id(connection, self._number, ids))

    async def subjects(self) -> tuple[Subject, ...]:
        """Return the subjects that hold facts in force, sorted."""
        return await self._readers.read(lambda connection: views.subjects(connection, self._number))

    async def snapshot(self) -> tuple[int, tuple[Fact, ...]]:
        """Return the active facts together with the seq that they reflect, read in one transaction."""

        def read(connection: sqlite3.Connection) -> tuple[int, tuple[Fact, ...]]:
            (seq,) = connection.execute("SELECT head_seq FROM characters WHERE id = ?", (self._number,)).fetchone()
            return seq, views.facts(connection, self._number, None)

        return await self._readers.read(read)

    async def records(self, kind: type[Kept]) -> tuple[Kept, ...]:
        """Return every record of a kind, whatever its status, in order of storing."""
        return await self._answer(kind, None, lambda connection: views.records(connection, self._number, kind))

    async def record(self, kind: type[Kept], record_id: str) -> Kept | None:
        """Return one record of a kind, whatever its status."""
        return await self._readers.read(lambda connection: views.record(connection, self._number, kind, record_id))

    async def reflections(
        self, *, subjects: Sequence[Subject] | None = None, tier: Tier | None = None, now: float
    ) -> tuple[Reflection, ...]:
        """Return the pending and confirmed reflections of the subjects (all for None), in order of storing."""

        def read(connection: sqlite3.Connection) -> tuple[Reflection, ...]:
            return reflections.read(connection, self._number, subjects, tier, now)

        if tier is not None:
            return await self._readers.read(read)
        return await self._answer(Reflection, ("in force", subjects and tuple(subjects)), read)

    @property
    def vector_seq(self) -> int:
        """Seq of the newest committed vector, 0 for none. Of a reader: as of its opening."""
        return self._vector_seq

    async def vectors(self, space: Space, *, after: int = 0, limit: int | None = None) -> Vectors:
        """Return the vectors of a space with a seq above `after`, oldest first; the first `limit` of them."""
        return await self._readers.read(
            lambda connection: vectors.read(connection, self._number, space, after, limit)
        )

    async def vectors_of(self, space: Space, records: Sequence[str]) -> Vectors:
        """Return the vectors that these records have in a space, in no order."""
        return await self._readers.read(
            lambda connection: vectors.read_some(connection, self._number, space, records)
        )

    async def embedded(self, space: Space, passages: Sequence[tuple[str, str]]) -> frozenset[str]:
        """Return which records have the vector of just that passage; `passages` are ids with their passages."""
        return await self._readers.read(
            lambda connection: vectors.current(connection, self._number, space, passages)
        )

    async def unembedded(self, space: Space, *, limit: int) -> tuple[int, tuple[Embeddable, ...]]:
        """Return records that take part and have no vector in a space, and the seq that they reflect."""
        return await self._readers.read(lambda connection: vectors.lacking(connection, self._number, space, limit))

    async def vector_counts(self, space: Space) -> VectorCounts:
        """Return how many records have a vector in a space, and how many lack one."""
        return await self._readers.read(lambda connection: vectors.counts(connection, self._number, space))

    async def cursor(self, source: str) -> Cursor | None:
        """Return how far a stream was taken up or told, None where it never was."""
        return await self._readers.read(lambda connection: cursors.read(connection, self._number, source))

    async def op(self, op: OpId) -> OutboxOp | None:
        """Return one outbox op."""
        return await self._readers.read(lambda connection: outbox.op(connection, self._number, op))

    async def ops(
        self,
        *,
        states: Sequence[OpState],
        due_at: float | None = None,
        longest_s: float = math.inf,
        limit: int | None = None,
    ) -> tuple[OutboxOp, ...]:
        """Return outbox ops in these states, in order of their seq; with `due_at`, only those due by then.

        Due is also what has never failed, and what would wait for longer than `longest_s`: the clock was set back.
        """
        return await self._readers.read(
            lambda connection: outbox.ops(connection, self._number, states, due_at, longest_s, limit)
        )

    async def next_due(self) -> float | None:
        """Return the earliest `not_before` of the pending ops, or None where nothing is pending."""
        return await self._readers.read(lambda connection: outbox.next_due(connection, self._number))

    async def counts(self) -> Counts:
        """Return how much is stored."""

        def read(connection: sqlite3.Connection) -> Counts:
            row = connection.execute(
                """
                SELECT (SELECT count(*) FROM turns WHERE character = :number),
                       (SELECT count(*) FROM facts WHERE character = :number),
                       (SELECT head_seq FROM characters WHERE id = :number),
                       (SELECT count(*) FROM outbox WHERE character = :number AND state = 'pending'),
                       (SELECT count(*) FROM outbox WHERE character = :number AND state = 'parked')
                """,
                {"number": self._number},
            ).fetchone()
            return Counts(turns=row[0], facts=row[1], events=row[2], pending=row[3], parked=row[4])

        return await self._readers.read(read)

    async def retire(self) -> None:
        """Refuse every later commit and return once those under way have landed."""
        self._writer = None
        await self._settled.wait()
        self._tell_growth()

    async def _write(self, commits: Sequence[Commit]) -> list[Outcome]:
        if self._writer is None:
            raise InvalidRequestError(
                f"the journal of {self._character!r} is closed or was opened for reading: open it to write"
            )
        await trio.lowlevel.checkpoint_if_cancelled()
        if not commits:
            await trio.lowlevel.cancel_shielded_checkpoint()
            return []
        if not self._under_way:
            self._settled = trio.Event()
        self._under_way += len(commits)
        sources = sources_of(chain.from_iterable(commit.changes for commit in commits))
        return await self._writer.commit(self._number, commits, partial(self._landed, sources))

    async def _answer(self, source: Source, question: Hashable, read: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a read finds, remembered until its source changes; only a writer knows when it does."""
        if self._writer is None:
            return await self._readers.read(read)
        return await self._remembered.answer(source, question, lambda: self._readers.read(read))

    def _landed(self, sources: frozenset[Source], head: Head, its_outcome: Outcome) -> None:
        self._remembered.changed(sources)
        if isinstance(its_outcome, Committed) and not its_outcome.repeated:
            self._newest.add(its_outcome.events)
        self._last_seq = max(self._last_seq, head.seq)
        self._vector_seq = max(self._vector_seq, head.vector_seq)
        self._under_way -= 1
        if not self._under_way:
            self._settled.set()
        self._tell_growth()

    def _tell_growth(self) -> None:
        self._grew.set()
        self._grew = trio.Event()
