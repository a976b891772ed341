"""The briefing role. Takes `Brief`, replies `Briefing`; sends `Recall` to recall where there is a cue.

It holds the memories that a briefing may tell, with the seq of the journal that they reflect, and takes in what
was committed since before each answer. It writes nothing, so that having been briefed leaves no trace. A crash
loses nothing: all is read again. Restart: permanent.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import ClassVar, Final

from msgspec.structs import replace

from ...protocols.errors import OmoideError
from ...protocols.memos import ConversationMemo
from ...protocols.messages import Brief, Briefing, MemoryKind, Recall
from ...protocols.records import (
    Directive,
    Fact,
    FactId,
    PersonaEntry,
    Reflection,
    Rejection,
    Turn,
    TurnId,
)
from ..compaction.heeding import Banned, told
from ..directives.standing import topics_raised
from ..role import Peer, Role, Surroundings
from .compose import Sources, compose
from .conversation import still_told, uncovered
from .corrected import corrected_turns
from .forgotten import forgotten_turns
from .lines import Voice
from .memory import OUT_OF_FORCE, Memory

logger = logging.getLogger(__name__)

UNASSOCIATED: Final = "embeddings"
"""What is missing where a cue is met by its words alone: "back from the vet" doesn't name the cat."""

CATCH_UP_EVENTS: Final = 2_000
"""Events that are taken in one by one; further behind than that, the views are read instead."""


class Briefer(Role):
    """Tells what the character should have in mind for its next line."""

    role: ClassVar[str] = "briefing"
    accepts: ClassVar[tuple[type, ...]] = (Brief,)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._memory: Memory | None = None
        self._reflects_seq = 0

    async def receive(self, message: Brief) -> Briefing:
        """Answer one request, from what is committed now."""
        memory = await self._caught_up()
        self.reach("caught_up")
        reflections = memory.reflections()
        found, degraded = await self._recalled(message, reflections)
        now, settings = self.world.clock.now(), self.world.settings
        banned = await self._banned(memory, message, now)
        turns = await self.world.journal.turns(subjects=message.subjects, newest=settings.render.recent_turns)
        memos = [memory.memos[subject] for subject in dict.fromkeys(message.subjects) if subject in memory.memos]
        sources = Sources(
            entries=memory.entries(now),
            reflections=tuple(reflections.values()),
            facts=tuple(memory.facts.values()),
            found=found,
            memo=tuple(
                (memo, line)
                for memo in memos
                for line in told(memo, memory.rejections.values(), memory.rejects, banned)
            ),
            turns=still_told(uncovered(turns, memos, settings.window.kept), memos),
            forgotten=await forgotten_turns(turns, message.cue),
            corrected=corrected_turns(turns, memory.rejects) | memory.overtaken_turns(),
        )
        voice = Voice(
            character=self.world.character,
            profile=memory.profile,
            now=now,
            several=len(message.subjects) > 1,
        )
        briefing = compose(sources, message.subjects, voice, settings, banned)
        return replace(briefing, degraded=degraded)

    async def _banned(self, memory: Memory, message: Brief, now: float) -> Banned:
        """Return what finds the topics that must not be brought up; what the cue raises may be."""
        matcher = memory.standing.matcher(message.subjects, now)
        raised = await topics_raised(message.cue, matcher)

        def names_banned_topic(text: str) -> bool:
            return any(matcher.key(span.directive) not in raised for span in matcher.find(text))

        return names_banned_topic

    async def _recalled(
        self, message: Brief, reflections: Mapping[str, Reflection]
    ) -> tuple[tuple[Fact | Reflection | Turn, ...], tuple[str, ...]]:
        """Return what the cue brings to mind, and what was missing for it."""
        limits, render = self.world.settings.limits, self.world.settings.render
        cue = message.cue[: limits.query_chars].strip()
        if not cue:
            return (), ()
        request = Recall(query=cue, subjects=message.subjects, limit=min(render.cue_hits, limits.recall_limit))
        try:
            recollection = await self.ask("recall", request, timeout_s=render.cue_timeout_s)
        except OmoideError as error:
            logger.warning("briefing.without_recall", extra={"error": type(error).__name__})
            return (), (UNASSOCIATED, "recall")
        facts = await self.world.journal.facts_by_id([FactId(hit.id) for hit in recollection.hits])
        known: list[Fact | Reflection | Turn | None] = [
            await self.world.journal.turn(TurnId(hit.id))
            if hit.kind is MemoryKind.TURN
            else facts.get(FactId(hit.id)) or reflections.get(hit.id)
            for hit in recollection.hits
        ]
        return tuple(one for one in known if one is not None), recollection.degraded

    async def _caught_up(self) -> Memory:
        journal = self.world.journal
        newest = journal.last_seq
        memory = self._memory
        if memory is None or newest - self._reflects_seq > CATCH_UP_EVENTS:
            memory = await self._load()
        for event in await journal.events(after=self._reflects_seq) if self._reflects_seq < newest else ():
            if event.change is not None:
                memory.take(event.change)
            self._reflects_seq = event.seq
        return memory

    async def _load(self) -> Memory:
        """Read everything. What lands meanwhile is taken in once more by its event, to no other effect."""
        journal = self.world.journal
        self._memory = None
        seq, facts = await journal.snapshot()
        memory = Memory(
            await journal.profile(),
            (
                *facts,
                *await journal.facts(statuses=OUT_OF_FORCE),
                *await journal.records(PersonaEntry),
                *await journal.records(Reflection),
                *await journal.records(Directive),
                *await journal.records(Rejection),
                *await journal.records(ConversationMemo),
            ),
            known_importance=self.world.settings.render.known_importance,
        )
        self._memory, self._reflects_seq = memory, seq
        return memory
