"""Erasing from the files of a store: where others have a file open, they wait for the transaction alone."""

from __future__ import annotations

import secrets
from functools import partial
from itertools import count

import trio
from msgspec.structs import replace

from ...protocols.erasure import ErasureId, Target
from ...protocols.errors import InvalidRequestError
from ...protocols.ports import Clock, Failpoints
from ...protocols.settings import Settings
from . import paths, removal
from .erasing import ErasureReport
from .open_files import OpenFile, OpenFiles


class Eraser:
    """Erases from the files of a store, and makes erased bytes go, in the background where others are at work.

    Args:
        files: those that the store owns.
        settings: how long bytes are waited for.
        clock: gives events their time.
        failpoints: reached around every COMMIT.
        nursery: holds what goes on in the background.
        looking: bounds the threads that look for what is to go.
    """

    def __init__(
        self,
        files: OpenFiles,
        settings: Settings,
        clock: Clock,
        failpoints: Failpoints,
        *,
        nursery: trio.Nursery,
        looking: trio.CapacityLimiter,
    ) -> None:
        self._files = files
        self._settings = settings
        self._clock = clock
        self._failpoints = failpoints
        self._nursery = nursery
        self._looking = looking
        self._leaving = trio.Event()

    async def erase(self, name: str, target: Target | None) -> ErasureReport:
        """Erase part of a character that isn't open, or all of it without a target. See `JournalStore.erase`."""
        place = paths.place_of(self._settings, name)
        async with self._files.door(place):
            opened = self._files.get(place)
            if opened is not None and name in opened.journals:
                raise InvalidRequestError(f"character {name!r} is open: close it before something of it is erased")
            is_shared = opened is not None and bool(opened.journals)
            with trio.CancelScope(shield=True):
                if target is None and not place.shared:
                    report = await self._remove_folder(place, name)
                else:
                    async with self._files.held(place, name, create=False) as opened:
                        report = await self._erase_in(opened, name, target)
            is_open = self._files.get(place) is not None
        if report.scrubbed or not is_open:
            return report
        scrubbed = trio.Event()
        self._nursery.start_soon(partial(self._scrub_later, place, scrubbed, at_once=is_shared))
        with trio.move_on_after(self._settings.storage.scrub_wait_s):
            await scrubbed.wait()
        return replace(report, scrubbed=scrubbed.is_set())

    def leave(self) -> None:
        """Give up making bytes go: whoever opens the file next does."""
        self._leaving.set()

    async def _remove_folder(self, place: paths.Place, name: str) -> ErasureReport:
        job = partial(removal.remove_folder, place, name, now=self._clock.now(), failpoints=self._failpoints)
        return await trio.to_thread.run_sync(job, limiter=self._files.writing)

    async def _erase_in(self, opened: OpenFile, name: str, target: Target | None) -> ErasureReport:
        site = removal.Site(opened.place, opened.connection, self._failpoints, scrubs=not opened.journals)
        now = self._clock.now()
        if target is None:
            return await opened.writer.between_batches(partial(removal.remove_rows, site, name, now=now))
        # Reading takes longer than erasing, and nobody who writes waits for it.
        look = partial(removal.prepare, opened.place, name, target, self._settings.evidence)
        prepared = await trio.to_thread.run_sync(look, limiter=self._looking)
        erasure_id = ErasureId(f"erasure_{secrets.token_hex(16)}")
        return await opened.writer.between_batches(
            partial(removal.erase, site, prepared, erasure_id=erasure_id, now=now)
        )

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
            async with (door := self._files.door(place)):
                opened = self._files.get(place)
                if opened is None:  # whoever closed it tried, and whoever opens it will
                    return
                gives_way = None if attempt % attempts == 0 else partial(_is_waited_at, door)
                if await opened.writer.between_batches(opened.scrub, gives_way=gives_way):
                    scrubbed.set()
                    return


def _is_waited_at(door: trio.Lock) -> bool:
    return door.statistics().tasks_waiting > 0
