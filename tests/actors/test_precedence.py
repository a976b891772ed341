# ruff: noqa: ARG001 - a clock works by being asked for

from __future__ import annotations

from collections.abc import Generator

import trio
import trio.testing

from omoide.actors.bulkhead import Bulkhead
from omoide.actors.precedence import LONGEST_S, answering, give_way, in_steps


async def test_background_work_waits_until_whoever_waits_is_answered(autojump_clock: object) -> None:
    order: list[str] = []

    async def work() -> None:
        await give_way()
        order.append("work")

    async with trio.open_nursery() as nursery:
        with answering():
            nursery.start_soon(work)
            await trio.testing.wait_all_tasks_blocked()
            order.append("answer")

    assert order == ["answer", "work"]


async def test_calls_without_end_hold_a_step_up_for_a_moment_only(autojump_clock: object) -> None:
    began = trio.current_time()
    with answering():
        await give_way()

    assert trio.current_time() - began == LONGEST_S


async def test_of_two_who_wait_the_last_one_lets_work_go_on(autojump_clock: object) -> None:
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        with answering():
            nursery.start_soon(give_way)
            with answering():
                await trio.testing.wait_all_tasks_blocked()
            await trio.sleep(LONGEST_S / 2)

    assert trio.current_time() - began == LONGEST_S / 2


async def test_work_that_nobody_waits_before_begins_at_once(autojump_clock: object) -> None:
    began = trio.current_time()
    await give_way()

    assert trio.current_time() == began


async def test_a_place_is_given_once_who_waits_is_answered(autojump_clock: object) -> None:
    bulkhead, began = Bulkhead(1), trio.current_time()

    async def work() -> None:
        async with bulkhead.place():
            pass

    async with trio.open_nursery() as nursery:
        with answering():
            nursery.start_soon(work)
            await trio.sleep(LONGEST_S / 4)

    assert trio.current_time() - began == LONGEST_S / 4


async def test_work_in_steps_returns_what_it_made(autojump_clock: object) -> None:
    def work() -> Generator[None, None, int]:
        yield
        yield
        return 3

    assert await in_steps(work) == 3


async def test_each_step_lets_others_compute(autojump_clock: object) -> None:
    order: list[str] = []

    def work() -> Generator[None, None, None]:
        for number in range(3):
            order.append(f"step {number}")
            yield

    async def another() -> None:
        while len(order) < 4:
            order.append("another")
            await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(in_steps, work)
        nursery.start_soon(another)

    assert "another" in order[1:3]
