"""The signals role (Stage 2): what a person's words do to what is believed.

Takes `RunOp` for `JudgeTurn`, `JudgeFacts` and `CheckRebuttals`, replies `OpDone`; sends `ApplySignals` to
reflection.

It holds the owner's turns since it last looked for rebuttals; a crash costs that the last ones are looked through
again, which denies nothing twice. The op is settled by reflection, in the commit of the signals' effect, so that
words are never marked judged without it; a crash before that leaves the op pending, and it is judged again.
Restart: permanent.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import ClassVar, Final

from msgspec.structs import replace

from ...protocols.errors import DefectError
from ...protocols.messages import ApplySignals, Commit, OpDone, ReflectionSignal, RunOp
from ...protocols.ports import FeedbackRequest
from ...protocols.records import (
    EntryId,
    EntryStatus,
    PersonaEntry,
    Profile,
    Reflection,
    ReflectionStatus,
    Turn,
    TurnId,
)
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.tasks import NegativeTargetsRequest, RebutRequest, SignalRequest, Target, TargetKind
from ...protocols.work import AnyWork, CheckRebuttals, DisputeEntries, JudgeFacts, JudgeTurn, OutboxOp
from ..role import Peer, Role, Surroundings
from .answers import answered, answers_as_signals
from .facts import facts_as_signals
from .judgements import Accepted, may_move_evidence
from .keywords import has_negative_keyword
from .pool import pool
from .rebuttals import rebuttals_as_signals
from .stage_two import held_to_the_question, reflection_signals, shown_beliefs, shown_facts

logger = logging.getLogger(__name__)

ANSWER_WINDOW: Final = 64
"""Turns within which words are an answer to what was brought up; later ones are about something else."""

NOTHING: Final = Accepted(kept=())
"""What stands of an answer that nobody asked for."""


class Signals(Role):
    """Judges the person's words, and has reflection apply what they say."""

    role: ClassVar[str] = "signals"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (RunOp,)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._unchecked: dict[TurnId, None] | None = None

    async def receive(self, message: RunOp) -> OpDone:
        """Judge one turn or the facts of one; raises `ModelError` where the mind gives no usable answer."""
        self.reach("received")
        op = message.op
        match op.work:
            case JudgeTurn():
                await self._judge_turn(op, op.work)
            case JudgeFacts():
                await self._judge_facts(op, op.work)
            case CheckRebuttals():
                await self._check_rebuttals(op, op.work)
            case work:
                raise DefectError(f"signals was given {work.key}")
        return OpDone()

    # --- the words of a turn ---------------------------------------------------------------------

    async def _judge_turn(self, op: OutboxOp, work: JudgeTurn) -> None:
        turn, profile = await self.world.journal.turn(work.turn), await self.world.journal.profile()
        if turn is None or not may_move_evidence(turn):
            await self._settle(op, work.turn)
            return
        offered = await self._answered(turn)
        unwelcome, invented = await self._unwelcome(turn, offered, profile)
        signals: tuple[ReflectionSignal, ...] = ()
        held = NOTHING
        if offered:
            feedback = await self.world.model.judge_feedback(
                FeedbackRequest(turn=turn, reflections=offered, profile=profile)
            )
            signals, held = answers_as_signals(turn, offered, feedback, unwelcome)
        entries = tuple(EntryId(one.id) for one in sorted(unwelcome, key=_id) if one.kind is TargetKind.PERSONA)
        follow: list[AnyWork] = [DisputeEntries(turn=turn.id, entries=entries)] if entries else []
        due = await self._rebuttals_due(turn, profile)
        follow += due
        held = replace(held, invented=held.invented + invented)
        if offered or invented:
            await self._apply(op, turn.id, turn.subject, signals, held, enqueues=follow)
        else:
            await self._settle(op, turn.id, follow)
        if due:  # and not before: what was refused is due with the next attempt
            self._unchecked = {}

    async def _answered(self, turn: Turn) -> tuple[Reflection, ...]:
        """Return the reflections that a turn answers to."""
        waiting = [one for one in await self._beliefs(turn.subject) if one.awaiting is not None]
        if not waiting:
            return ()
        window = await self.world.journal.turns(subjects=(turn.subject,), newest=ANSWER_WINDOW)
        return answered(turn.id, waiting, window)

    async def _unwelcome(
        self, turn: Turn, offered: Iterable[Reflection], profile: Profile
    ) -> tuple[frozenset[Target], int]:
        """Return what was lately brought up and the person doesn't want to be told, and how much was invented.

        A mind is asked only after a negative keyword, and without strong memory not at all.
        """
        if profile.weak_since is not None or not has_negative_keyword(turn.text, profile.locale):
            return frozenset(), 0
        settings, now = self.world.settings, self.world.clock.now()
        entries = [
            one
            for one in await self.world.journal.records(PersonaEntry)
            if one.status is EntryStatus.ACTIVE
            and one.subject == turn.subject
            and not one.evidence.protected
            and any(0 <= now - mention.at < settings.mentions.window_s for mention in one.mentions.recent)
        ]
        candidates = (
            *shown_beliefs(offered, now, settings.evidence, settings.signals),
            *shown_beliefs(entries, now, settings.evidence, settings.signals),
        )
        if not candidates:
            return frozenset(), 0
        window = await self.world.journal.turns(subjects=(turn.subject,), newest=ANSWER_WINDOW)
        said = [
            one for one in window if one.id != turn.id and may_move_evidence(one) and one.said_at <= turn.said_at
        ]
        least = settings.signals.keyword_turns - 1
        answer = await self.world.model.negative_targets(
            NegativeTargetsRequest(
                turns=(*said[len(said) - min(least, len(said)) :], turn), candidates=candidates, profile=profile
            )
        )
        named = [one.target for one in answer]
        shown = {candidate.target for candidate in candidates}
        return frozenset(named) & shown, sum(one not in shown for one in named)

    # --- rebuttals -------------------------------------------------------------------------------

    async def _rebuttals_due(self, turn: Turn, profile: Profile) -> tuple[CheckRebuttals, ...]:
        """Return the look for rebuttals, if enough was said since the last; without strong memory none counts."""
        most = self.world.settings.signals.rebuttal_turns
        if profile.weak_since is not None:
            self._unchecked = {}
            return ()
        if self._unchecked is None:
            window = await self.world.journal.turns(subjects=(turn.subject,), newest=ANSWER_WINDOW)
            said = [one.id for one in window if may_move_evidence(one) and one.heard_at <= turn.heard_at]
            self._unchecked = dict.fromkeys(said[len(said) - min(most - 1, len(said)) :])
        self._unchecked[turn.id] = None
        if len(self._unchecked) < most:
            return ()
        return (CheckRebuttals(turns=tuple(self._unchecked)),)

    async def _check_rebuttals(self, op: OutboxOp, work: CheckRebuttals) -> None:
        profile = await self.world.journal.profile()
        found = [await self.world.journal.turn(turn) for turn in work.turns]
        turns = tuple(turn for turn in found if turn is not None and may_move_evidence(turn))
        confirmed = tuple(one for one in await self._beliefs(PRIVATE) if one.status is ReflectionStatus.CONFIRMED)
        if profile.weak_since is not None or not turns or not confirmed:
            await self._settle(op, work.turns[-1])
            return
        answer = await self.world.model.rebut(RebutRequest(turns=turns, reflections=confirmed, profile=profile))
        signals, held = rebuttals_as_signals(answer, turns, confirmed)
        cause = next((TurnId(one.reason) for one in signals), work.turns[-1])
        await self._apply(op, cause, PRIVATE, signals, held)

    # --- new facts -------------------------------------------------------------------------------

    async def _judge_facts(self, op: OutboxOp, work: JudgeFacts) -> None:
        journal, settings = self.world.journal, self.world.settings
        turn, profile = await journal.turn(work.turn), await journal.profile()
        beliefs = await self._beliefs(work.subject) if turn is not None and may_move_evidence(turn) else ()
        known = (await journal.facts_by_id(work.facts)).values() if beliefs else ()
        plain, _ = facts_as_signals(known, beliefs, (profile.owner,) if profile.owner else ())
        if profile.weak_since is not None:
            await self._apply(op, work.turn, work.subject, plain, NOTHING, rejects=True)
            return
        facts = shown_facts(known, settings.signals)
        if not facts:
            await self._apply(op, work.turn, work.subject, (), NOTHING)
            return
        shown = await pool(self.world, beliefs, facts, profile)
        if not shown:
            await self._apply(op, work.turn, work.subject, plain, NOTHING)
            return
        answer = await self.world.model.signal(SignalRequest(facts=facts, beliefs=shown, profile=profile))
        held = held_to_the_question(answer, facts, shown)
        await self._apply(op, work.turn, work.subject, reflection_signals(held, plain, beliefs), held)

    async def _beliefs(self, subject: Subject) -> tuple[Reflection, ...]:
        return await self.world.journal.reflections(subjects=(subject,), now=self.world.clock.now())

    async def _settle(self, op: OutboxOp, cause: TurnId, follow: Iterable[AnyWork] = ()) -> None:
        """Settle what says nothing of what is believed."""
        await self.commit(Commit(actor=self.role, cause=cause, settles=(op.id,), enqueues=tuple(follow)))

    async def _apply(
        self,
        op: OutboxOp,
        turn: TurnId,
        subject: Subject,
        signals: tuple[ReflectionSignal, ...],
        held: Accepted,
        *,
        rejects: bool = False,
        enqueues: Iterable[AnyWork] = (),
    ) -> None:
        dropped = held.invented + held.repeated + held.contradictory + held.misplaced
        if dropped:
            logger.warning(
                "signals.dropped",
                extra={
                    "turn": turn,
                    "kept": len(held.kept),
                    "invented": held.invented,
                    "repeated": held.repeated,
                    "contradictory": held.contradictory,
                    "misplaced": held.misplaced,
                },
            )
        self.reach("judged")
        await self.ask(
            "reflection",
            ApplySignals(
                op=op.id,
                turn=turn,
                subject=subject,
                signals=signals,
                rejects=rejects,
                enqueues=tuple(enqueues),
            ),
            timeout_s=self.world.settings.outbox.attempt_timeout_s,
        )


def _id(target: Target) -> str:
    return target.id
