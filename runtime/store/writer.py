"""Group commit: while one batch is on its way to the disk, the next one gathers.

One batch is in flight a file, in a worker thread. On the event loop's thread live the queue and the
callers; in the worker thread the connection, the encoding and the SQL. The heads of the journals are
read and replaced by the batch in flight alone.
"""

from __future__ import annotations

import copy
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar, overload

import trio

from ...protocols.errors import OmoideError, StorageError
from ...protocols.messages import Commit, Committed
from ...protocols.ports import Clock, Failpoints
from .apply import Head, Ledger, Prepared, find_head, prepare
from .faults import storage_error

T = TypeVar("T")

Outcome = Committed | BaseException
"""What became of one commit."""

_ROW_REFUSED: Final = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError, OverflowError)
"""Errors that one row's content causes, so that the rest of its batch can still go in."""

_LOOK_FOR: Final = 64
"""Batches that look up keys and work beforehand, after one that met something known. Looking costs a batch
of new commits a tenth; not looking costs a batch with a repeated one a second start."""


class Waiting:
    """One caller and the commits that it waits for.

    Args:
        commits: how many.
    """

    def __init__(self, commits: int) -> None:
        self.outcomes: list[Outcome | None] = [None] * commits
        self.left = commits
        self.task: trio.lowlevel.Task | None = trio.lowlevel.current_task()

    def settle(self, place: int, its_outcome: Outcome) -> None:
        """Note what became of one commit, and wake the caller after the last; it may be gone."""
        self.outcomes[place] = its_outcome
        self.left -= 1
        if not self.left and self.task is not None:
            task, self.task = self.task, None
            trio.lowlevel.reschedule(task)

    async def wait(self) -> None:
        """Return once every commit has its outcome."""

        def abort(_: object) -> trio.lowlevel.Abort:
            self.task = None
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)


_STEPS: Final = 1_000
"""Instructions of SQLite between two looks whether a job is to give way; far below a millisecond."""


class Ticket(NamedTuple):
    """One commit in the queue.

    `landed` is told where its journal ends and what became of it, once, before its caller resumes.
    """

    character: int
    commit: Commit
    waiting: Waiting
    place: int
    landed: Callable[[Head, Outcome], None]


class GroupWriter:
    """The only writer of one file.

    Args:
        connection: to the file; used by one worker thread at a time.
        path: of the file, for messages.
        limiter: bounds the threads that commit, over all files.
        batch_commits: most commits in one transaction.
        clock: read once a batch, on the event loop's thread.
        failpoints: reached once a batch before and after its COMMIT, in the worker thread.
        nursery: holds the batches in flight.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        path: Path,
        limiter: trio.CapacityLimiter,
        batch_commits: int,
        clock: Clock,
        failpoints: Failpoints,
        nursery: trio.Nursery,
    ) -> None:
        self._connection = connection
        self._path = path
        self._limiter = limiter
        self._batch_commits = batch_commits
        self._clock = clock
        self._failpoints = failpoints
        self._nursery = nursery
        self._queue: deque[Ticket] = deque()
        self._jobs: deque[Callable[[], Awaitable[None]]] = deque()
        self._draining = False
        self._gives_way = False
        self._is_wanted = False
        self._in_doubt = False
        self._look_for = 0
        self.heads: dict[int, Head] = {}

    async def commit(
        self, character: int, commits: Sequence[Commit], landed: Callable[[Head, Outcome], None]
    ) -> list[Outcome]:
        """Commit (one or more) in order of arrival and return each outcome; errors are returned, not raised.

        They are queued at once. A caller that is cancelled leaves its commits in the queue: they land.
        """
        waiting = Waiting(len(commits))
        self._queue.extend(
            Ticket(character, commit, waiting, place, landed) for place, commit in enumerate(commits)
        )
        self.interrupt_what_gives_way()
        self._start()
        await waiting.wait()
        return [found for found in waiting.outcomes if found is not None]

    def interrupt_what_gives_way(self) -> None:
        """Interrupt the job that runs between batches, if it is one that gives way."""
        if self._gives_way:
            self._is_wanted = True
            self._connection.interrupt()

    @overload
    async def between_batches(self, job: Callable[[], T]) -> T: ...

    @overload
    async def between_batches(self, job: Callable[[], T], *, gives_way: Callable[[], bool] | None) -> T | None: ...

    async def between_batches(
        self, job: Callable[[], T], *, gives_way: Callable[[], bool] | None = None
    ) -> T | None:
        """Run a job that writes to the file by any connection, and return what it returns; commits wait meanwhile.

        One with `gives_way` that uses this connection is interrupted by the first commit, or once that returns
        true, and fails as SQLite does; None comes back if it gave way before it began.
        A caller that is cancelled leaves its job in the queue: it is run. Raises what the job raises.
        """
        ended = trio.Event()
        results: list[T] = []
        failures: list[Exception] = []

        async def run() -> None:
            self._gives_way, self._is_wanted = gives_way is not None, False
            if gives_way is not None:  # an interrupt that comes just before a statement begins would be lost
                self._connection.set_progress_handler(lambda: self._is_wanted or gives_way(), _STEPS)
            try:
                if not (gives_way is not None and self._queue):
                    results.append(await trio.to_thread.run_sync(job, limiter=self._limiter))
            except Exception as error:  # noqa: BLE001 - it is the caller's
                failures.append(error)
            if gives_way is not None:
                self._connection.set_progress_handler(None, 0)
            self._gives_way = False
            ended.set()

        self._jobs.append(run)
        self._start()
        await ended.wait()
        for failure in failures:
            raise failure
        return results[0] if results else None

    def _start(self) -> None:
        if not self._draining:
            self._draining = True
            self._nursery.start_soon(self._drain)

    async def _drain(self) -> None:
        with trio.CancelScope(shield=True):
            try:
                while self._queue or self._jobs:
                    if self._jobs:
                        await self._jobs.popleft()()
                        continue
                    await trio.lowlevel.checkpoint()  # callers that were woken together arrive together
                    size = min(len(self._queue), self._batch_commits)
                    await self._land([self._queue.popleft() for _ in range(size)])
            finally:
                self._draining = False

    async def _land(self, batch: list[Ticket]) -> None:
        now = self._clock.now()
        outcomes = await trio.to_thread.run_sync(self._commit, batch, now, limiter=self._limiter)
        for ticket, its_outcome in zip(batch, outcomes, strict=True):
            ticket.landed(self.heads[ticket.character], its_outcome)
        for ticket, its_outcome in zip(batch, outcomes, strict=True):
            ticket.waiting.settle(ticket.place, its_outcome)

    def _commit(self, batch: list[Ticket], now: float) -> list[Outcome]:
        try:
            prepared = [_prepared(ticket) for ticket in batch]
            self._look_for = max(0, self._look_for - 1)
            for unseen in (self._look_for == 0, False):
                try:
                    return self._transact(prepared, now, partial(self._together, unseen=unseen))
                except _ROW_REFUSED:
                    self._look_for = _LOOK_FOR
            return self._transact(prepared, now, self._one_by_one)
        except Exception as error:  # noqa: BLE001 - whatever it is, every caller of the batch is told
            return [self._told(error) for _ in batch]

    def _transact(
        self,
        prepared: list[Prepared | Exception],
        now: float,
        write: Callable[[list[Prepared | Exception], float], tuple[list[Outcome], dict[int, Head]]],
    ) -> list[Outcome]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            if self._in_doubt:
                self._look_again()
                self._in_doubt = False
            outcomes, heads = write(prepared, now)
            self._failpoints.reach("journal.before_commit")
            self._connection.execute("COMMIT")
        except BaseException:
            self._in_doubt = True  # a COMMIT that failed may have reached the disk all the same
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        self.heads.update(heads)
        self._failpoints.reach("journal.after_commit")
        return outcomes

    def _look_again(self) -> None:
        """Read every head from the file; a character that was erased has none any more."""
        for number in list(self.heads):
            head = find_head(self._connection, number)
            if head is None:
                self.heads.pop(number, None)
            else:
                self.heads[number] = head

    def _together(
        self, prepared: list[Prepared | Exception], now: float, *, unseen: bool
    ) -> tuple[list[Outcome], dict[int, Head]]:
        ledger = Ledger(self._connection, self.heads, _sound(prepared), unseen=unseen)
        outcomes = [_decide(ledger, one, now) for one in prepared]
        if not all(isinstance(one, Committed) and not one.repeated for one in outcomes):
            self._look_for = _LOOK_FOR
            if unseen:  # a key that was not looked up would have come before any other reason
                return self._together(prepared, now, unseen=False)
        ledger.write()
        return outcomes, ledger.heads

    def _one_by_one(
        self, prepared: list[Prepared | Exception], now: float
    ) -> tuple[list[Outcome], dict[int, Head]]:
        heads = dict(self.heads)
        outcomes: list[Outcome] = []
        for one in prepared:
            ledger = Ledger(self._connection, heads, _sound([one]))
            decided = _decide(ledger, one, now)
            self._connection.execute("SAVEPOINT one")
            try:
                ledger.write()
                heads.update(ledger.heads)
            except _ROW_REFUSED as error:
                self._connection.execute("ROLLBACK TO one")
                decided = self._told(error)
            self._connection.execute("RELEASE one")
            outcomes.append(decided)
        return outcomes, heads

    def _told(self, error: Exception) -> Exception:
        """Return an error of its own for one caller, since raising the same one twice mixes their traces."""
        if isinstance(error, sqlite3.Error | OSError):
            mine: Exception = storage_error(error, self._path)
        elif isinstance(error, OverflowError):
            mine = StorageError(f"{self._path}: a number doesn't fit the database ({error}). Nothing was stored")
        elif isinstance(error, OmoideError):
            mine = copy.copy(error)
        else:
            return error
        mine.__cause__ = error
        return mine


def _prepared(ticket: Ticket) -> Prepared | Exception:
    try:
        return prepare(ticket.character, ticket.commit)
    except Exception as error:  # noqa: BLE001 - it goes to the one caller whose commit it is
        return error


def _sound(prepared: Sequence[Prepared | Exception]) -> list[Prepared]:
    return [one for one in prepared if isinstance(one, Prepared)]


def _decide(ledger: Ledger, prepared: Prepared | Exception, now: float) -> Outcome:
    if isinstance(prepared, Exception):
        return prepared
    try:
        return ledger.plan(prepared, now)
    except OmoideError as error:
        return error
