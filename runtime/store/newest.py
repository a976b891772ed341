"""The newest events of one journal, kept as they were committed.

Half a dozen roles follow a journal, each reading what the others committed since: a trip to a worker thread costs
more than such a read. Knows no SQL.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Final

from ...protocols.events import Event, record_of

EVENTS_KEPT: Final = 32
"""Events that one journal keeps: some turns' worth, which whoever follows it has seen by then."""

CHARS_KEPT: Final = 1 << 17
"""Most characters of texts in them: a thousand usual turns, two of the longest."""


class Newest:
    """The newest events of one journal, without a gap up to its end."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._chars = 0

    def add(self, events: Iterable[Event]) -> None:
        """Take events that were committed, oldest first."""
        for event in events:
            if self._events and self._events[-1].seq != event.seq - 1:
                self._events.clear()
                self._chars = 0
            self._events.append(event)
            self._chars += _chars(event)
            while len(self._events) > EVENTS_KEPT or self._chars > CHARS_KEPT:
                self._chars -= _chars(self._events.popleft())

    def after(self, seq: int, last_seq: int, limit: int | None) -> tuple[Event, ...] | None:
        """Return the events above a seq, oldest first and at most `limit`; None where they aren't all here.

        Args:
            seq: the seq.
            last_seq: that of the journal's newest event.
            limit: most to return, None for all.
        """
        if not self._events or self._events[-1].seq != last_seq or not self._events[0].seq <= seq + 1:
            return None
        first = seq + 1 - self._events[0].seq
        return tuple(islice(self._events, first, None if limit is None else first + limit))


def _chars(event: Event) -> int:
    return 0 if event.change is None else len(getattr(record_of(event.change), "text", ""))
