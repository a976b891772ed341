"""The extraction role. Takes `RunOp` for `ExtractTurn`, replies `OpDone`; sends `Learn` to dedup.

It holds no state. The op is settled by dedup, in the commit of its facts; a crash before that
leaves the op pending, and it is run again. Of an answer that was cut off the complete part is learned, and the op
stays pending for the rest. Restart: permanent.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ...protocols.clauses.repairs import repaired
from ...protocols.errors import DefectError, ModelCutOffError
from ...protocols.messages import Candidate, Commit, Learn, OpDone, RunOp
from ...protocols.ports import ExtractRequest
from ...protocols.records import Profile, Turn
from ...protocols.work import ExtractTurn, OutboxOp, work_key
from ..directives.stated import understand
from ..embedding.statements import near_values
from ..role import Role
from .grounding import rests_on

logger = logging.getLogger(__name__)


class Extraction(Role):
    """Asks the mind for what a turn states."""

    role: ClassVar[str] = "extraction"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (RunOp,)

    async def receive(self, message: RunOp) -> OpDone:
        """Run one extraction; raises `ModelError` where the mind gives no usable answer."""
        op = message.op
        if not isinstance(op.work, ExtractTurn):
            raise DefectError(f"extraction was given {work_key(op.work)}")
        turn = await self.world.journal.turn(op.work.turn)
        if turn is None:
            await self.commit(Commit(actor=self.role, cause=op.id, settles=(op.id,)))
            return OpDone()
        profile = await self.world.journal.profile()
        # A wish is no statement: what asks not to hear of something, or to forget it, isn't learned from.
        # What a person takes back in the same breath ("no wait, Bergen") isn't either.
        stating = replace(turn, text=repaired((await understand(turn.text)).stated))
        request = ExtractRequest(turn=stating, profile=profile)
        try:
            candidates = await self.world.model.extract(request) if stating.text else ()
        except ModelCutOffError as error:
            kept = tuple(one for one in error.kept if isinstance(one, Candidate))
            await self._learn(op, turn, self._grounded(kept, stating, profile), settles=False)
            raise
        await self._learn(op, turn, self._grounded(candidates, stating, profile), settles=True)
        return OpDone()

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
