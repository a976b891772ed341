"""The stream of a character's changes, as hosts read it."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Self

import trio

from ..protocols.errors import ActorDeadError
from ..protocols.events import Event
from .handle import Handle

PAGE = 256
"""Events that are read from the journal at once."""


class Changes:
    """The entries of a character's journal, oldest first, each once it is stored. Made by `Character.changes`.

    Iterating ends when it is closed, and never by itself: it waits for the next change, and keeps the character in
    memory while it does.
    An erasure is one of the changes, and the stream goes on after it.
    A host that keeps the seq of the last entry that it took up goes on after it, also after a restart.

    Args:
        character: whose changes.
        after: seq of the last entry that isn't wanted.
    """

    def __init__(self, character: Handle, after: int) -> None:
        self._character = character
        self._after = after
        self._ready: deque[Event] = deque()
        self._waiting: set[trio.CancelScope] = set()
        self._closed = False

    def __aiter__(self) -> Self:
        """Return the stream itself."""
        return self

    async def __anext__(self) -> Event:
        """Return the next change; waits for it.

        Raises:
            StopAsyncIteration: if the stream is closed.
            ActorDeadError: if the runtime is closed meanwhile.
            UnknownCharacterError: if the character was erased.
        """
        if not self._ready and not self._closed:
            with trio.CancelScope() as scope:
                self._waiting.add(scope)
                try:
                    await self._read()
                finally:
                    self._waiting.discard(scope)
        if self._closed:
            raise StopAsyncIteration
        event = self._ready.popleft()
        self._after = event.seq
        return event

    async def each(self, call: Callable[[Event], object]) -> None:
        """Call a function with each change until the stream is closed.

        What it returns is awaited where it can be; what it raises ends it.

        Args:
            call: gets the change; the next waits until it is done.

        Raises:
            ActorDeadError: if the runtime is closed meanwhile.
            UnknownCharacterError: if the character was erased.
        """
        async for change in self:
            done = call(change)
            if isinstance(done, Awaitable):
                await done

    async def close(self) -> None:
        """End the stream: whoever waits for the next change goes on, and gets no more."""
        self._closed = True
        for scope in self._waiting:
            scope.cancel()

    async def _read(self) -> None:
        while not self._ready:
            async with self._character.resident() as resident:
                try:
                    await resident.journal.grown(self._after)
                except ActorDeadError:
                    continue  # something of it was erased: it is back in memory, unless the runtime is closed
                self._ready.extend(await resident.journal.events(after=self._after, limit=PAGE))
