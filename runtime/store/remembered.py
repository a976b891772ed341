"""Answers of one journal that stay good until a commit changes what they were read from.

A turn is worked on by half a dozen roles, and each asks for it, for the profile and for views of a few rows that
hardly ever change: a trip to a worker thread costs more than such a read. Only for a journal that alone writes its
file. Knows no SQL.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import Any, Final, TypeAlias, TypeVar

from ...protocols.events import AnyChange, AnyRecord, record_of
from ...protocols.records import Turn

T = TypeVar("T")

Source: TypeAlias = Hashable
"""What an answer was read from: a kind of record, or the id of a turn."""

ANSWERS_KEPT: Final = 256
"""Answers that one journal remembers; turns are most of them, and one is asked for while it is worked on."""

LONG_CHARS: Final = 4_096
"""Longest turn that is remembered, in characters: the longest there are, as many as that, would fill 16 MB."""


class Remembered:
    """The answers of one journal."""

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[Source, Hashable], Any] = OrderedDict()
        self._by_source: dict[Source, set[Hashable]] = {}
        self._reading: Counter[Source] = Counter()
        self._stale: set[Source] = set()

    async def answer(self, source: Source, question: Hashable, read: Callable[[], Awaitable[T]]) -> T:
        """Return the answer to a question, read only where it isn't remembered.

        Args:
            source: what it is read from; a change of that makes the answer be forgotten.
            question: tells questions of one source apart.
            read: reads the answer.
        """
        key = (source, question)
        if key in self._answers:
            self._answers.move_to_end(key)
            known: T = self._answers[key]
            return known
        self._reading[source] += 1
        try:
            found = await read()
        finally:
            is_good = self._read(source)
        if is_good and not (isinstance(found, Turn) and len(found.text) > LONG_CHARS):
            self._answers[key] = found
            self._by_source.setdefault(source, set()).add(question)
            if len(self._answers) > ANSWERS_KEPT:
                (oldest, its_question), _ = self._answers.popitem(last=False)
                self._by_source[oldest].discard(its_question)
        return found

    def changed(self, sources: Iterable[Source]) -> None:
        """Forget what was read from sources that a commit changed, and what is being read from them now."""
        for source in sources:
            if source in self._reading:
                self._stale.add(source)
            for question in self._by_source.pop(source, ()):
                self._answers.pop((source, question), None)

    def _read(self, source: Source) -> bool:
        """Note that a read of a source ended, and return whether the source stayed as it was meanwhile."""
        is_good = source not in self._stale
        self._reading[source] -= 1
        if not self._reading[source]:
            del self._reading[source]
            self._stale.discard(source)
        return is_good


def sources_of(changes: Iterable[AnyChange]) -> frozenset[Source]:
    """Return the sources that changes touch."""
    return frozenset(_source(record_of(change)) for change in changes)


def _source(record: AnyRecord) -> Source:
    return record.id if isinstance(record, Turn) else type(record)
