"""Every journal of one data folder: opened on demand, one owner a file, closed in order."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path

import trio

from ...protocols.erasure import Target
from ...protocols.errors import NotFoundError, StorageError
from ...protocols.ports import Clock, Failpoints
from ...protocols.settings import EvidenceSettings, Settings
from ..nursery import ungrouped_nursery
from . import files, paths, scrubbing, staging, tombstones, vectors
from .eraser import Eraser
from .erasing import ErasureReport
from .export import ExportReport, export_character
from .exported import Watch, ignore
from .faults import translated
from .importing import ImportReport, Ready, adopt, opened_set, publish
from .journal import SqliteJournal
from .names import POOL, check_name
from .open_files import OpenFiles
from .readers import Readers

_log = logging.getLogger(__name__)


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
        self._files = OpenFiles(settings, clock, failpoints, nursery)
        self._moving = trio.CapacityLimiter(1)  # an export or import keeps the disk busy, and no reader waiting
        self._eraser = Eraser(self._files, settings, clock, failpoints, nursery=nursery, looking=self._moving)
        self._importing: set[str] = set()

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
        is_migrating = self._files.is_migrating(paths.place_of(self._settings, name))
        return "brought up to date" if is_migrating else ""

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
        if create:  # before a new character hides that one of its name is gone
            await self.tombstone(name)
        async with self._files.door(place), self._files.held(place, name, create=create) as opened:
            return await self._files.open_journal(opened, name, create=create)

    async def close_character(self, character: str) -> None:
        """Wait for a character's commits, and close its file and release its lock with the last character in it.

        Raises:
            NotFoundError: if it isn't open.
        """
        name = self.canonical_name(character)
        place = paths.place_of(self._settings, name)
        async with self._files.door(place):
            opened = self._files.get(place)
            journal = None if opened is None else opened.journals.pop(name, None)
            if opened is None or journal is None:
                raise NotFoundError(f"character {name!r} is not open")
            with trio.CancelScope(shield=True):
                await journal.retire()
            await self._files.close_if_empty(opened)

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
        async with self._files.door(place):
            opened = self._files.get(place)
            with trio.CancelScope(shield=True):
                if opened is None:
                    job = partial(adopt, place, ready, now=self._clock.now(), failpoints=self._failpoints)
                    await trio.to_thread.run_sync(job, limiter=self._files.writing)
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
        return await self._eraser.erase(self.canonical_name(character), target)

    async def tombstone(self, character: str) -> tombstones.Tombstone | None:
        """Return when a character of this name was erased, whether or not there is one now; None if never.

        Raises:
            InvalidNameError: if the name can't be one.
            StorageError: if the disk refuses.
        """
        name, is_there = self.canonical_name(character), partial(is_stored, self._settings)
        job = partial(tombstones.read, self._settings.data_dir, name, is_there)
        return await trio.to_thread.run_sync(job)

    async def aclose(self) -> None:
        """Close every open character, in order."""
        self._eraser.leave()
        for opened in self._files.all():
            for name in list(opened.journals):
                await self.close_character(name)


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
