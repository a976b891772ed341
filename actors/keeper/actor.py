"""The keeper role: queues what falls due with time alone. Takes `Tick`, replies `Ticked`.

It does nothing itself: each day's work is an outbox op whose key names the day, so that a crash or a second
timer queues nothing twice. It looks once a UTC day, at the first chance, and queues nothing where nothing is due,
so that a character that sleeps for months costs nothing and wakes to one day's work.

It holds the time of its next alarm, and the last day that it looked at. Restart: permanent.
"""

from __future__ import annotations

from typing import ClassVar

import trio

from ...protocols.messages import Commit, Tick, Ticked
from ...protocols.records import AnyWork, OpId, OpState, Reflection, Sweep, Synthesise
from ..reflection.answers import swept
from ..reflection.lifecycle import promotion_due
from ..role import Peer, Role, Surroundings
from .periods import day_of, next_sweep_at


class Keeper(Role):
    """Keeps the time of one character."""

    role: ClassVar[str] = "keeper"
    interruptible: ClassVar[bool] = True
    accepts: ClassVar[tuple[type, ...]] = (Tick,)

    def __init__(self, world: Surroundings, peer: Peer) -> None:
        super().__init__(world, peer)
        self._alarm: trio.CancelScope | None = None
        self._alarm_at: float | None = None
        self._looked_day: str | None = None

    async def on_start(self) -> None:
        """Look at once: a day may have begun while the character slept."""
        self.ref.tell(Tick())

    async def receive(self, message: Tick) -> Ticked:
        """Queue what is due, and set the alarm for the next look."""
        del message
        self.reach("received")
        now = self.world.clock.now()
        next_at = next_sweep_at(now, self.world.character)
        self._set_alarm(next_at)
        await self._look(now)
        return Ticked(next_at=next_at)

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
        """Return the syntheses that failed for good long enough ago to be tried again."""
        after_s = self.world.settings.reflections.probe_after_s
        return tuple(
            op.id
            for op in await self.world.journal.ops(states=(OpState.PARKED,))
            if isinstance(op.work, Synthesise) and now - op.not_before >= after_s
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
            await self.ref.atell(Tick())
