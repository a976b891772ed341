"""The characters in memory: activated at their first use, passivated when nobody uses them any more."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType
from weakref import WeakValueDictionary

import trio

from ..actors.character import CharacterSupervisor, FindRoles
from ..actors.kernel import ActorRef, ActorSystem
from ..actors.role import Surroundings
from ..protocols.errors import ActorDeadError
from ..protocols.ports import Journal
from ..protocols.settings import Settings
from .store import JournalStore

logger = logging.getLogger(__name__)


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


@dataclass(slots=True)
class Absence:
    """A while for which a character is kept out of memory. It comes back after one that isn't `for_good`."""

    for_good: bool = False


_held: ContextVar[Mapping[tuple[Residents, str], Resident]] = ContextVar("held", default=MappingProxyType({}))
"""The characters that this task holds in memory."""


class Residents:
    """The characters of one runtime that are in memory. Names are canonical here.

    Args:
        settings: the settings tree.
        store: opens their journals.
        system: runs their actors.
        world: makes what a character's roles stand in, of its name and its journal.
    """

    def __init__(
        self,
        settings: Settings,
        store: JournalStore,
        system: ActorSystem,
        world: Callable[[str, Journal], Surroundings],
    ) -> None:
        self._settings = settings
        self._store = store
        self._system = system
        self._world = world
        self._present: dict[str, Resident] = {}
        # A door is there while somebody is at it, so that asking for names that nobody has costs no memory.
        self._doors: WeakValueDictionary[str, trio.Lock] = WeakValueDictionary()
        self._watchers: list[Callable[[str, Journal], None]] = []
        self._closed = False

    def now(self) -> dict[str, Resident]:
        """Return the characters in memory, by name, as they are now."""
        return dict(self._present)

    def door(self, name: str) -> trio.Lock:
        """Return the lock at which whoever wants to use a character waits while it comes or goes."""
        return self._doors.setdefault(name, trio.Lock())

    @asynccontextmanager
    async def held(
        self, name: str, *, create: bool, admit: Callable[[], Awaitable[None]] | None = None
    ) -> AsyncIterator[Resident]:
        """Hold a character in memory for the length of the block, and yield it.

        Args:
            name: of the character.
            create: whether a character that isn't stored yet comes into being.
            admit: raises where it isn't to be used; nobody can erase it between that and its use.
        """
        if self._closed:
            raise ActorDeadError(f"the runtime of {self._settings.data_dir} is closed: open it again to go on")
        held = _held.get()
        if (mine := held.get((self, name))) is not None:
            # Whoever holds it already must not wait at the door for somebody who waits for them.
            yield mine
            return
        resident = self._present.get(name)
        # Where nobody is at the door nobody needs to wait there, not even for a turn of the loop.
        if resident is None or admit is not None or name in self._doors:
            async with self.door(name):
                if admit is not None:
                    await admit()
                resident = self._present.get(name) or await self._activate(name, create=create)
                resident.users += 1
        else:
            resident.users += 1
        token = _held.set({**held, (self, name): resident})
        try:
            yield resident
        finally:
            _held.reset(token)
            resident.users -= 1
            resident.idle_since = trio.current_time()
            if resident.left:
                resident.left.unpark_all()

    @asynccontextmanager
    async def away(self, name: str) -> AsyncIterator[Absence]:
        """Keep a character out of memory for the length of the block, once nobody uses it; others wait.

        Whoever uses it for longer than `actors.shutdown_s` loses it. If it was in memory, it is there again
        afterwards, unless the block says that it went for good.
        """
        async with self.door(name):
            await self._until_unused(name)
            resident = self._present.get(name)
            if resident is not None:
                await self._deactivate(name, resident)
            absence = Absence()
            try:
                yield absence
            finally:
                if resident is not None and not absence.for_good:
                    await self._activate(name, create=False)

    async def passivate(self, name: str) -> None:
        """Take a character out of memory, unless somebody uses it."""
        async with self.door(name):
            resident = self._present.get(name)
            if resident is not None and resident.users == 0:
                await self._deactivate(name, resident)

    async def passivate_idle(self) -> None:
        """Passivate those that nobody has used for `actors.passivate_after_s`, for as long as it runs."""
        after_s = self._settings.actors.passivate_after_s
        while True:
            await trio.sleep(after_s / 4)
            for name, resident in self.now().items():
                idle_s = trio.current_time() - resident.idle_since
                if resident.users == 0 and idle_s >= after_s and await resident.journal.next_due() is None:
                    await self.passivate(name)

    @contextmanager
    def watching(self, watch: Callable[[str, Journal], None]) -> Iterator[None]:
        """Tell of every character that is in memory, and of each that comes into it, for the length of the block.

        Args:
            watch: called with the name and the journal; it must not block.
        """
        self._watchers.append(watch)
        for name, resident in self._present.items():
            watch(name, resident.journal)
        try:
            yield
        finally:
            self._watchers.remove(watch)

    async def close(self) -> None:
        """Stop every character in order, and let none come back."""
        self._closed = True
        async with trio.open_nursery() as nursery:
            for name, resident in self.now().items():
                nursery.start_soon(self._deactivate, name, resident)

    async def _until_unused(self, name: str) -> None:
        """Return once nobody uses a character, or `actors.shutdown_s` have passed."""
        with trio.move_on_after(self._settings.actors.shutdown_s):
            while (resident := self._present.get(name)) is not None and resident.users:
                await resident.left.park()

    async def _activate(self, name: str, *, create: bool) -> Resident:
        journal = await self._store.open(name, create=create)
        world = self._world(name, journal)
        supervisor = self._system.spawn(lambda: CharacterSupervisor(world))
        # Whoever gives up now must not leave roles at work that nobody knows of: the next would start them twice.
        with trio.CancelScope(shield=True):
            roles: Mapping[str, ActorRef] = await supervisor.aask(FindRoles(), timeout_s=None)
        resident = Resident(supervisor=supervisor, roles=roles, journal=journal)
        self._present[name] = resident
        for watch in self._watchers:
            watch(name, journal)
        logger.info("character.activated", extra={"resident": len(self._present)})
        return resident

    async def _deactivate(self, name: str, resident: Resident) -> None:
        del self._present[name]
        with trio.CancelScope(shield=True):
            await resident.supervisor.astop()
            await self._store.close_character(name)
        logger.info("character.passivated", extra={"resident": len(self._present)})
