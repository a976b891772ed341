"""The keeper role: queues what falls due with time alone, and puts away subjects that nobody added to for long.

Takes `Tick` (replies `Ticked`), `RunOp` for `ArchiveSubject` (replies `OpDone`), `FindStale` and `RestoreSubject`
(replies `Restored`).

Beside that it does nothing itself: each day's work is an outbox op whose key names the day, so that a crash or a
second timer queues nothing twice. It looks once a UTC day, at the first chance, and queues nothing where nothing
is due, so that a character that sleeps for months costs nothing and wakes to one day's work. A subject is put away
by one commit, for all who own its rows: they have written nothing to it for months.

It holds the time of its next alarm, the last day that it looked at, and when it last looked for stale subjects and
for beliefs that are close to each other.
Restart: permanent.
"""

from __future__ import annotations

import logging
from typing import ClassVar, assert_never

import trio

from ...protocols.errors import DefectError
from ...protocols.memos import ConversationMemo, memo_id
from ...protocols.messages import Commit, OpDone, RunOp, Tick, Ticked
from ...protocols.records import FactStatus, OpId, PersonaEntry, Reflection
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.work import (
    AnyWork,
    ArchiveSubject,
    OpState,
    Refine,
    ReviewWindow,
    Sweep,
    Synthesise,
)
from ..compaction.reviewing import review_due
from ..refinement.looking import refinements_due
from ..reflection.answers import swept
from ..reflection.lifecycle import promotion_due
from ..role import Peer, Role, Surroundings
from .messages import FindStale, Restored, RestoreSubject, StaleSubject
from .periods import day_of, next_sweep_at
from .staleness import Row, archived, is_stale, last_write, restored

logger = logging.getLogger(__name__)


class Keeper(Role):
    """Keeps the time of one character."""

    role: ClassVar[str] = "keeper"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (Tick, RunOp, FindStale, RestoreSubject)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._alarm: trio.CancelScope | None = None
        self._alarm_at: float | None = None
        self._looked_day: str | None = None
        self._looked_stale_at: float | None = None
        self._looked_close_at: float | None = None

    async def on_start(self) -> None:
        """Look at once: a day may have begun while the character slept."""
        self.ref.tell(Tick())

    async def receive(
        self, message: Tick | RunOp | FindStale | RestoreSubject
    ) -> Ticked | OpDone | tuple[StaleSubject, ...] | Restored:
        """Handle one message."""
        self.reach("received")
        match message:
            case Tick():
                return await self._tick()
            case RunOp():
                return await self._run(message)
            case FindStale():
                return await self._stale()
            case RestoreSubject():
                return await self._restore(message.subject)
            case _:
                assert_never(message)

    async def _tick(self) -> Ticked:
        """Queue what is due, and set the alarm for the next look."""
        now = self.world.clock.now()
        next_at = next_sweep_at(now, self.world.character)
        await self._look(now)
        await self._look_for_stale(now)
        await self._look_for_close(now)
        often = self.world.embedder is not None or self.world.settings.window.review
        self._set_alarm(min(next_at, now + self.world.settings.refinement.every_s) if often else next_at)
        return Ticked(next_at=next_at)

    # --- subjects that nobody added to --------------------------------------------------------------

    async def _look_for_stale(self, now: float) -> None:
        """Queue that stale subjects are put away, at most every so often; or tell only how many there are."""
        scopes, last = self.world.settings.scopes, self._looked_stale_at
        if scopes.stale == "off" or (last is not None and 0 <= now - last < scopes.stale_check_s):
            return
        stale = await self._stale()
        if stale and scopes.stale == "dry-run":
            logger.info("keeper.stale_subjects", extra={"subjects": len(stale)})
        elif stale:
            due = tuple(ArchiveSubject(subject=one.subject, last_write=one.last_write) for one in stale)
            await self.commit(Commit(actor=self.role, cause=f"day:{day_of(now)}", enqueues=due))
        self._looked_stale_at = now

    async def _stale(self) -> tuple[StaleSubject, ...]:
        now, scopes = self.world.clock.now(), self.world.settings.scopes
        found = []
        for subject in await self.world.journal.subjects():
            last = None if subject == PRIVATE else last_write(await self._rows(subject))
            if last is not None and is_stale(subject, last, now, scopes):
                found.append(StaleSubject(subject=subject, last_write=last))
        return tuple(found)

    async def _run(self, message: RunOp) -> OpDone:
        op = message.op
        if not isinstance(op.work, ArchiveSubject):
            raise DefectError(f"the keeper was given {op.work.key}")
        now, subject = self.world.clock.now(), op.work.subject
        rows = await self._rows(subject)
        last = last_write(rows)
        due = last == op.work.last_write and is_stale(subject, last, now, self.world.settings.scopes)
        changes = tuple(archived(rows, now)) if due else ()
        await self.commit(Commit(actor=self.role, cause=op.id, changes=changes, settles=(op.id,)))
        return OpDone()

    async def _restore(self, subject: Subject) -> Restored:
        changes = tuple(restored(await self._rows(subject), self.world.clock.now()))
        if changes:
            cause = f"request_{self.world.new_id()}"
            await self.commit(Commit(actor=self.role, cause=cause, changes=changes))
        return Restored(rows=len(changes))

    async def _rows(self, subject: Subject) -> tuple[Row, ...]:
        """Return the facts, reflections and persona entries of a subject, whatever their status."""
        journal = self.world.journal
        reflections, entries = await journal.records(Reflection), await journal.records(PersonaEntry)
        return (
            *await journal.facts(subjects=(subject,), statuses=tuple(FactStatus)),
            *(one for one in reflections if one.subject == subject),
            *(one for one in entries if one.subject == subject),
        )

    # --- what is to be looked at again --------------------------------------------------------------

    async def _look_for_close(self, now: float) -> None:
        """Queue that a mind looks at beliefs that are close, and at a window that fell silent; every so often.

        A character that sleeps is not woken for it, since nothing new comes in: it catches up when it wakes.
        Without an embedding model nothing is known to be close, and without reviews nothing falls silent.
        """
        last = self._looked_close_at
        if last is not None and 0 <= now - last < self.world.settings.refinement.every_s:
            return
        due: tuple[AnyWork, ...] = (*await refinements_due(self.world), *await self._reviews_due(now))
        if due:
            await self.commit(Commit(actor=self.role, cause=f"day:{day_of(now)}", enqueues=due))
        self._looked_close_at = now

    async def _reviews_due(self, now: float) -> tuple[ReviewWindow, ...]:
        window, journal = self.world.settings.window, self.world.journal
        if not window.review:
            return ()
        turns = await journal.turns(subjects=(PRIVATE,), newest=window.most)
        memo = await journal.record(ConversationMemo, memo_id(PRIVATE))
        return (ReviewWindow(subject=PRIVATE, turn=turns[-1].id),) if review_due(turns, memo, now, window) else ()

    # --- the day ------------------------------------------------------------------------------------

    async def _look(self, now: float) -> None:
        """Queue the day's work if there is any."""
        day = day_of(now)
        if self._looked_day == day:
            return
        due = await self._due(day, now)
        probes = await self._probes(now)
        if due or probes:
            await self.commit(Commit(actor=self.role, cause=f"day:{day}", enqueues=due, retries=probes))
        self._looked_day = day

    async def _due(self, day: str, now: float) -> tuple[AnyWork, ...]:
        settings = self.world.settings
        reflections = await self.world.journal.records(Reflection)
        weak_since = (await self.world.journal.profile()).weak_since
        moves = any(
            swept(one, now, settings.reflections, settings.evidence, weak_since=weak_since) != one
            for one in reflections
        )
        rises = any(
            promotion_due(one, now, settings.reflections, settings.evidence, weak_since=weak_since)
            for one in reflections
        )
        return (Sweep(day=day),) if moves or rises else ()

    async def _probes(self, now: float) -> tuple[OpId, ...]:
        """Return the syntheses and refinements that failed for good long enough ago to be tried again."""
        after_s = self.world.settings.reflections.probe_after_s
        return tuple(
            op.id
            for op in await self.world.journal.ops(states=(OpState.PARKED,))
            if isinstance(op.work, Synthesise | Refine) and now - op.not_before >= after_s
        )

    def _set_alarm(self, at: float) -> None:
        if self._alarm_at == at:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._alarm_at = trio.CancelScope(), at
        self.start_soon(self._wake_at, at, self._alarm)

    async def _wake_at(self, at: float, alarm: trio.CancelScope) -> None:
        with alarm:
            await self.world.clock.sleep_until(at)
            self._alarm_at = None  # it may have rung early, and is set for the same time again
            await self.ref.atell(Tick())
