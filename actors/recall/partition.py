"""The rows of one subject, inverted: for every term, which rows hold it and how often.

Owns the layout in memory. Knows one subject only, so that nothing here can mix what belongs to two.

A row lives in a slot, a small number that is used again after the row is gone. Postings are sorted
by slot and hold live rows only, so the length of a posting list is the term's document frequency.
Removing moves the tail of a list down (8 bytes a posting, a memmove), which for 25,000 postings is
cheaper than a tombstone is to every later search.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

_SLOT_SHIFT: Final = 32
_COUNT_MASK: Final = (1 << _SLOT_SHIFT) - 1


class Postings:
    """The rows that hold one term, by slot, and how often each does: `slot << 32 | count`."""

    __slots__ = ("_packed", "term")

    def __init__(self, term: str) -> None:
        self.term = term
        self._packed = array("q")

    def __len__(self) -> int:
        return len(self._packed)

    def add(self, slot: int, count: int) -> None:
        """Add a row that is not in the list yet."""
        posting = slot << _SLOT_SHIFT | count
        packed = self._packed
        if not packed or packed[-1] < posting:
            packed.append(posting)
        else:
            packed.insert(bisect_left(packed, posting), posting)

    def discard(self, slot: int) -> None:
        """Take out a row that is in the list."""
        del self._packed[bisect_left(self._packed, slot << _SLOT_SHIFT)]

    def holds(self, slot: int) -> bool:
        """Return whether the row of a slot holds the term."""
        at = bisect_left(self._packed, slot << _SLOT_SHIFT)
        return at < len(self._packed) and self._packed[at] >> _SLOT_SHIFT == slot

    def decode(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the slots, ascending, and the counts, both of shape (n,) and both copies.

        Copies, because an array that is looked at through its buffer can't be appended to.
        """
        packed = np.frombuffer(self._packed, dtype=np.int64)
        return packed >> _SLOT_SHIFT, packed & _COUNT_MASK


class Partition:
    """The inverted rows of one subject. `total_length` is the number of terms in all of them."""

    __slots__ = ("_free", "_ids", "_lengths", "_postings", "_rows", "total_length")

    def __init__(self) -> None:
        self.total_length = 0
        self._postings: dict[str, Postings] = {}
        self._ids: list[str | None] = []
        self._lengths = array("I")
        self._rows: list[tuple[Postings, ...]] = []
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._ids) - len(self._free)

    @property
    def capacity(self) -> int:
        """Number of slots, used and free; every slot is below it."""
        return len(self._ids)

    def add(self, doc_id: str, counts: Counter[str]) -> int:
        """Add a row of so many of each term. Returns its slot."""
        if self._free:
            slot = self._free.pop()
        else:
            slot = len(self._ids)
            self._ids.append(None)
            self._lengths.append(0)
            self._rows.append(())
        row = []
        for term, count in counts.items():
            postings = self._postings.get(term)
            if postings is None:
                postings = self._postings[term] = Postings(term)
            postings.add(slot, count)
            row.append(postings)
        length = counts.total()
        self._ids[slot] = doc_id
        self._lengths[slot] = length
        self._rows[slot] = tuple(row)
        self.total_length += length
        return slot

    def remove(self, slot: int) -> list[str]:
        """Take out the row of a used slot. Returns its distinct terms."""
        row = self._rows[slot]
        for postings in row:
            postings.discard(slot)
            if not postings:
                del self._postings[postings.term]
        self.total_length -= self._lengths[slot]
        self._ids[slot] = None
        self._rows[slot] = ()
        self._free.append(slot)
        return [postings.term for postings in row]

    def postings(self, term: str) -> Postings | None:
        """Return the posting list of a term, None where no row holds it."""
        return self._postings.get(term)

    def holds(self, slot: int, term: str) -> bool:
        """Return whether the row of a slot holds a term."""
        postings = self._postings.get(term)
        return postings is not None and postings.holds(slot)

    def frequency(self, term: str) -> int:
        """Return the number of rows that hold a term."""
        postings = self._postings.get(term)
        return 0 if postings is None else len(postings)

    def frequencies(self) -> Iterable[tuple[str, int]]:
        """Return every term with the number of rows that hold it."""
        return ((term, len(postings)) for term, postings in self._postings.items())

    def frequencies_within(self, slots: Iterable[int]) -> Counter[str]:
        """Return, for every term of some rows, the number of these rows that hold it."""
        counts = Counter(postings for slot in slots for postings in self._rows[slot])
        return Counter({postings.term: count for postings, count in counts.items()})

    def vocabulary_size(self) -> int:
        """Return the number of distinct terms."""
        return len(self._postings)

    def doc_id(self, slot: int) -> str:
        """Return the id of the row in a used slot."""
        doc_id = self._ids[slot]
        if doc_id is None:
            raise KeyError(slot)
        return doc_id

    def documents(self) -> Iterable[tuple[int, str]]:
        """Return slot and id of every row."""
        return ((slot, doc_id) for slot, doc_id in enumerate(self._ids) if doc_id is not None)

    def lengths(self) -> NDArray[np.uintc]:
        """Return the number of terms in the row of every used slot, shape (capacity,), a copy."""
        return np.array(self._lengths, dtype=np.uintc)
