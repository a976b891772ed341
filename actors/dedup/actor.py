"""The dedup role, writer of the facts. Takes `Learn`, replies `Learned`.

It holds no state: what is stored is read again for each turn, and joined by a rule that is
idempotent and commutative, so that repeats and another order of arrival end in the same facts.
Facts and the settling of their op are one commit. Restart: permanent.
"""

from __future__ import annotations

from typing import ClassVar

from ...protocols.events import FactAdded
from ...protocols.messages import Commit, Learn, Learned
from ..role import Role
from .learning import changes_of, stated_facts


class Dedup(Role):
    """Stores what is new in a turn's candidates."""

    role: ClassVar[str] = "dedup"
    accepts: ClassVar[tuple[type, ...]] = (Learn,)

    async def receive(self, message: Learn) -> Learned:
        """Store the candidates and settle the op that they came from."""
        self.reach("received")
        stated = stated_facts(message.turn, message.candidates, self.world.clock.now())
        changes = changes_of(stated, await self.world.journal.facts_by_id(tuple(stated)))
        committed = await self.commit(
            Commit(actor=self.role, cause=message.op, changes=changes, settles=(message.op,)),
        )
        if committed.repeated:
            return Learned(already_settled=True)
        added = sum(isinstance(change, FactAdded) for change in changes)
        return Learned(added=added, repeated=len(changes) - added)
