"""Every journal of one data folder: opened on demand, one owner a file, closed in order."""

from __future__ import annotations

import logging
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import trio
from msgspec.structs import replace

from ...protocols.erasure import ErasureId, Target
from ...protocols.errors import InvalidRequestError, NotFoundError, StorageError
from ...protocols.ports import Clock, Failpoints
from ...protocols.settings import EvidenceSettings, Settings
from ..nursery import ungrouped_nursery
from . import files, paths, removal, scrubbing, staging, vectors
from .erasing import ErasureReport, Preparation
from .export import ExportReport, export_character
from .exported import Watch, ignore
from .faults import translated
from .importing import ImportReport, Ready, adopt, opened_set, publish
from .journal import SqliteJournal
from .lock import OwnerLock, lock_of
from .names import POOL, check_name
from .readers import Readers
from .writer import GroupWriter

_log = logging.getLogger(__name__)


class _OpenFile:
    """One file that this store owns, and the characters that are open in it."""

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
        self.lock = lock
        self.readers = readers
        self.writer = writer
        self.journals: dict[str, SqliteJournal] = {}


class JournalStore:
    """The journals of one data folder. Made by `open_store`.

    Args:
        settings: where they lie and how they are written.
        clock: gives events their time.
        failpoints: reached around every COMMIT.
        nursery: holds the batches in flight.
    """

    def __init__(self, settings: Settings, clock: Clock, failpoints: Failpoints, nursery: trio.Nursery) -> None:
        self._settings = settings
        self._clock = clock
        self._failpoints = failpoints
        self._nursery = nursery
        self._writing = trio.CapacityLimiter(settings.storage.writer_threads)
        self._reading = trio.CapacityLimiter(settings.storage.reader_threads)
        self._moving = trio.CapacityLimiter(1)  # an export or import keeps the disk busy, and no reader waiting
        self._files: dict[paths.Place, _OpenFile] = {}
        self._doors: dict[paths.Place, trio.Lock] = {}
        self._migrating: set[paths.Place] = set()
        self._importing: set[str] = set()
        self._leaving = trio.Event()

    def canonical_name(self, character: str) -> str:
        """Return a character's name as it is stored: trimmed and in normal form C.

        Raises:
            InvalidNameError: if the name can't be one.
        """
        return check_name(character, max_chars=self._settings.limits.name_chars)

    def restriction(self, character: str) -> str:
        """Return why a character can't be used for a while, as what is being done to it; empty where it can.

        Raises:
            InvalidNameError: if the name can't be one.
        """
        name = self.canonical_name(character)
        if name in self._importing:
            return "imported"
        return "brought up to date" if paths.place_of(self._settings, name) in self._migrating else ""

    @contextmanager
    def importing(self, name: str) -> Iterator[None]:
        """Let `restriction` tell for the length of the block that a character is being imported."""
        self._importing.add(name)
        try:
            yield
        finally:
            self._importing.discard(name)

    def characters(self) -> tuple[str, ...]:
        """Return the names of the characters that are stored in the data folder, sorted.

        Looks into each file on the calling thread, 0.3 ms each; a damaged, lost or misplaced one is logged
        and left out.

        Raises:
            SettingsError: if the data folder has the other layout.
            StorageError: if the data folder is a file or can't be listed.
        """
        found: set[str] = set()
        for place in files.places(self._settings):
            try:
                found.update(files.look(place))
            except StorageError as error:
                _log.warning("store.unreadable", extra={"folder": place.folder.name, "error": str(error)})
        return tuple(sorted(found - {POOL}))

    async def open(self, character: str, *, create: bool = False) -> SqliteJournal:
        """Return the journal of a character, owned by this store until `close_character`.

        Opening what is open returns the same journal.

        Args:
            character: its name.
            create: whether a character that isn't stored yet is begun.

        Raises:
            InvalidNameError: if the name can't be one.
            UnknownCharacterError: if nothing is stored under the name and `create` is false.
            SettingsError: if the data folder has the other layout.
            CharacterOwnedError: if another process or store has it open.
            CorruptStorageError: if the file is lost, damaged, foreign or another character's.
            NewerSchemaError: if a newer program wrote it.
            StorageError: if the disk refuses.
        """
        name = self.canonical_name(character)
        place = paths.place_of(self._settings, name)
        async with self._door(place):
            opened = self._files.get(place) or await self._open_file(place, name, create=create)
            if name in opened.journals:
                return opened.journals[name]
            try:
                return await self._open_character(place, opened, name, create=create)
            finally:
                if not opened.journals:
                    await self._close_file(place, opened)

    async def close_character(self, character: str) -> None:
        """Wait for a character's commits, and close its file and release its lock with the last character in it.

        Raises:
            NotFoundError: if it isn't open.
        """
        name = self.canonical_name(character)
        place = paths.place_of(self._settings, name)
        async with self._door(place):
            opened = self._files.get(place)
            journal = None if opened is None else opened.journals.pop(name, None)
            if opened is None or journal is None:
                raise NotFoundError(f"character {name!r} is not open")
            with trio.CancelScope(shield=True):
                await journal.retire()
            if not opened.journals:
                await self._close_file(place, opened)

    async def export(self, character: str, folder: Path, *, watch: Watch = ignore) -> ExportReport:
        """Export a character into a new folder, in a worker thread; whoever owns it. See `export_character`.

        A caller that is cancelled leaves nothing in the folder's place.

        Args:
            character: its name.
            folder: a folder that doesn't exist yet or is empty.
            watch: told of the progress, in the worker thread.
        """
        return await trio.to_thread.run_sync(
            partial(
                export_character,
                self._settings,
                character,
                folder,
                now=self._clock.now(),
                failpoints=self._failpoints,
                watch=_cancellable(watch),
            ),
            limiter=self._moving,
        )

    async def name_of_set(self, folder: Path, name: str | None) -> str:
        """Return the canonical name under which an exported set would be imported.

        Raises:
            InvalidNameError: if the name can't be one.
            InvalidRequestError: if the folder holds no set.
            CorruptStorageError: if its manifest is damaged.
            NewerSchemaError: if a newer program wrote it.
            StorageError: if it can't be read.
        """
        if name is None:
            name = (await trio.to_thread.run_sync(staging.read_manifest, folder)).character
        return self.canonical_name(name)

    async def import_(self, folder: Path, name: str | None = None, *, watch: Watch = ignore) -> ImportReport:
        """Import an exported set as a character that doesn't exist yet. See `import_character`.

        A caller that is cancelled leaves nothing, or all if the character was about to exist. In a file that is
        open here, commits wait while the character is taken in; reading the set holds up nobody.

        Args:
            folder: what was exported.
            name: how the character is called here; None for the name that it had.
            watch: told of the progress of reading, in the worker thread.
        """

        def work() -> ImportReport:
            with opened_set(self._settings, folder, name, _cancellable(watch)) as ready:
                trio.from_thread.run(self._adopt, ready)
                return ready.report

        return await trio.to_thread.run_sync(work, limiter=self._moving)

    async def _adopt(self, ready: Ready) -> None:
        place = paths.place_of(self._settings, ready.report.character)
        async with self._door(place):
            opened = self._files.get(place)
            with trio.CancelScope(shield=True):
                if opened is None:
                    job = partial(adopt, place, ready, now=self._clock.now(), failpoints=self._failpoints)
                    await trio.to_thread.run_sync(job, limiter=self._writing)
                else:
                    await opened.writer.between_batches(partial(publish, place.database, ready, self._failpoints))

    async def erase(self, character: str, target: Target | None) -> ErasureReport:
        """Erase part of a character that isn't open, or all of it. See `removal`.

        In a file that is open here for other characters, their commits wait for the transaction alone, and go
        before the rewriting that makes the bytes go; where these keep it from ending for `storage.scrub_wait_s`,
        it goes on in the background. A caller that is cancelled has erased all the same.

        Args:
            character: its name.
            target: what is to be erased; None for the whole character.

        Raises:
            InvalidNameError: if the name can't be one.
            UnknownCharacterError: if nothing is stored under the name.
            CharacterOwnedError: if another process or store has it open.
            NotFoundError: if nothing is stored under a memory's id, or nothing holds the words.
            InvalidRequestError: if it is open here, or the target can't be erased.
            StorageError: if the file can't be opened, or the disk refuses; nothing was erased.
        """
        name = self.canonical_name(character)
        place = paths.place_of(self._settings, name)
        async with self._door(place):
            opened = self._files.get(place)
            if opened is not None and name in opened.journals:
                raise InvalidRequestError(f"character {name!r} is open: close it before something of it is erased")
            is_shared = opened is not None and bool(opened.journals)
            with trio.CancelScope(shield=True):
                if target is None and not place.shared:
                    report = await self._remove_folder(place, name)
                else:
                    report = await self._erase_closed(place, name, target)
            is_open = place in self._files
        if report.scrubbed or not is_open:
            return report
        scrubbed = trio.Event()
        self._nursery.start_soon(partial(self._scrub_later, place, scrubbed, at_once=is_shared))
        with trio.move_on_after(self._settings.storage.scrub_wait_s):
            await scrubbed.wait()
        return replace(report, scrubbed=scrubbed.is_set())

    async def _remove_folder(self, place: paths.Place, name: str) -> ErasureReport:
        job = partial(removal.remove_folder, place, name, now=self._clock.now(), failpoints=self._failpoints)
        return await trio.to_thread.run_sync(job, limiter=self._writing)

    async def _erase_closed(self, place: paths.Place, name: str, target: Target | None) -> ErasureReport:
        opened = self._files.get(place) or await self._open_file(place, name, create=False)
        try:
            return await self._erase_in(opened, name, target)
        finally:
            if not opened.journals:
                await self._close_file(place, opened)

    async def _erase_in(self, opened: _OpenFile, name: str, target: Target | None) -> ErasureReport:
        site = removal.Site(opened.place, opened.connection, self._failpoints, scrubs=not opened.journals)
        now = self._clock.now()
        reports: list[ErasureReport] = []
        prepared: Preparation | None = None
        if target is not None:  # reading takes longer than erasing, and nobody who writes waits for it
            look = partial(removal.prepare, opened.place, name, target, self._settings.evidence)
            prepared = await trio.to_thread.run_sync(look, limiter=self._moving)

        def job() -> None:
            if prepared is None:
                reports.append(removal.remove_rows(site, name, now=now))
            else:
                erasure_id = ErasureId(f"erasure_{secrets.token_hex(16)}")
                reports.append(removal.erase(site, prepared, erasure_id=erasure_id, now=now))

        await opened.writer.between_batches(job)
        return reports[0]

    async def _scrub_later(self, place: paths.Place, scrubbed: trio.Event, *, at_once: bool) -> None:
        """Try to make the bytes go again and again, until they are gone or the store is left.

        Whoever commits meanwhile goes first, but for the last of `storage.scrub_attempts`.
        """
        attempts = self._settings.storage.scrub_attempts
        for attempt in count(1):
            if attempt > 1 or not at_once:
                with trio.move_on_after(self._settings.storage.scrub_retry_s):
                    await self._leaving.wait()
            if self._leaving.is_set():
                return
            async with (door := self._door(place)):
                opened = self._files.get(place)
                if opened is None:  # whoever closed it tried, and whoever opens it will
                    return
                gone: list[bool] = []
                job = partial(_note_scrub, gone, opened)
                await opened.writer.between_batches(
                    job, gives_way=None if attempt % attempts == 0 else partial(_is_waited_at, door)
                )
                if gone and gone[0]:
                    scrubbed.set()
                    return

    async def aclose(self) -> None:
        """Close every open character, in order."""
        self._leaving.set()
        for opened in list(self._files.values()):
            for name in list(opened.journals):
                await self.close_character(name)

    def _door(self, place: paths.Place) -> trio.Lock:
        """Return the lock of a file; making bytes go in it can be put off, and gives way to whoever wants it."""
        if (opened := self._files.get(place)) is not None:
            opened.writer.interrupt_what_gives_way()
        return self._doors.setdefault(place, trio.Lock())

    async def _open_file(self, place: paths.Place, name: str, *, create: bool) -> _OpenFile:
        job = partial(
            _open,
            place,
            name,
            create=create,
            now=self._clock.now(),
            on_migration=partial(self._migrating.add, place),
        )
        try:
            connection, lock = await trio.to_thread.run_sync(job, limiter=self._writing)
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
            limiter=self._writing,
            batch_commits=self._settings.storage.batch_commits,
            clock=self._clock,
            failpoints=self._failpoints,
            nursery=self._nursery,
        )
        self._files[place] = opened = _OpenFile(place, connection, lock, readers, writer)
        return opened

    async def _open_character(
        self, place: paths.Place, opened: _OpenFile, name: str, *, create: bool
    ) -> SqliteJournal:
        number, head = await trio.to_thread.run_sync(
            partial(files.enrol, place, name, create=create, now=self._clock.now()), limiter=self._writing
        )
        opened.writer.heads[number] = head
        journal = SqliteJournal(name, number, head.seq, head.vector_seq, opened.readers, opened.writer)
        opened.journals[name] = journal
        _log.info("store.opened", extra={"folder": place.folder.name, "seq": head.seq})
        return journal

    async def _close_file(self, place: paths.Place, opened: _OpenFile) -> None:
        del self._files[place]
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(_close, opened, limiter=self._writing)
        _log.info("store.closed", extra={"folder": place.folder.name})


@asynccontextmanager
async def open_store(settings: Settings, clock: Clock, failpoints: Failpoints) -> AsyncIterator[JournalStore]:
    """Yield the journals of a data folder; at the end every commit that was handed in has landed.

    Args:
        settings: where they lie and how they are written.
        clock: gives events their time.
        failpoints: reached around every COMMIT.
    """
    await trio.to_thread.run_sync(scrubbing.bury_all, settings.data_dir)
    async with ungrouped_nursery() as nursery:
        store = JournalStore(settings, clock, failpoints, nursery)
        try:
            yield store
        finally:
            with trio.CancelScope(shield=True):
                await store.aclose()


@asynccontextmanager
async def open_reader(settings: Settings, character: str) -> AsyncIterator[SqliteJournal]:
    """Yield a journal that can only be read, while anybody may own the character. Commits to it are refused.

    Raises:
        InvalidNameError: if the name can't be one.
        UnknownCharacterError: if nothing is stored under the name.
        SettingsError: if the data folder has the other layout.
        CorruptStorageError: if the file is lost, damaged, foreign or another character's.
        NewerSchemaError: if a newer program wrote it.
        StorageError: if the disk refuses.
    """
    name = check_name(character, max_chars=settings.limits.name_chars)
    place = paths.place_of(settings, name)
    limiter = trio.CapacityLimiter(settings.storage.reader_threads)
    number, seq, vector_seq = await trio.to_thread.run_sync(_peek, place, name, settings.evidence, limiter=limiter)
    readers = Readers(
        partial(files.connect_reader, place, settings.evidence), path=place.database, limiter=limiter
    )
    try:
        yield SqliteJournal(name, number, seq, vector_seq, readers, None)
    finally:
        readers.close()


def is_stored(settings: Settings, character: str) -> bool:
    """Return whether a character, or the pool of accounts, is stored and its file can be looked into."""
    place = paths.place_of(settings, check_name(character, max_chars=settings.limits.name_chars))
    try:
        return files.exists(place) and character in files.look(place)
    except StorageError:
        return False


def _cancellable(watch: Watch) -> Watch:
    def step(done: int, total: int) -> None:
        trio.from_thread.check_cancelled()
        watch(done, total)

    return step


def _open(
    place: paths.Place, name: str, *, create: bool, now: float, on_migration: Callable[[], None]
) -> tuple[sqlite3.Connection, OwnerLock]:
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


def _is_waited_at(door: trio.Lock) -> bool:
    return door.statistics().tasks_waiting > 0


def _note_scrub(gone: list[bool], opened: _OpenFile) -> None:
    gone.append(scrubbing.try_scrub(opened.connection, opened.place))


def _close(opened: _OpenFile) -> None:
    opened.readers.close()
    scrubbing.try_scrub(opened.connection, opened.place)
    opened.connection.close()
    opened.lock.release()


def _peek(place: paths.Place, name: str, weights: EvidenceSettings) -> tuple[int, int, int]:
    if not files.exists(place):
        raise files.unknown(name)
    files.look(place)
    with closing(files.connect_reader(place, weights)) as connection, translated(place.database):
        number = files.number_of(connection, name)
        if number is None:
            raise files.unknown(name)
        (seq,) = connection.execute("SELECT head_seq FROM characters WHERE id = ?", (number,)).fetchone()
        newest = vectors.last_seq(connection, number)
    return number, seq, newest
