"""The signals role (Stage 2): what a person's words do to what is believed.

Takes `RunOp` for `JudgeTurn` and `JudgeFacts`, replies `OpDone`; sends `ApplySignals` to reflection.

It holds no state. The op is settled by reflection, in the commit of the signals' effect, so that words are
never marked judged without it; a crash before that leaves the op pending, and it is judged again.
Restart: permanent.
"""

from __future__ import annotations

import logging
from typing import ClassVar, Final

from ...protocols.errors import DefectError
from ...protocols.messages import ApplySignals, Commit, OpDone, ReflectionSignal, RunOp
from ...protocols.ports import FeedbackRequest
from ...protocols.records import JudgeFacts, JudgeTurn, OutboxOp, Reflection, Turn, TurnId, work_key
from ...protocols.scopes import Subject
from ..role import Role
from .answers import answered, answers_as_signals
from .facts import facts_as_signals
from .judgements import Accepted, may_move_evidence

logger = logging.getLogger(__name__)

ANSWER_WINDOW: Final = 64
"""Turns within which words are an answer to what was brought up; later ones are about something else."""


class Signals(Role):
    """Judges the person's words, and has reflection apply what they say."""

    role: ClassVar[str] = "signals"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (RunOp,)

    async def receive(self, message: RunOp) -> OpDone:
        """Judge one turn or the facts of one; raises `ModelError` where the mind gives no usable answer."""
        self.reach("received")
        op = message.op
        match op.work:
            case JudgeTurn():
                await self._judge_turn(op, op.work)
            case JudgeFacts():
                await self._judge_facts(op, op.work)
            case work:
                raise DefectError(f"signals was given {work_key(work)}")
        return OpDone()

    async def _judge_turn(self, op: OutboxOp, work: JudgeTurn) -> None:
        turn = await self.world.journal.turn(work.turn)
        offered = () if turn is None else await self._answered(turn)
        if turn is None or not offered:
            await self.commit(Commit(actor=self.role, cause=work.turn, settles=(op.id,)))
            return
        profile = await self.world.journal.profile()
        feedback = await self.world.model.judge_feedback(
            FeedbackRequest(turn=turn, reflections=offered, profile=profile)
        )
        signals, held = answers_as_signals(turn, offered, feedback, profile)
        await self._apply(op, turn.id, turn.subject, signals, held)

    async def _answered(self, turn: Turn) -> tuple[Reflection, ...]:
        """Return the reflections that a turn answers to."""
        if not may_move_evidence(turn):
            return ()
        waiting = [one for one in await self._beliefs(turn.subject) if one.awaiting is not None]
        if not waiting:
            return ()
        window = await self.world.journal.turns(subjects=(turn.subject,), newest=ANSWER_WINDOW)
        return answered(turn.id, waiting, window)

    async def _judge_facts(self, op: OutboxOp, work: JudgeFacts) -> None:
        turn, profile = await self.world.journal.turn(work.turn), await self.world.journal.profile()
        signals: tuple[ReflectionSignal, ...] = ()
        held = Accepted(kept=())
        beliefs = await self._beliefs(work.subject) if turn is not None and may_move_evidence(turn) else ()
        if beliefs:
            facts = await self.world.journal.facts_by_id(work.facts)
            owner = profile.owner
            signals, held = facts_as_signals(facts.values(), beliefs, (owner,) if owner else ())
        weak = profile.weak_since is not None
        await self._apply(op, work.turn, work.subject, signals, held, rejects=weak)

    async def _beliefs(self, subject: Subject) -> tuple[Reflection, ...]:
        return await self.world.journal.reflections(subjects=(subject,), now=self.world.clock.now())

    async def _apply(
        self,
        op: OutboxOp,
        turn: TurnId,
        subject: Subject,
        signals: tuple[ReflectionSignal, ...],
        held: Accepted,
        *,
        rejects: bool = False,
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
            ApplySignals(op=op.id, turn=turn, subject=subject, signals=signals, rejects=rejects),
            timeout_s=self.world.settings.outbox.attempt_timeout_s,
        )
