"""A reply that may be awaited anywhere and set from anywhere, once."""

# ruff: noqa: ARG001 - a clock works by being asked for; hooks take what they are given

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from typing import Any

import pykka
import pytest
import trio

from omoide.actors.kernel import AskTimeoutError, Future
from omoide.protocols.errors import CallerError, WouldDeadlockError


def test_a_plain_thread_gets_the_value() -> None:
    future = Future()
    threading.Timer(0.01, future.set, ["moon"]).start()
    assert future.get(timeout=5) == "moon"


def test_getting_in_vain_raises_pykkas_timeout_too() -> None:
    with pytest.raises(pykka.Timeout):
        Future().get(timeout=0.001)


def test_a_late_value_is_still_there_after_a_timeout() -> None:
    future = Future()
    with pytest.raises(AskTimeoutError):
        future.get(timeout=0.001)
    future.set(1)
    assert future.get() == 1


def test_an_interrupt_that_another_thread_gets_ends_a_wait_without_end() -> None:
    future = Future()
    late = threading.Timer(5.0, future.set)
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    late.start()
    # The system hands a signal to a thread that doesn't block it, and nothing wakes this one.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with pytest.raises(KeyboardInterrupt):
            future.get()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        late.cancel()

    assert not future.done()


async def test_a_trio_task_awaits_a_value_set_by_another_task() -> None:
    future = Future()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_set_later, future)
        assert await future == "rain"


async def _set_later(future: Future) -> None:
    await trio.lowlevel.checkpoint()
    future.set("rain")


async def test_a_trio_task_awaits_a_value_set_by_a_thread() -> None:
    future = Future()
    threading.Timer(0.01, future.set, ["snow"]).start()
    with trio.fail_after(5):
        assert await future == "snow"


def test_an_asyncio_task_awaits_a_value_set_by_a_thread() -> None:
    future = Future()
    threading.Timer(0.01, future.set, ["wind"]).start()

    async def main() -> object:
        async with asyncio.timeout(5):
            return await future

    assert asyncio.run(main()) == "wind"


async def test_an_exception_is_raised_at_the_waiter() -> None:
    future = Future()
    future.set_exception(KeyError("gone"))
    with pytest.raises(KeyError, match="gone"):
        await future


def test_the_exception_being_handled_is_taken_as_pykka_does() -> None:
    future = Future()
    try:
        raise ValueError("inside")  # noqa: TRY301
    except ValueError:
        future.set_exception()
    with pytest.raises(ValueError, match="inside"):
        future.get()


def test_a_future_is_set_once() -> None:
    future = Future()
    future.set(1)
    with pytest.raises(CallerError, match="already set"):
        future.set(2)
    assert future.get() == 1


async def test_getting_on_a_trio_loop_is_refused_before_it_hangs() -> None:
    with pytest.raises(WouldDeadlockError, match="trio"):
        Future().get()


def test_getting_on_an_asyncio_loop_is_refused_before_it_hangs() -> None:
    async def main() -> None:
        Future().get()

    with pytest.raises(WouldDeadlockError, match="asyncio"):
        asyncio.run(main())


async def test_getting_what_is_there_is_no_deadlock() -> None:
    future = Future()
    future.set(3)
    assert future.get() == 3


def test_a_callback_runs_in_the_setters_thread() -> None:
    future, seen = Future(), list[int | None]()
    future.add_done_callback(lambda _: seen.append(threading.get_ident()))
    setter = threading.Thread(target=future.set)
    setter.start()
    setter.join()
    assert seen == [setter.ident]


def test_a_callback_added_late_runs_at_once_with_the_future() -> None:
    future, seen = Future(), list[Any]()
    future.set(1)
    future.add_done_callback(seen.append)
    assert seen == [future]


def test_a_callback_that_raises_harms_neither_the_setter_nor_the_next_callback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    future, seen = Future(), list[Any]()
    future.add_done_callback(lambda _: 1 / 0)
    future.add_done_callback(seen.append)
    with caplog.at_level(logging.ERROR):
        future.set(1)
    assert seen == [future]
    assert "callback raised" in caplog.text


async def test_a_waiter_that_gives_up_leaves_nothing_behind(autojump_clock: object) -> None:
    future = Future()
    for _ in range(3):
        with trio.move_on_after(1):
            await future
    assert not future._callbacks


async def test_a_callback_in_a_foreign_thread_never_wakes_a_waiter_that_gave_up() -> None:
    future = Future()
    with trio.move_on_after(0):
        await future
    await trio.to_thread.run_sync(future.set)
    await trio.lowlevel.checkpoint()
    assert future.done()


async def test_pykkas_derived_futures_can_be_awaited() -> None:
    first, second = Future(), Future()
    joined = first.map(lambda value: value + 1).join(second)
    threading.Timer(0.01, first.set, [1]).start()
    second.set(5)
    with trio.fail_after(5):
        assert await joined == [2, 5]
