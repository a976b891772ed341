"""Plays a plan: talks to the process under test, makes it fail, and watches that it doesn't grow.

Each character has a task that does its steps one after another, so that its oracle always knows what was
acknowledged; characters go side by side. The first thing that breaks a promise ends the run, unless more are
wanted.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import trio

from ...protocols.errors import NotAvailableError
from .asking import Asker
from .companion import Companion, World
from .generate import Generator
from .keeper import HostKeeper
from .measures import Sample, growth, quantile
from .mouth import Mouth
from .plan import AnyFault, AnyStep, Bus, Clock, Crash, Disk, Kill, KillAt, Model, Plan, Restart, Retire, Settle
from .process import COMMAND, HostDiedError, HostEndedError, HostHangsError
from .protocol import Arm, Measure, Measured, SetDisk
from .provider import serving
from .run import Enough, Notes, Run, Watch, unwatched

if TYPE_CHECKING:  # else a soak without a bus would need its library
    from .bus import BusClient

START: Final = 1_772_442_000.0
"""Time at which the host's clock starts, in seconds since the epoch."""

LOOK_EVERY_S: Final = 1.0
"""Time from one look at the process to the next, in seconds."""

NAMED: Final = 20_000
"""Characters of a run of which every other one thinks with the provider."""


async def play(
    plan: Plan,
    *,
    command: Sequence[str] = COMMAND,
    most_violations: int = 1,
    watch: Watch = unwatched,
    stop: trio.Event | None = None,
    folder: Path | None = None,
) -> Run:
    """Play a plan and return what came of it.

    Args:
        plan: what to do.
        command: what starts the process under test.
        most_violations: after how many broken promises it ends.
        watch: called with the run now and then.
        stop: ends the run in order once it is set.
        folder: where the data and the log go; one that is removed afterwards by default.

    Raises:
        OutsideError: if the process can't be started.
    """
    with tempfile.TemporaryDirectory(prefix="omoide-soak-") as scratch, serving(keeps=False) as server:
        mouth, place = Mouth(), folder or Path(scratch)
        server.otherwise = mouth
        settings = settings_of(plan, place, server.base_url)
        async with AsyncExitStack() as stack:
            bus = None
            if plan.bus is not None:
                bus = await stack.enter_async_context(opened_bus(place / "bus"))
                settings["bus"] = bus.settings
            driver = Driver(plan, place, mouth, command, most_violations, bus=bus)
            await driver.run(settings, watch, trio.Event() if stop is None else stop)
        return driver.result


def opened_bus(folder: Path) -> AbstractAsyncContextManager[BusClient]:
    """Return a message bus that begins with an empty store in a folder.

    Raises:
        NotAvailableError: if its client or its server isn't installed.
    """
    check_bus()
    from .bus import open_bus  # noqa: PLC0415 - the library of an extra

    return open_bus(folder)


def check_bus() -> None:
    """Raise unless a message bus can be started here.

    Raises:
        NotAvailableError: if its client or its server isn't installed.
    """
    try:
        from .bus import program  # noqa: PLC0415 - the library of an extra
    except ModuleNotFoundError as error:
        raise NotAvailableError("a soak over NATS needs the extra `nats`: pip install 'omoide[nats]'") from error
    program()


class Driver:
    """One run of a plan. Made by `play`.

    Attributes:
        result: what came of it.
    """

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        mouth: Mouth,
        command: Sequence[str],
        most_violations: int,
        *,
        bus: BusClient | None = None,
    ) -> None:
        self.result = Run(plan)
        self._plan = plan
        self._mouth = mouth
        self._keeper = HostKeeper(folder / "log.txt", command, plan.speed, START)
        self._notes = Notes(self.result, max(1, most_violations))
        self._disk_until = 0.0
        self._asker = Asker(self._keeper, self.result, self._notes, lambda: self._disk_until, bus)
        self._bus = bus
        self._world = World(
            self._asker,
            self.result,
            self._notes,
            folder,
            random.Random(f"{plan.seed} probes"),  # noqa: S311 - reproducible, not secret
            lambda: mouth.left_s,
            self._keeper.steady_now,
        )
        self._companions: dict[str, Companion] = {}
        self._began = time.monotonic()

    async def run(self, settings: dict[str, Any], watch: Watch, stop: trio.Event) -> None:
        """Do all of it."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._keeper.keep, settings)
                nursery.start_soon(self._sample, watch)
                async with trio.open_nursery() as talking:
                    await self._feed(talking, stop)
                    for companion in list(self._companions.values()):
                        await companion.send.send((len(self.result.steps), Settle(who=companion.name)))
                        companion.send.close()
                for problem in growth(self.result.samples):
                    self._notes.broken("P9", "", len(self.result.steps), problem)
                await self._keeper.close()
                nursery.cancel_scope.cancel()
        except* (Enough, HostEndedError):
            pass
        except* HostHangsError as group:
            self._notes.last("P8", "", len(self.result.steps), str(group.exceptions[0]))
        self.result.recoveries_s = self._keeper.recoveries_s
        self.result.bus_restarts = 0 if self._bus is None else self._bus.server.restarts
        for ending in self._keeper.unmeant:
            message = f"{ending}; the log ends with: {self._keeper.last_words()}"
            self._notes.last("P9", "", len(self.result.steps), message)
        self.result.took_s = time.monotonic() - self._began

    # --- the plan --------------------------------------------------------------------------------

    async def _feed(self, talking: trio.Nursery, stop: trio.Event) -> None:
        given: Iterable[AnyStep] = self._plan.steps or Generator(self._plan).steps()
        for number, step in enumerate(given, start=1):
            if stop.is_set():
                self.result.interrupted = True
                return
            if self._is_over(number):
                return
            self.result.steps.append(step)
            tag = str(step.__struct_config__.tag)
            if isinstance(step, AnyFault):
                self.result.faults[tag] += 1
                await self._disturb(talking, step)
            else:
                self.result.done[tag] += 1
                await self._companion(talking, step.who).send.send((number, step))
                if isinstance(step, Retire):
                    self._companions.pop(step.who).send.close()
            await self._pace(number)

    def _is_over(self, number: int) -> bool:
        if self._plan.for_s is not None and time.monotonic() - self._began >= self._plan.for_s:
            return True
        return not self._plan.steps and self._plan.turns is not None and number > self._plan.turns

    async def _pace(self, number: int) -> None:
        rate = self._plan.rate
        ahead_s = 0.0 if rate is None else self._began + number / rate - time.monotonic()
        await trio.sleep(max(0.0, ahead_s))

    def _companion(self, talking: trio.Nursery, who: str) -> Companion:
        companion = self._companions.get(who)
        if companion is None:
            companion = self._companions[who] = Companion(who, self._world)
            talking.start_soon(companion.live)
        return companion

    # --- faults ----------------------------------------------------------------------------------

    async def _disturb(self, talking: trio.Nursery, step: AnyFault) -> None:
        match step:
            case Kill():
                talking.start_soon(self._keeper.kill_after, step.after_s)
            case KillAt():
                await self._keeper.arm(Arm(point=step.point, kills=True, skip=step.skip))
            case Crash():
                await self._keeper.try_ask(Arm(point=step.point, kills=False))
            case Model():
                self._mouth.misbehave(step.how, step.for_s)
            case Disk():
                talking.start_soon(self._spoil_disk, step)
            case Clock():
                await self._keeper.jump(step.by_s)
            case Restart():
                await self._keeper.restart()
            case Bus():
                assert self._bus is not None, "a plan without a bus has no such fault"
                talking.start_soon(self._bus.server.restart, step.for_s)

    async def _spoil_disk(self, step: Disk) -> None:
        self._disk_until = max(self._disk_until, time.monotonic() + step.for_s)
        await self._keeper.spoil(SetDisk(limit=step.limit, wait_s=step.wait_s))
        await trio.sleep(step.for_s)
        await self._keeper.spoil(SetDisk(limit=None, wait_s=0.0))

    # --- the process -----------------------------------------------------------------------------

    async def _sample(self, watch: Watch) -> None:
        while True:
            await trio.sleep(LOOK_EVERY_S)
            with suppress(HostDiedError):
                host = self._keeper.current
                measured = None if host is None else await host.ask(Measure())
                if isinstance(measured, Measured):
                    self._take(measured)
            watch(self.result)

    def _take(self, measured: Measured) -> None:
        recent, self._asker.recent_ms = self._asker.recent_ms, []
        self.result.samples.append(
            Sample(
                at=round(time.monotonic() - self._began, 2),
                life=len(self._keeper.recoveries_s),
                steps=len(self.result.steps),
                heard=len(recent),
                p50_ms=round(quantile(recent, 0.5), 3),
                p95_ms=round(quantile(recent, 0.95), 3),
                p99_ms=round(quantile(recent, 0.99), 3),
                process=measured,
            )
        )
        if measured.mailbox > measured.mailbox_bound:
            step = len(self.result.steps)
            self._notes.broken("P9", "", step, f"a mailbox holds {measured.mailbox} messages")


def settings_of(plan: Plan, folder: Path, base_url: str) -> dict[str, Any]:
    """Return the settings of the process under test.

    Args:
        plan: what is played.
        folder: where its data goes.
        base_url: address of the provider.
    """
    provider = {
        "base_url": base_url,
        "fast": "soak",
        "attempts": 2,
        "backoff_min_s": 0.05,
        "backoff_max_s": 0.2,
        "backoff_jitter_s": 0.05,
        "read_timeout_s": 1.0,
        "task_timeout_s": 3.0,
    }
    every_other = {f"yui {number}": "loopback" for number in range(0, NAMED, 2)}
    return {
        "data_dir": str(folder / "data"),
        "storage": {"layout": plan.layout},
        "models": {
            "use": "loopback" if plan.minds == "provider" else "offline",
            "providers": {"loopback": provider},
            "characters": every_other if plan.minds == "both" else {},
        },
        "actors": {"shutdown_s": 0.5, "passivate_after_s": 20.0},
        # Jumps of the clock would have it put away what the oracle still expects.
        "scopes": {"stale": "off"},
    }
