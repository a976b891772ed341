"""The three ways to embed a runtime: one suite over Trio, threads and asyncio, and what differs between them."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
import trio

from omoide.protocols.errors import ActorDeadError, StorageError, UnknownCharacterError
from omoide.protocols.events import Event, TurnHeard
from omoide.protocols.records import Speaker
from omoide.runtime import aio, blocking, host
from omoide.runtime.loop_thread import LoopThread

Open = Callable[[Path], AbstractAsyncContextManager[Any]]
Scenario = Callable[[Open, Path], Awaitable[None]]


class Awaited:
    """A blocking object whose calls can be awaited, so that the one suite runs over it."""

    def __init__(self, inner: object) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not inspect.ismethod(found):
            return found
        if name in {"changes", "gate_stream"}:
            return lambda **given: Awaited(found(**given))

        async def call(*args: object, **given: object) -> object:
            result = found(*args, **given)
            return Awaited(result) if isinstance(result, blocking.Character) else result

        return call

    async def __aiter__(self) -> AsyncIterator[object]:
        assert isinstance(self._inner, blocking.Changes)
        for change in self._inner:
            yield change


class AwaitedRuntime:
    def __init__(self, opened: AbstractContextManager[blocking.Runtime]) -> None:
        self._opened = opened

    async def __aenter__(self) -> Awaited:
        return Awaited(self._opened.__enter__())

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.__exit__(kind, error, trace)


def over_trio(scenario: Scenario, folder: Path) -> None:
    trio.run(scenario, host.open_runtime, folder)


def over_threads(scenario: Scenario, folder: Path) -> None:
    asyncio.run(as_coroutine(scenario(lambda path: AwaitedRuntime(blocking.open_runtime(path)), folder)))


def over_asyncio(scenario: Scenario, folder: Path) -> None:
    asyncio.run(as_coroutine(scenario(aio.open_runtime, folder)))


async def as_coroutine(awaitable: Awaitable[None]) -> None:
    await awaitable


ways = pytest.mark.parametrize("over", [over_trio, over_threads, over_asyncio])
Way = Callable[[Scenario, Path], None]


@ways
def test_what_was_heard_is_recalled(over: Way, tmp_path: Path) -> None:
    async def scenario(open_runtime: Open, folder: Path) -> None:
        async with open_runtime(folder) as runtime:
            yui = await runtime.character("yui", owner="Sam")
            await yui.hear("My sister Ingrid lives in Bergen.", speaker=Speaker(platform="qq", account="1"))
            await yui.settle()

            found = await yui.recall("where does the sister live", limit=1)

        assert [hit.text for hit in found.hits] == ["My sister Ingrid lives in Bergen."]

    over(scenario, tmp_path)


@ways
def test_what_was_acknowledged_is_there_after_opening_again(over: Way, tmp_path: Path) -> None:
    async def scenario(open_runtime: Open, folder: Path) -> None:
        async with open_runtime(folder) as runtime:
            receipt = await (await runtime.character("yui")).hear("I am allergic to peanuts.")

        async with open_runtime(folder) as runtime:
            turns = await (await runtime.character("yui", create=False)).turns(newest=1)

        assert [turn.id for turn in turns] == [receipt.turn]

    over(scenario, tmp_path)


@ways
def test_an_error_arrives_as_what_it_is(over: Way, tmp_path: Path) -> None:
    async def scenario(open_runtime: Open, folder: Path) -> None:
        async with open_runtime(folder) as runtime:
            with pytest.raises(UnknownCharacterError, match="nobody"):
                await runtime.character("nobody", create=False)

    over(scenario, tmp_path)


@ways
def test_a_banned_topic_leaves_no_stream(over: Way, tmp_path: Path) -> None:
    async def scenario(open_runtime: Open, folder: Path) -> None:
        async with open_runtime(folder) as runtime:
            yui = await runtime.character("yui")
            await yui.hear("Please stop mentioning Marcus.")
            stream = yui.gate_stream(unprompted=True)

            spoken = await stream.push("It is sunny. Maybe Mar") + await stream.push("cus would like it. ")
            spoken += await stream.close()

        assert (spoken.strip(), len(stream.dropped)) == ("It is sunny.", 1)

    over(scenario, tmp_path)


@ways
def test_changes_come_in_order_as_they_are_stored(over: Way, tmp_path: Path) -> None:
    async def scenario(open_runtime: Open, folder: Path) -> None:
        heard: list[str] = []
        async with open_runtime(folder) as runtime:
            yui = await runtime.character("yui")
            await yui.hear("I own a kayak.")
            async for event in yui.changes():
                if isinstance(event.change, TurnHeard):
                    heard.append(event.change.turn.text)
                    if len(heard) == 2:
                        break
                    await yui.hear("I own a canoe.")

        assert heard == ["I own a kayak.", "I own a canoe."]

    over(scenario, tmp_path)


@ways
def test_the_pool_of_accounts_is_reached_too(over: Way, tmp_path: Path) -> None:
    async def scenario(open_runtime: Open, folder: Path) -> None:
        async with open_runtime(folder) as runtime:
            people = Awaited(runtime.trust) if over is over_threads else runtime.trust
            await people.bind("qq:1001", "owner", by="Sam")

            found = await people.person("qq:1001")

        assert found.id == "person_owner"

    over(scenario, tmp_path)


def test_on_trio_a_callback_is_called_with_each_change_until_the_stream_is_closed(tmp_path: Path) -> None:
    async def main() -> list[str]:
        called: list[str] = []
        async with host.open_runtime(tmp_path) as runtime, trio.open_nursery() as nursery:
            yui = await runtime.character("yui")
            changes = yui.changes()

            async def take(event: Event) -> None:
                called.append(event.kind)
                if called.count("turn_heard") == 2:
                    await changes.close()

            nursery.start_soon(changes.each, take)
            await yui.hear("I own a kayak.")
            await yui.hear("I own a canoe.")
        return called

    assert trio.run(main).count("turn_heard") == 2


def test_on_asyncio_a_callback_is_called_in_the_loop_of_its_host(tmp_path: Path) -> None:
    async def main() -> set[int]:
        threads: set[int] = set()
        async with aio.open_runtime(tmp_path) as runtime:
            yui = await runtime.character("yui")
            changes = yui.changes()
            following = asyncio.create_task(changes.each(lambda _: threads.add(threading.get_ident())))
            await yui.hear("I own a kayak.")
            while not threads:  # noqa: ASYNC110 - what is waited for is filled by the call
                await asyncio.sleep(0.01)

            await changes.close()
            await following
        return threads

    assert asyncio.run(main()) == {threading.get_ident()}


def test_in_threads_a_stream_that_is_closed_ends_for_whoever_waits(tmp_path: Path) -> None:
    called: list[str] = []
    heard = threading.Event()
    with blocking.open_runtime(tmp_path) as runtime:
        yui = runtime.character("yui")
        changes = yui.changes()

        def take(event: Event) -> None:
            called.append(event.kind)
            heard.set()

        follower = threading.Thread(target=changes.each, args=(take,))
        follower.start()
        yui.hear("I own a kayak.")
        heard.wait()

        changes.close()
        follower.join(timeout=10)

        assert (follower.is_alive(), "turn_heard" in called) == (False, True)
        assert list(changes) == []


@ways
def test_a_closed_runtime_says_so(over: Way, tmp_path: Path) -> None:
    async def scenario(open_runtime: Open, folder: Path) -> None:
        async with open_runtime(folder) as runtime:
            yui = await runtime.character("yui")

        with pytest.raises(ActorDeadError, match="open it again"):
            await yui.hear("Is anybody there?")

    over(scenario, tmp_path)


@ways
def test_leaving_by_an_error_closes_the_folder_for_the_next(over: Way, tmp_path: Path) -> None:
    async def scenario(open_runtime: Open, folder: Path) -> None:
        async def fail() -> None:
            async with open_runtime(folder) as runtime:
                await runtime.character("yui")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fail()

        async with open_runtime(folder) as runtime:
            assert await runtime.character("yui", create=False)

    over(scenario, tmp_path)


@ways
def test_a_data_folder_that_is_a_file_is_refused_at_opening(over: Way, tmp_path: Path) -> None:
    async def scenario(open_runtime: Open, folder: Path) -> None:
        (folder / "notes.txt").write_text("no folder")

        with pytest.raises(StorageError, match=r"notes\.txt is a file"):
            async with open_runtime(folder / "notes.txt"):
                pass

    over(scenario, tmp_path)


@pytest.mark.parametrize("twin", ["blocking.py", "aio.py"])
def test_a_twin_is_as_its_definition_makes_it(twin: str, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]

    subprocess.run([sys.executable, root / "docs" / "make_twins.py", tmp_path], check=True)

    assert (root / "runtime" / twin).read_text() == (tmp_path / twin).read_text(), "run python docs/make_twins.py"


async def test_a_stream_of_changes_ends_with_the_runtime(tmp_path: Path) -> None:
    async with host.open_runtime(tmp_path) as runtime:
        changes = (await runtime.character("yui")).changes()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(runtime.close)

            with pytest.raises(ActorDeadError, match="open it again"):
                await anext(changes)


async def test_changes_since_an_entry_leave_out_what_came_before(tmp_path: Path) -> None:
    async with host.open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I own a kayak.")
        seen = (await yui.events())[-1].seq
        await yui.hear("I own a canoe.")

        event = await anext(yui.changes(after=seen))

    assert event.seq == seen + 1


def test_threads_call_one_character_at_the_same_time(tmp_path: Path) -> None:
    with blocking.open_runtime(tmp_path) as runtime:
        yui = runtime.character("yui")
        threads = [threading.Thread(target=yui.hear, args=(f"I own {n} books.",)) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert len({turn.text for turn in yui.turns(newest=50)}) == 20


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[LoopThread]:
    thread = LoopThread(host.open_runtime(tmp_path))
    thread.start()
    yield thread
    thread.stop()


class Endless:
    """Work that ends by cancellation alone."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.ended = threading.Event()

    async def __call__(self) -> None:
        try:
            self.began.set()
            await trio.sleep_forever()
        finally:
            self.ended.set()


def test_an_interrupt_ends_a_blocking_wait_with_the_work_behind_it(loop: LoopThread) -> None:
    work, main = Endless(), threading.main_thread().ident
    assert main is not None

    def interrupt() -> None:
        work.began.wait()
        signal.pthread_kill(main, signal.SIGINT)

    interrupter = threading.Thread(target=interrupt)
    interrupter.start()

    with pytest.raises(KeyboardInterrupt):
        loop.call(work)

    assert work.ended.is_set()
    interrupter.join()


def test_an_interrupt_that_another_thread_gets_ends_a_blocking_wait_too(loop: LoopThread) -> None:
    work, came_late = threading.Event(), threading.Event()

    async def long_work() -> None:
        work.set()
        await trio.sleep(5.0)
        came_late.set()

    def interrupt() -> None:
        work.wait()
        os.kill(os.getpid(), signal.SIGINT)

    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    # The system hands a signal to a thread that doesn't block it, and nothing wakes this one.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with pytest.raises(KeyboardInterrupt):
            loop.call(long_work)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    assert not came_late.is_set()
    interrupter.join()


def test_a_cancelled_task_ends_with_the_work_behind_it(loop: LoopThread) -> None:
    work = Endless()

    async def main() -> None:
        task = asyncio.create_task(loop.acall(work))
        await asyncio.to_thread(work.began.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert work.ended.is_set()


def test_closing_ends_calls_that_are_under_way(tmp_path: Path) -> None:
    loop, work = LoopThread(host.open_runtime(tmp_path)), Endless()
    loop.start()
    failures: list[BaseException] = []

    def call() -> None:
        try:
            loop.call(work)
        except ActorDeadError as error:
            failures.append(error)

    caller = threading.Thread(target=call)
    caller.start()
    work.began.wait()

    loop.stop()
    caller.join(timeout=10)

    assert [str(error) for error in failures] == ["the runtime was closed: open it again to go on"]
