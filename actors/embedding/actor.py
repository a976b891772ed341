"""The embedding role, the only writer of vectors.

Takes `Wake` (a hint that something was committed), `QueueEmbeddings` (replies `EmbeddingsQueued`) and `RunOp` for
work that embeds records (replies `OpDone`).

What lacks a vector follows from what is stored, so that a lost hint, an import, a model that was changed and one
that was broken for a month all end the same way. At most one op is in the outbox at a time, and what gathers
meanwhile is the next batch. It holds the backlog as far as it has looked, and the seq of the journal that this
reflects. New vectors are read by whoever compares them, when `Journal.vector_seq` has grown. A crash loses
nothing. Restart: permanent.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import ClassVar, Final, assert_never, get_args

import numpy as np
from numpy.typing import NDArray

from ...protocols.errors import DefectError
from ...protocols.events import record_of
from ...protocols.messages import Commit, EmbeddingsQueued, OpDone, QueueEmbeddings, RunOp, Wake
from ...protocols.ports import Embedder
from ...protocols.records import PersonaEntry, Profile, Reflection, Rejection
from ...protocols.vectors import Embeddable, Names, Space, Vector, digest_of, packed, passage_of, space_of
from ...protocols.work import EmbedRecords, OpState, OutboxOp, RecogniseValue
from ..role import Peer, Role, Surroundings
from .nearness import near_rejections

SCANNED: Final = 1_024
"""Records without a vector that are read at once where nothing is known yet."""

FOLLOWED: Final = 1_024
"""Events that are read at once."""

RECHECK_S: Final = 600.0
"""Seconds after which work that never came to be done is looked for: somebody may have discarded it."""


class Embedding(Role):
    """Embeds what is remembered."""

    role: ClassVar[str] = "embedding"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (Wake, QueueEmbeddings, RunOp)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._names = Names()
        self._backlog: dict[str, str] = {}
        self._reflects_seq: int | None = None
        self._queued_at: float | None = None
        self._started = False

    async def on_start(self) -> None:
        """Look at once for what an earlier life left without a vector."""
        self.ref.tell(Wake())

    async def receive(self, message: Wake | QueueEmbeddings | RunOp) -> EmbeddingsQueued | OpDone | None:
        """Handle one message."""
        match message:
            case Wake():
                await self._queue(recheck=False)
                return None
            case QueueEmbeddings():
                await self._queue(recheck=True)
                return EmbeddingsQueued(due=await self._is_due())
            case RunOp():
                return await self._run(message.op)
            case _:
                assert_never(message)

    async def _queue(self, *, recheck: bool) -> None:
        """Queue a batch if there is something to embed and none is queued."""
        embedder = self.world.embedder
        if embedder is None:
            return
        if not self._started:
            await self._begin()
        now = self.world.clock.now()
        if self._queued_at is not None and (recheck or not 0 <= now - self._queued_at < RECHECK_S):
            self._queued_at = now if await self._ops() else None
        if self._queued_at is not None:
            return
        await self._look(embedder)
        if not self._backlog:
            return
        stamp = f"{self.world.journal.last_seq}.{self.world.journal.vector_seq}"
        await self.commit(
            Commit(actor=self.role, cause="backlog", enqueues=(EmbedRecords(model=embedder.id, stamp=stamp),))
        )
        self._queued_at = now

    async def _is_due(self) -> bool:
        if self.world.embedder is None:
            return False
        now = self.world.clock.now()
        return any(op.state is OpState.PENDING and op.not_before <= now for op in await self._ops())

    async def _begin(self) -> None:
        """Send work again that an earlier life gave up: the model may have been repaired, or be another now."""
        ops = await self._ops()
        parked = tuple(op.id for op in ops if op.state is OpState.PARKED)
        if parked:
            await self.commit(Commit(actor=self.role, cause="start", retries=parked))
            self.peer("outbox").tell(Wake())
        self._queued_at = self.world.clock.now() if ops else None
        self._started = True

    async def _ops(self) -> tuple[OutboxOp, ...]:
        ops = await self.world.journal.ops(states=(OpState.PENDING, OpState.PARKED))
        return tuple(op for op in ops if isinstance(op.work, EmbedRecords))

    async def _run(self, op: OutboxOp) -> OpDone:
        if not isinstance(op.work, EmbedRecords):
            raise DefectError(f"embedding was given {op.work.key}")
        embedder = self.world.embedder
        batch: dict[str, str] = {}
        vectors: tuple[Vector, ...] = ()
        looks: tuple[RecogniseValue, ...] = ()
        if embedder is not None:
            await self._look(embedder)
            batch = dict(islice(self._backlog.items(), self.world.settings.embeddings.batch))
        if embedder is not None and batch:
            matrix = await embedder.embed(tuple(batch.values()), query=False)
            space = space_of(embedder)
            vectors = _vectors(space, batch, matrix)
            looks = await near_rejections(
                self.world.journal, space, dict(zip(batch, matrix, strict=True)), embedder.likeness.same
            )
        self.reach("embedded")
        follow: tuple[EmbedRecords, ...] = ()
        if embedder is not None and (len(self._backlog) > len(batch) or self._reflects_seq is None):
            follow = (EmbedRecords(model=embedder.id, stamp=op.id),)
        committed = await self.commit(
            Commit(actor=self.role, cause=op.id, settles=(op.id,), enqueues=(*looks, *follow), vectors=vectors)
        )
        if committed.repeated:  # somebody discarded the work meanwhile, and its vectors with it
            self._queued_at = None
            return OpDone()
        self._queued_at = self.world.clock.now() if follow else None
        for record in batch:
            del self._backlog[record]
        return OpDone()

    # --- what lacks a vector --------------------------------------------------------------------

    async def _look(self, embedder: Embedder) -> None:
        space = space_of(embedder)
        if self._reflects_seq is not None:
            await self._follow(space, self._reflects_seq)
        elif not self._backlog:
            await self._scan(space)

    async def _scan(self, space: Space) -> None:
        """Read what has no vector; once that is all, the rest follows from events."""
        journal = self.world.journal
        self._name(await journal.profile())
        seq, records = await journal.unembedded(space, limit=SCANNED)
        self._backlog.update(self._passages(records))
        if len(records) < SCANNED:
            await self._add(space, self._passages(await journal.records(Reflection)))
            await self._add(space, self._passages(await journal.records(PersonaEntry)))
            self._reflects_seq = seq

    async def _follow(self, space: Space, seq: int) -> None:
        while seq < self.world.journal.last_seq:
            changed: dict[str, str] = {}
            for event in await self.world.journal.events(after=seq, limit=FOLLOWED):
                seq = event.seq
                record = event.change and record_of(event.change)
                if isinstance(record, Profile):
                    self._name(record)
                elif isinstance(record, get_args(Embeddable)):
                    for gone in (self._backlog, changed):
                        gone.pop(record.id, None)
                    # A rejection is compared whenever it comes into force, embedded before or not.
                    into = self._backlog if isinstance(record, Rejection) else changed
                    into.update(self._passages((record,)))
            await self._add(space, changed)
            self._reflects_seq = seq

    async def _add(self, space: Space, passages: dict[str, str]) -> None:
        embedded = await self.world.journal.embedded(space, tuple(passages.items())) if passages else ()
        self._backlog.update((each, passage) for each, passage in passages.items() if each not in embedded)

    def _passages(self, records: Iterable[Embeddable]) -> dict[str, str]:
        told = ((record.id, passage_of(record, self._names)) for record in records)
        return {record: passage for record, passage in told if passage is not None}

    def _name(self, profile: Profile) -> None:
        self._names = Names(owner=profile.owner, character=self.world.character)


def _vectors(space: Space, passages: dict[str, str], matrix: NDArray[np.float32]) -> tuple[Vector, ...]:
    return tuple(
        Vector(record=record, space=space, digest=digest_of(passage), components=packed(row))
        for (record, passage), row in zip(passages.items(), matrix, strict=True)
    )
