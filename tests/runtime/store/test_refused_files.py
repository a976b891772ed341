"""A file that isn't what it should be is refused with what is wrong and what to do, and stays as it is."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from omoide.protocols.errors import (
    CorruptStorageError,
    NewerSchemaError,
    StorageError,
    UnknownCharacterError,
)
from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import JournalStore, examine, open_reader, open_store
from omoide.runtime.store.paths import place_of
from omoide.tests.runtime.store.samples import heard


def a_foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
        connection.commit()


def a_damaged_header(path: Path) -> None:
    path.write_bytes(b"\x00" * 64 + path.read_bytes()[64:])


def a_damaged_schema(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * 200 + path.read_bytes()[300:])


def a_newer_schema(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def a_lacking_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE facts")
        connection.commit()


def a_lost_tail(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM events WHERE seq = 2")
        connection.commit()


def a_text_file(path: Path) -> None:
    path.write_text("hello")


@pytest.mark.parametrize(
    ("damage", "error", "says"),
    [
        (a_text_file, CorruptStorageError, "not a database"),
        (a_foreign_database, CorruptStorageError, "another program"),
        (a_damaged_header, CorruptStorageError, "not a database"),
        (a_damaged_schema, CorruptStorageError, "damaged"),
        (a_newer_schema, NewerSchemaError, "schema 99"),
        (a_lacking_table, CorruptStorageError, "'facts'"),
        (a_lost_tail, CorruptStorageError, "ends at event 1"),
    ],
)
async def test_what_is_not_ours_or_damaged_is_refused_untouched(
    settings: Settings, damage: Callable[[Path], None], error: type[StorageError], says: str
) -> None:
    place = place_of(settings, "yui")
    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        await journal.commit_all([heard("t1"), heard("t2")])
    if damage is a_foreign_database:
        place.database.unlink()
    damage(place.database)
    before = place.database.read_bytes()

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        with pytest.raises(error, match=says):
            await store.open("yui", create=True)

    assert place.database.read_bytes() == before


def emptied(database: Path) -> None:
    database.write_bytes(b"")


def deleted(database: Path) -> None:
    database.unlink()


def deleted_while_it_was_open(database: Path) -> None:
    database.unlink()
    database.with_name("memory.begun").unlink()
    database.with_name("memory.db-wal").write_bytes(b"log")


def emptied_without_its_mark(database: Path) -> None:
    database.write_bytes(b"")
    database.with_name("memory.begun").unlink()


@pytest.mark.parametrize(
    ("lose", "says"),
    [
        (emptied, r"memory\.db is empty \(0 bytes\).+restore a backup"),
        (emptied_without_its_mark, r"memory\.db is empty \(0 bytes\).+restore a backup"),
        (deleted, r"memory\.db is missing, but memory\.begun shows.+restore a backup.+start empty"),
        (deleted_while_it_was_open, r"memory\.db is missing, but memory\.db-wal shows.+beside its log"),
    ],
)
async def test_a_lost_file_is_told_and_nothing_takes_its_place(
    settings: Settings, lose: Callable[[Path], None], says: str
) -> None:
    place = place_of(settings, "yui")
    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        await (await store.open("yui", create=True)).commit(heard("t1"))
    lose(place.database)
    before = {path.name: path.read_bytes() for path in place.folder.iterdir()}

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        for create in (False, True):
            with pytest.raises(CorruptStorageError, match=says):
                await store.open("yui", create=create)
        assert store.characters() == ()
    with pytest.raises(CorruptStorageError, match=says):
        async with open_reader(settings, "yui"):
            pass
    with pytest.raises(CorruptStorageError, match=says):
        examine(settings, "yui")
    after = {path.name: path.read_bytes() for path in place.folder.iterdir()}
    assert after == before


async def test_what_a_crash_in_creation_leaves_is_begun_anew(settings: Settings, store: JournalStore) -> None:
    place = place_of(settings, "yui")
    place.folder.mkdir(parents=True)
    for name in (
        "memory.lock",
        "memory.owner.json",
        "memory.db.new",
        "memory.db.new-wal",
        "memory.db.new-journal",
    ):
        (place.folder / name).write_bytes(b"half")

    with pytest.raises(UnknownCharacterError):
        await store.open("yui")
    journal = await store.open("yui", create=True)
    assert (await journal.commit(heard("t1"))).events[0].seq == 1


async def test_a_file_of_before_the_mark_gets_it_when_it_is_opened(settings: Settings) -> None:
    place = place_of(settings, "yui")
    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui", create=True)
    place.begun.unlink()

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui")

    assert place.begun.exists()
