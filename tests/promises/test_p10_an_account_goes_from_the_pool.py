"""P10: who erases an account erases it in the pool of accounts too, which all characters share."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from omoide import open_runtime
from omoide.protocols.errors import CharacterOwnedError
from omoide.protocols.records import Speaker
from omoide.protocols.settings import Settings, StorageSettings
from omoide.runtime.store import JournalStore, examine, is_stored, paths
from omoide.tests.runtime.cli.command_line import Omoide
from omoide.tests.runtime.store.traces import traces

GROUP = "group:qq:77"
ALICE = Speaker(platform="qq", account="alice-1001")
BOB = Speaker(platform="qq", account="bob-1002")


@pytest.fixture(params=["per-character", "shared"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", storage=StorageSettings(layout=request.param))


async def test_it_is_in_no_byte_and_the_report_says_so_and_others_stay(settings: Settings) -> None:
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui")
        for speaker in (ALICE, BOB):
            await yui.hear("I like trains.", subject=GROUP, speaker=speaker, trust="normal")
        await yui.drain()
        assert {account.key for one in await runtime.trust.people() for account in one.accounts} == {
            ALICE.key,
            BOB.key,
        }

        ahead = await yui.erase(account=ALICE.key, dry_run=True)
        assert ahead.from_pool
        assert await runtime.trust.person(ALICE.key)
        report = await yui.erase(account=ALICE.key)

        assert (report.from_pool, report.scrubbed, report.kept) == (True, True, ())
        assert await runtime.trust.person(ALICE.key) is None
        bob = await runtime.trust.person(BOB.key)
        assert bob
        assert bob.tally.messages == 1
        # That it was erased stays in the character's journal, and keeps out what comes late.
        if settings.storage.layout == "per-character":
            folder = paths.place_of(settings, "@trust").folder
            assert traces(folder, "alice") == []
            assert traces(folder, "bob-1002")
    assert examine(settings, "@trust").findings == ()


async def test_where_no_trust_was_ever_given_no_pool_is_begun(settings: Settings) -> None:
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I like trains.", subject=GROUP, speaker=ALICE)
        await yui.drain()

        report = await yui.erase(account=ALICE.key)

        assert not report.from_pool
        assert not is_stored(settings, "@trust")


async def test_an_account_whose_words_wait_for_the_pool_is_not_counted_there_again(settings: Settings) -> None:
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I like trains.", subject=GROUP, speaker=ALICE, trust="normal")
        await yui.drain()
        await yui.hear("I like ships.", subject=GROUP, speaker=ALICE, trust="normal")  # its count is queued

        await yui.erase(account=ALICE.key)
        await yui.drain()

        assert await runtime.trust.person(ALICE.key) is None


async def test_a_pool_that_is_held_elsewhere_keeps_it_and_the_report_tells_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I like trains.", subject=GROUP, speaker=ALICE, trust="normal")
        await yui.drain()
    opens = JournalStore.open

    async def held(self: JournalStore, character: str, *, create: bool = False) -> object:
        if character == "@trust":
            raise CharacterOwnedError("another process has it open")
        return await opens(self, character, create=create)

    monkeypatch.setattr(JournalStore, "open", held)
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui")
        report = await yui.erase(account=ALICE.key)

        assert not report.from_pool
        assert "omoide trust forget qq:alice-1001" in report.kept[0]
        assert await yui.facts() == ()


def test_the_command_tells_it(tmp_path: Path) -> None:
    omoide = Omoide(tmp_path / "data")

    async def talk() -> None:
        async with open_runtime(omoide.data) as runtime:
            yui = await runtime.character("yui")
            await yui.hear("I like trains.", subject=GROUP, speaker=ALICE, trust="normal")
            await yui.drain()

    trio.run(talk)
    assert ALICE.key in omoide("trust", "list").out

    ended = omoide("erase", "yui", "--account", ALICE.key, "--yes")

    assert "pool that all characters share" in ended.out
    assert ALICE.key not in omoide("trust", "list").out
