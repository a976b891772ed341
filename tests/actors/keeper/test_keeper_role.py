"""The keeper queues a day's work once, whoever wakes it and however often."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from omoide.protocols.evidence import Signal
from omoide.protocols.records import ReflectionStatus
from omoide.protocols.work import OpState, Sweep
from omoide.runtime.failpoints import Fault

Lives = Callable[..., AbstractAsyncContextManager[Any]]

TEA = "Sam likes green tea."
TEAS = (
    "I drink green tea every morning.",
    "My green tea comes from Uji.",
    "I bought a pot for green tea.",
    "I spilled green tea on the carpet.",
    "I read a book about green tea.",
)


async def made_negative(it: Any) -> None:
    """Let a reflection be made and passed over once, so that its score is below zero."""
    await it.hear(*TEAS)
    it.mind.reads(Signal.IGNORED)
    await it.character.say("Green tea again?", surfaced=["green tea"])
    await it.hear("Hm.")


async def sweeps(it: Any) -> list[str]:
    done = await it.character.outbox(states=list(OpState))
    return [op.work.day for op in done if isinstance(op.work, Sweep)]


async def test_a_character_without_reflections_has_no_work_to_be_kept_for(life: Lives) -> None:
    async with life() as it:
        await it.hear("I keep bees.")
        await it.wait(days=60)
        assert await sweeps(it) == []


async def test_each_negative_day_is_counted_once_and_the_fourteenth_archives(life: Lives) -> None:
    async with life(TEA) as it:
        await made_negative(it)
        counted = []
        for _ in range(15):
            await it.wait(days=1)
            (one,) = (await it.every_reflection()).values()
            counted.append((one.evidence.sub_zero_days, one.status))
        assert [days for days, _ in counted] == [*range(1, 15), 14]
        assert [status for _, status in counted[12:]] == ["pending", "archived", "archived"]


async def test_an_archived_reflection_is_not_recalled_and_its_facts_are(life: Lives) -> None:
    async with life(TEA) as it:
        await made_negative(it)
        await it.wait(days=20)
        found = await it.recalled("green tea")
        assert (TEA in found, len(found)) == (False, 5)


async def test_a_character_that_slept_for_two_months_wakes_to_one_sweep(life: Lives) -> None:
    async with life(TEA) as it:
        await made_negative(it)
        asleep_from = it.clock.now()
    async with life(start=asleep_from + 60 * 86_400) as it:
        await it.settle()
        (one,) = (await it.every_reflection()).values()
        assert (len(await sweeps(it)), one.evidence.sub_zero_days, one.status) == (
            1,
            1,
            ReflectionStatus.PENDING,
        )


@pytest.mark.parametrize(
    "point", ["keeper.received", "keeper.before_commit", "keeper.after_commit", "reflection.before_commit"]
)
async def test_a_crash_counts_no_day_twice_and_none_too_few(life: Lives, point: str) -> None:
    async with life(TEA) as it:
        await made_negative(it)
        for _ in range(3):
            it.failpoints.arm(point, Fault.CRASH)
            await it.wait(days=1)
        await it.character.drain()
        await it.settle()
        (one,) = (await it.every_reflection()).values()
        assert (one.evidence.sub_zero_days, len(await sweeps(it))) == (3, 3)


async def test_many_openings_on_one_day_sweep_once(life: Lives) -> None:
    async with life(TEA) as it:
        await made_negative(it)
        morrow = it.clock.now() + 86_400
    for hour in range(5):
        async with life(start=morrow + 3_600 * hour) as it:
            await it.settle()
            found = await sweeps(it)
    assert len(found) == 1
