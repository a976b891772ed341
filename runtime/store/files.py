"""Where journals lie on disk, and opening them: created whole, refused untouched, or brought up to date.

A file is never opened for writing before a look at it, through SQLite and read-only, has shown that
it is ours. It is never read around SQLite either: closing a file descriptor of one's own would drop
the locks that SQLite holds on the same file in this process
(https://www.sqlite.org/howtocorrupt.html, section 2.2).

A folder remembers that it has held a journal by an empty file, `memory.begun`, which is made once the
database has its name. Where that file or something of SQLite's is left without a database, the
database was lost and nothing is begun in its place. A crash while a journal is created leaves neither.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from ...protocols.errors import (
    CorruptStorageError,
    NewerSchemaError,
    SettingsError,
    StorageError,
    StorageReadOnlyError,
    UnknownCharacterError,
)
from ...protocols.settings import EvidenceSettings, Settings
from . import chain, paths, reflections, schema
from .apply import Head, load_head
from .faults import translated
from .names import folder_of
from .paths import Place

_BUSY_S: Final = 5.0
"""Wait for another process that reads or recovers the file, in seconds."""

_STATEMENTS: Final = 128
"""Prepared statements that a connection keeps."""


def places(settings: Settings) -> Iterator[Place]:
    """Yield the places that hold a journal file, or have lost it; `sole` is unknown and None.

    Raises:
        SettingsError: if the data folder has the other layout.
        StorageError: if the data folder is a file or can't be listed.
    """
    shared = settings.storage.layout == "shared"
    check_data_dir(settings)
    if shared:
        candidates = [Place(settings.data_dir, None, shared=True)]
    else:
        candidates = [Place(folder, None) for folder in _folders_in(settings.data_dir)]
    for place in candidates:
        try:
            held = paths.size(place.database) > 0 or _remnant(place) is not None
        except OSError:
            held = True  # whoever looks into it is told why it can't be
        if held:
            yield place


def exists(place: Place) -> bool:
    """Return whether a journal is there.

    Raises:
        SettingsError: if the data folder has the other layout.
        CorruptStorageError: if one was there, and its file is missing or empty now.
        StorageError: if its folder can't be looked into, or the data folder is a file.
    """
    _check_layout(place.data_dir, shared=place.shared)
    with translated(place.database):
        if paths.size(place.database):
            return True
        remnant = _remnant(place)
        if remnant is None:
            return False
        if paths.size(place.database):  # it was being created meanwhile
            return True
        raise _lost(place, remnant)


def make_folder(place: Place) -> None:
    """Make the folder of a journal, durably; what has to be made of it only its owner can look into.

    Raises:
        StorageReadOnlyError: if it can't be written.
        StorageError: if the disk refuses.
    """
    with translated(place.folder):
        for folder in paths.make_private(place.folder):
            paths.sync_folder(folder.parent)
    if not os.access(place.folder, os.W_OK):
        raise StorageReadOnlyError(
            f"{place.folder} can't be written: change its permissions, or choose another `data_dir`"
        )


def create(place: Place, fill: Callable[[Path], None] | None = None) -> None:
    """Put a journal file in place, whole or not at all. Only its owner can read it.

    It is made under another name and renamed, so that a crash leaves none or a whole one.

    Args:
        place: where it will be.
        fill: writes into the file before it gets its name; without it the file has no characters.

    Raises:
        StorageError: if the disk refuses.
    """
    draft = paths.draft_of(place.database)
    with translated(place.database):
        paths.remove(draft)
        # What SQLite keeps beside a file has the permissions of the file.
        draft.touch(mode=0o600)
        try:
            with closing(_connect(draft, "rwc")) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                schema.migrate(connection)
                if fill is not None:
                    fill(draft)
                # Last, so that what fills the file goes into it, and not into a log that is left behind.
                connection.execute("PRAGMA journal_mode = WAL")
            draft.replace(place.database)
        except BaseException:
            paths.remove(draft)
            raise
        paths.sync_folder(place.folder)
        place.begun.touch()


def connect_reader(place: Place, weights: EvidenceSettings) -> sqlite3.Connection:
    """Return a read-only connection to a file that has been looked at, on which SQL can ask for tiers.

    Args:
        place: the file.
        weights: what makes a tier of evidence.

    Raises:
        StorageError: if it can't be opened.
    """
    with translated(place.database):
        connection = _connect(place.database, "ro")
        reflections.register(connection, weights)
        return connection


def connect_writer(place: Place, on_migration: Callable[[], None] = lambda: None) -> sqlite3.Connection:
    """Return the connection that writes, after a look at the file and with the latest schema.

    Args:
        place: the file.
        on_migration: called before an older file is brought up to date, which may take a while.

    Raises:
        CorruptStorageError: if it is no SQLite file, not ours, damaged, or another character's.
        NewerSchemaError: if a newer program wrote it.
        StorageError: if it can't be opened or brought up to date.
    """
    look(place)
    with translated(place.database):
        connection = _connect(place.database, "rw")
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")
            if schema.version(connection) < schema.LATEST:
                on_migration()
            schema.migrate(connection)
            if not place.begun.exists():
                place.begun.touch()
        except BaseException:
            connection.close()
            raise
    return connection


def look(place: Place) -> tuple[str, ...]:
    """Return the characters in a file, after checking that it is one of ours. Cheap, and changes nothing.

    Raises:
        SettingsError: if the data folder has the other layout.
        CorruptStorageError: if it is lost, no SQLite file, not ours, damaged, or another character's.
        NewerSchemaError: if a newer program wrote it.
        StorageError: if it can't be read.
    """
    exists(place)
    return _look(place)


def _look(place: Place) -> tuple[str, ...]:
    with translated(place.database), closing(_connect(place.database, "ro")) as connection:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        if application != schema.APPLICATION_ID:
            raise CorruptStorageError(
                f"{place.database} is an SQLite file of another program (application id {application:#x}). "
                "It was not touched; move it away, or choose another `data_dir`"
            )
        found = schema.version(connection)
        if found > schema.LATEST:
            raise NewerSchemaError(
                f"{place.database} has schema {found} and this program knows up to {schema.LATEST}: "
                "update Omoide. The file was not touched"
            )
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        lacking = [table for table in schema.TABLES if table not in tables] if found == schema.LATEST else []
        if lacking:
            raise CorruptStorageError(
                f"{place.database} lacks the table {lacking[0]!r}. It was not touched; restore a backup"
            )
        names = tuple(name for (name,) in connection.execute("SELECT name FROM characters ORDER BY name"))
    if not place.shared:
        _check_owner(place, names)
    return names


def enrol(place: Place, character: str, *, create: bool, now: float) -> tuple[int, Head]:
    """Return a character's number inside its file and where its journal ends, entering it if `create` allows.

    Works on a connection of its own, since the writer may be busy with the file's other characters.

    Raises:
        UnknownCharacterError: if the file doesn't hold the character and `create` is false.
        CorruptStorageError: if the log's end and the head differ.
        StorageError: if the file can't be written.
    """
    with translated(place.database), closing(_connect(place.database, "rw")) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        number = number_of(connection, character)
        if number is None:
            if not create:
                raise unknown(character)
            connection.execute(
                "INSERT INTO characters (name, created_at, head_seq, head_chain) VALUES (?, ?, 0, ?)",
                (character, now, chain.genesis(character)),
            )
            (number,) = connection.execute("SELECT last_insert_rowid()").fetchone()
        head = load_head(connection, number)
        _check_head(connection, place, number, head)
        connection.execute("COMMIT")
    return number, head


def number_of(connection: sqlite3.Connection, character: str) -> int | None:
    """Return the number of a character inside a file, or None where it isn't in it."""
    row = connection.execute("SELECT id FROM characters WHERE name = ?", (character,)).fetchone()
    return None if row is None else int(row[0])


def unknown(character: str) -> UnknownCharacterError:
    """Return the error for a character that isn't stored."""
    return UnknownCharacterError(
        f"no character {character!r} is stored here: check the name and `data_dir`, or let it hear something first"
    )


def _check_owner(place: Place, names: tuple[str, ...]) -> None:
    """Hold that a folder belongs to the one character that its file holds.

    Raises:
        CorruptStorageError: if it holds another's memory, or several characters'.
    """
    if len(names) > 1:
        raise CorruptStorageError(
            f"{place.database} holds {len(names)} characters, as `storage.layout` = 'shared' has it, but lies in "
            f"a folder for one. It was not touched; name {place.folder} as the data folder, with that layout"
        )
    others = [name for name in names if name != place.sole and folder_of(name) != place.folder.name]
    if not others:
        return
    (other,) = others
    told = f"{place.database} holds the memory of {other!r}, not of {place.sole or place.folder.name!r}: "
    right = folder_of(other)
    if paths.size(place.folder.with_name(right) / place.database.name):
        raise CorruptStorageError(
            f"{told}a folder belongs to one character, and {other!r} has the folder {right!r} already. "
            "It was not touched; move this folder out of the data folder. "
            "`omoide export` and `omoide import --as` copy a character"
        )
    raise CorruptStorageError(
        f"{told}a folder belongs to one character. It was not touched; rename the folder back to {right!r}"
    )


def _remnant(place: Place) -> Path | None:
    """Return a file that shows that a database was here, where there is none with anything in it."""
    index = place.database.with_name("memory.db-shm")
    if paths.size(place.log):
        return place.log
    return next((path for path in (place.database, place.begun, place.log, index) if path.exists()), None)


def _lost(place: Place, remnant: Path) -> CorruptStorageError:
    state = "is empty (0 bytes)" if place.database.exists() else "is missing"
    shown = "" if remnant == place.database else f", but {remnant.name} shows that it was there"
    anew = "all memory.* files in it" if place.shared else "it"
    if paths.size(place.log):
        # A log that is not the backup's own must not be replayed into it.
        step = f"put the file back beside its log, or move the log {place.log.name} away and restore a backup"
    else:
        step = "restore a backup"
    return CorruptStorageError(
        f"{place.database} {state}{shown}. Nothing was touched; {step}. To start empty, look into the folder "
        f"{place.folder} and remove {anew}"
    )


def check_data_dir(settings: Settings) -> None:
    """Hold that the data folder is one, and of the layout that the settings name; it needn't be there yet.

    Raises:
        SettingsError: if it has the other layout, or both.
        StorageError: if it is a file or can't be listed.
    """
    _check_layout(settings.data_dir, shared=settings.storage.layout == "shared")


def _check_layout(data_dir: Path, *, shared: bool) -> None:
    """Hold that a data folder is one, and of the layout that the settings name.

    Raises:
        SettingsError: if it has the other layout, or both.
        StorageError: if it is a file or can't be listed.
    """
    with translated(data_dir):
        if data_dir.exists() and not data_dir.is_dir():
            raise StorageError(f"the data folder {data_dir} is a file: name a folder (`data_dir`, or --data)")
        top = paths.size(data_dir / "memory.db") > 0
    own = next(_own_folders(data_dir), None) if shared or top else None
    if top and own is not None:
        raise SettingsError(
            f"{data_dir} holds both layouts, memory.db of `storage.layout` = 'shared' and folders of "
            f"'per-character' ({own}): move one of them to a data folder of its own. Nothing was touched"
        )
    found = "shared" if top else "per-character"
    if (shared and own is None) or not (shared or top):
        return
    holds = "memory.db itself" if top else f"a folder for each character ({own})"
    asked = "shared" if shared else "per-character"
    whole = data_dir.absolute()
    if top and _is_one_characters(whole):
        raise SettingsError(
            f"{data_dir} is the folder of one character: name the folder above it, {whole.parent}, as the data "
            "folder (`data_dir`, or --data). Nothing was touched"
        )
    raise SettingsError(
        f"{data_dir} holds {holds}: its layout is {found!r}, and setting storage.layout is {asked!r}. Nothing was "
        f"touched; set storage.layout (or OMOIDE_STORAGE__LAYOUT) to {found!r}, or name another data folder"
    )


def _own_folders(data_dir: Path) -> Iterator[str]:
    return (folder.name for folder in _folders_in(data_dir) if _is_one_characters(folder))


def _is_one_characters(folder: Path) -> bool:
    """Return whether a folder holds the memory of exactly the character whose it is.

    What can't be read, or is a copy that lies there, isn't taken for a sign of a layout.
    """
    place = Place(folder, None)
    try:
        return paths.size(place.database) > 0 and bool(_look(place))
    except (OSError, StorageError):
        return False


def _folders_in(data_dir: Path) -> list[Path]:
    with translated(data_dir):
        if not data_dir.is_dir():
            return []
        return sorted(entry for entry in data_dir.iterdir() if entry.is_dir() and not _is_ours(entry))


def _is_ours(folder: Path) -> bool:
    """Return whether a folder is one that waits to be deleted or to become an export, and no character's."""
    return folder.name.startswith(".omoide-")


def _check_head(connection: sqlite3.Connection, place: Place, number: int, head: Head) -> None:
    (name,) = connection.execute("SELECT name FROM characters WHERE id = ?", (number,)).fetchone()
    newest = connection.execute(
        "SELECT seq, chain FROM events WHERE character = ? ORDER BY seq DESC LIMIT 1", (number,)
    ).fetchone() or (0, chain.genesis(name))
    if newest != (head.seq, head.chain):
        raise CorruptStorageError(
            f"{place.database}: the log of {name!r} ends at event {newest[0]}, but its head names another event "
            f"{head.seq} as the newest. It was not touched; run `omoide doctor`, or restore a backup"
        )


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < schema.OLDEST_SQLITE:
        oldest = ".".join(map(str, schema.OLDEST_SQLITE))
        raise StorageError(
            f"SQLite {sqlite3.sqlite_version} is too old: install a Python with SQLite {oldest} or newer"
        )
    uri = path.absolute().as_uri()
    connection = sqlite3.connect(
        f"{uri}?mode={mode}",
        uri=True,
        timeout=_BUSY_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_STATEMENTS,
    )
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        log = path.with_name(f"{path.name}-wal")
        if (
            mode != "ro"
            or error.sqlite_errorcode != sqlite3.SQLITE_CANTOPEN
            or paths.size(log)
            or not path.exists()
        ):
            raise
        # Reading through a log needs a writable folder; without a log the file itself is everything.
        return sqlite3.connect(
            f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None, check_same_thread=False
        )
    except BaseException:
        connection.close()
        raise
    return connection
