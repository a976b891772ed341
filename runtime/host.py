"""`Runtime`: opens and closes, activates and passivates characters. The public face for Trio programs."""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

import trio
from msgspec import Struct

from ..actors.bulkhead import Bulkhead
from ..actors.kernel import ActorRef, ActorSystem, open_system
from ..actors.role import Surroundings
from ..protocols.cursors import Cursor
from ..protocols.erasure import EraseAccount, Target
from ..protocols.errors import (
    ErasedError,
    InvalidNameError,
    InvalidRequestError,
    ModelError,
    SettingsError,
)
from ..protocols.ports import Clock, Embedder, Failpoints, Journal, LanguageModel
from ..protocols.settings import Settings
from .bus.status import BusStatus
from .character import Character, CharacterStatus, description
from .clock import SystemClock
from .failpoints import Unarmed
from .models.choice import Minds, OneMind, open_minds
from .models.embeddings import WorkerEmbedder, open_embedder
from .models.status import ModelsStatus, models_status
from .nursery import ungrouped_nursery
from .people import TrustedPeople
from .pool import erased_from_pool, open_pool
from .residents import Resident, Residents
from .store import (
    POOL,
    ErasureReport,
    ExportReport,
    ImportReport,
    JournalStore,
    Watch,
    check_data_dir,
    ignore,
    is_stored,
    open_store,
    preview,
    stored_already,
)

logger = logging.getLogger(__name__)


class RuntimeStatus(Struct, frozen=True, kw_only=True):
    """Health of a runtime.

    `characters` are those in memory; `dead_letters` counts undeliverable messages by reason. `models` tells which
    mind thinks for whom by the settings, and what the providers cost. `embeddings` is the id of the embedding
    model, empty where there is none, and `embedding_problem` why the one that the settings name can't be used.
    `buses` are the message buses that this process serves.
    """

    data_dir: str
    layout: str
    characters: tuple[CharacterStatus, ...]
    stored: tuple[str, ...]
    dead_letters: dict[str, int]
    models: ModelsStatus
    embeddings: str = ""
    embedding_problem: str = ""
    buses: tuple[BusStatus, ...] = ()


class Runtime:
    """All characters of one data folder. Made by `open_runtime`."""

    def __init__(
        self,
        settings: Settings,
        store: JournalStore,
        system: ActorSystem,
        clock: Clock,
        minds: Minds | OneMind,
        failpoints: Failpoints,
        *,
        embedder: Embedder | None,
        pool: ActorRef,
    ) -> None:
        self.settings = settings
        self.embedder = embedder
        self.embedding_problem = ""
        self.clock = clock
        self.trust = TrustedPeople(pool, settings)
        self.minds = minds
        self._pool = pool
        self._bulkhead = Bulkhead(settings.outbox.at_once)
        self._store = store
        self._system = system
        self._failpoints = failpoints
        self._residents = Residents(settings, store, system, self._world)
        self._reports: list[Callable[[], BusStatus]] = []

    async def character(
        self,
        name: str,
        *,
        create: bool = True,
        owner: str | None = None,
        locale: str | None = None,
        card: Sequence[str] | None = None,
    ) -> Character:
        """Return a character, activated; what is given of owner, locale and card replaces what was stored.

        Args:
            name: any name; it is trimmed and brought to Unicode's normal form C.
            create: whether a character that isn't stored yet comes into being.
            owner: how the person is called whom the character belongs to.
            locale: language tag of the character, such as `en` or `zh`.
            card: statements about the character that always hold.

        Raises:
            InvalidNameError: if no character can have that name.
            UnknownCharacterError: if there is none and `create` is false.
            CharacterOwnedError: if another process has it open.
            StorageError: if its file can't be opened; the message says why and what to do.
        """
        character = Character(self, self._store.canonical_name(name))
        if character.name == POOL:
            raise InvalidNameError(f"{POOL!r} is the name of the pool of accounts: give the character another one")
        # Before the character comes into being with it.
        description(self.settings.limits, owner=owner, locale=locale, card=card)
        async with self.resident(character.name, create=create) as resident:
            if resident.journal.last_seq == 0 and not self.settings.strong_memory:
                await character.set_strong_memory(False)
            if owner is not None or locale is not None or card is not None:
                await character.describe(owner=owner, locale=locale, card=card)
        return character

    async def received(self, name: str, *, create: bool, at: float, cursor: Cursor | None) -> Character:
        """Return the character that a message from a bus is for, unless it was sent before that was erased.

        Args:
            name: of the character.
            create: whether a character that isn't stored yet comes into being.
            at: when the bus got the message, in seconds since the epoch.
            cursor: the message's place in its stream, where there are places.

        Raises:
            ErasedError: if a character of this name was erased after the message was sent.
            OmoideError: what `character` raises.
        """
        name = self._store.canonical_name(name)

        async def admit() -> None:
            if (erased := await self.erased_since(name, at, cursor)) is not None:
                raise erased

        async with self._residents.held(name, create=create and name != POOL, admit=admit):
            return await self.character(name, create=False)

    async def erased_since(self, name: str, at: float, cursor: Cursor | None = None) -> ErasedError | None:
        """Return why a message isn't taken in that a bus got at a time, if a character was erased after that.

        Raises:
            InvalidNameError: if no character can have that name.
            StorageError: if the disk refuses.
        """
        stone = await self._store.tombstone(name)
        if stone is None or not stone.covers(at, cursor):
            return None
        return ErasedError(
            f"character {name!r} was erased at {stone.at:.3f} s, and this was sent before: it isn't taken in. "
            "Send it again to begin a new character with it"
        )

    def stored_characters(self) -> tuple[str, ...]:
        """Return the names of all characters in the data folder, in memory or not."""
        return self._store.characters()

    async def export(self, name: str, folder: Path | str, *, on_progress: Watch = ignore) -> ExportReport:
        """Export a character, in memory or not, as readable files from which `import_` makes it again.

        It is exported as it stands on disk at this moment, and may be used meanwhile. If the call is cancelled or
        fails, nothing is in the folder's place.

        Args:
            name: of the character.
            folder: a folder that doesn't exist yet or is empty.
            on_progress: called with rows done and rows in all now and then, in a worker thread.

        Raises:
            InvalidNameError: if no character can have that name.
            UnknownCharacterError: if nothing is stored under the name.
            InvalidRequestError: if there is something in the folder's place.
            CorruptStorageError: if the journal is damaged.
            StorageFullError: if the disk is full.
            StorageError: if a disk refuses.
        """
        return await self._store.export(name, Path(folder), watch=on_progress)

    async def import_(
        self, folder: Path | str, name: str | None = None, *, on_progress: Watch = ignore
    ) -> ImportReport:
        """Import an export as a character that doesn't exist yet. `character()` returns it then.

        If the call is cancelled or fails, nothing was imported, or all if the character was about to exist.

        Args:
            folder: what `export` made.
            name: how the character is called here; None for the name that it had.
            on_progress: called with rows read and rows in all now and then, in a worker thread.

        Raises:
            InvalidNameError: if no character can have that name.
            InvalidRequestError: if the folder holds no export, or the character exists.
            CorruptStorageError: if anything is wrong with the export; the message says what and where.
            NewerSchemaError: if a newer program wrote it.
            CharacterOwnedError: if another process has the file open that the character would go into.
            StorageFullError: if the disk is full.
            StorageError: if a disk refuses.
        """
        name = await self._store.name_of_set(Path(folder), name)
        async with self.importing(name) as take_in:
            return await take_in(Path(folder), on_progress)

    @asynccontextmanager
    async def importing(self, name: str) -> AsyncIterator[Callable[[Path, Watch], Awaitable[ImportReport]]]:
        """Keep a name free for an import for the length of the block, and yield what takes an export in under it.

        Whoever uses the name meanwhile waits, and `restriction` tells why.

        Raises:
            InvalidRequestError: if the character exists.
        """
        name = self._store.canonical_name(name)
        if await trio.to_thread.run_sync(is_stored, self.settings, name):
            raise stored_already(name)
        async with self._residents.door(name):
            with self._store.importing(name):
                yield lambda folder, watch: self._store.import_(folder, name, watch=watch)

    def restriction(self, name: str) -> str:
        """Return what is being done to a character that keeps it from being used; empty where it can be used.

        It is `imported` or `brought up to date`. Whoever uses it meanwhile waits; a server had better answer.

        Raises:
            InvalidNameError: if no character can have that name.
        """
        return self._store.restriction(name)

    async def erase(self, name: str, target: Target | None, *, dry_run: bool = False) -> ErasureReport:
        """Erase part of a character, or all of it, for good, and return what was erased.

        The character leaves memory for it, once those who use it are done or `actors.shutdown_s` have passed, so
        that nothing which is under way brings back what is erased; calls that come meanwhile wait. When it
        returns, nothing of it is found any more; `scrubbed` of the report says whether its bytes are gone from the
        data folder too. Exports that were made before are the person's own copies and stay. An account goes from
        the pool of accounts too; where that can't be written now, `kept` says so.

        Args:
            name: of the character.
            target: what is to be erased; None for the whole character.
            dry_run: whether only to look what would go: nothing is changed, and anybody may own the character.

        Raises:
            InvalidNameError: if no character can have that name.
            UnknownCharacterError: if nothing is stored under the name.
            CharacterOwnedError: if another process has it open.
            NotFoundError: if nothing is stored under a memory's id, or nothing holds the words.
            InvalidRequestError: if the target can't be erased; the message says why.
            StorageError: if the file can't be opened, or the disk refuses; nothing was erased.
        """
        if dry_run:
            return await trio.to_thread.run_sync(preview, self.settings, name, target)
        async with self._residents.away(self._store.canonical_name(name)) as absence:
            report = await self._store.erase(name, target)
            absence.for_good = target is None
        if isinstance(target, EraseAccount):
            return await erased_from_pool(report, target.account, self.trust, self.settings)
        return report

    async def status(self) -> RuntimeStatus:
        """Return the health of the runtime and of every character in memory."""
        resident = [Character(self, name) for name in sorted(self._residents.now())]
        return RuntimeStatus(
            data_dir=str(self.settings.data_dir),
            layout=self.settings.storage.layout,
            characters=tuple([await character.status() for character in resident]),
            stored=self.stored_characters(),
            dead_letters=dict(self._system.dead_letters.counts),
            models=await trio.to_thread.run_sync(
                models_status, self.settings.models, self.settings.data_dir, self.clock.now()
            ),
            embeddings="" if self.embedder is None else self.embedder.id,
            embedding_problem=self.embedding_problem,
            buses=tuple(report() for report in self._reports),
        )

    async def passivate(self, name: str) -> None:
        """Take a character out of memory once nobody uses it. It comes back at its next use.

        Everything it knows is on disk already; work that was pending goes on when it is back.
        """
        await self._residents.passivate(name)

    def resident(self, name: str, *, create: bool = False) -> AbstractAsyncContextManager[Resident]:
        """Hold a character in memory for the length of the block, and yield it."""
        return self._residents.held(name, create=create)

    @contextmanager
    def reporting(self, report: Callable[[], BusStatus]) -> Iterator[None]:
        """Have `status` tell how a bus is doing, for the length of the block."""
        self._reports.append(report)
        try:
            yield
        finally:
            self._reports.remove(report)

    def watching(self, watch: Callable[[str, Journal], None]) -> AbstractContextManager[None]:
        """Tell of every character that is in memory, and of each that comes into it, for the length of the block.

        Args:
            watch: called with the name and the journal; it must not block.
        """
        return self._residents.watching(watch)

    def residents(self) -> Mapping[str, Resident]:
        """Return the characters in memory, by name, as they are now."""
        return self._residents.now()

    def _world(self, name: str, journal: Journal) -> Surroundings:
        return Surroundings(
            character=name,
            journal=journal,
            clock=self.clock,
            model=self.minds.mind_of(name),
            settings=self.settings,
            failpoints=self._failpoints,
            random=Random(),  # noqa: S311 - jitter, not a secret
            new_id=_fresh_id,
            pool=self._pool,
            bulkhead=self._bulkhead,
            embedder=self.embedder,
        )

    async def close(self) -> None:
        """Stop every character in order. What is pending stays in the outboxes; nothing waits for a model."""
        await self._residents.close()

    async def warm_up(self) -> None:
        """Load the embedding model, so that no query has to wait for it; it starts by itself at opening.

        One that can't be loaded is no error here: recall says then that it went on without.
        """
        if self.embedder is None:
            return
        try:
            await self.embedder.embed(("hello",), query=True)
        except ModelError as error:
            logger.warning("embeddings.unavailable", extra={"error": type(error).__name__})

    async def passivate_idle(self) -> None:
        """Passivate characters that nobody has used for `actors.passivate_after_s`, for as long as it runs."""
        await self._residents.passivate_idle()


@asynccontextmanager
async def open_runtime(
    settings: Settings | Path | str,
    *,
    clock: Clock | None = None,
    model: LanguageModel | None = None,
    failpoints: Failpoints | None = None,
    embedder: Embedder | None = None,
) -> AsyncIterator[Runtime]:
    """Open a data folder, yield its runtime, and close it in order.

    Leaving the block stops the characters without waiting for background work: that stays in the
    outboxes and goes on at the next opening. The same holds for a cancellation or an interrupt.

    Args:
        settings: the settings, or just the data folder.
        clock: where the time comes from; the machine's clock by default.
        model: the mind of every character; by default the one that `settings.models` names for it, which is the
            offline engine where they name none.
        failpoints: where a soak test makes things fail; nowhere by default.
        embedder: the embedding model; the one that `embeddings.model` names by default.

    Raises:
        InvalidRequestError: if it is called outside Trio.
        SettingsError: if `settings` is neither settings nor a folder, has another layout than the folder, names no
            embedding model, or names a place for a key that holds none.
        StorageError: if the data folder is a file or can't be listed. A folder that isn't there yet is made with
            the first character.
    """
    tree = _checked(settings)
    await trio.to_thread.run_sync(check_data_dir, tree)
    opened, problem = (embedder, "") if embedder is not None else _open_embedder(tree)
    time, points = clock or SystemClock(), failpoints or Unarmed()
    async with (
        open_store(tree, time, points) as store,
        open_minds(tree.models, tree.data_dir, time) as minds,
        open_system() as system,
        ungrouped_nursery() as nursery,
    ):
        thinking = minds if model is None else OneMind(model)
        pool = await open_pool(system, store, tree, clock=time, failpoints=points, new_id=_fresh_id)
        runtime = Runtime(tree, store, system, time, thinking, points, embedder=opened, pool=pool)
        runtime.embedding_problem = problem
        nursery.start_soon(runtime.passivate_idle)
        nursery.start_soon(runtime.warm_up)
        try:
            yield runtime
        finally:
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True, deadline=trio.current_time() + 2 * tree.actors.shutdown_s):
                await runtime.close()


def _open_embedder(settings: Settings) -> tuple[WorkerEmbedder | None, str]:
    """Return the embedding model, or why there is none: memory goes on without vectors, and says so."""
    try:
        return open_embedder(settings.embeddings), ""
    except ModelError as error:
        logger.warning("embeddings.unavailable", extra={"error": str(error)})
        return None, str(error)


def _fresh_id() -> str:
    return uuid.uuid4().hex


def _checked(given: object) -> Settings:
    """Return the settings that were given or the defaults of a data folder that was, if they can be used here."""
    if not trio.lowlevel.in_trio_run():
        raise InvalidRequestError(
            "open_runtime needs Trio: start it with trio.run(main). An asyncio program uses omoide.runtime.aio, "
            "one with threads omoide.runtime.blocking, in the same way"
        )
    if isinstance(given, Settings):
        return given
    if isinstance(given, str | Path) and str(given).strip():
        return Settings(data_dir=Path(given))
    raise SettingsError(f"open_runtime takes Settings or the path of a data folder, got {given!r}")
