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
from collections.abc import Iterable
from functools import partial
from typing import ClassVar, Final, assert_never

from msgspec.structs import replace

from ...protocols.errors import (
    ChangedMeanwhileError,
    DefectError,
    NotFoundError,
)
from ...protocols.events import (
    AnyReflectionChange,
    ReflectionEvidenceUpdated,
    ReflectionStateChanged,
    ReflectionSurfaced,
)
from ...protocols.evidence import Signal
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
from ...protocols.records import Reflection, ReflectionStatus, Rejection
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
)
from ..role import delivered
from .answers import affirmed_again, brought_up, signalled, swept
from .following import followed
from .judging import Judging, owner_names
from .lifecycle import ACTIVE, Step, attempted, block_due, promotion_due, stepped
from .messages import Conclude, ConcludeRefinement, OfferedMemory, OfferMemories
from .offering import offer

logger = logging.getLogger(__name__)

FACT_ID: Final = "fact_"
"""How the ids of facts begin, which a line may bring up too; nobody's answer to a fact is judged."""

REJECTING = frozenset({Signal.DENIED, Signal.FACT_NEGATES})
"""Signals by which the person's words reject what a reflection says, and not only that it was brought up."""


class Reflector(Judging):
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
                raise DefectError(f"reflection was given {work.key}")
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
        rejections = await self._rejections_of(await self._named(record), owner_names(profile))
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
                owner_names(profile),
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


def _rejecting(reflection: Reflection, cause: str) -> RejectValue:
    """Return the work that rejects what a reflection says."""
    return RejectValue(text=reflection.text, entity=reflection.entity, subject=reflection.subject, cause=cause)


def _differs(now: Reflection, seen: Reflection) -> bool:
    """Return whether what is believed of a reflection is another than when it was decided on."""
    return (now.text, now.evidence, now.status) != (seen.text, seen.evidence, seen.status)
