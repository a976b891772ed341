"""The persona role, writer of the persona entries.

Takes `RunOp` for `SyncCard` and `CountMentions` (replies `OpDone`). What a line brought up of reflections it has
the reflection role prepare (`PrepareMentions`), and commits both parts with the settling of the op.

It holds no state: entries are read from the journal for each piece of work. Restart: permanent.
"""

from __future__ import annotations

from typing import ClassVar

import trio

from ...protocols.errors import DefectError
from ...protocols.events import AnyChange, PersonaEntryChanged
from ...protocols.messages import Commit, OpDone, PrepareMentions, ReflectionMentions, RunOp
from ...protocols.records import CountMentions, PersonaEntry, Reflection, SyncCard, work_key
from ...protocols.records import Role as Side
from ..role import Role
from .card import card_changes
from .mentioning import brought_up_by


class Persona(Role):
    """Keeps what is lastingly known."""

    role: ClassVar[str] = "persona"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (RunOp,)

    async def receive(self, message: RunOp) -> OpDone:
        """Do one piece of work and settle it."""
        op = message.op
        self.reach("received")
        match op.work:
            case SyncCard():
                changes, cause = await self._card_changes(), str(op.id)
            case CountMentions(turn=turn):
                changes, cause = await self._mentions(op.work), str(turn)
            case work:
                raise DefectError(f"persona was given {work_key(work)}")
        await self.commit(Commit(actor=self.role, cause=cause, changes=changes, settles=(op.id,)))
        return OpDone()

    async def _card_changes(self) -> tuple[AnyChange, ...]:
        profile = await self.world.journal.profile()
        return card_changes(profile.card, await self.world.journal.records(PersonaEntry), self.world.clock.now())

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
