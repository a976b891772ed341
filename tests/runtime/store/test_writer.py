"""Group commit: order, batches, cancellation, faults, and a process that is killed."""

import os
import random
import signal
import sqlite3
import sys
from collections import defaultdict
from pathlib import Path

import pytest
import trio

from omoide.protocols.errors import OmoideError, StorageError
from omoide.protocols.messages import Committed
from omoide.protocols.settings import Settings
from omoide.protocols.work import ExtractTurn, OpState
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault, InjectedFaultError
from omoide.runtime.store import JournalStore, SqliteJournal, examine, open_store
from omoide.tests.processes import running
from omoide.tests.runtime.store.samples import heard, settings_in


class Counting:
    """Failpoints that count how often each point is reached."""

    def __init__(self) -> None:
        self.reached: dict[str, int] = defaultdict(int)

    def reach(self, point: str) -> None:
        self.reached[point] += 1


async def test_commits_of_many_callers_keep_each_callers_order(store: JournalStore, settings: Settings) -> None:
    journals = [await store.open(name, create=True) for name in ("yui", "rin")]

    async def caller(journal: SqliteJournal, caller_id: int) -> None:
        for number in range(10):
            await journal.commit(heard(f"{caller_id}-{number}"))
            if random.random() < 0.2:
                await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as nursery:
        for caller_id in range(20):
            for journal in journals:
                nursery.start_soon(caller, journal, caller_id)

    for journal in journals:
        events = await journal.events()
        assert [event.seq for event in events] == list(range(1, 201))
        by_caller: dict[str, list[int]] = defaultdict(list)
        for event in events:
            who, _, number = event.record_ids[0].partition("-")
            by_caller[who].append(int(number))
        assert all(numbers == list(range(10)) for numbers in by_caller.values())
        assert examine(settings, journal.character).healthy


async def test_commits_that_wait_together_share_a_transaction(tmp_path: Path) -> None:
    points = Counting()
    async with open_store(settings_in(tmp_path, batch_commits=16), VirtualClock(0.0), points) as store:
        journal = await store.open("yui", create=True)
        async with trio.open_nursery() as nursery:
            for number in range(64):
                nursery.start_soon(journal.commit, heard(f"t{number}"))

    assert points.reached == {"journal.before_commit": 4, "journal.after_commit": 4}


async def test_commit_all_keeps_its_order_over_several_batches(tmp_path: Path) -> None:
    async with open_store(settings_in(tmp_path, batch_commits=3), VirtualClock(0.0), Counting()) as store:
        journal = await store.open("yui", create=True)
        outcomes = await journal.commit_all([heard(f"t{number}") for number in range(10)])

        assert [one.events[0].seq for one in outcomes if isinstance(one, Committed)] == list(range(1, 11))
        assert await journal.commit_all([]) == ()


async def test_a_cancelled_caller_leaves_the_writer_well(journal: SqliteJournal) -> None:
    async with trio.open_nursery() as nursery:
        for number in range(20):
            nursery.start_soon(journal.commit, heard(f"t{number}"))
        await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()

    before = journal.last_seq
    committed = await journal.commit(heard("after"))
    assert committed.events[0].seq == journal.last_seq > before
    assert [event.seq for event in await journal.events()] == list(range(1, journal.last_seq + 1))


async def test_closing_waits_for_commits_whose_caller_is_gone(store: JournalStore, settings: Settings) -> None:
    journal = await store.open("yui", create=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(journal.commit, heard("t1"))
        while not journal._under_way:
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    await store.close_character("yui")

    assert (await store.open("yui")).last_seq == 1
    assert examine(settings, "yui").healthy


async def test_a_crash_before_the_commit_lands_nothing(
    journal: SqliteJournal, failpoints: ArmedFailpoints
) -> None:
    await journal.commit(heard("t1"))
    failpoints.arm("journal.before_commit", Fault.CRASH)

    with pytest.raises(InjectedFaultError):
        await journal.commit(heard("t2"))

    assert (await journal.commit(heard("t3"))).events[0].seq == 2
    assert [turn.id for turn in await journal.turns(newest=9)] == ["t1", "t3"]


async def test_a_crash_after_the_commit_has_landed_it(
    journal: SqliteJournal, failpoints: ArmedFailpoints, settings: Settings
) -> None:
    failpoints.arm("journal.after_commit", Fault.CRASH)

    with pytest.raises(InjectedFaultError):
        await journal.commit(heard("t1", key="m1"))

    assert journal.last_seq == 1
    assert (await journal.commit(heard("t1", key="m1"))).repeated
    assert (await journal.commit(heard("t2"))).events[0].seq == 2
    assert examine(settings, "yui").healthy


async def test_a_failed_commit_after_another_character_was_erased_stops_nobody(
    tmp_path: Path, failpoints: ArmedFailpoints, clock: VirtualClock
) -> None:
    async with open_store(settings_in(tmp_path, "shared"), clock, failpoints) as store:
        mio, yui = await store.open("mio", create=True), await store.open("yui", create=True)
        await mio.commit(heard("t1"))
        await yui.commit(heard("t1"))
        await store.close_character("yui")
        await store.erase("yui", None)
        failpoints.arm("journal.before_commit", Fault.CRASH)
        with pytest.raises(InjectedFaultError):
            await mio.commit(heard("t2"))

        await mio.commit(heard("t3"))

        assert [turn.id for turn in await mio.turns(newest=9)] == ["t1", "t3"]


async def test_each_caller_of_a_failed_batch_gets_an_error_of_its_own(
    journal: SqliteJournal, failpoints: ArmedFailpoints
) -> None:
    failpoints.arm("journal.before_commit", Fault.CRASH)

    outcomes = await journal.commit_all([heard("t1"), heard("t2")])

    assert all(isinstance(one, OmoideError) for one in outcomes)
    assert outcomes[0] is not outcomes[1]


async def test_a_head_that_another_program_moved_stops_the_writer(
    store: JournalStore, journal: SqliteJournal
) -> None:
    await journal.commit(heard("t1"))
    (opened,) = store._files.all()
    with sqlite3.connect(opened.writer._path) as other:
        other.execute("UPDATE characters SET head_seq = 7")
    other.close()

    with pytest.raises(StorageError, match="moved by another program"):
        await journal.commit(heard("t2"))


async def test_a_busy_character_does_not_keep_another_from_closing(tmp_path: Path) -> None:
    async with open_store(settings_in(tmp_path, "shared"), VirtualClock(0.0), Counting()) as store:
        busy = await store.open("busy", create=True)
        await store.open("quiet", create=True)
        closed = trio.Event()

        async def chatter() -> None:
            number = 0
            while not closed.is_set():
                number += 1
                await busy.commit(heard(f"t{number}"))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(chatter)
            nursery.start_soon(chatter)
            with trio.fail_after(5):
                while not busy.last_seq:
                    await trio.lowlevel.checkpoint()
                await store.close_character("quiet")
                await store.open("third", create=True)
            went_on = busy.last_seq
            closed.set()

    assert went_on > 1


VICTIM = """
import itertools, os, sys, trio
from pathlib import Path
from omoide.runtime.clock import SystemClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import open_store
from omoide.tests.runtime.store.samples import heard, settings_in

async def main() -> None:
    async with open_store(settings_in(Path(sys.argv[1]), sys.argv[2], 4), SystemClock(), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        numbers = itertools.count(journal.last_seq)
        with open(sys.argv[3], "ab", buffering=0) as acknowledged:
            async def caller() -> None:
                for number in numbers:
                    await journal.commit(heard(f"t{number}", key=f"m{number}"))
                    acknowledged.write(b"t%d\\n" % number)
            async with trio.open_nursery() as nursery:
                for _ in range(8):
                    nursery.start_soon(caller)

trio.run(main)
"""


@pytest.mark.kill
async def test_a_killed_process_loses_nothing_that_it_acknowledged(settings: Settings, tmp_path: Path) -> None:
    log = tmp_path / "acknowledged"
    command = [sys.executable, "-c", VICTIM, str(settings.data_dir), settings.storage.layout, str(log)]
    root = Path(__file__).parents[3] / ".links"
    for _ in range(3):
        size = log.stat().st_size if log.exists() else 0
        with running(command, env={**os.environ, "PYTHONPATH": str(root)}) as victim:
            with trio.fail_after(30):
                while not log.exists() or log.stat().st_size < size + 400:  # noqa: ASYNC110 - another process writes it
                    await trio.sleep(0.01)
            victim.send_signal(signal.SIGKILL)
            victim.wait()

    acknowledged = set(log.read_text().split())
    async with open_store(settings, VirtualClock(0.0), ArmedFailpoints()) as store:
        journal = await store.open("yui")
        stored = {turn.id for turn in await journal.turns(newest=100_000)}
        queued = {op.work.key for op in await journal.ops(states=[OpState.PENDING])}

    assert acknowledged <= stored
    assert queued == {ExtractTurn(turn=turn).key for turn in stored}
    assert examine(settings, "yui").findings == ()
