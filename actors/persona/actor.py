"""The persona role, writer of the persona entries. Takes `RunOp` for `SyncCard`, replies `OpDone`.

It holds no state: entries are read from the journal for each piece of work, and changed in the commit that
settles the work. Restart: permanent.
"""

from __future__ import annotations

from typing import ClassVar

from ...protocols.errors import DefectError
from ...protocols.events import AnyPersonaChange
from ...protocols.messages import Commit, OpDone, RunOp
from ...protocols.records import PersonaEntry, SyncCard, work_key
from ..role import Role
from .card import card_changes


class Persona(Role):
    """Keeps what is lastingly known."""

    role: ClassVar[str] = "persona"
    accepts: ClassVar[tuple[type, ...]] = (RunOp,)

    async def receive(self, message: RunOp) -> OpDone:
        """Do one piece of work and settle it."""
        op = message.op
        self.reach("received")
        match op.work:
            case SyncCard():
                changes = await self._card_changes()
            case work:
                raise DefectError(f"persona was given {work_key(work)}")
        await self.commit(Commit(actor=self.role, cause=op.id, changes=changes, settles=(op.id,)))
        return OpDone()

    async def _card_changes(self) -> tuple[AnyPersonaChange, ...]:
        profile = await self.world.journal.profile()
        return card_changes(profile.card, await self.world.journal.records(PersonaEntry), self.world.clock.now())
