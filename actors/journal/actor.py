"""The journal role. Takes `Commit`, replies `Committed`; sends `Wake` to the outbox and to the embedding role.

It holds nothing but the commits under way. While some are on their way to the disk the next ones
gather, so that roles which commit at the same time share an fsync. A crash loses no acknowledged
commit: those under way are answered with an error, and each has landed whole or not at all.
Restart: permanent.
"""

from __future__ import annotations

from typing import ClassVar

import trio

from ...protocols.errors import ActorCrashedError, ActorDeadError, MailboxFullError, OmoideError
from ...protocols.messages import Commit, Wake
from ..kernel import PendingReply
from ..role import Peer, Role, Surroundings

_Waiting = tuple[Commit, PendingReply]


class JournalRole(Role):
    """The only writer of a character's journal."""

    role: ClassVar[str] = "journal"
    accepts: ClassVar[tuple[type, ...]] = (Commit,)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._waiting: list[_Waiting] = []
        self._arrived = trio.Event()

    async def on_start(self) -> None:
        """Start the writer."""
        self.start_soon(self._write)

    async def receive(self, message: Commit) -> None:
        """Queue a commit; the reply follows when it is on disk."""
        self._waiting.append((message, self.reply_later()))
        self.reach("received")
        self._arrived.set()

    async def _write(self) -> None:
        try:
            while True:
                await self._arrived.wait()
                self._arrived = trio.Event()
                await self._land()
        finally:
            for commit, reply in self._waiting:
                reply.set_exception(
                    ActorCrashedError(f"the journal stopped while the commit of {commit.cause} was under way"),
                )

    async def _land(self) -> None:
        batch = tuple(self._waiting)
        outcomes = await self.world.journal.commit_all([commit for commit, _ in batch])
        del self._waiting[: len(batch)]
        enqueued = changed = False
        for (_, reply), outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, OmoideError):
                reply.set_exception(outcome)
            else:
                reply.set(outcome)
                enqueued = enqueued or outcome.enqueued > 0
                changed = changed or bool(outcome.events)
        if enqueued:
            self._wake("outbox")
        if changed and self.world.embedder is not None:
            self._wake("embedding")

    def _wake(self, role: str) -> None:
        try:
            self.peer(role).tell(Wake())
        except (MailboxFullError, ActorDeadError):
            return  # a full mailbox holds a wake already, and a role that is stopped begins with one
