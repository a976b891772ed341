"""Events are published though a read of the journal fails once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from omoide.protocols.errors import StorageError
from omoide.protocols.events import Event
from omoide.runtime.bus.feed import Feed
from omoide.runtime.bus.status import Counts
from omoide.runtime.host import open_runtime
from omoide.runtime.store.journal import SqliteJournal


async def test_what_is_committed_after_a_read_that_failed_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    failing, came = [True], trio.Event()
    events = SqliteJournal.events

    async def read(journal: SqliteJournal, *, after: int = 0, limit: int | None = None) -> tuple[Event, ...]:
        if limit is not None and failing and after:
            failing.clear()
            raise StorageError("the disk refuses")
        return await events(journal, after=after, limit=limit)

    async def publish(_: str, published: Sequence[Event]) -> None:
        await trio.lowlevel.checkpoint()
        told.extend(event.kind for event in published)
        if told.count("turn_heard") == 2:
            came.set()

    monkeypatch.setattr(SqliteJournal, "events", read)
    async with open_runtime(tmp_path) as runtime, trio.open_nursery() as nursery:
        yui = await runtime.character("yui", owner="Sam")
        nursery.start_soon(Feed(runtime, lambda word: f"test:{word}", publish, Counts()).run)
        await yui.hear("My sister Ingrid lives in Bergen.")
        await yui.hear("I like tea.")
        with trio.fail_after(20):
            await came.wait()
        nursery.cancel_scope.cancel()

    assert (told.count("turn_heard"), failing) == (2, [])
