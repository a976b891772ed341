"""The recall role. Takes `Recall`, replies `Recollection`.

It holds an index of the facts in force, which of them are about banned topics, and the seq of the journal
that both reflect; before
each answer it takes in what was committed since, so that what was learned is found at once. A crash
loses nothing: the index is built anew from the journal. Restart: permanent.
"""

from __future__ import annotations

from typing import ClassVar

from ...protocols.errors import InvalidRequestError
from ...protocols.events import (
    DirectiveDeleted,
    DirectiveGiven,
    DirectiveLifted,
    FactAdded,
    FactRepeated,
    ProfileSet,
)
from ...protocols.messages import Hit, Recall, Recollection
from ...protocols.records import Directive, Fact, FactStatus
from ...protocols.text import check_text
from ...protocols.tokens import terms
from ..directives.stated import understand
from ..role import Peer, Role, Surroundings
from .banned import BannedRows
from .index import InvertedIndex


class Recaller(Role):
    """Finds what is remembered, among what the caller may read."""

    role: ClassVar[str] = "recall"
    accepts: ClassVar[tuple[type, ...]] = (Recall,)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._reset()

    async def receive(self, message: Recall) -> Recollection:
        """Answer one query; a blank one finds nothing."""
        limits = self.world.settings.limits
        if not 1 <= message.limit <= limits.recall_limit:
            raise InvalidRequestError(f"limit is between 1 and {limits.recall_limit}, got {message.limit}")
        if not message.query or message.query.isspace():
            return Recollection()
        query = check_text(message.query, max_chars=limits.query_chars, what="query")
        await self._catch_up()
        self.reach("caught_up")
        # Who asks to forget a number, or not to hear of somebody, isn't told of either in that very turn.
        stated = (await understand(query)).stated
        found = self._index.search(
            tuple(dict.fromkeys(terms(stated, leave_out=self._names))),
            message.subjects,
            limit=message.limit,
            hidden=await self._banned.hidden(
                message.subjects,
                stated if message.said is None else message.said,
                self.world.clock.now(),
            ),
        )
        return Recollection(
            hits=tuple(
                Hit(fact=self._facts[match.doc_id], score=match.score, matched=match.matched)
                for match in found.matches
            ),
            truncated=found.truncated,
        )

    def _reset(self) -> None:
        ranking = self.world.settings.recall
        self._index = InvertedIndex(k1=ranking.k1, b=ranking.b)
        self._facts: dict[str, Fact] = {}
        self._banned = BannedRows()
        self._names: frozenset[str] = frozenset()
        self._reflects_seq: int | None = None

    async def _catch_up(self) -> None:
        if self._reflects_seq is None:
            await self._load()
        elif self._reflects_seq < self.world.journal.last_seq:
            for event in await self.world.journal.events(after=self._reflects_seq):
                match event.change:
                    case FactAdded(fact=fact) | FactRepeated(fact=fact):
                        self._take(fact)
                    case (
                        DirectiveGiven(directive=directive)
                        | DirectiveLifted(directive=directive)
                        | DirectiveDeleted(directive=directive)
                    ):
                        self._banned.take(directive)
                    case ProfileSet():
                        await self._load()
                        return
                self._reflects_seq = event.seq

    async def _load(self) -> None:
        self._reset()
        profile = await self.world.journal.profile()
        self._names = frozenset(terms(f"{profile.owner} {self.world.character}"))
        self._reflects_seq, facts = await self.world.journal.snapshot()
        # Read after the seq: an event that is already in the records is taken once more, to no effect.
        self._banned = BannedRows(await self.world.journal.records(Directive))
        for fact in facts:
            self._take(fact)

    def _take(self, fact: Fact) -> None:
        if fact.status is FactStatus.ACTIVE:
            self._facts[fact.id] = fact
            self._banned.put(fact.id, fact.text)
            self._index.put(fact.id, fact.subject, terms(fact.text, leave_out=self._names))
        elif self._facts.pop(fact.id, None) is not None:
            self._index.remove(fact.id)
            self._banned.remove(fact.id)
