"""The outbox role. Sends `RunOp` to the role of each op.

Takes `Wake`, `Drain` (replies `Drained`), and `RetryOp` and `DiscardOp` (reply `OutboxOp`).

Work is done beside the mailbox, one op after another, so that a person who looks at work, sends it again or gives
it up waits for no mind. It holds the time of its next alarm, and who waits for the round under way: which work is
due is read from the journal, in order of enqueueing. An op whose attempt fails waits for its next one and lets
later ones pass; after its last it is parked. While the disk refuses, all work rests and no attempt is counted.
Restart: permanent.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import ClassVar, Final, assert_never

import trio

from ...protocols.errors import DefectError, NotFoundError, OmoideError, StorageError
from ...protocols.messages import Commit, DiscardOp, Drain, Drained, RetryOp, RunOp, Wake
from ...protocols.records import OpId
from ...protocols.work import (
    AnyWork,
    ArchiveSubject,
    CheckRebuttals,
    CompactWindow,
    CorrectPersona,
    CountMentions,
    DisputeEntries,
    EmbedRecords,
    ExtractSelf,
    ExtractTurn,
    FollowRejection,
    ForgetTopic,
    JudgeFacts,
    JudgePersona,
    JudgeTurn,
    OpState,
    OutboxOp,
    Promote,
    RecogniseValue,
    RecordSurfaced,
    Refine,
    RejectValue,
    ReportAttestation,
    ReportMessage,
    ResolveContradiction,
    ReviewWindow,
    Sweep,
    SyncCard,
    Synthesise,
)
from ..kernel import PendingReply
from ..role import Peer, Role, Surroundings, stopped_by
from .backoff import failure_of

logger = logging.getLogger(__name__)

BATCH_OPS: Final = 64
"""Ops read from the journal at once."""

WORKER_OF: Final[dict[type[AnyWork], str]] = {
    ExtractTurn: "extraction",
    ExtractSelf: "extraction",
    RejectValue: "dedup",
    ForgetTopic: "dedup",
    RecogniseValue: "dedup",
    JudgeTurn: "signals",
    JudgeFacts: "signals",
    RecordSurfaced: "reflection",
    Synthesise: "reflection",
    FollowRejection: "reflection",
    Sweep: "reflection",
    SyncCard: "persona",
    CountMentions: "persona",
    Promote: "persona",
    JudgePersona: "persona",
    CorrectPersona: "persona",
    EmbedRecords: "embedding",
    ArchiveSubject: "keeper",
    ReportMessage: "trust",
    ReportAttestation: "trust",
    CompactWindow: "compaction",
    CheckRebuttals: "signals",
    DisputeEntries: "persona",
    ResolveContradiction: "persona",
    ReviewWindow: "compaction",
}
"""Which role does which kind of work; a `Refine` goes to whoever keeps the beliefs that it names."""


def worker_of(work: AnyWork) -> str:
    """Return the name of the role that does a piece of work."""
    if isinstance(work, Refine):
        return "persona" if work.persona else "reflection"
    return WORKER_OF[type(work)]


class Outbox(Role):
    """Does the durable work of a character, in order."""

    role: ClassVar[str] = "outbox"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (Wake, Drain, RetryOp, DiscardOp)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._alarm: trio.CancelScope | None = None
        self._working = False
        self._again = False
        self._waiting: list[PendingReply] = []
        self._given_up: set[OpId] = set()

    async def on_start(self) -> None:
        """Begin with what an earlier life left undone."""
        self.ref.tell(Wake())

    async def receive(self, message: Wake | Drain | RetryOp | DiscardOp) -> OutboxOp | None:
        """Handle one message; whatever it is, work that is due afterwards is done or has its alarm set."""
        match message:
            case Wake():
                self._work_on()
                return None
            case Drain():
                self._waiting.append(self.reply_later())
                self._work_on()
                return None
            case RetryOp():
                return await self._decide(
                    message.op, Commit(actor=self.role, cause="retry", retries=(message.op,))
                )
            case DiscardOp():
                return await self._give_up(message.op)
            case _:
                assert_never(message)

    async def _give_up(self, op: OpId) -> OutboxOp:
        # The round under way must not begin with it meanwhile, and waits for ever where it stays passed over.
        self._given_up.add(op)
        try:
            return await self._decide(op, Commit(actor=self.role, cause="discard", discards=(op,)))
        except OmoideError:
            self._given_up.discard(op)
            raise

    async def _decide(self, op: OpId, commit: Commit) -> OutboxOp:
        await self.commit(commit)
        self._work_on()
        decided = await self.world.journal.op(op)
        if decided is None:
            raise NotFoundError(f"no outbox op {op!r}; `omoide outbox NAME` lists them")
        return decided

    # --- a round of work -------------------------------------------------------------------------

    def _work_on(self) -> None:
        """Do what is due, now or once the round under way is over."""
        if self._working:
            self._again = True
        else:
            self._working = True
            self.start_soon(self._rounds)

    async def _rounds(self) -> None:
        while True:
            self._again = False
            waiting, self._waiting = self._waiting, []
            try:
                drained = await self._round()
            except StorageError as error:
                logger.warning("outbox.storage_refused", extra={"error": type(error).__name__})
                _refuse(waiting, error)
            except BaseException as error:
                _refuse((*waiting, *self._waiting), stopped_by(error, self.role))
                raise
            else:
                for reply in waiting:
                    reply.set(drained)
            if not self._again:
                self._working = False
                self._given_up.clear()
                return

    async def _round(self) -> Drained:
        next_at = await self._work_off()
        parked = await self.world.journal.ops(states=(OpState.PARKED,))
        return Drained(next_at=next_at, parked=len(parked))

    async def _work_off(self) -> float | None:
        try:
            await self._run_due()
            next_at = await self._next_due()
        except StorageError:
            self._set_alarm(self.world.clock.now() + self.world.settings.outbox.backoff_min_s)
            raise
        self._set_alarm(next_at)
        return next_at

    async def _run_due(self) -> None:
        done: set[OpId] = set()
        while ops := await self._due_ops():
            for op in ops:
                if op.id in self._given_up:
                    continue
                if op.id in done:
                    error = DefectError(f"{op.id} ended without being settled")
                    await self._record_failure(op, error)
                elif await self._attempt(op):
                    done.add(op.id)

    async def _next_due(self) -> float | None:
        """Return when to look again: no later than anything can have to wait, whatever the clock did."""
        due_at = await self.world.journal.next_due()
        latest = self.world.clock.now() + self.world.settings.outbox.longest_wait_s
        return None if due_at is None else min(due_at, latest)

    async def _due_ops(self) -> tuple[OutboxOp, ...]:
        return await self.world.journal.ops(
            states=(OpState.PENDING,),
            due_at=self.world.clock.now(),
            longest_s=self.world.settings.outbox.longest_wait_s,
            limit=BATCH_OPS,
        )

    async def _attempt(self, op: OutboxOp) -> bool:
        self.reach("before_attempt")
        worker = worker_of(op.work)
        try:
            async with self.world.bulkhead.place():
                await self.ask(worker, RunOp(op=op), timeout_s=self.world.settings.outbox.attempt_timeout_s)
        except StorageError:
            raise
        except OmoideError as error:
            await self._record_failure(op, error)
            return False
        return True

    async def _record_failure(self, op: OutboxOp, error: OmoideError) -> None:
        failure = failure_of(
            op,
            error,
            now=self.world.clock.now(),
            settings=self.world.settings.outbox,
            random=self.world.random,
        )
        logger.warning(
            "outbox.parked" if failure.parks else "outbox.failed",
            extra={"op": op.id, "attempts": op.attempts + 1, "error": type(error).__name__},
        )
        await self.commit(Commit(actor=self.role, cause=op.id, failures=(failure,)))

    def _set_alarm(self, at: float | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if at is not None:
            self._alarm = trio.CancelScope()
            self.start_soon(self._wake_at, at, self._alarm)

    async def _wake_at(self, at: float, alarm: trio.CancelScope) -> None:
        with alarm:
            await self.world.clock.sleep_until(at)
            await self.ref.atell(Wake())


def _refuse(waiting: Iterable[PendingReply], error: OmoideError) -> None:
    for reply in waiting:
        reply.set_exception(error)
