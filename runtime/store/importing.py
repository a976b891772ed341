"""Importing an exported character: looked through first, then taken in by one transaction or one rename."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from msgspec import Struct

from ... import __version__
from ...protocols.errors import CorruptStorageError, InvalidRequestError, NewerSchemaError
from ...protocols.ports import Failpoints
from ...protocols.settings import Settings
from . import exported, files, lock, paths, schema, staging
from .exported import Watch
from .faults import translated
from .names import check_name

_log = logging.getLogger(__name__)


class ImportReport(Struct, frozen=True, kw_only=True):
    """What was imported.

    `folder` is where the export lay, empty where it was sent. `exported_as` is the name that the character had
    where it was exported, and `exported_chain` the chain of its newest event there (hexadecimal); `character`
    and `chain` are its name and chain here. `erased` counts events whose payload was erased, `rows` the records
    of each view, `ops` the work in each state and `keys` the idempotency keys.
    """

    character: str
    exported_as: str
    folder: str
    events: int
    chain: str
    exported_chain: str
    erased: int
    rows: dict[str, int]
    ops: dict[str, int]
    keys: int


class Ready(Struct, frozen=True, kw_only=True):
    """A set that was read and found whole, and the scratch database that holds it."""

    connection: sqlite3.Connection
    report: ImportReport


def import_character(
    settings: Settings,
    folder: Path,
    name: str | None = None,
    *,
    now: float,
    failpoints: Failpoints,
    watch: Watch = exported.ignore,
) -> ImportReport:
    """Import an exported set as a character that doesn't exist yet. Takes seconds for 50,000 events.

    A set in which anything is wrong is refused before anything is created. A process that is killed meanwhile
    leaves all of the character or nothing of it.

    Args:
        settings: where journals lie.
        folder: what `export_character` made.
        name: how the character is called here; None for the name that it had.
        now: seconds since the epoch, for the lock.
        failpoints: reached around the moment from which on the character exists.
        watch: told of the progress of reading; nothing is created before it has ended.

    Raises:
        InvalidNameError: if the name can't be one.
        InvalidRequestError: if the folder holds no set, or the character exists.
        CorruptStorageError: if the set, or the file that it would go into, is damaged.
        NewerSchemaError: if a newer program wrote either.
        CharacterOwnedError: if another process has the file open that it would go into.
        StorageFullError: if the disk is full.
        StorageError: if a disk refuses.
    """
    with opened_set(settings, folder, name, watch) as ready:
        adopt(paths.place_of(settings, ready.report.character), ready, now=now, failpoints=failpoints)
        return ready.report


@contextmanager
def opened_set(settings: Settings, folder: Path, name: str | None, watch: Watch) -> Iterator[Ready]:
    """Read a set, and yield it if it is whole and its character isn't stored yet; raises as `import_character`."""
    source = folder.absolute()
    manifest = staging.read_manifest(source)
    here = check_name(manifest.character if name is None else name, max_chars=settings.limits.name_chars)
    place = paths.place_of(settings, here)
    if files.exists(place) and here in files.look(place):
        raise stored_already(here)
    with staging.scratch() as connection:
        staged = staging.stage(connection, source, manifest, here, watch)
        if staged.problems:
            raise _refused(source, staged)
        yield Ready(
            connection=connection,
            report=ImportReport(
                character=here,
                exported_as=manifest.character,
                folder=str(source),
                events=manifest.head.seq,
                chain=staged.chain,
                exported_chain=manifest.head.chain,
                erased=staged.erased,
                rows=staged.rows,
                ops=staged.ops,
                keys=staged.keys,
            ),
        )


def adopt(place: paths.Place, ready: Ready, *, now: float, failpoints: Failpoints) -> None:
    """Take a set into a file that nobody has open; raises as `import_character`."""
    files.make_folder(place)
    held = lock.lock_of(place, ready.report.character)
    held.acquire(now)
    try:
        if files.exists(place):
            files.connect_writer(place).close()  # brings an older file up to date
            publish(place.database, ready, failpoints)
        else:
            files.create(place, partial(_fill, ready=ready, failpoints=failpoints))
            failpoints.reach("import.after_commit")
    finally:
        held.release()


def publish(database: Path, ready: Ready, failpoints: Failpoints) -> None:
    """Take a set into a file in one transaction, while nobody else writes to it.

    Raises:
        InvalidRequestError: if its character exists.
        StorageError: if the disk refuses; nothing of it landed.
    """
    with translated(database):
        _copy(database, ready, failpoints)
    failpoints.reach("import.after_commit")


def _fill(draft: Path, ready: Ready, failpoints: Failpoints) -> None:
    _copy(draft, ready, failpoints)
    failpoints.reach("import.before_rename")


def _copy(database: Path, ready: Ready, failpoints: Failpoints) -> None:
    connection = ready.connection
    connection.execute("ATTACH DATABASE ? AS journal", (f"{database.absolute().as_uri()}?mode=rw",))
    try:
        connection.execute("PRAGMA journal.synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            _copy_tables(connection, ready.report.character)
            failpoints.reach("import.before_commit")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    finally:
        connection.execute("DETACH DATABASE journal")
    _log.info("store.imported", extra={"events": ready.report.events})


def _copy_tables(connection: sqlite3.Connection, name: str) -> None:
    if connection.execute("SELECT 1 FROM journal.characters WHERE name = ?", (name,)).fetchone():
        raise stored_already(name)
    (number,) = connection.execute(
        """
        INSERT INTO journal.characters (name, created_at, head_seq, head_chain)
        SELECT name, created_at, head_seq, head_chain FROM main.characters
        RETURNING id
        """
    ).fetchone()
    for table in schema.TABLES:
        if table == "characters":
            continue
        columns = ", ".join(
            column
            for (column,) in connection.execute("SELECT name FROM pragma_table_info(?, 'main')", (table,))
            if column != "character"
        )
        connection.execute(
            f"INSERT INTO journal.{table} (character, {columns}) SELECT ?, {columns} FROM main.{table}",  # noqa: S608 - names of our schema
            (number,),
        )


def stored_already(name: str) -> InvalidRequestError:
    """Return the error for an import of a character that exists."""
    return InvalidRequestError(
        f"a character {name!r} is stored here already, and an import never changes one: import it under another "
        "name (`--as NAME`), or into another data folder"
    )


def _refused(folder: Path, staged: staging.Staged) -> CorruptStorageError | NewerSchemaError:
    told = "; ".join(staged.problems)
    if staged.newer:
        return NewerSchemaError(
            f"{folder} was written by Omoide {staged.manifest.version} and this is {__version__}: {told}. "
            "Update Omoide; nothing was imported"
        )
    return CorruptStorageError(
        f"the export {folder} is damaged: {told}. Nothing was imported; copy it again from where it was made"
    )
