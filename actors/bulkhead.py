"""How much background work computes at once over all characters, so that whoever speaks doesn't wait behind it.

One loop runs every character. Work that a thousand of them start together would each take its few milliseconds of
it before an utterance gets its turn. Knows no work and no character.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import trio

from .precedence import give_way

LONGEST_S: Final = 0.05
"""Time after which a place is free again though its work goes on, in seconds: by then it waits for a mind."""


class Bulkhead:
    """The places for background work in a runtime.

    Args:
        at_once: how many there are.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._inside: dict[object, float] = {}
        self._door = trio.Lock()
        self._left = trio.lowlevel.ParkingLot()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place for the length of the block, or for `LONGEST_S` of it. Who asks first gets one first.

        Whoever waits for an answer goes before all of them.
        """
        work = object()
        async with self._door:  # trio's locks are fair
            while not self._has_room():
                with trio.move_on_at(min(self._inside.values())):
                    await self._left.park()
            await give_way()
            self._inside[work] = trio.current_time() + LONGEST_S
        try:
            yield
        finally:
            self._inside.pop(work, None)
            self._left.unpark()

    def _has_room(self) -> bool:
        now = trio.current_time()
        self._inside = {work: until for work, until in self._inside.items() if until > now}
        return len(self._inside) < self._at_once
