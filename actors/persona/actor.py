"""The persona role, writer of the persona entries.

Takes `RunOp` for `SyncCard`, `CountMentions`, `JudgePersona`, `DisputeEntries`, `Promote` and `CorrectPersona`
(replies `OpDone`).
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

from ...protocols.errors import DefectError
from ...protocols.events import AnyChange, PersonaEntryChanged
from ...protocols.evidence import Signal
from ...protocols.messages import Commit, OpDone, PrepareMentions, PreparePromotion, ReflectionMentions, RunOp
from ...protocols.records import (
    AnyWork,
    CorrectPersona,
    CountMentions,
    DisputeEntries,
    Fact,
    JudgePersona,
    PersonaEntry,
    Profile,
    Promote,
    Reflection,
    Rejection,
    RejectValue,
    SyncCard,
    work_key,
)
from ...protocols.records import Role as Side
from ...protocols.tasks import SignalRequest
from ..reflection.lifecycle import Step, promotion_due
from ..role import Role
from ..signals.judgements import may_move_evidence
from ..signals.stage_two import held_to_the_question, shown_beliefs, shown_facts
from .card import card_changes
from .judging import EntrySignal, judged, plain_signals, seen_by_a_mind, takes_signals
from .mentioning import brought_up_by
from .promotion import corrected, promoted

logger = logging.getLogger(__name__)


class Persona(Role):
    """Keeps what is lastingly known."""

    role: ClassVar[str] = "persona"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (RunOp,)

    async def receive(self, message: RunOp) -> OpDone:
        """Do one piece of work and settle it."""
        op = message.op
        enqueues: tuple[AnyWork, ...] = ()
        self.reach("received")
        match op.work:
            case SyncCard():
                changes, cause = await self._card_changes(), str(op.id)
            case CountMentions(turn=turn):
                changes, cause = await self._mentions(op.work), str(turn)
            case JudgePersona(turn=turn):
                changes, enqueues = await self._judged(op.work)
                cause = str(turn)
            case DisputeEntries(turn=turn):
                changes, cause = await self._disputed(op.work), str(turn)
            case Promote(reflection=reflection):
                changes, cause = await self._promotion(op.work), str(reflection)
            case CorrectPersona(rejection=rejection):
                changes, cause = await self._corrections(op.work), str(rejection)
            case work:
                raise DefectError(f"persona was given {work_key(work)}")
        await self.commit(
            Commit(actor=self.role, cause=cause, changes=changes, settles=(op.id,), enqueues=enqueues)
        )
        return OpDone()

    async def _card_changes(self) -> tuple[AnyChange, ...]:
        profile = await self.world.journal.profile()
        return card_changes(profile.card, await self.world.journal.records(PersonaEntry), self.world.clock.now())

    async def _promotion(self, work: Promote) -> tuple[AnyChange, ...]:
        """Return the persona's part of a promotion with the reflection's; nothing where it isn't due any more."""
        journal, settings, now = self.world.journal, self.world.settings, self.world.clock.now()
        reflection, profile = await journal.record(Reflection, work.reflection), await journal.profile()
        if reflection is None or not promotion_due(
            reflection, now, settings.reflections, settings.evidence, weak_since=profile.weak_since
        ):
            return ()
        decided = promoted(
            reflection,
            await journal.records(PersonaEntry),
            await journal.records(Rejection),
            now,
            settings.evidence,
            names=_owner(profile),
        )
        if decided.step is None:
            return ()
        prepared = await self.ask(
            "reflection",
            PreparePromotion(
                reflection=reflection.id,
                reason=decided.reason,
                absorbed_into=decided.absorbed_into,
                merges=decided.step is Step.MERGE,
            ),
            timeout_s=settings.actors.reply_timeout_s,
        )
        if not prepared.changes or decided.change is None:
            return prepared.changes
        return (decided.change, *prepared.changes)

    async def _judged(self, work: JudgePersona) -> tuple[tuple[AnyChange, ...], tuple[AnyWork, ...]]:
        """Return how new facts move the entries, and that what they deny is rejected.

        Without strong memory they move nothing, and reject all the same: a correction lasts.
        """
        journal = self.world.journal
        profile = await journal.profile()
        turn, entries = await journal.turn(work.turn), await journal.records(PersonaEntry)
        if turn is None or not entries or not may_move_evidence(turn):
            return (), ()
        facts = tuple((await journal.facts_by_id(work.facts)).values())
        signals = plain_signals(entries, facts, names=_owner(profile))
        if profile.weak_since is None:
            signals = await self._seen(entries, facts, signals, profile)
        found = judged(entries, signals, self.world.clock.now(), self.world.settings.evidence)
        changes = [PersonaEntryChanged(entry=one.entry) for one in found if profile.weak_since is None]
        return tuple(changes), tuple(
            RejectValue(text=one.entry.text, entity=one.entry.entity, subject=one.entry.subject, cause=work.turn)
            for one in found
            if one.denied
        )

    async def _seen(
        self,
        entries: Iterable[PersonaEntry],
        facts: Iterable[Fact],
        plain: tuple[EntrySignal, ...],
        profile: Profile,
    ) -> tuple[EntrySignal, ...]:
        """Return what a mind sees the facts say of the entries of their subject."""
        settings = self.world.settings
        new = shown_facts(facts, settings.signals)
        places = {fact.subject for fact in new}
        known = [entry for entry in entries if takes_signals(entry) and entry.subject in places]
        shown = shown_beliefs(known, self.world.clock.now(), settings.evidence, settings.signals)
        if not shown:
            return plain
        answer = await self.world.model.signal(SignalRequest(facts=new, beliefs=shown, profile=profile))
        held = held_to_the_question(answer, new, shown)
        if dropped := held.invented + held.repeated + held.contradictory + held.misplaced:
            logger.warning("persona.signals_dropped", extra={"kept": len(held.kept), "dropped": dropped})
        return seen_by_a_mind(held, plain)

    async def _disputed(self, work: DisputeEntries) -> tuple[AnyChange, ...]:
        """Return the entries after the person made plain that they don't want to be told them."""
        signals = [EntrySignal(entry, work.turn, Signal.KEYWORD_REBUTS) for entry in work.entries]
        entries = [one for one in await self.world.journal.records(PersonaEntry) if takes_signals(one)]
        found = judged(entries, signals, self.world.clock.now(), self.world.settings.evidence)
        return tuple(PersonaEntryChanged(entry=one.entry) for one in found)

    async def _corrections(self, work: CorrectPersona) -> tuple[AnyChange, ...]:
        journal = self.world.journal
        rejection = await journal.record(Rejection, work.rejection)
        if rejection is None:
            return ()
        names, now = _owner(await journal.profile()), self.world.clock.now()
        changes: list[AnyChange] = []
        for entry in await journal.records(PersonaEntry):
            moved = corrected(entry, rejection, now, names=names)
            if moved != entry:
                changes.append(PersonaEntryChanged(entry=moved))
        return tuple(changes)

    async def _mentions(self, work: CountMentions) -> tuple[AnyChange, ...]:
        journal, settings = self.world.journal, self.world.settings
        turn = await journal.turn(work.turn)
        entries, reflections = await journal.records(PersonaEntry), await journal.records(Reflection)
        if turn is None or turn.role is not Side.CHARACTER or not (entries or reflections):
            return ()
        names = [name for name in ((await journal.profile()).owner, self.world.character) if name]
        brought_up = await trio.to_thread.run_sync(
            lambda: brought_up_by(turn, entries, reflections, settings.mentions, names=names)
        )
        changes: list[AnyChange] = [PersonaEntryChanged(entry=entry) for entry in brought_up.entries]
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
            changes += prepared.changes
        return tuple(changes)


def _owner(profile: Profile) -> tuple[str, ...]:
    return (profile.owner,) if profile.owner else ()
