"""Events out: what is committed is published, in order a character, and what isn't committed never is.

The journal is the outbox: an event is read from it, so it is committed, and the cursor of what was published lands
after the bus has it. A crash in between publishes some again, under the same ids. Knows no bus.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

import trio

from ...protocols.cursors import Cursor
from ...protocols.errors import ActorDeadError, OmoideError, UnknownCharacterError
from ...protocols.events import Event
from ...protocols.messages import Commit
from ...protocols.ports import Journal
from ..host import Runtime
from ..store import open_reader
from .names import word_of
from .status import Counts

logger = logging.getLogger(__name__)

Publish = Callable[[str, Sequence[Event]], Awaitable[None]]
"""Publishes events of a character; returns once the bus has them all, however long that takes."""

PAGE: Final = 256
"""Events that are read and published at once."""

NOTE_EVERY_S: Final = 1.0
"""Time between two commits of a cursor, in seconds: what a crash publishes again."""


BRING_UP_S: Final = 30.0
"""Longest time for which one character is held in memory to publish what it has, before the next one's turn."""


class _Place(NamedTuple):
    """Up to where a character's events were published; the chain tells it from another journal of the name."""

    seq: int
    chain: str


class Feed:
    """Publishes the events of every character of a runtime.

    Args:
        runtime: whose characters.
        source: returns how a character's cursor of what was published is called, by the word of its name.
        publish: the bus.
        counts: where what happens is counted.
    """

    def __init__(self, runtime: Runtime, source: Callable[[str], str], publish: Publish, counts: Counts) -> None:
        self._runtime = runtime
        self._source = source
        self._publish = publish
        self._counts = counts
        self._told: dict[str, _Place] = {}
        self._followed: dict[str, Journal] = {}
        self._behind: dict[str, None] = {}
        self._progressed = trio.Event()

    @property
    def untold(self) -> int:
        """How many events of the characters in memory are committed and not published."""
        return sum(max(0, journal.last_seq - self._seq(name)) for name, journal in self._followed.items())

    async def run(self) -> None:
        """Publish for as long as it runs."""
        async with trio.open_nursery() as nursery:

            def follow(name: str, journal: Journal) -> None:
                nursery.start_soon(self._follow, name, journal)

            with self._runtime.watching(follow):
                await self._catch_up()

    def _seq(self, name: str) -> int:
        place = self._told.get(name)
        return 0 if place is None else place.seq

    # --- one character ---------------------------------------------------------------------------

    async def _follow(self, name: str, journal: Journal) -> None:
        self._followed[name] = journal
        noted, resumed = self._seq(name), False
        try:
            while True:
                try:
                    if not resumed:
                        self._told[name] = place = await self._resume(name, journal)
                        noted, resumed = place.seq, True
                    noted = await self._grown(name, journal, noted)
                    await self._publish_page(name, journal)
                except ActorDeadError:
                    return
                except OmoideError as error:
                    logger.warning("bus.feed_failed", extra={"error": type(error).__name__})
                    if await _is_closed(journal):
                        return
        finally:
            with trio.move_on_after(1.0, shield=True):
                await self._note(name, journal, noted)
            if journal.last_seq > self._seq(name):
                self._behind[name] = None
            if self._followed.get(name) is journal:
                del self._followed[name]

    async def _publish_page(self, name: str, journal: Journal) -> None:
        events = await journal.events(after=self._seq(name), limit=PAGE)
        if events:
            await self._publish(name, events)
            self._counts.told += len(events)
            self._move(name, events[-1])

    async def _resume(self, name: str, journal: Journal) -> _Place:
        """Return where publishing goes on: after what this process published, else after the stored cursor."""
        known = self._told.get(name)
        if known is not None and known.seq:
            found = await journal.events(after=known.seq - 1, limit=1)
            if found and found[0].chain == known.chain:
                return known
        cursor = await journal.cursor(self._source(word_of(name)))
        return _Place(0 if cursor is None else cursor.seq, "")

    async def _grown(self, name: str, journal: Journal, noted: int) -> int:
        """Return once there is something new; where nothing comes, note what was published first."""
        seq = self._seq(name)
        if seq == noted:
            await journal.grown(seq)
            return noted
        with trio.move_on_after(NOTE_EVERY_S) as quiet:
            await journal.grown(seq)
        if quiet.cancelled_caught or seq - noted >= PAGE:
            return await self._note(name, journal, noted)
        return noted

    async def _note(self, name: str, journal: Journal, noted: int) -> int:
        """Commit up to where a character's events were published, and return it; losing it only costs repeats."""
        seq = self._seq(name)
        if seq <= noted:
            return noted
        cursor = Cursor(source=self._source(word_of(name)), seq=seq)
        try:
            await journal.commit(Commit(actor="bus", cause="published", cursor=cursor))
        except OmoideError as error:
            logger.info("bus.cursor_not_noted", extra={"error": type(error).__name__})
            return noted
        return seq

    def _move(self, name: str, event: Event) -> None:
        self._told[name] = _Place(event.seq, event.chain)
        self._progressed.set()
        self._progressed = trio.Event()

    # --- characters that aren't in memory --------------------------------------------------------

    async def _catch_up(self) -> None:
        """Bring characters into memory that have something to publish, from before the start and from then on."""
        for name in await trio.to_thread.run_sync(self._runtime.stored_characters):
            if name not in self._followed and await self._lags(name):
                self._behind[name] = None
        while True:
            for name in tuple(self._behind):
                await self._bring_up(name)
            await trio.sleep(NOTE_EVERY_S)

    async def _lags(self, name: str) -> bool:
        try:
            async with open_reader(self._runtime.settings, name) as journal:
                cursor = await journal.cursor(self._source(word_of(name)))
                return journal.last_seq > (0 if cursor is None else cursor.seq)
        except OmoideError as error:
            logger.warning("bus.feed_failed", extra={"error": type(error).__name__})
            return False

    async def _bring_up(self, name: str) -> None:
        try:
            character = await self._runtime.character(name, create=False)
            async with character.resident() as resident:
                with trio.move_on_after(BRING_UP_S):
                    while self._seq(name) < resident.journal.last_seq:
                        await self._progressed.wait()
                if self._seq(name) >= resident.journal.last_seq:
                    self._behind.pop(name, None)
        except UnknownCharacterError:
            self._told.pop(name, None)
            self._behind.pop(name, None)
        except OmoideError as error:
            logger.warning("bus.feed_failed", extra={"error": type(error).__name__})


async def _is_closed(journal: Journal) -> bool:
    """Return whether a journal was closed, after `NOTE_EVERY_S` if it wasn't: what failed may go better then."""
    try:
        with trio.move_on_after(NOTE_EVERY_S):
            while True:
                await journal.grown(journal.last_seq)
    except ActorDeadError:
        return True
    return False
