"""P8: what one character has erased in a shared file holds up nobody else in it, and its bytes go all the same."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
import trio

from omoide import open_runtime
from omoide.protocols.settings import Settings, StorageSettings
from omoide.runtime.character import Character
from omoide.runtime.store import examine, removal, scrubbing
from omoide.runtime.store.faults import translated
from omoide.tests.runtime.store.traces import traces


def shared(folder: Path, **storage: float) -> Settings:
    given = {"layout": "shared", "scrub_retry_s": 0.05, **storage}
    return Settings(data_dir=folder, storage=StorageSettings.model_validate(given))


async def told(character: Character, text: str) -> None:
    await character.hear(text)
    await character.drain()


async def test_others_are_heard_while_it_is_found_out_what_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, heard, prepare = threading.Event(), threading.Event(), removal.prepare

    def slow(*given: object) -> object:
        looking.set()
        assert heard.wait(30)
        return prepare(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(removal, "prepare", slow)
    async with open_runtime(shared(tmp_path)) as runtime:
        yui, mio = await runtime.character("yui"), await runtime.character("mio")
        await told(yui, "I breed axolotls.")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lambda: yui.erase(words="axolotls"))
            await trio.to_thread.run_sync(looking.wait, 30)
            with trio.fail_after(20):
                await mio.hear("I like trains.")
            heard.set()

        assert traces(tmp_path, "axolotls") == []
        assert [turn.text for turn in await mio.turns(newest=5)] == ["I like trains."]


async def test_making_the_bytes_go_gives_way_to_who_is_heard_and_is_done_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewriting, scrub, settings = threading.Event(), scrubbing.scrub, shared(tmp_path, scrub_wait_s=0.0)
    attempts: list[bool] = []

    def slow(connection: sqlite3.Connection, place: object) -> bool:
        if not attempts and scrubbing.is_due(connection):
            attempts.append(True)
            rewriting.set()
            endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
            with translated(settings.data_dir):
                connection.execute(endless).fetchone()
        return scrub(connection, place)  # type: ignore[arg-type]

    monkeypatch.setattr(scrubbing, "scrub", slow)
    async with open_runtime(settings) as runtime:
        yui, mio = await runtime.character("yui"), await runtime.character("mio")
        await told(yui, "I breed axolotls.")

        with trio.fail_after(20):
            report = await yui.erase(words="axolotls")
            await trio.to_thread.run_sync(rewriting.wait, 30)
            await mio.hear("I like trains.")

        assert not report.scrubbed
        assert await yui.facts() == ()
        with trio.fail_after(20):
            while traces(tmp_path, "axolotls"):  # noqa: ASYNC110 - the file tells nobody
                await trio.sleep(0.05)
    for name in ("yui", "mio"):
        assert examine(settings, name).findings == ()


async def test_where_nobody_else_is_heard_the_bytes_are_gone_when_it_returns(tmp_path: Path) -> None:
    async with open_runtime(shared(tmp_path, scrub_wait_s=30.0)) as runtime:
        yui, mio = await runtime.character("yui"), await runtime.character("mio")
        await told(yui, "I breed axolotls.")
        await told(mio, "I like trains.")

        report = await yui.erase(words="axolotls")

        assert report.scrubbed
        assert traces(tmp_path, "axolotls") == []
