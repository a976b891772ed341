"""`Runtime`: opens and closes, activates and passivates characters. The public face for Trio programs."""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from types import MappingProxyType

import trio
from msgspec import Struct
from msgspec.structs import replace

from ..actors.bulkhead import Bulkhead
from ..actors.character import CharacterSupervisor, FindRoles
from ..actors.kernel import ActorRef, ActorSystem, open_system
from ..actors.role import Surroundings
from ..actors.trust.pool import FindPool, PoolSupervisor, PoolWorld
from ..protocols.erasure import EraseAccount, Target
from ..protocols.errors import (
    ActorDeadError,
    InvalidNameError,
    InvalidRequestError,
    ModelError,
    NotFoundError,
    OmoideError,
    SettingsError,
)
from ..protocols.ports import Clock, Embedder, Failpoints, Journal, LanguageModel
from ..protocols.settings import Settings
from .bus.status import BusStatus
from .character import Character, CharacterStatus
from .clock import SystemClock
from .failpoints import Unarmed
from .models.choice import Minds, OneMind, open_minds
from .models.embeddings import WorkerEmbedder, open_embedder
from .models.status import ModelsStatus, models_status
from .people import TrustedPeople
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
    pool_holds,
    pool_keeps,
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


@dataclass(slots=True)
class Resident:
    """A character in memory."""

    supervisor: ActorRef
    roles: Mapping[str, ActorRef]
    journal: Journal
    users: int = 0
    idle_since: float = field(default_factory=trio.current_time)
    left: trio.lowlevel.ParkingLot = field(default_factory=trio.lowlevel.ParkingLot)
    """Where tasks wait for somebody to be done with it."""


_held: ContextVar[Mapping[tuple[Runtime, str], Resident]] = ContextVar("held", default=MappingProxyType({}))
"""The characters that this task holds in memory."""


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
        self._pool = pool
        self._bulkhead = Bulkhead(settings.outbox.at_once)
        self._store = store
        self._system = system
        self.minds = minds
        self._failpoints = failpoints
        self._residents: dict[str, Resident] = {}
        self._doors: dict[str, trio.Lock] = {}
        self._reports: list[Callable[[], BusStatus]] = []
        self._watchers: list[Callable[[str, Journal], None]] = []
        self._closed = False

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
        async with self.resident(character.name, create=create) as resident:
            if resident.journal.last_seq == 0 and not self.settings.strong_memory:
                await character.set_strong_memory(False)
            if owner is not None or locale is not None or card is not None:
                await character.describe(owner=owner, locale=locale, card=card)
        return character

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
        async with self._door(name):
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
        name = self._store.canonical_name(name)
        async with self._door(name):
            await self._until_unused(name)
            resident = self._residents.get(name)
            if resident is not None:
                await self._deactivate(name, resident)
            stays = True
            try:
                report = await self._store.erase(name, target)
                stays = target is not None
            finally:
                if resident is not None and stays:
                    await self._activate(name, create=False)
        return await self._out_of_the_pool(report, target) if isinstance(target, EraseAccount) else report

    async def _out_of_the_pool(self, report: ErasureReport, target: EraseAccount) -> ErasureReport:
        """Take an erased account out of the pool of accounts too, and return the report with that."""
        try:
            if not await trio.to_thread.run_sync(pool_holds, self.settings, target.account):
                return report
            scrubbed = await self.trust.forget(target.account)
        except NotFoundError:  # somebody else did it meanwhile
            return report
        except OmoideError as error:
            logger.warning("runtime.pool_keeps_account", extra={"error": type(error).__name__})
            return replace(report, kept=(*report.kept, pool_keeps(target.account)))
        return replace(report, from_pool=True, scrubbed=report.scrubbed and scrubbed)

    async def _until_unused(self, name: str) -> None:
        """Return once nobody uses a character, or `actors.shutdown_s` have passed."""
        with trio.move_on_after(self.settings.actors.shutdown_s):
            while (resident := self._residents.get(name)) is not None and resident.users:
                await resident.left.park()

    async def status(self) -> RuntimeStatus:
        """Return the health of the runtime and of every character in memory."""
        resident = [Character(self, name) for name in sorted(self._residents)]
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
        async with self._door(name):
            resident = self._residents.get(name)
            if resident is not None and resident.users == 0:
                await self._deactivate(name, resident)

    @asynccontextmanager
    async def resident(self, name: str, *, create: bool = False) -> AsyncIterator[Resident]:
        """Hold a character in memory for the length of the block, and yield it."""
        if self._closed:
            raise ActorDeadError(f"the runtime of {self.settings.data_dir} is closed: open it again to go on")
        held = _held.get()
        if (mine := held.get((self, name))) is not None:
            # Whoever holds it already must not wait at the door for somebody who waits for them.
            yield mine
            return
        async with self._door(name):
            resident = self._residents.get(name) or await self._activate(name, create=create)
            resident.users += 1
        token = _held.set({**held, (self, name): resident})
        try:
            yield resident
        finally:
            _held.reset(token)
            resident.users -= 1
            resident.idle_since = trio.current_time()
            resident.left.unpark_all()

    @contextmanager
    def reporting(self, report: Callable[[], BusStatus]) -> Iterator[None]:
        """Have `status` tell how a bus is doing, for the length of the block."""
        self._reports.append(report)
        try:
            yield
        finally:
            self._reports.remove(report)

    @contextmanager
    def watching(self, watch: Callable[[str, Journal], None]) -> Iterator[None]:
        """Tell of every character that is in memory, and of each that comes into it, for the length of the block.

        Args:
            watch: called with the name and the journal; it must not block.
        """
        self._watchers.append(watch)
        for name, resident in self._residents.items():
            watch(name, resident.journal)
        try:
            yield
        finally:
            self._watchers.remove(watch)

    def residents(self) -> Mapping[str, Resident]:
        """Return the characters in memory, by name, as they are now."""
        return dict(self._residents)

    def _door(self, name: str) -> trio.Lock:
        return self._doors.setdefault(name, trio.Lock())

    async def _activate(self, name: str, *, create: bool) -> Resident:
        journal = await self._store.open(name, create=create)
        world = Surroundings(
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
        supervisor = self._system.spawn(lambda: CharacterSupervisor(world))
        roles: Mapping[str, ActorRef] = await supervisor.aask(FindRoles(), timeout_s=None)
        resident = Resident(supervisor=supervisor, roles=roles, journal=journal)
        self._residents[name] = resident
        for watch in self._watchers:
            watch(name, journal)
        logger.info("character.activated", extra={"resident": len(self._residents)})
        return resident

    async def _deactivate(self, name: str, resident: Resident) -> None:
        del self._residents[name]
        await resident.supervisor.astop()
        await self._store.close_character(name)
        logger.info("character.passivated", extra={"resident": len(self._residents)})

    async def close(self) -> None:
        """Stop every character in order. What is pending stays in the outboxes; nothing waits for a model."""
        self._closed = True
        async with trio.open_nursery() as nursery:
            for name, resident in list(self._residents.items()):
                nursery.start_soon(self._deactivate, name, resident)

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
        after_s = self.settings.actors.passivate_after_s
        while True:
            await trio.sleep(after_s / 4)
            for name, resident in list(self._residents.items()):
                idle_s = trio.current_time() - resident.idle_since
                if resident.users == 0 and idle_s >= after_s and await resident.journal.next_due() is None:
                    await self.passivate(name)


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
            embedding model, or names a
            place for a key that holds none.
        StorageError: if the data folder is a file or can't be listed. A folder that isn't there yet is made with
            the first character.
    """
    if not trio.lowlevel.in_trio_run():
        raise InvalidRequestError(
            "open_runtime needs Trio: start it with trio.run(main). An asyncio program uses omoide.runtime.aio, "
            "one with threads omoide.runtime.blocking, in the same way"
        )
    tree = _settings(settings)
    await trio.to_thread.run_sync(check_data_dir, tree)
    opened, problem = (None, "") if embedder is not None else _open_embedder(tree)
    time = clock or SystemClock()
    points = failpoints or Unarmed()
    failure: BaseException | None = None
    async with (
        open_store(tree, time, points) as store,
        open_minds(tree.models, tree.data_dir, time) as minds,
        open_system() as system,
        trio.open_nursery() as nursery,
    ):
        thinking = minds if model is None else OneMind(model)
        pool = await _open_pool(system, store, time, tree, points)
        runtime = Runtime(tree, store, system, time, thinking, points, embedder=embedder or opened, pool=pool)
        runtime.embedding_problem = problem
        nursery.start_soon(runtime.passivate_idle)
        nursery.start_soon(runtime.warm_up)
        try:
            yield runtime
        except BaseException as error:  # noqa: BLE001 - raised again below, without the nursery's group around it
            failure = error
        nursery.cancel_scope.cancel()
        with trio.CancelScope(shield=True, deadline=trio.current_time() + 2 * tree.actors.shutdown_s):
            await runtime.close()
    if failure is not None:
        raise failure


def _open_embedder(settings: Settings) -> tuple[WorkerEmbedder | None, str]:
    """Return the embedding model, or why there is none: memory goes on without vectors, and says so."""
    try:
        return open_embedder(settings.embeddings), ""
    except ModelError as error:
        logger.warning("embeddings.unavailable", extra={"error": str(error)})
        return None, str(error)


async def _open_pool(
    system: ActorSystem, store: JournalStore, clock: Clock, settings: Settings, failpoints: Failpoints
) -> ActorRef:
    """Start the pool of accounts, and return it; its journal is opened when it is first needed."""
    world = PoolWorld(
        open_journal=partial(store.open, POOL, create=True),
        is_begun=partial(trio.to_thread.run_sync, is_stored, settings, POOL),
        erase_account=partial(_erase_from_pool, store),
        clock=clock,
        settings=settings.trust,
        failpoints=failpoints,
        new_id=_fresh_id,
    )
    supervisor = system.spawn(lambda: PoolSupervisor(world, settings.actors.mailbox_size))
    pool: ActorRef = await supervisor.aask(FindPool(), timeout_s=None)
    return pool


async def _erase_from_pool(store: JournalStore, account: str) -> bool:
    await store.close_character(POOL)
    return (await store.erase(POOL, EraseAccount(account))).scrubbed


def _fresh_id() -> str:
    return uuid.uuid4().hex


def _settings(given: object) -> Settings:
    if isinstance(given, Settings):
        return given
    if isinstance(given, str | Path) and str(given).strip():
        return Settings(data_dir=Path(given))
    raise SettingsError(f"open_runtime takes Settings or the path of a data folder, got {given!r}")
