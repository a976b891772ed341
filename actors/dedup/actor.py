"""The dedup role, writer of the facts. Takes `Learn`, replies `Learned`.

It holds no state: what is stored is read again for each turn, and joined by a rule that is
idempotent and commutative, so that repeats and another order of arrival end in the same facts.
Facts and the settling of their op are one commit. Restart: permanent.
"""

from __future__ import annotations

from typing import ClassVar

from ...protocols.events import FactAdded, FactRepeated
from ...protocols.facts import fact_of, join_fact
from ...protocols.messages import Commit, Learn, Learned
from ...protocols.records import Fact, FactId
from ..role import Role


class Dedup(Role):
    """Stores what is new in a turn's candidates."""

    role: ClassVar[str] = "dedup"
    accepts: ClassVar[tuple[type, ...]] = (Learn,)

    async def receive(self, message: Learn) -> Learned:
        """Store the candidates and settle the op that they came from."""
        self.reach("received")
        changes = await self._changes(message)
        committed = await self.commit(
            Commit(actor=self.role, cause=message.op, changes=changes, settles=(message.op,)),
        )
        if committed.repeated:
            return Learned(already_settled=True)
        added = sum(isinstance(change, FactAdded) for change in changes)
        return Learned(added=added, repeated=len(changes) - added)

    async def _changes(self, message: Learn) -> tuple[FactAdded | FactRepeated, ...]:
        now = self.world.clock.now()
        stated: dict[FactId, Fact] = {}
        for candidate in message.candidates:
            fact = fact_of(message.turn, candidate, now)
            stated[fact.id] = join_fact(stated.get(fact.id), fact)
        stored = await self.world.journal.facts_by_id(tuple(stated))
        changes: list[FactAdded | FactRepeated] = []
        for fact_id, fact in stated.items():
            known = stored.get(fact_id)
            joined = join_fact(known, fact)
            if known is None:
                changes.append(FactAdded(fact=joined))
            elif joined != known:
                changes.append(FactRepeated(fact=joined))
        return tuple(changes)
