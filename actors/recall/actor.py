"""The recall role. Takes `Recall`, replies `Recollection`.

It holds the corpus of what may be recalled and the seq of the journal that it reflects; before each answer it
takes in what was committed since, so that what was learned is found at once. A crash loses nothing: the corpus is
built anew from the journal. Without an embedding model, or where that fails, words alone rank, and the reply says
so. Restart: permanent.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

import numpy as np
import trio
from msgspec.structs import replace
from numpy.typing import NDArray

from ...protocols.errors import InvalidRequestError
from ...protocols.events import record_of
from ...protocols.messages import Recall, Recollection
from ...protocols.records import Directive, FactStatus, Profile, Reflection, Rejection
from ...protocols.text import check_text
from ...protocols.vectors import Space
from ..directives.stated import understand
from ..embedding.query import query_vector
from ..role import Peer, Role, Surroundings
from .asking import query_of
from .corpus import Corpus, Stored
from .memories import hit_of
from .missing import BACKFILL, EMBEDDINGS, TIME
from .ranking import Query, Ranking, at_time, rank
from .reading import Reading
from .telling import told
from .times import asked_time, span_of

EVERY_TURN: Final = 2**62
"""More turns than are ever said."""

INLINE_ROWS: Final = 40_000
"""Rows that are ranked on the event loop, in some milliseconds; more are ranked in a thread."""

VECTORS_AT_ONCE: Final = 1_000
"""Vectors that are taken in on the event loop at once, in some 3 ms."""


class Recaller(Role):
    """Finds what is remembered, among what the caller may read."""

    role: ClassVar[str] = "recall"
    accepts: ClassVar[tuple[type, ...]] = (Recall,)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._corpus: Corpus | None = None
        self._reflects_seq = 0
        self._vector_seq = 0
        self._profile = Profile()

    async def receive(self, message: Recall) -> Recollection:
        """Answer one query; a blank one without a time finds nothing."""
        limits = self.world.settings.limits
        if not 1 <= message.limit <= limits.recall_limit:
            raise InvalidRequestError(f"limit is between 1 and {limits.recall_limit}, got {message.limit}")
        blank = not message.query or message.query.isspace()
        if blank and not message.time:
            return Recollection()
        query = "" if blank else _checked(message.query, limits.query_chars)
        now = self.world.clock.now()
        today = datetime.fromtimestamp(now, UTC).astimezone(self._zone)
        within = span_of(message.time, today)
        if message.time and within is None:
            return self._told(Recollection(degraded=(TIME,)))
        corpus = await self._caught_up()
        self.reach("caught_up")
        # Who asks to forget a number, or not to hear of somebody, isn't told of either in that very turn.
        stated = (await understand(query)).stated
        if query and not stated:
            return self._told(Recollection())
        names = (self._profile.owner, self.world.character)
        at = None if message.time else asked_time(stated, names, today)
        named = at.whole if at is not None and at.alone else None
        if named is not None:
            within, query = named, ""
        vector, degraded = await self._embedded(corpus, stated if query else "")
        asked = query_of(stated, corpus.names, corpus.index, message.subjects, vector, self._related, at=at)
        said = stated if message.said is None else message.said
        hidden = await corpus.hidden(message.subjects, said, now)
        while True:
            reading = corpus.index.read(message.subjects, hidden, within=within if query else named)
            ranking = await self._ranked(corpus, reading, asked if query else None, within, message.limit)
            # What a rejection says is asked of the hits alone: reading a turn closely takes as long as ranking.
            places = [hit.place for hit in ranking.hits]
            rows = reading.doc_ids(places)
            if corpus.withhold_rejected(rows):
                continue
            if ranking.hits or not query or at is None:
                break
            # Where nobody spoke of travelling, what happened then answers "where did I travel in July?" best.
            within, named, query = at.whole, at.whole, ""
        if vector is not None and reading.unembedded():
            degraded = (BACKFILL,)
        hits = tuple(
            hit_of(corpus.memories[row], hit, terms, now, self.world.settings)
            for row, hit, terms in zip(rows, ranking.hits, reading.terms_of(places, asked.terms), strict=True)
        )
        return self._told(Recollection(hits=hits, truncated=ranking.truncated, degraded=degraded))

    @property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.world.settings.time_zone)

    @property
    def _related(self) -> float:
        return 0.0 if self.world.embedder is None else self.world.embedder.likeness.related

    def _told(self, found: Recollection) -> Recollection:
        settings = self.world.settings.recall
        return replace(
            found, text=told(found, self._profile, self.world.character, self.world.clock.now(), settings)
        )

    async def _ranked(
        self, corpus: Corpus, reading: Reading, query: Query | None, within: tuple[float, float] | None, limit: int
    ) -> Ranking:
        settings = self.world.settings.recall
        if query is not None:
            call = partial(rank, reading, query, settings, limit, corpus.tells)
        elif within is not None:
            call = partial(at_time, reading, *within, limit, corpus.tells)
        else:
            return Ranking((), truncated=False)
        return call() if reading.size <= INLINE_ROWS else await trio.to_thread.run_sync(call)

    async def _embedded(self, corpus: Corpus, text: str) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
        """Return what a query means, or None and what was missing."""
        embedder = self.world.embedder
        if embedder is None:
            return None, (EMBEDDINGS,)
        vector = await query_vector(self.world, text) if text else None
        if vector is None:
            return None, (EMBEDDINGS,) if text else ()
        await self._follow_vectors(corpus, Space(embedder.id, embedder.dimension))
        return vector, ()

    async def _follow_vectors(self, corpus: Corpus, space: Space) -> None:
        journal = self.world.journal
        entered, corpus.entered = corpus.entered, set()
        if self._vector_seq and entered:
            some = await journal.vectors_of(space, sorted(entered))
            corpus.embed(some.records, some.matrix)
        if journal.vector_seq > self._vector_seq:
            more = True
            while more:
                newer = await journal.vectors(space, after=self._vector_seq, limit=VECTORS_AT_ONCE)
                corpus.embed(newer.records, newer.matrix)
                self._vector_seq = newer.seq
                more = len(newer.records) == VECTORS_AT_ONCE

    async def _caught_up(self) -> Corpus:
        corpus = self._corpus
        if corpus is None:
            return await self._load()
        if self._reflects_seq < self.world.journal.last_seq:
            for event in await self.world.journal.events(after=self._reflects_seq):
                record = None if event.change is None else record_of(event.change)
                if record is None or isinstance(record, Profile):
                    return await self._load()
                corpus.take(record)
                self._reflects_seq = event.seq
        return corpus

    async def _load(self) -> Corpus:
        journal = self.world.journal
        self._corpus = None
        self._profile = await journal.profile()
        # Read after the seq: an event that is already in the records is taken once more, to no effect.
        seq = journal.last_seq
        stored = Stored(
            profile=self._profile,
            facts=await journal.facts(statuses=tuple(FactStatus)),
            reflections=await journal.records(Reflection),
            turns=await journal.turns(newest=EVERY_TURN),
            directives=await journal.records(Directive),
            rejections=await journal.records(Rejection),
        )
        corpus = await trio.to_thread.run_sync(Corpus, self.world.character, stored, self.world.settings)
        self._corpus, self._reflects_seq, self._vector_seq = corpus, seq, 0
        return corpus


def _checked(query: str, max_chars: int) -> str:
    return check_text(query, max_chars=max_chars, what="query", setting="limits.query_chars")
