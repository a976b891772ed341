"""The exclusive lock on a journal file, with its owner named beside it.

The operating system releases the lock when its process ends, however it ends; the owner's file may
stay behind then and means nothing without the lock.
"""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

import filelock
import msgspec

from ...protocols.errors import CharacterOwnedError
from .faults import translated
from .paths import Place


class Owner(msgspec.Struct, frozen=True, kw_only=True):
    """The process that holds a lock, and since when (seconds since the epoch)."""

    pid: int
    host: str
    since: float


def lock_of(place: Place, character: str) -> OwnerLock:
    """Return the lock on the journal file in which a character lies; it is not taken yet."""
    what = "the data folder" if place.sole is None else f"character {character!r}"
    return OwnerLock(place.lock, place.owner, what)


class OwnerLock:
    """Exclusive ownership of one journal file.

    Args:
        lock: path of the lock file.
        owner: path of the file that names the owner.
        what: what is owned, as messages call it.
    """

    def __init__(self, lock: Path, owner: Path, what: str) -> None:
        self._lock = filelock.FileLock(lock, thread_local=False)
        self._path = lock
        self._owner = owner
        self._what = what

    def acquire(self, now: float) -> None:
        """Take the lock at once or not at all.

        Args:
            now: seconds since the epoch, which the owner's file tells.

        Raises:
            CharacterOwnedError: if somebody has it, in this process or another; the message names them.
            StorageError: if the folder can't be written.
        """
        with translated(self._path):
            try:
                self._lock.acquire(blocking=False)
            except filelock.Timeout:
                raise CharacterOwnedError(
                    f"{self._what} is open in {self._holder()}: close it there first"
                ) from None
            try:
                self._owner.write_bytes(
                    msgspec.json.encode(Owner(pid=os.getpid(), host=platform.node(), since=now))
                )
            except OSError:
                self._lock.release()
                raise

    def release(self) -> None:
        """Give the lock back."""
        with translated(self._path):
            self._owner.unlink(missing_ok=True)
            self._lock.release()

    def _holder(self) -> str:
        try:
            owner = msgspec.json.decode(self._owner.read_bytes(), type=Owner)
        except (OSError, msgspec.DecodeError):
            return "another process"
        since = datetime.fromtimestamp(owner.since, UTC).isoformat(timespec="seconds")
        return f"process {owner.pid} on {owner.host} since {since}"
