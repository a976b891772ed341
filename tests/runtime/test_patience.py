"""A limit for another process counts the time in which it could be waited for."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from omoide.runtime.patience import patiently


async def test_a_stop_of_both_processes_counts_as_a_second_at_most(
    mock_clock: MockClock, nursery: trio.Nursery
) -> None:
    ended = trio.Event()
    came: list[int] = []

    async def wait() -> int:
        await ended.wait()
        return 7

    async def waiting() -> None:
        came.append(await patiently(wait, 10))

    nursery.start_soon(waiting)
    await wait_all_tasks_blocked()
    mock_clock.jump(60.0)  # as the clock does over a Ctrl-Z
    await wait_all_tasks_blocked()
    ended.set()
    await wait_all_tasks_blocked()
    assert came == [7]


async def test_what_never_comes_is_given_up_at_the_limit(autojump_clock: MockClock) -> None:
    with pytest.raises(trio.TooSlowError):
        await patiently(trio.sleep_forever, 10)
    assert autojump_clock.current_time() == pytest.approx(10.0)
