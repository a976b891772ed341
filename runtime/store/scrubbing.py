"""Making the bytes of what was erased leave the data folder: from free pages, the log, and what crashes left.

An erasure's transaction marks the file as due, and the mark goes when the bytes are gone, so that a process that
is killed in between, or a reader that holds an older state, only puts it off: the file is scrubbed when it is
next opened or closed. Knows nothing of what was erased.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Final

from ...protocols.errors import StorageError
from . import paths
from .exported import DRAFT
from .faults import translated

_log = logging.getLogger(__name__)

_READERS_MS: Final = 500
"""Wait for those who read an older state, in milliseconds. A look-up takes a few, and an export takes longer."""

GRAVE: Final = ".omoide-erased-"
"""How the name of a folder begins in which an erased character's files wait to be deleted."""


def is_due(connection: sqlite3.Connection) -> bool:
    """Return whether something was erased whose bytes are still in the file."""
    return connection.execute("SELECT 1 FROM scrubs LIMIT 1").fetchone() is not None


def scrub(connection: sqlite3.Connection, place: paths.Place) -> bool:
    """Rewrite a file without free pages, empty its log, and remove what crashes left; return whether all is gone.

    It isn't while anybody reads an older state; the file stays due then. Takes some three seconds for 100 MB, in
    which nobody else writes. Zeroing what is deleted doesn't do it: SQLite leaves copies of rows that it moved.

    Args:
        connection: the writer's, outside a transaction.
        place: the file, which this process owns.

    Raises:
        StorageError: if the disk refuses; the file stays due.
    """
    with translated(place.database):
        if not is_due(connection):
            return True
        paths.remove(paths.draft_of(place.database))
        _remove_drafts(place.data_dir)
        if not _emptied(connection):
            _log.warning("store.scrub_put_off", extra={"folder": place.folder.name})
            return False
        connection.execute("VACUUM")
        if not _emptied(connection):
            _log.warning("store.scrub_put_off", extra={"folder": place.folder.name})
            return False
        connection.execute("DELETE FROM scrubs")
        _log.info("store.scrubbed", extra={"folder": place.folder.name})
        return True


def _emptied(connection: sqlite3.Connection) -> bool:
    """Bring the log into the file and empty it; return whether nobody read an older state for too long."""
    (usual,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {_READERS_MS}")
    try:
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {usual}")
    return not busy


def try_scrub(connection: sqlite3.Connection, place: paths.Place) -> bool:
    """Scrub a file that is due, and take a disk that refuses for putting it off."""
    try:
        return scrub(connection, place)
    except StorageError as error:
        if getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
            _log.info("store.scrub_gave_way", extra={"folder": place.folder.name})
            return False
        _log.warning("store.scrub_failed", extra={"folder": place.folder.name, "error": type(error).__name__})
        return False


def bury(folder: Path) -> int:
    """Delete the folder of an erased character, which has its other name already; return how many files it had."""
    with translated(folder):
        count = sum(1 for path in folder.rglob("*") if path.is_file())
        shutil.rmtree(folder)
        paths.sync_folder(folder.parent)
    return count


def bury_all(data_dir: Path) -> None:
    """Delete what is left of erased characters where a process was killed before it had done so."""
    for folder in data_dir.glob(f"{GRAVE}*"):
        try:
            bury(folder)
        except StorageError as error:
            _log.warning("store.burial_failed", extra={"error": type(error).__name__})


def _remove_drafts(data_dir: Path) -> None:
    """Remove exports in the data folder that were being written by a process which is no more."""
    for draft in data_dir.glob(f"{DRAFT}*"):
        pid = draft.name.removeprefix(DRAFT).partition("-")[0]
        if pid.isdecimal() and not _runs(int(pid)):
            shutil.rmtree(draft, ignore_errors=True)


def _runs(pid: int) -> bool:
    if os.name == "nt":  # there no signal asks without harm
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
