"""The stream of a character's changes, as hosts read it."""

from __future__ import annotations

from collections import deque
from typing import Self

from ..protocols.errors import ActorDeadError
from ..protocols.events import Event
from .handle import Handle

PAGE = 256
"""Events that are read from the journal at once."""


class Changes:
    """The entries of a character's journal, oldest first, each once it is stored. Made by `Character.changes`.

    Iterating never ends by itself: it waits for the next change, and keeps the character in memory while it does.
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

    def __aiter__(self) -> Self:
        """Return the stream itself."""
        return self

    async def __anext__(self) -> Event:
        """Return the next change; waits for it.

        Raises:
            ActorDeadError: if the runtime is closed meanwhile.
            UnknownCharacterError: if the character was erased.
        """
        while not self._ready:
            async with self._character.resident() as resident:
                try:
                    await resident.journal.grown(self._after)
                except ActorDeadError:
                    continue  # something of it was erased: it is back in memory, unless the runtime is closed
                self._ready.extend(await resident.journal.events(after=self._after, limit=PAGE))
        event = self._ready.popleft()
        self._after = event.seq
        return event
