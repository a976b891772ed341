"""A cursor lands with the effect that it belongs to, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.protocols.cursors import Cursor
from omoide.protocols.errors import CursorBehindError
from omoide.protocols.messages import Commit
from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault, Unarmed
from omoide.runtime.store import open_store
from omoide.runtime.store.journal import SqliteJournal
from omoide.tests.runtime.store.moved import export_to, import_from, stored, write_journal
from omoide.tests.runtime.store.samples import heard

SOURCE = "nats:OMOIDE"


def at(seq: int, epoch: int = 0) -> Cursor:
    return Cursor(source=SOURCE, epoch=epoch, seq=seq)


async def test_a_cursor_is_read_back_after_its_commit(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1", cursor=at(7)))

    assert await journal.cursor(SOURCE) == at(7)


async def test_cursors_of_two_streams_do_not_meet(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1", cursor=at(7)))

    assert await journal.cursor("nats:OTHER") is None


@pytest.mark.parametrize("place", [at(7), at(6)], ids=["same", "earlier"])
async def test_a_place_that_came_before_changes_nothing(journal: SqliteJournal, place: Cursor) -> None:
    await journal.commit(heard("t1", cursor=at(7)))

    with pytest.raises(CursorBehindError, match="taken up before"):
        await journal.commit(heard("t2", cursor=place))
    assert (journal.last_seq, await journal.cursor(SOURCE)) == (1, at(7))


async def test_a_new_epoch_counts_as_ahead_of_every_place_before(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1", cursor=at(700)))

    await journal.commit(heard("t2", cursor=at(3, epoch=1)))

    assert await journal.cursor(SOURCE) == at(3, epoch=1)


async def test_a_message_that_was_sent_twice_moves_the_cursor_and_nothing_else(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1", key="m1", cursor=at(7)))

    again = await journal.commit(heard("t1", key="m1", cursor=at(9)))

    assert (again.repeated, journal.last_seq, await journal.cursor(SOURCE)) == (True, 1, at(9))


async def test_a_redelivery_of_a_known_message_is_told_as_repeated(journal: SqliteJournal) -> None:
    await journal.commit(heard("t1", key="m1", cursor=at(7)))
    await journal.commit(heard("t2", key="m2", cursor=at(8)))

    again = await journal.commit(heard("t1", key="m1", cursor=at(7)))

    assert (again.repeated, await journal.cursor(SOURCE)) == (True, at(8))


async def test_two_commits_of_one_place_in_one_batch_land_once(journal: SqliteJournal) -> None:
    outcomes = await journal.commit_all([heard("t1", cursor=at(1)), heard("t2", cursor=at(1))])

    assert [type(one).__name__ for one in outcomes] == ["Committed", "CursorBehindError"]
    assert journal.last_seq == 1


async def test_a_cursor_may_land_alone(journal: SqliteJournal) -> None:
    await journal.commit(Commit(actor="bus", cause="told", cursor=at(5)))

    assert (journal.last_seq, await journal.cursor(SOURCE)) == (0, at(5))


async def test_neither_the_cursor_nor_the_effect_lands_where_the_disk_refuses(tmp_path: Path) -> None:
    settings, failpoints = Settings(data_dir=tmp_path), ArmedFailpoints()
    async with open_store(settings, VirtualClock(1.0), failpoints) as store:
        journal = await store.open("yui", create=True)
        failpoints.arm("journal.before_commit", Fault.CRASH)
        with pytest.raises(Exception, match=r"journal\.before_commit"):
            await journal.commit(heard("t1", cursor=at(1)))
        after_the_crash = (journal.last_seq, await journal.cursor(SOURCE))

    async with open_store(settings, VirtualClock(2.0), Unarmed()) as store:
        journal = await store.open("yui")

        assert after_the_crash == (journal.last_seq, await journal.cursor(SOURCE)) == (0, None)


async def test_an_imported_character_goes_on_where_it_was(tmp_path: Path) -> None:
    here, there = Settings(data_dir=tmp_path / "here"), Settings(data_dir=tmp_path / "there")
    await write_journal(here)
    export_to(here, tmp_path / "x")

    import_from(there, tmp_path / "x")

    assert stored(there)["cursors"] == stored(here)["cursors"] != []
