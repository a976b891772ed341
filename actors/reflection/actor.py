"""The reflection role, writer of the reflections.

Takes `RunOp` for `Synthesise`, `Refine`, `RecordSurfaced`, `FollowRejection` and `Sweep` (replies `OpDone`), and
`ApplySignals` from signals (replies `SignalsApplied`), `PrepareMentions` and `PreparePromotion` from persona
(replies `Prepared`, which persona commits), `OfferMemories` (replies what may be brought up) and `Decide` from the
host (replies `Decided`; it sends `Decide` to dedup to have rejections lifted).

A mind that makes a judgement is waited for beside the mailbox, and what it made comes back as a message of this
role to itself (`Conclude`, `ConcludeRefinement`), so that a person who decides on a reflection waits for no mind.

It holds a picture of the facts that no reflection rests on yet, and the seq of the journal that the picture
reflects; a crash loses nothing, since it is drawn anew from the journal. Each piece of work is one commit that
changes reflections, queues what follows and settles its op. Restart: permanent.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, assert_never

from msgspec.structs import replace

from ...protocols.erasure import Erasure
from ...protocols.errors import (
    ChangedMeanwhileError,
    DefectError,
    InvalidTextError,
    ModelOutputError,
    NotFoundError,
)
from ...protocols.events import (
    AnyReflectionChange,
    ReflectionEvidenceUpdated,
    ReflectionStateChanged,
    ReflectionSurfaced,
    ReflectionSynthesised,
    record_of,
)
from ...protocols.evidence import Signal
from ...protocols.facts import speaker_key
from ...protocols.messages import (
    ApplySignals,
    Commit,
    Decide,
    Decided,
    Delivery,
    OpDone,
    Prepared,
    PrepareMentions,
    PreparePromotion,
    RunOp,
    SignalsApplied,
)
from ...protocols.ports import Synthesis, SynthesiseRequest
from ...protocols.provenance import provenance_of
from ...protocols.records import Fact, FactId, OpId, Profile, Reflection, ReflectionStatus, Rejection
from ...protocols.rejections import holds_back
from ...protocols.scopes import Subject
from ...protocols.text import check_text
from ...protocols.work import (
    AnyWork,
    FollowRejection,
    OutboxOp,
    Promote,
    RecordSurfaced,
    Refine,
    RejectValue,
    Sweep,
    Synthesise,
    work_key,
)
from ..dedup.forgetting import is_forgotten
from ..refinement.asking import held_to, refined_by_a_mind
from ..refinement.changes import reflections_refined
from ..refinement.clusters import may_be_refined
from ..refinement.held import standing
from ..role import Peer, Role, Surroundings, delivered
from ..trust.identifying import persons_among
from .answers import affirmed_again, brought_up, held_back, signalled, swept, told_once
from .following import followed
from .grounding import rests_on_facts
from .lifecycle import ACTIVE, Step, attempted, block_due, promotion_due, stepped
from .messages import Conclude, ConcludeRefinement, OfferedMemory, OfferMemories
from .offering import offer
from .pool import FactPool
from .related import related_facts
from .synthesis import batch, synthesised

logger = logging.getLogger(__name__)

FACT_ID: Final = "fact_"
"""How the ids of facts begin, which a line may bring up too; nobody's answer to a fact is judged."""

REJECTING = frozenset({Signal.DENIED, Signal.FACT_NEGATES})
"""Signals by which the person's words reject what a reflection says, and not only that it was brought up."""


class Reflector(Role):
    """Makes judgements of facts, and moves them by what the person says."""

    role: ClassVar[str] = "reflection"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (
        RunOp,
        ApplySignals,
        PrepareMentions,
        PreparePromotion,
        Decide,
        OfferMemories,
        Conclude,
        ConcludeRefinement,
    )

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._pool = FactPool(world.settings.reflections.min_importance)
        self._reflects_seq: int | None = None

    async def receive(  # noqa: PLR0911 - one message a branch
        self,
        message: RunOp
        | ApplySignals
        | PrepareMentions
        | PreparePromotion
        | Decide
        | OfferMemories
        | Conclude
        | ConcludeRefinement,
    ) -> OpDone | SignalsApplied | Prepared | Decided | tuple[OfferedMemory, ...] | None:
        """Do one piece of work and settle it; raises `ModelError` where the mind gives no usable judgement."""
        self.reach("received")
        match message:
            case RunOp(op=op) if isinstance(op.work, Synthesise):
                return await self._begin_synthesis(op, op.work)
            case RunOp(op=op) if isinstance(op.work, Refine):
                self.answer_later(partial(self._refine, op, op.work))
                return None
            case ConcludeRefinement():
                return await self._refined(message)
            case RunOp(op=op):
                return await self.redone(lambda: self._run(op))
            case Conclude():
                return await self._conclude(message)
            case ApplySignals():
                return await self.redone(lambda: self._apply(message))
            case PrepareMentions() | PreparePromotion():
                return await self._prepare(message)
            case Decide():
                return await self._decide(message)
            case OfferMemories():
                return await offer(self.world, message)
            case _:
                assert_never(message)

    async def _prepare(self, message: PrepareMentions | PreparePromotion) -> Prepared:
        if isinstance(message, PrepareMentions):
            return await self._mentioned(message)
        return await self._promoted(message)

    async def _run(self, op: OutboxOp) -> OpDone:
        match op.work:
            case RecordSurfaced():
                await self._surfaced(op, op.work)
            case FollowRejection():
                await self._follow(op, op.work)
            case Sweep():
                await self._sweep(op)
            case work:
                raise DefectError(f"reflection was given {work_key(work)}")
        return OpDone()

    # --- signals ---------------------------------------------------------------------------------

    async def _apply(self, message: ApplySignals) -> SignalsApplied:
        """Apply signals, reject what was denied, and see whether enough facts are fresh: one commit."""
        weak_since = (await self.world.journal.profile()).weak_since
        reflections: dict[str, Reflection] = {}
        read: dict[str, Reflection] = {}
        changes: list[AnyReflectionChange] = []
        rejects: list[AnyWork] = []
        for one in message.signals:
            reflection = reflections.get(one.reflection) or await self.world.journal.record(
                Reflection, one.reflection
            )
            if reflection is None or reflection.status not in ACTIVE:
                continue
            read.setdefault(reflection.id, reflection)
            if one.signal in REJECTING:
                rejects.append(_rejecting(reflection, message.turn))
            if message.rejects:
                continue
            moved = self._signalled(reflection, one.signal, one.reason, weak_since)
            reflections[moved.id] = moved
            changes.append(ReflectionEvidenceUpdated(reflection=moved, signal=one.signal.value))
        await self._catch_up()
        committed = await self.commit(
            Commit(
                actor=self.role,
                cause=message.turn,
                changes=tuple(changes),
                settles=(message.op,),
                enqueues=(
                    *message.enqueues,
                    *rejects,
                    *self._promotions_due(reflections.values(), weak_since),
                    *self._synthesis_due(message.subject),
                ),
                expects=tuple(read.values()),
            ),
        )
        return SignalsApplied(applied=len(changes), already_settled=committed.repeated)

    async def _decide(self, message: Decide) -> Decided:
        """Deny a reflection and reject what it says, or affirm it and have every rejection of it lifted."""
        cause = f"request_{self.world.new_id()}"
        if message.affirms:
            return await self._affirm(message.record, cause)
        await self.redone(lambda: self._deny(message, cause))
        return Decided(records=(message.record,))

    async def _named(self, record: str) -> Reflection:
        reflection = await self.world.journal.record(Reflection, record)
        if reflection is None:
            raise NotFoundError(f"no reflection {record!r}; `omoide reflections NAME` lists them")
        return reflection

    async def _deny(self, message: Decide, cause: str) -> None:
        reflection = moved = await self._named(message.record)
        if reflection.status in ACTIVE:
            weak_since = (await self.world.journal.profile()).weak_since
            moved = self._signalled(reflection, Signal.DENIED, cause, weak_since)
        await self._commit_decision(
            reflection,
            moved,
            Signal.DENIED.value,
            cause,
            enqueues=(_rejecting(moved, cause),),
            delivery=message.delivery,
        )

    async def _affirm(self, record: str, cause: str) -> Decided:
        profile = await self.world.journal.profile()
        rejections = await self._rejections_of(await self._named(record), _names(profile))
        for rejection in rejections:
            # Others that say the same follow by the work that dedup queues with it; this one doesn't wait for it.
            await self.ask(
                "dedup",
                Decide(record=rejection.id, affirms=True),
                timeout_s=self.world.settings.actors.reply_timeout_s,
            )
        await self.redone(lambda: self._affirmed(record, cause, profile.weak_since))
        return Decided(records=(record, *(rejection.id for rejection in rejections)))

    async def _affirmed(self, record: str, cause: str, weak_since: float | None) -> None:
        reflection, settings = await self._named(record), self.world.settings
        moved = affirmed_again(
            reflection,
            self.world.clock.now(),
            settings.reflections,
            settings.evidence,
            reason=cause,
            weak_since=weak_since,
        )
        await self._commit_decision(reflection, moved, "affirmed", cause)

    async def _commit_decision(
        self,
        read: Reflection,
        moved: Reflection,
        signal: str,
        cause: str,
        *,
        enqueues: tuple[AnyWork, ...] = (),
        delivery: Delivery | None = None,
    ) -> None:
        change = ReflectionEvidenceUpdated(reflection=moved, signal=signal)
        commit = Commit(actor=self.role, cause=cause, changes=(change,), enqueues=enqueues, expects=(read,))
        await self.commit(delivered(commit, delivery))

    def _signalled(
        self, reflection: Reflection, signal: Signal, reason: str, weak_since: float | None
    ) -> Reflection:
        settings = self.world.settings
        return signalled(
            reflection,
            signal,
            self.world.clock.now(),
            settings.reflections,
            settings.evidence,
            reason=reason,
            weak_since=weak_since,
        )

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
        rejections = await self._rejections_of(reflection, _names(profile))
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

    # --- what else moves reflections -------------------------------------------------------------

    async def _surfaced(self, op: OutboxOp, work: RecordSurfaced) -> None:
        turn = await self.world.journal.turn(work.turn)
        if turn is None:
            await self._settle(op, ())
            return
        named = {name for name in work.surfaced if not name.startswith(FACT_ID)}
        beliefs = await self._beliefs(turn.subject)
        raised = brought_up(
            named,
            beliefs,
            turn.id,
            self.world.clock.now(),
            self.world.settings.reflections,
        )
        if len(raised) < len(named):
            logger.warning(
                "reflection.unknown_surfaced",
                extra={"turn": turn.id, "named": len(named), "found": len(raised)},
            )
        await self._settle(op, [ReflectionSurfaced(reflection=one) for one in raised], read=beliefs)

    async def _promoted(self, message: PreparePromotion) -> Prepared:
        reflection = await self.world.journal.record(Reflection, message.reflection)
        if reflection is None or reflection.status is not ReflectionStatus.CONFIRMED:
            return Prepared()
        if _differs(reflection, message.seen):
            raise ChangedMeanwhileError(f"{reflection.id} changed since it was decided on: decide again")
        if message.failed:
            tried = ReflectionStateChanged(reflection=self._attempted(reflection))
            return Prepared(changes=(tried,), expects=(reflection,))
        taken = Step.MERGE if message.merges else Step.PROMOTE
        moved = stepped(
            reflection,
            Step.DENY if message.absorbed_into is None else taken,
            self.world.clock.now(),
            reason=message.reason,
            absorbed_into=message.absorbed_into,
        )
        return Prepared(changes=(ReflectionStateChanged(reflection=moved),), expects=(reflection,))

    def _attempted(self, reflection: Reflection) -> Reflection:
        now = self.world.clock.now()
        tried = attempted(reflection, now)
        if not block_due(tried, self.world.settings.reflections):
            return tried
        return stepped(tried, Step.BLOCK, now, reason=f"no mind could decide in {tried.promote_attempts} attempts")

    def _promotions_due(self, reflections: Iterable[Reflection], weak_since: float | None) -> tuple[Promote, ...]:
        """Return the promotions that are due; each is decided by the persona role."""
        now, settings = self.world.clock.now(), self.world.settings
        return tuple(
            Promote(reflection=one.id, at=now)
            for one in reflections
            if promotion_due(one, now, settings.reflections, settings.evidence, weak_since=weak_since)
        )

    async def _mentioned(self, message: PrepareMentions) -> Prepared:
        read: list[Reflection] = []
        changes: list[AnyReflectionChange] = []
        for one in message.brought_up:
            reflection = await self.world.journal.record(Reflection, one.reflection)
            if reflection is not None and reflection.status in ACTIVE:
                read.append(reflection)
                changes.append(ReflectionSurfaced(reflection=replace(reflection, mentions=one.mentions)))
        return Prepared(changes=tuple(changes), expects=tuple(read))

    async def _follow(self, op: OutboxOp, work: FollowRejection) -> None:
        rejection = await self.world.journal.record(Rejection, work.rejection)
        if rejection is None:
            await self._settle(op, ())
            return
        settings = self.world.settings
        profile = await self.world.journal.profile()
        changes: list[AnyReflectionChange] = []
        known = await self.world.journal.records(Reflection)
        for reflection in known:
            moved = followed(
                reflection,
                rejection,
                _names(profile),
                self.world.clock.now(),
                settings.reflections,
                settings.evidence,
                weak_since=profile.weak_since,
            )
            if moved != reflection:
                signal = "rejected" if rejection.lifted_at is None else "affirmed"
                changes.append(ReflectionEvidenceUpdated(reflection=moved, signal=signal))
        await self._settle(op, changes, read=known)

    async def _sweep(self, op: OutboxOp) -> None:
        settings = self.world.settings
        weak_since = (await self.world.journal.profile()).weak_since
        changes: list[AnyReflectionChange] = []
        looked_at: list[Reflection] = []
        known = await self.world.journal.records(Reflection)
        for reflection in known:
            moved = swept(
                reflection,
                self.world.clock.now(),
                settings.reflections,
                settings.evidence,
                weak_since=weak_since,
            )
            if moved.status is not reflection.status:
                changes.append(ReflectionStateChanged(reflection=moved))
            elif moved != reflection:
                changes.append(ReflectionEvidenceUpdated(reflection=moved, signal="negative_day"))
            looked_at.append(moved)
        await self._settle(op, changes, self._promotions_due(looked_at, weak_since), read=known)

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


def _cause(op: OutboxOp) -> OpId | str:
    """Return what led to a piece of work: the turn that brought something up, or else the op."""
    return op.work.turn if isinstance(op.work, RecordSurfaced) else op.id


def _rejecting(reflection: Reflection, cause: str) -> RejectValue:
    """Return the work that rejects what a reflection says."""
    return RejectValue(text=reflection.text, entity=reflection.entity, subject=reflection.subject, cause=cause)


def _names(profile: Profile) -> tuple[str, ...]:
    return (profile.owner,) if profile.owner else ()


def _differs(now: Reflection, seen: Reflection) -> bool:
    """Return whether what is believed of a reflection is another than when it was decided on."""
    return (now.text, now.evidence, now.status) != (seen.text, seen.evidence, seen.status)
