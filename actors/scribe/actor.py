"""The scribe role. Takes `Hear`, `Say` (replies `Receipt`) and `Describe` (replies `Profile`).

It holds no state: a turn is on disk before its receipt, and a crash loses only what was not
acknowledged. Restart: permanent.
"""

from __future__ import annotations

from typing import ClassVar, assert_never

from ...protocols.events import ProfileSet, TurnHeard, TurnSaid
from ...protocols.messages import Commit, Committed, Describe, Hear, Receipt, Say
from ...protocols.records import ExtractTurn, Profile, SyncCard, Turn
from ...protocols.records import Role as Side
from ..role import Role
from .envelope import idempotency_of, open_envelope


class Scribe(Role):
    """Makes what is said durable, with the work that it implies, in one commit."""

    role: ClassVar[str] = "scribe"
    accepts: ClassVar[tuple[type, ...]] = (Hear, Say, Describe)

    async def receive(self, message: Hear | Say | Describe) -> Receipt | Profile:
        """Handle one message; the reply comes after the commit."""
        match message:
            case Hear():
                turn = self._open(message, Side.PERSON)
                return await self._store(
                    turn,
                    Commit(
                        actor=self.role,
                        cause=turn.id,
                        changes=(TurnHeard(turn=turn),),
                        enqueues=(ExtractTurn(turn=turn.id),),
                        idempotency=idempotency_of(turn),
                    ),
                )
            case Say():
                turn = self._open(message, Side.CHARACTER)
                return await self._store(
                    turn,
                    Commit(
                        actor=self.role,
                        cause=turn.id,
                        changes=(TurnSaid(turn=turn),),
                        idempotency=idempotency_of(turn),
                    ),
                )
            case Describe():
                return await self._describe(message.profile)
            case _:
                assert_never(message)

    def _open(self, message: Hear | Say, side: Side) -> Turn:
        return open_envelope(
            message.utterance,
            side,
            fresh_id=self.world.new_id(),
            now=self.world.clock.now(),
            limits=self.world.settings.limits,
        )

    async def _store(self, turn: Turn, commit: Commit) -> Receipt:
        committed = await self.commit(commit)
        return Receipt(
            turn=turn.id,
            role=turn.role,
            seq=committed.events[0].seq,
            heard_at=_heard_at(committed, turn.heard_at),
            repeated=committed.repeated,
        )

    async def _describe(self, profile: Profile) -> Profile:
        if await self.world.journal.profile() != profile:
            await self.commit(
                Commit(
                    actor=self.role,
                    cause="describe",
                    changes=(ProfileSet(profile=profile),),
                    enqueues=(SyncCard(setting=self.world.new_id()),),
                )
            )
        return profile


def _heard_at(committed: Committed, default: float) -> float:
    match committed.events[0].change:
        case TurnHeard(turn=turn) | TurnSaid(turn=turn):
            return turn.heard_at
        case _:
            return default
