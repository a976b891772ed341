# ruff: noqa: ARG001 - a clock works by being asked for

from __future__ import annotations

import trio
import trio.testing

from omoide.actors.bulkhead import LONGEST_S, Bulkhead


async def worked(bulkhead: Bulkhead, seconds: float) -> None:
    async with bulkhead.place():
        await trio.sleep(seconds)


async def duration(bulkhead: Bulkhead, *seconds: float) -> float:
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        for one in seconds:
            nursery.start_soon(worked, bulkhead, one)
    return trio.current_time() - began


async def test_as_much_computes_at_once_as_there_are_places(autojump_clock: object) -> None:
    assert round(await duration(Bulkhead(2), *[LONGEST_S / 2] * 6) / LONGEST_S, 6) == 1.5


async def test_work_that_waits_long_keeps_nobody_from_computing(autojump_clock: object) -> None:
    bulkhead = Bulkhead(1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(worked, bulkhead, 600.0)
        await trio.testing.wait_all_tasks_blocked()

        assert await duration(bulkhead, 0.0) <= LONGEST_S


async def test_a_place_that_was_lost_in_the_meantime_is_not_left_twice(autojump_clock: object) -> None:
    bulkhead = Bulkhead(1)
    await duration(bulkhead, 2 * LONGEST_S, 2 * LONGEST_S)

    assert round(await duration(bulkhead, LONGEST_S / 2, LONGEST_S / 2) / LONGEST_S, 6) == 1.0


async def test_who_asked_first_comes_first(autojump_clock: object) -> None:
    bulkhead, order = Bulkhead(1), list[int]()

    async def work(number: int) -> None:
        async with bulkhead.place():
            order.append(number)
            await trio.sleep(LONGEST_S / 2)

    async with trio.open_nursery() as nursery:
        for number in range(5):
            nursery.start_soon(work, number)
            await trio.sleep(LONGEST_S / 100)

    assert order == [0, 1, 2, 3, 4]


async def test_work_that_gives_up_waiting_holds_up_nobody(autojump_clock: object) -> None:
    bulkhead = Bulkhead(1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(duration, bulkhead, LONGEST_S / 2)
        await trio.sleep(LONGEST_S / 10)
        with trio.move_on_after(LONGEST_S / 10):
            await duration(bulkhead, 0.0)

    assert await duration(bulkhead, LONGEST_S / 2) == LONGEST_S / 2
