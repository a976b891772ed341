"""A host exports and imports characters while others go on, and a cancelled call leaves nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import pytest
import trio

from omoide.protocols.errors import InvalidRequestError, StorageFullError
from omoide.protocols.settings import Settings, StorageSettings
from omoide.runtime.failpoints import ArmedFailpoints
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.store import examine

Layout = Literal["per-character", "shared"]


@pytest.fixture(params=["per-character", "shared"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    layout: Layout = request.param
    return Settings(data_dir=tmp_path / "data", storage=StorageSettings(layout=layout))


@pytest.fixture
async def runtime(settings: Settings) -> AsyncIterator[Runtime]:
    async with open_runtime(settings) as opened:
        yui = await opened.character("yui", owner="Sam")
        await yui.hear("My sister Ingrid lives in Bergen.", message_id="m1")
        await yui.settle()
        yield opened


async def test_a_character_in_memory_is_exported_and_imported_beside_itself(
    runtime: Runtime, settings: Settings, tmp_path: Path
) -> None:
    report = await runtime.export("yui", tmp_path / "x")
    imported = await runtime.import_(tmp_path / "x", "mio")

    mio = await runtime.character("mio", create=False)
    assert [fact.text for fact in await mio.facts()] == ["My sister Ingrid lives in Bergen."]
    assert [hit.text for hit in (await mio.recall("where does Ingrid live")).hits] != []
    assert (imported.exported_as, imported.exported_chain) == ("yui", report.chain)
    assert examine(settings, "mio").healthy


async def test_what_was_heard_before_is_not_heard_again_after_an_import(runtime: Runtime, tmp_path: Path) -> None:
    await runtime.export("yui", tmp_path / "x")
    await runtime.import_(tmp_path / "x", "mio")

    mio = await runtime.character("mio", create=False)
    receipt = await mio.hear("My sister Ingrid lives in Bergen.", message_id="m1")
    await mio.settle()

    assert receipt.repeated
    assert (len(await mio.turns(newest=10)), len(await mio.facts())) == (1, 1)


async def test_work_that_was_pending_goes_on_after_an_import(settings: Settings, tmp_path: Path) -> None:
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui")
        async with trio.open_nursery() as nursery:
            for number in range(40):
                nursery.start_soon(yui.hear, f"My friend number {number} keeps bees.")
        report = await runtime.export("yui", tmp_path / "x")
        await runtime.import_(tmp_path / "x", "mio")
        mio = await runtime.character("mio")
        drained = await mio.settle()
        facts = await mio.facts()

    assert report.ops["pending"] > 0
    assert (len(facts), drained.parked) == (40, 0)


async def test_others_are_heard_while_a_character_is_imported(runtime: Runtime, tmp_path: Path) -> None:
    rin = await runtime.character("rin")
    await runtime.export("yui", tmp_path / "x")
    heard = []

    async def talk() -> None:
        for number in range(60):
            receipt = await rin.hear(f"Day {number}.")
            heard.append(receipt.turn)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(talk)
        for number in range(6):
            nursery.start_soon(runtime.import_, tmp_path / "x", f"mio{number}")

    assert [turn.id for turn in await rin.turns(newest=100)] == heard
    assert runtime.stored_characters() == (*(f"mio{number}" for number in range(6)), "rin", "yui")


async def test_an_import_that_fails_harms_nobody(runtime: Runtime, tmp_path: Path) -> None:
    await runtime.export("yui", tmp_path / "x")
    (tmp_path / "x" / "facts.json").unlink()

    with pytest.raises(Exception, match=r"facts\.json is missing"):
        await runtime.import_(tmp_path / "x", "mio")
    with pytest.raises(InvalidRequestError, match="stored here already"):
        await runtime.import_(tmp_path / "x")

    yui = await runtime.character("yui")
    assert not (await yui.hear("I drink tea.")).repeated
    assert runtime.stored_characters() == ("yui",)


class _FullDisk(ArmedFailpoints):
    def __init__(self, point: str) -> None:
        super().__init__()
        self.point = point

    def reach(self, point: str) -> None:
        if point == self.point:
            raise OSError(28, "No space left on device")


@pytest.mark.parametrize("point", ["export.written", "export.before_rename", "import.before_commit"])
async def test_a_disk_that_fills_up_is_said_so_and_leaves_nothing(
    settings: Settings, tmp_path: Path, point: str
) -> None:
    async with open_runtime(settings, failpoints=_FullDisk(point)) as runtime:
        await (await runtime.character("yui")).hear("I drink tea.")

        with pytest.raises(StorageFullError, match=r"no space is left.*[Ff]ree some"):  # noqa: PT012 - which one depends
            await runtime.export("yui", tmp_path / "x")
            await runtime.import_(tmp_path / "x", "mio")

        assert runtime.stored_characters() == ("yui",)
    assert [path.name for path in tmp_path.iterdir() if path.name not in {"data", "x"}] == []
    assert (tmp_path / "x").exists() == (point == "import.before_commit")
    assert list(tmp_path.rglob("memory.db.new*")) == []


@pytest.mark.parametrize("way", ["export", "import"])
async def test_a_cancelled_call_ends_soon_and_leaves_nothing(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    await runtime.export("yui", tmp_path / "x")
    monkeypatch.setattr("omoide.runtime.store.exported.ROWS_A_STEP", 1)
    steps = []

    with trio.CancelScope() as scope:

        def cancel(done: int, _total: int) -> None:
            steps.append(done)
            trio.from_thread.run_sync(scope.cancel)

        if way == "export":
            await runtime.export("yui", tmp_path / "y", on_progress=cancel)
        else:
            await runtime.import_(tmp_path / "x", "mio", on_progress=cancel)

    assert scope.cancelled_caught
    assert len(steps) <= 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "x"]
    assert runtime.stored_characters() == ("yui",)


async def test_progress_reaches_its_end(runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omoide.runtime.store.exported.ROWS_A_STEP", 1)
    exporting: list[tuple[int, int]] = []
    importing: list[tuple[int, int]] = []

    await runtime.export("yui", tmp_path / "x", on_progress=lambda *step: exporting.append(step))
    await runtime.import_(tmp_path / "x", "mio", on_progress=lambda *step: importing.append(step))

    for steps in (exporting, importing):
        done = [step[0] for step in steps]
        assert done == list(range(1, steps[0][1] + 1))
