"""The recall role. Takes `Recall`, replies `Recollection`.

It holds an index of the facts and reflections that take part, which of them are about banned topics, and the
seq of the journal that both reflect; before each answer it takes in what was committed since, so that what was
learned is found at once. A crash loses nothing: the index is built anew from the journal. Restart: permanent.
"""

from __future__ import annotations

from typing import ClassVar

from ...protocols.errors import InvalidRequestError
from ...protocols.events import record_of
from ...protocols.messages import Recall, Recollection
from ...protocols.records import Directive, Fact, Profile, Reflection, Rejection
from ...protocols.settings import Settings
from ...protocols.text import check_text
from ...protocols.tokens import terms
from ..dedup.rejected import RejectedValues
from ..directives.stated import understand
from ..role import Peer, Role, Surroundings
from .banned import BannedRows
from .index import InvertedIndex
from .memories import Memory, held_back, hit_of, takes_part


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
        now, settings = self.world.clock.now(), self.world.settings
        banned = await self._banned.hidden(message.subjects, stated if message.said is None else message.said, now)
        found = self._index.search(
            tuple(dict.fromkeys(terms(stated, leave_out=self._names))),
            message.subjects,
            limit=message.limit,
            hidden=banned | self._held_back(now, settings),
        )
        return Recollection(
            hits=tuple(
                hit_of(self._memories[match.doc_id], match.score, match.matched, now, settings)
                for match in found.matches
            ),
            truncated=found.truncated,
        )

    def _held_back(self, now: float, settings: Settings) -> frozenset[str]:
        reflections = self._reflections.values()
        rejected = frozenset(one.id for one in reflections if self._rejected.says(one))
        return rejected | held_back(reflections, now, settings)

    def _reset(self) -> None:
        ranking = self.world.settings.recall
        self._index = InvertedIndex(k1=ranking.k1, b=ranking.b)
        self._memories: dict[str, Memory] = {}
        self._reflections: dict[str, Reflection] = {}
        self._banned = BannedRows()
        self._rejected = RejectedValues()
        self._names: frozenset[str] = frozenset()
        self._reflects_seq: int | None = None

    async def _catch_up(self) -> None:
        if self._reflects_seq is None:
            await self._load()
        elif self._reflects_seq < self.world.journal.last_seq:
            for event in await self.world.journal.events(after=self._reflects_seq):
                match event.change and record_of(event.change):
                    case Fact() as fact:
                        self._take(fact)
                    case Reflection() as reflection:
                        self._take(reflection)
                    case Directive() as directive:
                        self._banned.take(directive)
                    case Rejection() as rejection:
                        self._rejected.take(rejection)
                    case Profile():
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
        self._rejected = RejectedValues(profile.owner)
        for rejection in await self.world.journal.records(Rejection):
            self._rejected.take(rejection)
        for fact in facts:
            self._take(fact)
        for reflection in await self.world.journal.records(Reflection):
            self._take(reflection)

    def _take(self, memory: Memory) -> None:
        if takes_part(memory):
            self._put(memory)
        elif self._memories.pop(memory.id, None) is not None:
            self._reflections.pop(memory.id, None)
            self._index.remove(memory.id)
            self._banned.remove(memory.id)

    def _put(self, memory: Memory) -> None:
        known = self._memories.get(memory.id)
        self._memories[memory.id] = memory
        if isinstance(memory, Reflection):
            self._reflections[memory.id] = memory
        if known is None or known.text != memory.text:
            self._banned.put(memory.id, memory.text)
            self._index.put(memory.id, memory.subject, terms(memory.text, leave_out=self._names))
