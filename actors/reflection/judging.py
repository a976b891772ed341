"""How the reflection role has minds make judgements and refine them, and takes what they made into what is stored.

A mind is waited for beside the mailbox; what it made comes back as a message, and is stored only if it may be.
The picture of the facts that no reflection rests on yet is kept here, by what the journal says.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from ...protocols.erasure import Erasure
from ...protocols.errors import (
    InvalidTextError,
    ModelOutputError,
)
from ...protocols.events import (
    AnyReflectionChange,
    ReflectionSynthesised,
    record_of,
)
from ...protocols.facts import speaker_key
from ...protocols.messages import (
    Commit,
    OpDone,
)
from ...protocols.ports import Synthesis, SynthesiseRequest
from ...protocols.provenance import provenance_of
from ...protocols.records import Fact, FactId, OpId, Profile, Reflection, Rejection
from ...protocols.rejections import holds_back
from ...protocols.scopes import Subject
from ...protocols.text import check_text
from ...protocols.work import (
    AnyWork,
    OutboxOp,
    RecordSurfaced,
    Refine,
    Synthesise,
)
from ..dedup.forgetting import is_forgotten
from ..refinement.asking import held_to, refined_by_a_mind
from ..refinement.changes import reflections_refined
from ..refinement.clusters import may_be_refined
from ..refinement.held import standing
from ..role import Peer, Role, Surroundings
from ..trust.identifying import persons_among
from .answers import held_back, told_once
from .grounding import rests_on_facts
from .lifecycle import ACTIVE
from .messages import Conclude, ConcludeRefinement
from .pool import FactPool
from .related import related_facts
from .synthesis import batch, synthesised

logger = logging.getLogger(__name__)


class Judging(Role):
    """What the reflection role does with minds, and its one way to commit work."""

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._pool = FactPool(world.settings.reflections.min_importance)
        self._reflects_seq: int | None = None

    # --- synthesis -------------------------------------------------------------------------------

    async def _begin_synthesis(self, op: OutboxOp, work: Synthesise) -> OpDone | None:
        """Look what there is to judge, and have a mind judge it beside the mailbox."""
        await self._catch_up()
        settings = self.world.settings.reflections
        if self._pool.digest(work.subject) != work.pool:
            await self._settle(op, (), self._synthesis_due(work.subject))
            return OpDone()
        ids = self._pool.foremost(work.subject, settings.max_facts)
        stored = await self.world.journal.facts_by_id(ids)
        facts = batch([stored[fact] for fact in ids if fact in stored], frozenset(), settings)
        if not facts:
            await self._settle(op, ())
            return OpDone()
        related = await related_facts(self.world, facts, self._pool.is_absorbed)
        self.answer_later(lambda: self._judge(op, facts, related))
        return None

    async def _judge(self, op: OutboxOp, facts: tuple[Fact, ...], related: tuple[Fact, ...]) -> OpDone:
        profile = await self.world.journal.profile()
        made = await self.world.model.synthesise(SynthesiseRequest(facts=facts, profile=profile, related=related))
        conclusion = Conclude(op=op, facts=facts, related=related, made=made)
        done: OpDone = await self.ref.aask(conclusion, timeout_s=self.world.settings.actors.reply_timeout_s)
        return done

    async def _conclude(self, message: Conclude) -> OpDone:
        """Store what a mind made of facts, if they may still be told."""
        self.reach("synthesised")
        op, facts, related, made = message.op, message.facts, message.related, message.made
        await self._catch_up()
        if made is None:
            await self._settle(op, ())
            return OpDone()
        if await self._were_forgotten((*facts, *related)):
            # While the mind thought, the person asked to forget what it was shown.
            await self._settle(op, (), self._synthesis_due(facts[0].subject))
            return OpDone()
        profile = await self.world.journal.profile()
        persons = await persons_among(self, (speaker_key(fact) for fact in facts))
        new = await self._held_to_rejections(self._checked(made, facts, related, profile, persons), profile)
        reflection = told_once(new, await self._beliefs(new.subject), self.world.clock.now())
        await self._settle(
            op,
            (ReflectionSynthesised(reflection=reflection),),
            self._synthesis_due(new.subject, without=frozenset(reflection.sources)),
        )
        return OpDone()

    async def _were_forgotten(self, facts: Sequence[Fact]) -> bool:
        now = await self.world.journal.facts_by_id([fact.id for fact in facts])
        return any(is_forgotten(fact) for fact in now.values())

    def _checked(
        self,
        made: Synthesis,
        facts: Sequence[Fact],
        related: Sequence[Fact],
        profile: Profile,
        persons: Mapping[str, str],
    ) -> Reflection:
        limits = self.world.settings.limits
        try:
            text = check_text(made.text, max_chars=limits.text_chars, what="judgement")
        except InvalidTextError as error:
            raise ModelOutputError(f"the model's judgement is no text that can be kept: {error}") from error
        if not rests_on_facts(text, facts, profile, self.world.character):
            raise ModelOutputError(f"the model's judgement on {len(facts)} facts rests on none of their words")
        made_of_them = synthesised(
            facts,
            text,
            self.world.clock.now(),
            self.world.settings.reflections,
            self.world.settings.evidence,
            entity=made.entity,
            temporal_scope=made.temporal_scope,
        )
        return replace(
            made_of_them,
            related=tuple(sorted(fact.id for fact in related)),
            provenance=provenance_of(facts, persons),
        )

    async def _held_to_rejections(self, reflection: Reflection, profile: Profile) -> Reflection:
        rejections = await self._rejections_of(reflection, owner_names(profile))
        return held_back(reflection, rejections, self.world.clock.now(), self.world.settings.evidence)

    async def _rejections_of(self, reflection: Reflection, names: tuple[str, ...]) -> tuple[Rejection, ...]:
        """Return the rejections in force of what a reflection says."""
        return tuple(
            rejection
            for rejection in await self.world.journal.records(Rejection)
            if rejection.subject == reflection.subject
            and holds_back(rejection, reflection.text, entity=reflection.entity, names=names)
        )

    def _synthesis_due(
        self, subject: Subject, *, without: frozenset[FactId] = frozenset()
    ) -> tuple[Synthesise, ...]:
        """Return the synthesis that the fresh facts of a subject are enough for, if they are."""
        if not self._pool.is_enough(subject, self.world.settings.reflections.min_facts, without=without):
            return ()
        return (Synthesise(subject=subject, pool=self._pool.digest(subject, without=without)),)

    # --- refinement ------------------------------------------------------------------------------

    async def _refine(self, op: OutboxOp, work: Refine) -> OpDone:
        """Have a mind look at a cluster, beside the mailbox."""
        cluster = [one for one in await self._cluster(work) if may_be_refined(one)]
        changes = await refined_by_a_mind(self.world, cluster) if len(cluster) > 1 else ()
        conclusion = ConcludeRefinement(op=op, read=tuple(cluster), changes=changes)
        done: OpDone = await self.ref.aask(conclusion, timeout_s=self.world.settings.actors.reply_timeout_s)
        return done

    async def _cluster(self, work: Refine) -> list[Reflection]:
        found = [await self.world.journal.record(Reflection, one) for one in work.members]
        return [one for one in found if one is not None and one.status in ACTIVE]

    async def _refined(self, message: ConcludeRefinement) -> OpDone:
        """Commit what may be changed about a cluster, if it is still as the mind was shown it."""
        self.reach("refined")
        changes: tuple[AnyReflectionChange, ...] = ()
        if message.changes:
            held = await held_to(self.world, message.read)
            kept = standing(message.changes, message.read, held)
            changes = reflections_refined(kept, message.read, held)
            if len(kept) < len(message.changes):
                logger.info(
                    "reflection.refinements_dropped",
                    extra={"kept": len(kept), "dropped": len(message.changes) - len(kept)},
                )
        await self._settle(message.op, changes, read=message.read)
        return OpDone()

    async def _beliefs(self, subject: Subject) -> tuple[Reflection, ...]:
        return await self.world.journal.reflections(subjects=(subject,), now=self.world.clock.now())

    # --- the journal -----------------------------------------------------------------------------

    async def _settle(
        self,
        op: OutboxOp,
        changes: Iterable[AnyReflectionChange],
        enqueues: Iterable[AnyWork] = (),
        *,
        read: Iterable[Reflection] = (),
    ) -> None:
        """Commit work. What it changes of the reflections that were `read` must be as it was then."""
        made = tuple(changes)
        changed = {change.reflection.id for change in made}
        await self.commit(
            Commit(
                actor=self.role,
                cause=_cause(op),
                changes=made,
                settles=(op.id,),
                enqueues=tuple(enqueues),
                expects=tuple(one for one in read if one.id in changed),
            )
        )

    async def _catch_up(self) -> None:
        """Take into the picture what was committed since."""
        if self._reflects_seq is None:
            seq, facts = await self.world.journal.snapshot()
            for reflection in await self.world.journal.records(Reflection):
                self._pool.take_reflection(reflection)
            for erasure in await self.world.journal.records(Erasure):
                self._pool.settle(erasure.settled)
            for fact in facts:
                self._pool.take_fact(fact)
            self._reflects_seq = seq
        elif self._reflects_seq < self.world.journal.last_seq:
            for event in await self.world.journal.events(after=self._reflects_seq):
                if event.change is not None:
                    self._take(record_of(event.change))
                self._reflects_seq = event.seq

    def _take(self, record: object) -> None:
        match record:
            case Fact():
                self._pool.take_fact(record)
            case Reflection():
                self._pool.take_reflection(record)


def owner_names(profile: Profile) -> tuple[str, ...]:
    """Return what the owner is called."""
    return (profile.owner,) if profile.owner else ()


def _cause(op: OutboxOp) -> OpId | str:
    """Return what led to a piece of work: the turn that brought something up, or else the op."""
    return op.work.turn if isinstance(op.work, RecordSurfaced) else op.id
