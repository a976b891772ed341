"""What every role of a character has in common: its surroundings, one way to commit, named failpoints.

A role is a thin actor: it receives a message, calls pure rules and commits what they return. It holds
no state that the journal can't give back, and reaches its siblings by name through the supervisor.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Final, TypeVar

import trio
from msgspec.structs import replace

from ..protocols.errors import ActorCrashedError, ActorDeadError, CallerError, ChangedMeanwhileError, OutsideError
from ..protocols.messages import Commit, Committed, Delivery, Reply, Request
from ..protocols.ports import Clock, Embedder, Failpoints, Journal, LanguageModel
from ..protocols.settings import Settings
from .bulkhead import Bulkhead
from .kernel import Actor, ActorRef, PendingReply

logger = logging.getLogger(__name__)

TIMES_REDONE: Final = 3
"""Times that a step is done again in place, after what it had read changed; then it comes back from the outbox."""

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the world gives to the roles of one character."""

    character: str
    journal: Journal
    clock: Clock
    model: LanguageModel
    settings: Settings
    failpoints: Failpoints
    random: Random
    """Jitter of backoffs."""
    new_id: Callable[[], str]
    """Returns a fresh unguessable id of 32 hexadecimal digits."""
    pool: ActorRef
    """The pool of accounts, one for all characters."""
    bulkhead: Bulkhead
    """The places for background work, shared by all characters."""
    embedder: Embedder | None = None
    """The embedding model, or None where none is set."""


Peer = Callable[[str], ActorRef]
"""Returns the ref of the sibling role of that name; it stays the same across restarts."""


def delivered(commit: Commit, delivery: Delivery | None) -> Commit:
    """Return a commit that keeps where in a stream its request came from, if it came from one."""
    return commit if delivery is None else replace(commit, idempotency=delivery.key, cursor=delivery.cursor)


class Role(Actor):
    """Base of a character's roles.

    Attributes:
        role: the role's name in the tree, in `status` and in the events that it causes.
        interruptible: whether what it is doing may be cut off at any moment, because it is run again from
            the outbox. Closing then waits for no model.
    """

    role: ClassVar[str]
    interruptible: ClassVar[bool] = False

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__()
        self.world = world
        self.peer = peer

    def reach(self, moment: str) -> None:
        """Pass the failpoint `<role>.<moment>`."""
        self.world.failpoints.reach(f"{self.role}.{moment}")

    async def commit(self, commit: Commit) -> Committed:
        """Have the journal apply a commit, and return what landed.

        Raises:
            StorageError: if the disk refused; nothing landed.
            DeadlineExceededError: if no answer came in time; the commit may still land.
        """
        self.reach("before_commit")
        committed = await self.ask("journal", commit, timeout_s=self.world.settings.actors.reply_timeout_s)
        self.reach("after_commit")
        return committed

    async def ask(self, role: str, request: Request[Reply], *, timeout_s: float | None) -> Reply:
        """Return a sibling's reply.

        Raises:
            DeadlineExceededError: if none came in time.
            OmoideError: what the sibling answered instead.
        """
        reply: Reply = await self.peer(role).aask(request, timeout_s=timeout_s)
        return reply

    async def redone(self, step: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """Return what a step returns that reads, decides and commits; it is done again where what it read changed.

        Raises:
            ChangedMeanwhileError: if that happened again and again.
            OmoideError: what the step raises else.
        """
        for _ in range(TIMES_REDONE):
            try:
                return await step()
            except ChangedMeanwhileError:
                logger.info("role.redone", extra={"role": self.role})
        return await step()

    def answer_later(self, work: Callable[[], Awaitable[object]]) -> None:
        """Answer the message being handled with what `work` returns, and take the next ones meanwhile.

        It is for what waits for a mind. It runs beside the handlers: it may read what is committed, and changes
        nothing but by a message to this role.
        """
        self.start_soon(self._answer, self.reply_later(), work)

    async def _answer(self, reply: PendingReply, work: Callable[[], Awaitable[object]]) -> None:
        try:
            outcome = await work()
        except (CallerError, OutsideError) as error:
            reply.set_exception(error)
        except BaseException as error:
            reply.set_exception(stopped_by(error, self.role))
            raise
        else:
            reply.set(outcome)


def stopped_by(error: BaseException, role: str) -> OutsideError:
    """Return what whoever waits for a role is told, where this ended what they wait for."""
    if isinstance(error, trio.Cancelled):
        return ActorDeadError(f"{role} stopped before it was done")
    return ActorCrashedError(f"{role} crashed while it did this: {type(error).__name__}")
