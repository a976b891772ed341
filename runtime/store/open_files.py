"""The files that a store owns: opened on demand with their lock, and closed with the last character in them."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from weakref import WeakValueDictionary

import trio

from ...protocols.ports import Clock, Failpoints
from ...protocols.settings import Settings
from . import files, paths, scrubbing
from .journal import SqliteJournal
from .lock import OwnerLock, lock_of
from .readers import Readers
from .writer import GroupWriter

_log = logging.getLogger(__name__)


class OpenFile:
    """One file that this process owns, and the journals of the characters that are open in it."""

    def __init__(
        self,
        place: paths.Place,
        connection: sqlite3.Connection,
        lock: OwnerLock,
        readers: Readers,
        writer: GroupWriter,
    ) -> None:
        self.place = place
        self.connection = connection
        self.readers = readers
        self.writer = writer
        self.journals: dict[str, SqliteJournal] = {}
        self._lock = lock

    def scrub(self) -> bool:
        """Rewrite the file if erased bytes are left in it; return whether none are. Runs in a worker thread."""
        return scrubbing.try_scrub(self.connection, self.place)

    def close(self) -> None:
        """Close the connections and give up the lock. Runs in a worker thread."""
        self.readers.close()
        self.scrub()
        self.connection.close()
        self._lock.release()


class OpenFiles:
    """The files of one data folder that a store owns. Whoever opens, closes or rewrites one holds its door.

    Args:
        settings: where they lie and how they are written.
        clock: gives events their time.
        failpoints: reached around every COMMIT.
        nursery: holds the batches in flight.

    Attributes:
        writing: bounds the threads that write.
    """

    def __init__(self, settings: Settings, clock: Clock, failpoints: Failpoints, nursery: trio.Nursery) -> None:
        self.writing = trio.CapacityLimiter(settings.storage.writer_threads)
        self._reading = trio.CapacityLimiter(settings.storage.reader_threads)
        self._settings = settings
        self._clock = clock
        self._failpoints = failpoints
        self._nursery = nursery
        self._open: dict[paths.Place, OpenFile] = {}
        self._doors: WeakValueDictionary[paths.Place, trio.Lock] = WeakValueDictionary()
        self._migrating: set[paths.Place] = set()

    def get(self, place: paths.Place) -> OpenFile | None:
        """Return the file of a place, or None where it isn't open."""
        return self._open.get(place)

    def all(self) -> tuple[OpenFile, ...]:
        """Return the files that are open now."""
        return tuple(self._open.values())

    def is_migrating(self, place: paths.Place) -> bool:
        """Return whether a file is being brought to the schema of this program."""
        return place in self._migrating

    def door(self, place: paths.Place) -> trio.Lock:
        """Return the lock of a file; making bytes go in it can be put off, and gives way to whoever wants it."""
        if (opened := self._open.get(place)) is not None:
            opened.writer.interrupt_what_gives_way()
        return self._doors.setdefault(place, trio.Lock())

    @asynccontextmanager
    async def held(self, place: paths.Place, name: str, *, create: bool) -> AsyncIterator[OpenFile]:
        """Yield a file, opened if it isn't, and close it afterwards if no character is open in it then.

        Args:
            place: of the file.
            name: of the character that it is opened for.
            create: whether a file that isn't there yet is made.

        Raises:
            UnknownCharacterError: if it isn't there and `create` is false.
            CharacterOwnedError: if another process or store has it open.
            StorageError: if it can't be opened.
        """
        opened = self._open.get(place) or await self._open_file(place, name, create=create)
        try:
            yield opened
        finally:
            await self.close_if_empty(opened)

    async def close_if_empty(self, opened: OpenFile) -> None:
        """Close a file and release its lock, unless a character is open in it."""
        if opened.journals:
            return
        del self._open[opened.place]
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(opened.close, limiter=self.writing)
        _log.info("store.closed", extra={"folder": opened.place.folder.name})

    async def open_journal(self, opened: OpenFile, name: str, *, create: bool) -> SqliteJournal:
        """Return the journal of a character in an open file.

        Args:
            opened: the file.
            name: of the character.
            create: whether one that isn't stored yet is begun.

        Raises:
            UnknownCharacterError: if nothing is stored under the name and `create` is false.
            StorageError: if the disk refuses.
        """
        if name in opened.journals:
            return opened.journals[name]
        enrol = partial(files.enrol, opened.place, name, create=create, now=self._clock.now())
        number, head = await trio.to_thread.run_sync(enrol, limiter=self.writing)
        opened.writer.heads[number] = head
        journal = SqliteJournal(name, number, head.seq, head.vector_seq, opened.readers, opened.writer)
        opened.journals[name] = journal
        _log.info("store.opened", extra={"folder": opened.place.folder.name, "seq": head.seq})
        return journal

    async def _open_file(self, place: paths.Place, name: str, *, create: bool) -> OpenFile:
        job = partial(
            _connect,
            place,
            name,
            create=create,
            now=self._clock.now(),
            on_migration=partial(self._migrating.add, place),
        )
        try:
            connection, lock = await trio.to_thread.run_sync(job, limiter=self.writing)
        finally:
            self._migrating.discard(place)
        readers = Readers(
            partial(files.connect_reader, place, self._settings.evidence),
            path=place.database,
            limiter=self._reading,
        )
        writer = GroupWriter(
            connection,
            path=place.database,
            limiter=self.writing,
            batch_commits=self._settings.storage.batch_commits,
            clock=self._clock,
            failpoints=self._failpoints,
            nursery=self._nursery,
        )
        self._open[place] = opened = OpenFile(place, connection, lock, readers, writer)
        return opened


def _connect(
    place: paths.Place, name: str, *, create: bool, now: float, on_migration: Callable[[], None]
) -> tuple[sqlite3.Connection, OwnerLock]:
    """Take a file's lock and open its writing connection. Runs in a worker thread."""
    if not files.exists(place) and not create:
        raise files.unknown(name)
    files.make_folder(place)
    lock = lock_of(place, name)
    lock.acquire(now)
    try:
        if not files.exists(place):
            files.create(place)
        connection = files.connect_writer(place, on_migration)
    except BaseException:
        lock.release()
        raise
    scrubbing.try_scrub(connection, place)
    return connection, lock
