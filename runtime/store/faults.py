"""What SQLite's and the system's errors mean in our own terms. The only place that reads error codes."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ...protocols.errors import (
    CorruptStorageError,
    StorageError,
    StorageFullError,
    StorageReadOnlyError,
)

_PRIMARY: Final = 0xFF
"""The low byte of an extended result code is the primary one (https://www.sqlite.org/rescode.html)."""

_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_NO_PERMISSION: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def storage_error(error: sqlite3.Error | OSError, path: Path) -> StorageError:
    """Return our error for a failure of the database or the file system at `path`."""
    code = (getattr(error, "sqlite_errorcode", None) or 0) if isinstance(error, sqlite3.Error) else 0
    number = error.errno if isinstance(error, OSError) else None
    if number in _NO_SPACE or code & _PRIMARY == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR_SHMSIZE:
        return StorageFullError(
            f"no space is left for {path}: nothing of this was stored. Free some space and send it again"
        )
    if number in _NO_PERMISSION or code & _PRIMARY == sqlite3.SQLITE_READONLY:
        return StorageReadOnlyError(
            f"{path} can't be written: change the permissions of its folder, or choose another `data_dir`"
        )
    if code & _PRIMARY in _DAMAGED:
        return CorruptStorageError(
            f"{path} is damaged ({error}). It was not changed; copy it away, then restore a backup"
        )
    return StorageError(f"{path}: the disk or the database refused ({error}). Nothing of this was stored")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise failures of the database and the file system at `path` as ours.

    Raises:
        StorageError: or one of its kinds, with the cause attached.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise storage_error(error, path) from error
