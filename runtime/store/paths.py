"""Where the files of a journal lie, and what is done with files as such. Knows nothing of what is in them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ...protocols.settings import Settings
from .names import folder_of


class Place(NamedTuple):
    """The files of one journal. `sole` is the one character that the file may hold, or None if unknown.

    A file that is `shared` lies in the data folder itself and holds any number of characters.
    """

    folder: Path
    sole: str | None
    shared: bool = False

    @property
    def data_dir(self) -> Path:
        """Path of the data folder."""
        return self.folder if self.shared else self.folder.parent

    @property
    def database(self) -> Path:
        """Path of the SQLite file."""
        return self.folder / "memory.db"

    @property
    def log(self) -> Path:
        """Path of SQLite's write-ahead log, which readers may leave behind empty."""
        return self.folder / "memory.db-wal"

    @property
    def lock(self) -> Path:
        """Path of the lock file."""
        return self.folder / "memory.lock"

    @property
    def owner(self) -> Path:
        """Path of the file that names the lock's owner."""
        return self.folder / "memory.owner.json"

    @property
    def begun(self) -> Path:
        """Path of the file that tells that the database has existed."""
        return self.folder / "memory.begun"


def place_of(settings: Settings, character: str) -> Place:
    """Return where the journal of a character lies; its name has been checked."""
    if settings.storage.layout == "shared":
        return Place(settings.data_dir, None, shared=True)
    return Place(settings.data_dir / folder_of(character), character)


def draft_of(database: Path) -> Path:
    """Return the name that a file has while it is created."""
    return database.with_name(f"{database.name}.new")


def remove(database: Path) -> None:
    """Remove an SQLite file and what SQLite keeps beside it."""
    for part in ("", "-wal", "-shm", "-journal"):
        database.with_name(f"{database.name}{part}").unlink(missing_ok=True)


def size(path: Path) -> int:
    """Return how many bytes a file has, 0 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def make_private(folder: Path) -> list[Path]:
    """Make a folder, and those above it that are missing, each for its owner alone.

    Returns:
        Those that were made, the deepest first; one that is there already stays as it is.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    return missing


def create_private(path: Path) -> BinaryIO:
    """Return a new file, open for writing, that only its owner can read or write."""
    path.touch(mode=0o600, exist_ok=False)
    return path.open("wb")


def sync_folder(folder: Path) -> None:
    """Bring what a folder lists to the disk.

    Raises:
        OSError: if the disk refuses.
    """
    if os.name == "nt":  # a folder can't be opened there, and NTFS journals its own changes
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
