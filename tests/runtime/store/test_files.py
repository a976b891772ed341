"""Names, folders, and what is refused without being touched."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
import trio

from omoide.protocols.errors import (
    CharacterOwnedError,
    CorruptStorageError,
    InvalidNameError,
    InvalidRequestError,
    NotFoundError,
    SettingsError,
    StorageError,
    StorageFullError,
    StorageReadOnlyError,
    UnknownCharacterError,
)
from omoide.protocols.records import TurnId
from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import JournalStore, examine, open_reader, open_store
from omoide.runtime.store.names import check_name, folder_of
from omoide.runtime.store.paths import place_of
from omoide.runtime.store.schema import LATEST, MIGRATIONS, Migration, migrate, version
from omoide.tests.processes import running
from omoide.tests.runtime.store.samples import Layout, heard, settings_in

ODD_NAMES = (
    "yui",
    "Yui",
    "YUI",
    "Dr. Mio/v2.. 猫",
    "..",
    ".",
    "CON",
    "con",
    "a/b",
    "a\\b",
    "猫" * 256,
    "mio-0123456789ab",
    "-rf",
    "memory.db",
    "O'Neil; DROP TABLE events",
    "😀",
    "?mode=memory#%20",
)


# --- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "  ", "a\x00b", "a\nb", "\ud800", "x" * 257, None, 7])
def test_a_name_that_is_none_is_refused(name: object) -> None:
    with pytest.raises(InvalidNameError):
        check_name(name, max_chars=256)


def test_a_name_is_trimmed_and_composed() -> None:
    assert check_name("  Zoe\u0308 ", max_chars=256) == "Zoë"


def test_folders_differ_on_a_disk_that_knows_no_case_and_are_plain() -> None:
    folders = [folder_of(name) for name in ODD_NAMES]

    assert len({folder.casefold() for folder in folders}) == len(ODD_NAMES)
    assert all(folder.isascii() and len(folder) <= 64 and folder[0].isalnum() for folder in folders)
    assert not {"con", ".", ".."} & set(folders)
    assert folder_of("yui") == "yui"


def test_a_name_that_is_anothers_folder_gets_one_of_its_own() -> None:
    folder = folder_of("Yui")

    assert folder_of(folder) != folder


async def test_any_name_can_be_stored_and_is_listed(settings: Settings, store: JournalStore) -> None:
    for name in ODD_NAMES:
        journal = await store.open(name, create=True)
        await journal.commit(heard("t1", text=name))

    assert store.characters() == tuple(sorted(ODD_NAMES))
    for name in ODD_NAMES:
        async with open_reader(settings, name) as reader:
            turn = await reader.turn(TurnId("t1"))
        assert turn is not None
        assert turn.text == name


# --- opening and closing ------------------------------------------------------------------------------


async def test_only_its_owner_can_look_into_what_is_stored(settings: Settings) -> None:
    allowed = os.umask(0o022)
    try:
        async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
            journal = await store.open("yui", create=True)
            await journal.commit(heard("t1"))
            stored = [settings.data_dir, *settings.data_dir.rglob("*")]
            told = {path.name: stat.filemode(path.stat().st_mode) for path in stored}
    finally:
        os.umask(allowed)

    folders = {name: mode for name, mode in told.items() if mode.startswith("d")}
    assert set(folders.values()) == {"drwx------"}
    assert {told[f"memory.db{part}"] for part in ("", "-wal", "-shm")} == {"-rw-------"}


async def test_an_unknown_character_leaves_no_trace(settings: Settings, store: JournalStore) -> None:
    with pytest.raises(UnknownCharacterError, match="'nobody'"):
        await store.open("nobody")
    with pytest.raises(UnknownCharacterError, match="'nobody'"):
        async with open_reader(settings, "nobody"):
            pass

    assert not settings.data_dir.exists()


async def test_an_unknown_character_beside_known_ones_is_not_created(store: JournalStore) -> None:
    await store.open("yui", create=True)
    with pytest.raises(UnknownCharacterError):
        await store.open("rin")
    await store.close_character("yui")
    with pytest.raises(UnknownCharacterError):
        await store.open("rin")

    assert store.characters() == ("yui",)


async def test_opening_what_is_open_gives_the_same_journal(store: JournalStore) -> None:
    assert await store.open("yui", create=True) is await store.open(" yui ")


async def test_a_closed_journal_refuses(settings: Settings, store: JournalStore) -> None:
    journal = await store.open("yui", create=True)
    await store.close_character("yui")

    with pytest.raises(InvalidRequestError, match="closed"):
        await journal.commit(heard("t1"))
    with pytest.raises(NotFoundError):
        await store.close_character("yui")
    if settings.storage.layout == "per-character":
        with pytest.raises(InvalidRequestError, match="closed"):
            await journal.events()


async def test_a_reader_takes_no_lock_and_writes_nothing(settings: Settings, store: JournalStore) -> None:
    journal = await store.open("yui", create=True)
    await journal.commit(heard("t1"))

    async with open_reader(settings, "yui") as reader:
        assert [event.seq for event in await reader.events()] == [1]
        assert reader.last_seq == 1
        with pytest.raises(InvalidRequestError, match="reading"):
            await reader.commit(heard("t2"))
        await journal.commit(heard("t2"))
        assert [event.seq for event in await reader.events()] == [1, 2]


async def test_nothing_but_the_database_and_its_mark_is_left_after_closing(settings: Settings) -> None:
    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        await (await store.open("yui", create=True)).commit(heard("t1"))

    left = {path.name for path in place_of(settings, "yui").folder.iterdir()}
    assert left - {"memory.lock"} == {"memory.db", "memory.begun"}


async def test_an_error_in_the_body_comes_out_as_it_is(settings: Settings) -> None:
    with pytest.raises(UnknownCharacterError):
        async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
            await store.open("nobody")


async def test_a_cancelled_body_closes_everything(settings: Settings) -> None:
    with trio.CancelScope() as scope:
        async with open_store(settings, VirtualClock(0.0), Unarmed()) as left:  # held on to below
            await left.open("yui", create=True)
            scope.cancel()
            await trio.sleep_forever()

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        assert (await store.open("yui")).last_seq == 0
    assert left.characters() == ("yui",)


# --- one owner ----------------------------------------------------------------------------------------


async def test_two_stores_in_one_process_cannot_own_one_character(settings: Settings, store: JournalStore) -> None:
    await store.open("yui", create=True)

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as other:
        with pytest.raises(CharacterOwnedError, match=rf"process {os.getpid()} on .+ since 1970-01-01T00:16:40"):
            await other.open("yui")

        await store.close_character("yui")
        await other.open("yui")


OWNER = """
import sys, trio
from pathlib import Path
from omoide.runtime.clock import SystemClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import open_store
from omoide.tests.runtime.store.samples import settings_in

async def main() -> None:
    async with open_store(settings_in(Path(sys.argv[1]), sys.argv[2]), SystemClock(), Unarmed()) as store:
        await store.open("yui", create=True)
        print("open", flush=True)
        await trio.sleep_forever()

trio.run(main)
"""


async def test_the_lock_of_a_killed_process_is_gone(settings: Settings) -> None:
    command = [sys.executable, "-c", OWNER, str(settings.data_dir), settings.storage.layout]
    root = Path(__file__).parents[3] / ".links"
    with running(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(root)}) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"open\n"
        async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
            with pytest.raises(CharacterOwnedError, match=f"process {owner.pid} "):
                await store.open("yui")
        owner.kill()
        owner.wait()
        async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
            assert (await store.open("yui")).last_seq == 0


# --- the other layout ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("written", "asked"), [("shared", "per-character"), ("per-character", "shared")])
async def test_a_data_folder_of_the_other_layout_is_refused(
    tmp_path: Path, written: Layout, asked: Layout
) -> None:
    async with open_store(settings_in(tmp_path, written), VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui", create=True)
    before = {path: path.read_bytes() for path in tmp_path.rglob("memory.db")}
    settings, says = (
        settings_in(tmp_path, asked),
        f"layout is '{written}', and setting storage.layout is '{asked}'",
    )

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        for name in ("yui", "rin"):
            with pytest.raises(SettingsError, match=says):
                await store.open(name, create=True)
        with pytest.raises(SettingsError, match=says):
            store.characters()
    with pytest.raises(SettingsError, match=says):
        async with open_reader(settings, "yui"):
            pass
    assert {path: path.read_bytes() for path in tmp_path.rglob("memory.db")} == before


async def test_a_characters_own_folder_is_no_data_folder(tmp_path: Path) -> None:
    async with open_store(settings_in(tmp_path), VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui", create=True)

    async with open_store(settings_in(tmp_path / "yui"), VirtualClock(0.0), Unarmed()) as store:
        with pytest.raises(SettingsError, match="is the folder of one character: name the folder above it"):
            await store.open("yui", create=True)


async def test_a_data_folder_of_both_layouts_is_told_as_such(tmp_path: Path, settings: Settings) -> None:
    layouts: tuple[tuple[Layout, str], ...] = (("shared", "one"), ("per-character", "other"))
    for layout, folder in layouts:
        async with open_store(settings_in(tmp_path / folder, layout), VirtualClock(0.0), Unarmed()) as store:
            await store.open("yui", create=True)
    (tmp_path / "one").rename(settings.data_dir)
    (tmp_path / "other" / "yui").rename(settings.data_dir / "yui")

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        with pytest.raises(SettingsError, match="holds both layouts"):
            await store.open("yui")


async def test_a_copy_that_lies_in_a_shared_data_folder_is_no_layout(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, "shared")
    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui", create=True)
    (tmp_path / "backup").mkdir()
    (tmp_path / "backup" / "memory.db").write_bytes((tmp_path / "memory.db").read_bytes())

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        assert store.characters() == ("yui",)


# --- folders ------------------------------------------------------------------------------------------


async def test_a_folder_beside_the_one_that_it_was_copied_from_is_refused(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui", create=True)
    shutil.copytree(tmp_path / "yui", tmp_path / "rin")

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        with pytest.raises(CorruptStorageError, match=r"'yui' has the folder 'yui' already.+move this folder out"):
            await store.open("rin", create=True)
        assert store.characters() == ("yui",)


async def test_a_shared_file_is_no_character_of_the_folder_above_it(tmp_path: Path) -> None:
    async with open_store(settings_in(tmp_path / "all", "shared"), VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui", create=True)
        await store.open("rin", create=True)

    async with open_store(settings_in(tmp_path), VirtualClock(0.0), Unarmed()) as store:
        with pytest.raises(CorruptStorageError, match=r"holds 2 characters, as `storage.layout` = 'shared'"):
            await store.open("all", create=True)


async def test_a_folder_copied_under_another_name_is_refused(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui", create=True)
    (tmp_path / "yui").rename(tmp_path / "rin")

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        with pytest.raises(CorruptStorageError, match="holds the memory of 'yui', not of 'rin'"):
            await store.open("rin", create=True)


async def test_a_damaged_character_hides_no_other(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui", create=True)
        await store.open("rin", create=True)
    (tmp_path / "rin" / "memory.db").write_text("hello")

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        assert store.characters() == ("yui",)


# --- migrations ---------------------------------------------------------------------------------------

NEXT = Migration(LATEST + 1, ("ALTER TABLE turns ADD COLUMN mood TEXT NOT NULL DEFAULT ''",))


async def test_an_older_file_is_brought_up_to_date(tmp_path: Path) -> None:
    async with open_store(settings_in(tmp_path), VirtualClock(0.0), Unarmed()) as store:
        await (await store.open("yui", create=True)).commit(heard("t1"))
    with closing(sqlite3.connect(tmp_path / "yui" / "memory.db", isolation_level=None)) as connection:
        assert version(connection) == LATEST
        assert migrate(connection, (*MIGRATIONS, NEXT)) == 1
        assert version(connection) == LATEST + 1
        assert connection.execute("SELECT id, mood FROM turns").fetchall() == [("t1", "")]
        assert migrate(connection, (*MIGRATIONS, NEXT)) == 0


async def test_a_file_of_the_first_schema_is_migrated_when_it_is_opened(tmp_path: Path) -> None:
    (tmp_path / "yui").mkdir()
    with closing(sqlite3.connect(tmp_path / "yui" / "memory.db", isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:1])
        assert version(connection) == 1

    async with open_store(settings_in(tmp_path), VirtualClock(0.0), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        assert (await journal.commit(heard("t1"))).events[0].seq == 1
    assert examine(settings_in(tmp_path), "yui").healthy


async def test_a_step_that_fails_leaves_the_schema_of_before(tmp_path: Path) -> None:
    async with open_store(settings_in(tmp_path), VirtualClock(0.0), Unarmed()) as store:
        await store.open("yui", create=True)
    broken = Migration(LATEST + 1, (*NEXT.statements, "INSERT INTO nowhere VALUES (1)"))
    with closing(sqlite3.connect(tmp_path / "yui" / "memory.db", isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="nowhere"):
            migrate(connection, (*MIGRATIONS, broken))

        assert version(connection) == LATEST
        assert "mood" not in [row[1] for row in connection.execute("PRAGMA table_info(turns)")]


# --- the disk -----------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"mounting is not permitted here: {mounted.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    if sys.platform != "linux":
        pytest.skip("tmpfs is a thing of Linux")
    with small_disk(tmp_path / "disk", "1m") as folder:
        yield folder


def fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)


async def test_a_full_disk_refuses_and_recovers(disk: Path, layout: Layout) -> None:
    async with open_store(settings_in(disk / "data", layout), VirtualClock(0.0), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        ballast = disk / "ballast"
        ballast.write_bytes(b"x" * 300_000)
        acknowledged: list[str] = []

        async def talk() -> None:
            for number in range(1_000):
                await journal.commit(heard(f"t{number}", text="x" * 20_000))
                acknowledged.append(f"t{number}")

        with pytest.raises(StorageFullError, match="no space is left"):
            await talk()
        with pytest.raises(StorageFullError):
            await journal.commit(heard("more", text="x" * 20_000))

        ballast.unlink()
        await journal.commit(heard("again", text="x" * 20_000))

        assert [turn.id for turn in await journal.turns(newest=1_000)] == [*acknowledged, "again"]
        assert journal.last_seq == len(acknowledged) + 1


async def test_no_room_to_begin_is_told_and_leaves_nothing_half(disk: Path) -> None:
    (disk / "data").mkdir()
    ballast = disk / "ballast"
    fill(ballast)
    async with open_store(settings_in(disk / "data"), VirtualClock(0.0), Unarmed()) as store:
        with pytest.raises(StorageFullError):
            await store.open("yui", create=True)
        ballast.unlink()
        assert (await (await store.open("yui", create=True)).commit(heard("t1"))).events[0].seq == 1


async def test_a_disk_that_can_not_be_written_is_told(disk: Path) -> None:
    settings = settings_in(disk / "data")
    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        await (await store.open("yui", create=True)).commit(heard("t1"))
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)

    async with open_store(settings, VirtualClock(0.0), Unarmed()) as store:
        for name in ("yui", "rin"):
            with pytest.raises(StorageReadOnlyError, match="can't be written"):
                await store.open(name, create=True)
    async with open_reader(settings, "yui") as reader:
        assert [event.seq for event in await reader.events()] == [1]


async def test_a_folder_in_place_of_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")

    async with open_store(settings_in(tmp_path / "data"), VirtualClock(0.0), Unarmed()) as store:
        with pytest.raises(StorageError, match="data"):
            await store.open("yui", create=True)
