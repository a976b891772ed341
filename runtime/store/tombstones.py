"""What is left of an erased character: when it was erased, so that late messages don't bring it back.

One small file a character, under a digest of its name, holding no name and no word of anybody. It is written
before the erasure and gets its name after it, so that a process that is killed in between leaves neither an
erasure without a sign nor a sign of an erasure that didn't happen: a plan counts once the character is gone.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ...protocols.cursors import Cursor
from . import paths
from .faults import translated

FOLDER: Final = ".omoide-tombstones"
"""Name of the folder in the data folder; no character has one that begins so."""

_SUFFIX: Final = ".planned"
"""How the name of a file ends whose erasure has not happened yet, as far as is known."""


class Tombstone(Struct, frozen=True, kw_only=True):
    """That a character was erased at `at`, in seconds since the epoch.

    `places` are how far it had taken each stream up, by a digest of the stream's name.
    """

    at: float
    places: dict[str, tuple[int, int]] = {}

    def covers(self, at: float, cursor: Cursor | None) -> bool:
        """Return whether a message was sent before the erasure: by its place in its stream, or by its time."""
        if at <= self.at:
            return True
        place = None if cursor is None else self.places.get(_digest(cursor.source))
        return cursor is not None and place is not None and cursor.place <= place

    def after(self, earlier: Tombstone | None) -> Tombstone:
        """Return one that covers also what an earlier one of the same name covers."""
        if earlier is None:
            return self
        return Tombstone(at=max(self.at, earlier.at), places={**earlier.places, **self.places})


def tombstone(at: float, cursors: Iterable[Cursor]) -> Tombstone:
    """Return the tombstone of a character that is erased at a time, with the cursors that it had."""
    return Tombstone(at=at, places={_digest(cursor.source): cursor.place for cursor in cursors})


def plan(data_dir: Path, name: str, stone: Tombstone) -> None:
    """Write down that a character is about to be erased.

    Raises:
        StorageError: if the disk refuses.
    """
    final = _path(data_dir, name)
    draft = final.with_name(f"{final.name}.new")
    with translated(final):
        final.parent.mkdir(mode=0o700, exist_ok=True)
        paths.sync_folder(data_dir)
        draft.unlink(missing_ok=True)
        with paths.create_private(draft) as file:
            file.write(msgspec.json.encode(stone.after(_read(final))))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(_planned(final))
        paths.sync_folder(final.parent)


def settle(data_dir: Path, name: str) -> None:
    """Take what `plan` wrote for what happened: the character isn't stored any more.

    Raises:
        StorageError: if the disk refuses.
    """
    final = _path(data_dir, name)
    with translated(final):
        _planned(final).replace(final)
        paths.sync_folder(final.parent)


def read(data_dir: Path, name: str, is_stored: Callable[[str], bool]) -> Tombstone | None:
    """Return the tombstone of a character that was erased, or None.

    Args:
        data_dir: the data folder.
        name: of the character.
        is_stored: returns whether a character is there. One that was about to be erased and isn't was.

    Raises:
        StorageError: if the disk refuses.
    """
    path = _path(data_dir, name)
    with translated(path):
        if _planned(path).exists() and not is_stored(name):
            settle(data_dir, name)
        return _read(path)


def _planned(final: Path) -> Path:
    return final.with_name(f"{final.name}{_SUFFIX}")


def _read(path: Path) -> Tombstone | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Tombstone)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError:  # somebody else's hand was in it: that it was erased is what can still be told
        return Tombstone(at=path.stat().st_mtime)


def _path(data_dir: Path, name: str) -> Path:
    return data_dir / FOLDER / _digest(name)


def _digest(text: str) -> str:
    return hashlib.sha256(f"omoide erased\n{text}".encode()).hexdigest()
