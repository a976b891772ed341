"""Commands on their way to characters: in order within one, side by side between them, never more than fit.

A command is tried until it is applied or is known to be impossible; then it is buried where a person finds it.
What fails for a reason outside of it (a full disk, another owner) waits, and holds up its character alone: of that
only the command which is tried stays here, and those behind it are fetched once it is applied. A bus from which
nothing can be fetched holds others up once one character has filled the room. Knows no bus.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import trio
from msgspec.structs import replace

from ...protocols.cursors import Cursor
from ...protocols.errors import (
    ActorCrashedError,
    CallerError,
    CursorBehindError,
    DefectError,
    ErasedError,
    InvalidNameError,
    OmoideError,
    OutsideError,
    UnknownCharacterError,
)
from ...protocols.settings import BusSettings
from ..host import Runtime
from .commands import COMMANDS, Received, carry_out, sent_at
from .names import name_of
from .status import Counts

logger = logging.getLogger(__name__)

Answered = Callable[[Received, object], None]
"""Told the result of a command, or the error that it came to."""

Bury = Callable[[Received, OmoideError], Awaitable[None]]
"""Puts a command where a person finds it, with the reason; returns once it is safe there."""

Settled = Callable[[int], None]
"""Told the seq of a command that is done, whatever it came to."""

Fetch = Callable[[str, int], Awaitable[tuple[int, Received] | None]]
"""Returns a character's next command, by the word of its name, at or after a seq; None where there is none."""

_AT_FAULT: Final = (ActorCrashedError,)
"""Failures that may be the command's own doing; others say nothing of it."""


class _Lane:
    """The commands of one character. `cursor` is its last one that is applied, as far as that was looked up."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[int, Received]] = deque()
        self.running = False
        self.stalled = False
        self.cursor: Cursor | None = None


class _Aside(NamedTuple):
    """Where in the stream those commands of a character are that gave way: the seqs of the first and last."""

    first: int
    last: int


class Lanes:
    """All commands that were taken from the bus and aren't done.

    Args:
        runtime: whose characters they are for.
        nursery: holds one task a character that has something to do.
        counts: where what happens is counted.
        answered: told what each came to.
        bury: takes what can't be carried out.
        settled: told when one is done.
        fetch: reads a command again, where the bus can do that.
    """

    def __init__(
        self,
        runtime: Runtime,
        nursery: trio.Nursery,
        counts: Counts,
        answered: Answered,
        bury: Bury,
        *,
        settled: Settled = lambda _: None,
        fetch: Fetch | None = None,
    ) -> None:
        self.rewound = trio.Event()
        """Set when a place came again with another command: the stream has lost its end."""
        self._runtime = runtime
        self._nursery = nursery
        self._counts = counts
        self._answered = answered
        self._bury = bury
        self._settled = settled
        self._fetch = fetch
        self._settings: BusSettings = runtime.settings.bus
        self._lanes: dict[str, _Lane] = {}
        self._open: set[int] = set()
        self._aside: dict[str, _Aside] = {}
        self._last = 0
        self._changed = trio.Event()

    @property
    def free(self) -> int:
        """How many more commands there is room for."""
        return max(0, self._settings.in_flight - len(self._open))

    @property
    def in_flight(self) -> int:
        """How many commands are here and not done."""
        return len(self._open)

    @property
    def stalled(self) -> int:
        """How many characters' next commands failed and wait to be tried again."""
        return sum(lane.stalled for lane in self._lanes.values())

    @property
    def done(self) -> int:
        """Seq up to which every command is done."""
        return min((*self._open, *(aside.first for aside in self._aside.values())), default=self._last + 1) - 1

    def begin_after(self, seq: int) -> None:
        """Say that what is put next follows a seq. Only while nothing is in flight."""
        self._last = seq
        self._aside.clear()

    def put(self, seq: int, received: Received) -> None:
        """Take a command, for which there must be room. Seqs only grow."""
        self._last = seq
        lane = self._lanes.setdefault(received.word, _Lane())
        aside = self._aside.get(received.word)
        if aside is not None or (lane.stalled and self._fetch is not None):
            self._aside[received.word] = _Aside(seq if aside is None else aside.first, seq)
            return
        self._open.add(seq)
        lane.waiting.append((seq, received))
        if not lane.running:
            lane.running = True
            self._nursery.start_soon(self._run, received.word, lane)

    async def until(self, free: int) -> None:
        """Return once there is room for so many, or nothing is left to be done."""
        await trio.lowlevel.checkpoint()
        while self._open and self.free < free:
            await self._changed.wait()

    async def _run(self, word: str, lane: _Lane) -> None:
        while lane.waiting or word in self._aside:
            if not lane.waiting:
                await self._fetch_next(word, lane)
                continue
            seq, received = lane.waiting[0]
            await self._settle(lane, received)
            lane.waiting.popleft()
            self._open.discard(seq)
            self._settled(seq)
            self._tell_changed()
        lane.running = False
        if lane.cursor is None:  # it holds nothing worth keeping, and anybody can think of one more name
            self._lanes.pop(word, None)

    def _tell_changed(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def _give_way(self, word: str, lane: _Lane) -> None:
        """Leave to others the room that a character has which can't go on, but for the command that is tried."""
        if self._fetch is None or len(lane.waiting) < 2:
            return
        seqs = [seq for seq, _ in lane.waiting][1:]
        lane.waiting = deque([lane.waiting[0]])
        self._open.difference_update(seqs)
        self._aside[word] = _Aside(seqs[0], seqs[-1])
        self._tell_changed()

    async def _fetch_next(self, word: str, lane: _Lane) -> None:
        """Take the next command of those that gave way; more may have come to them meanwhile."""
        assert self._fetch is not None
        asked = self._aside[word]
        found = await self._fetch(word, asked.first)
        aside = self._aside.get(word)
        if aside is None:  # the stream was replaced
            return
        if found is None or found[0] > asked.last:  # they are gone from the stream
            left = _Aside(asked.last + 1, aside.last)
        else:
            self._open.add(found[0])
            lane.waiting.append(found)
            left = _Aside(found[0] + 1, aside.last)
        if left.first > left.last:
            del self._aside[word]
        else:
            self._aside[word] = left

    async def _settle(self, lane: _Lane, received: Received) -> None:
        """Return once a command is applied, or buried."""
        attempts = crashes = 0
        while (failure := await self._try(lane, received)) is not None:
            attempts += 1
            crashes += isinstance(failure, _AT_FAULT) or not isinstance(failure, OmoideError)
            if crashes >= self._settings.attempts:
                await self._give_up(received, _in_the_end(failure, crashes))
                break
            if attempts == 1:
                logger.warning("bus.command_failed", extra={"error": type(failure).__name__})
            lane.stalled = True
            self._give_way(received.word, lane)
            self._counts.retried += 1
            await trio.sleep(self._wait(attempts))
        lane.stalled = False

    def _wait(self, attempts: int) -> float:
        doublings = min(attempts - 1, 16)
        return min(self._settings.backoff_max_s, self._settings.backoff_min_s * float(2**doublings))

    async def _try(self, lane: _Lane, received: Received) -> Exception | None:
        """Return None where a command is done with, or why it is to be tried again."""
        try:
            await self._apply(lane, received)
        except CursorBehindError:
            self.rewound.set()
            await trio.sleep_forever()
        except CallerError as error:
            await self._give_up(received, error)
        except OutsideError as error:
            return error
        except Exception as error:  # noqa: BLE001 - a fault of the program's own is counted, and must not end the bus
            return error
        return None

    async def _apply(self, lane: _Lane, received: Received) -> None:
        cursor = received.cursor
        if cursor is not None:
            if lane.cursor is None or lane.cursor.source != cursor.source:
                lane.cursor = await self._stored(received.word, cursor.source)
            if lane.cursor is not None and cursor.place <= lane.cursor.place:
                self._counts.repeated += 1
                logger.info("bus.redelivered", extra={"seq": cursor.seq})
                return
        try:
            result = await carry_out(self._runtime, received)
        except CallerError:
            if (erased := await self._erased(received)) is None:
                raise
            self._counts.erased += 1
            logger.info("bus.erased", extra={"count": self._counts.erased})
            self._answered(received, erased)
            return
        if COMMANDS[received.command].asks:
            self._counts.answered += 1
        else:
            lane.cursor = cursor
            self._counts.applied += 1
        self._answered(received, result)

    async def _erased(self, received: Received) -> ErasedError | None:
        """Return why a command is for nobody any more, if its character was erased after it was sent."""
        try:
            name = name_of(received.word)
        except InvalidNameError:
            return None
        return await self._runtime.erased_since(name, sent_at(self._runtime, received), received.cursor)

    async def _stored(self, word: str, source: str) -> Cursor | None:
        """Return the cursor in a character's journal, None where there is none, or no character yet."""
        try:
            character = await self._runtime.character(name_of(word), create=False)
        except UnknownCharacterError:
            return None
        async with character.resident() as resident:
            return await resident.journal.cursor(source)

    async def _give_up(self, received: Received, error: OmoideError) -> None:
        reason = type(error).__name__
        # What was erased must not turn up again in another place.
        await self._bury(replace(received, body=b"") if isinstance(error, ErasedError) else received, error)
        self._counts.bury(reason)
        logger.warning("bus.dead_letter", extra={"reason": reason})
        self._answered(received, error)


def _in_the_end(failure: Exception, crashes: int) -> OmoideError:
    if isinstance(failure, OmoideError):
        return failure
    return DefectError(f"the program failed {crashes} times at this command ({type(failure).__name__}): report it")
