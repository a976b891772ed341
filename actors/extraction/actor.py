"""The extraction role.

Takes `RunOp` for `ExtractTurn` and `ExtractSelf`, replies `OpDone`; sends `Learn` to dedup.

What the character said of itself is learned as the word of an account of its own (`self_account`): it is never the
owner's, and no evidence of anything that is believed of anybody.

It holds no state. The op is settled by dedup, in the commit of its facts; a crash before that
leaves the op pending, and it is run again. Of an answer that was cut off the complete part is learned, and the op
stays pending for the rest. Restart: permanent.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from msgspec.structs import replace

from ...protocols.clauses.repairs import repaired
from ...protocols.clauses.roleplay import out_of_role
from ...protocols.clauses.slips import retold
from ...protocols.errors import DefectError, ModelCutOffError
from ...protocols.messages import Candidate, Commit, Learn, OpDone, RunOp
from ...protocols.ports import ExtractRequest
from ...protocols.records import Entity, Profile, Turn, TurnId
from ...protocols.records import Role as Side
from ...protocols.self_account import self_account
from ...protocols.tasks import ExtractSelfRequest, OwnStatement
from ...protocols.work import ExtractSelf, ExtractTurn, OutboxOp
from ..dedup.second_thoughts import TURNS_AROUND, as_meant, second_thought
from ..directives.stated import understand
from ..embedding.statements import near_values
from ..role import Role
from .grounding import conversation_around, is_own, rests_on

logger = logging.getLogger(__name__)

WINDOW_TURNS: Final = 64
"""Turns of a subject among which those are found that the character's lines answer."""


class Extraction(Role):
    """Asks the mind for what a turn states."""

    role: ClassVar[str] = "extraction"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (RunOp,)

    async def receive(self, message: RunOp) -> OpDone:
        """Run one extraction; raises `ModelError` where the mind gives no usable answer."""
        match message.op.work:
            case ExtractTurn(turn=turn):
                await self._extract(message.op, turn)
            case ExtractSelf(turns=turns):
                await self._extract_self(message.op, turns)
            case work:
                raise DefectError(f"extraction was given {work.key}")
        return OpDone()

    async def _extract(self, op: OutboxOp, turn_id: TurnId) -> None:
        turn = await self.world.journal.turn(turn_id)
        if turn is None:
            await self._settle(op)
            return
        profile = await self.world.journal.profile()
        # A wish is no statement: what asks not to hear of something, or to forget it, isn't learned from.
        # What a person takes back in the same breath ("no wait, Bergen") isn't either.
        # What they put right in a message of its own ("no wait, three") is read with the message before it.
        before = await self.world.journal.turns(subjects=(turn.subject,), newest=TURNS_AROUND, before=turn.id)
        said = as_meant(turn, second_thought(turn, before)).text
        stating = replace(turn, text=repaired(retold((await understand(out_of_role(said))).stated)))
        request = ExtractRequest(turn=stating, profile=profile)
        try:
            candidates = await self.world.model.extract(request) if stating.text else ()
        except ModelCutOffError as error:
            kept = tuple(one for one in error.kept if isinstance(one, Candidate))
            await self._learn(op, turn, self._grounded(kept, stating, profile), settles=False)
            raise
        await self._learn(op, turn, self._grounded(candidates, stating, profile), settles=True)

    async def _extract_self(self, op: OutboxOp, wanted: tuple[TurnId, ...]) -> None:
        journal, profile = self.world.journal, await self.world.journal.profile()
        known = [turn for one in wanted if (turn := await journal.turn(one)) is not None]
        own = [turn for turn in known if turn.role is Side.CHARACTER]
        if not own or profile.weak_since is not None:
            await self._settle(op)
            return
        window = await journal.turns(subjects=(own[-1].subject,), newest=WINDOW_TURNS)
        shown = conversation_around(own, window)
        try:
            said = await self.world.model.extract_self(ExtractSelfRequest(turns=shown, profile=profile))
        except ModelCutOffError as error:
            await self._learn_own(op, own, [one for one in error.kept if isinstance(one, OwnStatement)], profile)
            raise
        await self._learn_own(op, own, said, profile)
        await self._settle(op)

    async def _learn_own(
        self, op: OutboxOp, own: Iterable[Turn], said: Sequence[OwnStatement], profile: Profile
    ) -> None:
        """Have what the character said of itself learned, turn by turn; the op stays pending."""
        for turn in own:
            candidates = tuple(
                replace(one.candidate, entity=Entity.CHARACTER)
                for one in said
                if one.turn == turn.id and is_own(one.candidate, turn, profile, self.world.character)
            )
            if candidates:
                spoken = replace(turn, speaker=self_account(self.world.character))
                await self._learn(op, spoken, candidates, settles=False)

    async def _settle(self, op: OutboxOp) -> None:
        await self.commit(Commit(actor=self.role, cause=op.id, settles=(op.id,)))

    def _grounded(self, candidates: Sequence[Candidate], turn: Turn, profile: Profile) -> tuple[Candidate, ...]:
        """Return the candidates that rest on words of the turn."""
        grounded = tuple(one for one in candidates if rests_on(one, turn, profile, self.world.character))
        if len(grounded) < len(candidates):
            logger.warning(
                "extraction.ungrounded",
                extra={"turn": turn.id, "dropped": len(candidates) - len(grounded), "kept": len(grounded)},
            )
        return grounded

    async def _learn(self, op: OutboxOp, turn: Turn, candidates: tuple[Candidate, ...], *, settles: bool) -> None:
        self.reach("extracted")
        near = await near_values(self.world, turn.subject, [one.text for one in candidates])
        await self.ask(
            "dedup",
            Learn(op=op.id, turn=turn, candidates=candidates, settles=settles, near=near),
            timeout_s=self.world.settings.outbox.attempt_timeout_s,
        )
