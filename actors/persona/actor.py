"""The persona role, writer of the persona entries.

Takes `RunOp` for `SyncCard`, `CountMentions`, `JudgePersona`, `DisputeEntries`, `Promote`, `ResolveContradiction`,
`Refine` and `CorrectPersona` (replies `OpDone`).
What such work changes of a reflection it has the reflection role prepare (`PrepareMentions`,
`PreparePromotion`), and commits both parts with the settling of the op. The reflection role never asks this one,
so that the two can't wait for each other.

It holds no state: entries are read from the journal for each piece of work. Restart: permanent.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import ClassVar

import trio
from msgspec import Struct
from msgspec.structs import replace

from ...protocols.errors import DefectError, ModelError, ModelOutputError
from ...protocols.events import AnyChange, PersonaEntryChanged
from ...protocols.evidence import Signal
from ...protocols.messages import (
    Commit,
    OpDone,
    Prepared,
    PrepareMentions,
    PreparePromotion,
    ReflectionMentions,
    RunOp,
)
from ...protocols.records import (
    EntryId,
    Fact,
    OpId,
    PersonaEntry,
    Profile,
    Reflection,
    ReflectionStatus,
    Rejection,
)
from ...protocols.records import Role as Side
from ...protocols.scopes import PRIVATE
from ...protocols.tasks import CorrectRequest, MergeRequest, SignalRequest
from ...protocols.work import (
    AnyWork,
    CorrectPersona,
    CountMentions,
    DisputeEntries,
    JudgePersona,
    OpState,
    OutboxOp,
    Promote,
    Refine,
    RejectValue,
    ResolveContradiction,
    SyncCard,
)
from ..refinement.asking import held_to, refined_by_a_mind
from ..refinement.changes import entries_refined
from ..refinement.clusters import may_be_refined
from ..refinement.held import standing
from ..reflection.lifecycle import Step, promotion_due
from ..role import Role
from ..signals.judgements import may_move_evidence
from ..signals.pool import pool
from ..signals.stage_two import held_to_the_question, shown_beliefs, shown_facts
from .card import card_changes
from .deciding import Pair, Setting, asked, corrections, decided
from .judging import EntrySignal, judged, plain_signals, seen_by_a_mind, takes_signals
from .mentioning import brought_up_by
from .promotion import Promotion, corrected, mergeable, promoted, settled_by_rule

logger = logging.getLogger(__name__)


class Done(Struct, frozen=True, kw_only=True):
    """What a piece of work comes to: changes, what they were made of, what follows, and what is done with it."""

    changes: tuple[AnyChange, ...] = ()
    expects: tuple[Reflection | PersonaEntry, ...] = ()
    enqueues: tuple[AnyWork, ...] = ()
    settles: tuple[OpId, ...] = ()


class Persona(Role):
    """Keeps what is lastingly known."""

    role: ClassVar[str] = "persona"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (RunOp,)

    async def receive(self, message: RunOp) -> OpDone:
        """Do one piece of work and settle it."""
        self.reach("received")
        await self.redone(lambda: self._run(message.op))
        return OpDone()

    async def _run(self, op: OutboxOp) -> None:
        match op.work:
            case SyncCard():
                done, cause = await self._card_synced(), str(op.id)
            case CountMentions(turn=turn):
                done, cause = await self._mentions(op.work), str(turn)
            case JudgePersona(turn=turn):
                done, cause = await self._judged(op.work), str(turn)
            case DisputeEntries(turn=turn):
                done, cause = await self._disputed(op.work), str(turn)
            case Promote(reflection=reflection):
                done, cause = await self._promotion(op.work), str(reflection)
            case ResolveContradiction(reflection=reflection):
                done, cause = await self._resolve(op, op.work), str(reflection)
            case Refine():
                done, cause = await self._refined(op.work), str(op.id)
            case CorrectPersona(rejection=rejection):
                done, cause = await self._corrections(op.work), str(rejection)
            case work:
                raise DefectError(f"persona was given {work.key}")
        await self.commit(
            Commit(
                actor=self.role,
                cause=cause,
                changes=done.changes,
                settles=done.settles or (op.id,),
                enqueues=done.enqueues,
                expects=done.expects,
            )
        )

    async def _card_synced(self) -> Done:
        profile, entries = await self.world.journal.profile(), await self.world.journal.records(PersonaEntry)
        return _done(card_changes(profile.card, entries, self.world.clock.now()), entries)

    # --- promotion -------------------------------------------------------------------------------

    async def _promotion(self, work: Promote) -> Done:
        """Return the persona's part of a promotion with the reflection's; nothing where it isn't due any more."""
        journal, settings, now = self.world.journal, self.world.settings, self.world.clock.now()
        reflection, profile = await journal.record(Reflection, work.reflection), await journal.profile()
        if reflection is None or not promotion_due(
            reflection, now, settings.reflections, settings.evidence, weak_since=profile.weak_since
        ):
            return Done()
        entries, held_to = await journal.records(PersonaEntry), await self._held_to(profile)
        if profile.weak_since is not None or reflection.subject != PRIVATE:
            decision = promoted(
                reflection, entries, held_to.rejections, now, settings.evidence, names=held_to.names
            )
            return await self._stepped(reflection, decision, entries)
        settled = settled_by_rule(reflection, entries, held_to.rejections, names=held_to.names)
        if settled is not None:
            return await self._stepped(reflection, settled, entries)
        own = mergeable(reflection, entries)
        shown = shown_beliefs(
            own,
            now,
            settings.evidence,
            settings.signals.model_copy(update={"pool_tokens": settings.reflections.merge_tokens}),
        )
        offered = {belief.target.id for belief in shown}
        try:
            answer = await self.world.model.merge(MergeRequest(reflection=reflection, pool=shown, profile=profile))
            decision = decided(answer, reflection, [one for one in own if one.id in offered], held_to)
        except ModelError as error:
            # A mind that fails never promotes by default: the attempt is counted, and the last one blocks.
            logger.warning("persona.undecided", extra={"error": type(error).__name__})
            prepared = await self._prepared(reflection, reason="", failed=True)
            return Done(changes=prepared.changes, expects=prepared.expects)
        if decision.against is not None:
            found = ResolveContradiction(entry=decision.against, reflection=reflection.id, at=reflection.status_at)
            return Done(enqueues=(found,), expects=(reflection,))
        return await self._stepped(reflection, decision, entries)

    async def _resolve(self, op: OutboxOp, work: ResolveContradiction) -> Done:
        """Return what is decided on contradictions, this one among them, and the work that is done with it.

        Raises:
            ModelError: if the mind decides nothing on this one.
        """
        journal, settings, profile = self.world.journal, self.world.settings, await self.world.journal.profile()
        mine = await self._pair(work)
        if mine is None or profile.weak_since is not None:
            return Done()
        pairs, ops = [mine], [op.id]
        for other in await journal.ops(states=(OpState.PENDING,)):
            if isinstance(other.work, ResolveContradiction) and other.id != op.id:
                pair = await self._pair(other.work)
                distinct = pair is not None and all(
                    pair.entry.id != one.entry.id and pair.reflection.id != one.reflection.id for one in pairs
                )
                if pair is not None and distinct and len(pairs) < settings.reflections.corrections:
                    pairs.append(pair)
                    ops.append(other.id)
        request = CorrectRequest(pairs=tuple(asked(pair) for pair in pairs), profile=profile)
        found, dropped = corrections(await self.world.model.correct(request), pairs, await self._held_to(profile))
        if dropped:
            logger.warning("persona.corrections_dropped", extra={"kept": len(found), "dropped": dropped})
        if 0 not in found:
            raise ModelOutputError(f"the model decided nothing on the first of {len(pairs)} contradictions")
        changes: list[AnyChange] = []
        expects: list[Reflection | PersonaEntry] = []
        for place, one in sorted(found.items()):
            pair = pairs[place]
            step = await self._stepped(pair.reflection, one.promotion, (pair.entry,))
            if step.changes:
                made = _done((*one.changes, *step.changes), (pair.entry,))
                changes += made.changes
                expects += (*made.expects, *(read for read in step.expects if read not in made.expects))
        settles = tuple(ops[place] for place in sorted(found))
        return Done(changes=tuple(changes), expects=tuple(expects), settles=settles)

    async def _pair(self, work: ResolveContradiction) -> Pair | None:
        """Return what contradicts each other, if both still stand."""
        entry = await self.world.journal.record(PersonaEntry, work.entry)
        reflection = await self.world.journal.record(Reflection, work.reflection)
        if entry is None or not takes_signals(entry) or reflection is None:
            return None
        if reflection.status is not ReflectionStatus.CONFIRMED:
            return None
        return Pair(entry=entry, reflection=reflection)

    async def _held_to(self, profile: Profile) -> Setting:
        settings = self.world.settings
        return Setting(
            now=self.world.clock.now(),
            weights=settings.evidence,
            rejections=await self.world.journal.records(Rejection),
            names=_owner(profile),
            max_chars=settings.limits.text_chars,
        )

    async def _stepped(self, reflection: Reflection, decision: Promotion, entries: Iterable[PersonaEntry]) -> Done:
        """Return both parts of a promotion, or nothing where the reflection doesn't stand there any more."""
        if decision.step is None:
            return Done()
        prepared = await self._prepared(
            reflection,
            reason=decision.reason,
            absorbed_into=decision.absorbed_into,
            merges=decision.step is Step.MERGE,
        )
        if not prepared.changes or decision.change is None:
            return Done(changes=prepared.changes, expects=prepared.expects)
        own = _done((decision.change,), entries)
        return Done(changes=(*own.changes, *prepared.changes), expects=(*own.expects, *prepared.expects))

    async def _prepared(
        self,
        reflection: Reflection,
        *,
        reason: str,
        absorbed_into: EntryId | None = None,
        merges: bool = False,
        failed: bool = False,
    ) -> Prepared:
        request = PreparePromotion(
            reflection=reflection.id,
            seen=reflection,
            reason=reason,
            absorbed_into=absorbed_into,
            merges=merges,
            failed=failed,
        )
        return await self.ask("reflection", request, timeout_s=self.world.settings.actors.reply_timeout_s)

    # --- refinement ------------------------------------------------------------------------------

    async def _refined(self, work: Refine) -> Done:
        """Return what a mind changes about entries that are close to each other, as far as it may."""
        known = [await self.world.journal.record(PersonaEntry, one) for one in work.members]
        cluster = [one for one in known if one is not None and may_be_refined(one)]
        if len(cluster) < 2:
            return Done()
        changes = await refined_by_a_mind(self.world, cluster)
        held = await held_to(self.world, cluster)
        kept = standing(changes, cluster, held)
        if len(kept) < len(changes):
            logger.info(
                "persona.refinements_dropped", extra={"kept": len(kept), "dropped": len(changes) - len(kept)}
            )
        return _done(entries_refined(kept, cluster, held), cluster)

    # --- what words do to entries ----------------------------------------------------------------

    async def _judged(self, work: JudgePersona) -> Done:
        """Return how new facts move the entries, and that what they deny is rejected.

        Without strong memory they move nothing, and reject all the same: a correction lasts.
        """
        journal = self.world.journal
        profile = await journal.profile()
        turn, entries = await journal.turn(work.turn), await journal.records(PersonaEntry)
        if turn is None or not entries or not may_move_evidence(turn):
            return Done()
        facts = tuple((await journal.facts_by_id(work.facts)).values())
        signals = plain_signals(entries, facts, names=_owner(profile))
        if profile.weak_since is None:
            signals = await self._seen(entries, facts, signals, profile)
        found = judged(entries, signals, self.world.clock.now(), self.world.settings.evidence)
        changes = [PersonaEntryChanged(entry=one.entry) for one in found if profile.weak_since is None]
        denied = [one.entry for one in found if one.denied]
        rejects = (
            RejectValue(text=one.text, entity=one.entity, subject=one.subject, cause=work.turn) for one in denied
        )
        return replace(_done(changes, entries), enqueues=tuple(rejects))

    async def _seen(
        self,
        entries: Iterable[PersonaEntry],
        facts: Iterable[Fact],
        plain: tuple[EntrySignal, ...],
        profile: Profile,
    ) -> tuple[EntrySignal, ...]:
        """Return what a mind sees the facts say of the entries of their subject."""
        new = shown_facts(facts, self.world.settings.signals)
        places = {fact.subject for fact in new}
        known = [entry for entry in entries if takes_signals(entry) and entry.subject in places]
        shown = await pool(self.world, known, new, profile)
        if not shown:
            return plain
        answer = await self.world.model.signal(SignalRequest(facts=new, beliefs=shown, profile=profile))
        held = held_to_the_question(answer, new, shown)
        if dropped := held.invented + held.repeated + held.contradictory + held.misplaced:
            logger.warning("persona.signals_dropped", extra={"kept": len(held.kept), "dropped": dropped})
        return seen_by_a_mind(held, plain)

    async def _disputed(self, work: DisputeEntries) -> Done:
        """Return the entries after the person made plain that they don't want to be told them."""
        signals = [EntrySignal(entry, work.turn, Signal.KEYWORD_REBUTS) for entry in work.entries]
        entries = [one for one in await self.world.journal.records(PersonaEntry) if takes_signals(one)]
        found = judged(entries, signals, self.world.clock.now(), self.world.settings.evidence)
        return _done((PersonaEntryChanged(entry=one.entry) for one in found), entries)

    async def _corrections(self, work: CorrectPersona) -> Done:
        journal = self.world.journal
        rejection = await journal.record(Rejection, work.rejection)
        if rejection is None:
            return Done()
        names, now = _owner(await journal.profile()), self.world.clock.now()
        changes: list[AnyChange] = []
        entries = await journal.records(PersonaEntry)
        for entry in entries:
            moved = corrected(entry, rejection, now, names=names)
            if moved != entry:
                changes.append(PersonaEntryChanged(entry=moved))
        return _done(changes, entries)

    async def _mentions(self, work: CountMentions) -> Done:
        journal, settings = self.world.journal, self.world.settings
        turn = await journal.turn(work.turn)
        entries, reflections = await journal.records(PersonaEntry), await journal.records(Reflection)
        if turn is None or turn.role is not Side.CHARACTER or not (entries or reflections):
            return Done()
        names = [name for name in ((await journal.profile()).owner, self.world.character) if name]
        brought_up = await trio.to_thread.run_sync(
            lambda: brought_up_by(turn, entries, reflections, settings.mentions, names=names)
        )
        own = _done((PersonaEntryChanged(entry=entry) for entry in brought_up.entries), entries)
        if brought_up.reflections:
            prepared = await self.ask(
                "reflection",
                PrepareMentions(
                    brought_up=tuple(
                        ReflectionMentions(reflection=one.id, mentions=one.mentions)
                        for one in brought_up.reflections
                    )
                ),
                timeout_s=settings.actors.reply_timeout_s,
            )
            own = Done(changes=(*own.changes, *prepared.changes), expects=(*own.expects, *prepared.expects))
        return own


def _done(changes: Iterable[AnyChange], entries: Iterable[PersonaEntry]) -> Done:
    """Return changes of entries, each of which must be as it was read."""
    made = tuple(changes)
    changed = {change.entry.id for change in made if isinstance(change, PersonaEntryChanged)}
    return Done(changes=made, expects=tuple(entry for entry in entries if entry.id in changed))


def _owner(profile: Profile) -> tuple[str, ...]:
    return (profile.owner,) if profile.owner else ()
