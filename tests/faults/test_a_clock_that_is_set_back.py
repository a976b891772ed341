"""A clock that is set back by days holds nothing up: no work that waits, no alarm, no wish."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from omoide import open_runtime
from omoide.protocols.errors import ModelUnavailableError
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.settings import OutboxSettings, Settings
from omoide.runtime.clock import SystemClock, VirtualClock
from omoide.runtime.models.offline import OfflineEngine

START = 1_772_442_000.0
DAYS_S = 3 * 86_400.0
TOLD = "I breed axolotls."


class Mind(OfflineEngine):
    """Can't be asked while `away`, and doesn't answer while `silent`."""

    away = silent = False

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        if self.silent:
            await trio.sleep_forever()
        if self.away:
            raise ModelUnavailableError("away")
        return await super().extract(request)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path, outbox=OutboxSettings(backoff_min_s=30.0))


async def test_work_that_waits_to_be_tried_again_is_tried_at_once(settings: Settings) -> None:
    clock, mind = VirtualClock(START), Mind()
    async with open_runtime(settings, clock=clock, model=mind) as runtime:
        yui = await runtime.character("yui")
        mind.away = True
        await yui.hear(TOLD)
        waits = (await yui.drain()).next_at is not None
        mind.away = False
        clock.set_back(DAYS_S)
        await yui.drain()

        assert (waits, [fact.text for fact in await yui.facts()]) == (True, [TOLD])


async def test_the_alarm_of_work_that_waits_rings_when_its_time_has_passed(settings: Settings) -> None:
    clock, mind = VirtualClock(START), Mind()
    async with open_runtime(settings, clock=clock, model=mind) as runtime:
        yui = await runtime.character("yui")
        mind.away = True
        await yui.hear(TOLD)
        await yui.drain()
        mind.away = False
        clock.set_back(DAYS_S)
        clock.advance_to(START - DAYS_S + 40.0)
        await wait_all_tasks_blocked(0.05)
        with trio.move_on_after(5):
            while not await yui.facts():  # noqa: ASYNC110 - no event tells of work that nobody asked for
                await trio.sleep(0.01)

        assert [fact.text for fact in await yui.facts()] == [TOLD]


async def test_work_of_before_a_restart_that_was_never_tried_is_due_whatever_the_clock_says(
    settings: Settings,
) -> None:
    silent = Mind()
    silent.silent = True
    async with open_runtime(settings, clock=VirtualClock(START), model=silent) as runtime:
        await (await runtime.character("yui")).hear(TOLD)
    async with open_runtime(settings, clock=VirtualClock(START - 600.0)) as runtime:
        yui = await runtime.character("yui")
        await yui.drain()

        assert [fact.text for fact in await yui.facts()] == [TOLD]


async def test_work_that_fails_after_the_clock_was_set_back_still_waits(settings: Settings) -> None:
    """What came in before has a time ahead of the clock, and must not be tried without end."""
    clock, mind = VirtualClock(START), Mind()
    async with open_runtime(settings, clock=clock, model=mind) as runtime:
        yui = await runtime.character("yui")
        mind.away = True
        await yui.hear(TOLD)
        clock.set_back(DAYS_S)
        await yui.drain()
        drained = await yui.drain()

        assert drained.next_at == pytest.approx(START - DAYS_S + 30.0, abs=6.1)


async def test_the_keeper_looks_again_after_an_alarm_that_rang_early(tmp_path: Path) -> None:
    clock = VirtualClock(START)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        await (await runtime.character("yui")).settle()
        await wait_all_tasks_blocked(0.05)
        at = clock.next_alarm()
        assert at is not None
        clock.set_back(1.0)
        clock.advance_to(at - 1.0)
        with trio.fail_after(5):
            while clock.next_alarm() is None:  # noqa: ASYNC110 - no event tells of a sleeper
                await trio.sleep(0.01)

        assert clock.next_alarm() == at


def test_who_sleeps_by_the_machines_clock_is_woken_when_the_time_has_passed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SystemClock, "now", lambda _: START)

    async def slept() -> float:
        began = trio.current_time()
        with trio.move_on_after(1_000):
            await SystemClock().sleep_until(START + 90.0)
        return trio.current_time() - began

    assert trio.run(slept, clock=MockClock(autojump_threshold=0)) == pytest.approx(90.0)


async def test_what_is_allowed_after_the_clock_was_set_back_is_allowed(tmp_path: Path) -> None:
    clock = VirtualClock(START)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("Never mention Marcus again.")
        clock.set_back(DAYS_S)
        await yui.hear("You can talk about Marcus again.")

        assert await yui.directives() == ()


async def test_what_is_banned_after_the_clock_was_set_back_is_banned(tmp_path: Path) -> None:
    clock = VirtualClock(START)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("Never mention Marcus again.")
        await yui.hear("You can talk about Marcus again.")
        clock.set_back(DAYS_S)
        await yui.hear("Never mention Marcus again.")

        assert [directive.term for directive in await yui.directives()] == ["Marcus"]
