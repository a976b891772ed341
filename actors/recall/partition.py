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
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .vector_table import VectorTable

_SLOT_SHIFT: Final = 32
_COUNT_MASK: Final = (1 << _SLOT_SHIFT) - 1

NOWHERE: Final = -1
"""Place of a row that is no turn, and anchor of one that rests on none."""


class Entry(NamedTuple):
    """What a partition keeps of a row.

    `terms` are those of its text and `byline` those of who said it and when. `place` is where a turn stands in the
    order of what was said, `NOWHERE` for other rows, and `at` when it was said, in seconds since the epoch. What
    it tells of happened between `begins` and `ends`. `anchor` is the id of the turn that the row rests on, empty
    for none. A row that is `aside` is never a hit: it only stands beside others.
    """

    doc_id: str
    terms: Sequence[str]
    byline: tuple[str, ...] = ()
    place: int = NOWHERE
    at: float = 0.0
    anchor: str = ""
    begins: float = 0.0
    ends: float = 0.0
    aside: bool = False


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

    def extend(self, packed: NDArray[np.int64]) -> None:
        """Add rows whose slots are above all in the list, ascending, each as `slot << 32 | count`."""
        self._packed.frombytes(packed.tobytes())

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
    """The inverted rows of one subject.

    `total_length` is the number of terms in all of them, `version` grows with every change, and `vectors` are
    those of the rows, by slot.
    """

    __slots__ = (
        "_anchored",
        "_anchors",
        "_asides",
        "_ats",
        "_begins",
        "_byline_ids",
        "_bylines",
        "_ends",
        "_free",
        "_ids",
        "_lengths",
        "_named",
        "_places",
        "_postings",
        "_rows",
        "_slots",
        "byline_terms",
        "byline_vocabulary",
        "total_length",
        "vectors",
        "version",
    )

    def __init__(self) -> None:
        self.total_length = 0
        self.version = 0
        self.vectors = VectorTable()
        self.byline_terms: list[Counter[str]] = []
        self.byline_vocabulary: set[str] = set()
        self._postings: dict[str, Postings] = {}
        self._ids: list[str | None] = []
        self._slots: dict[str, int] = {}
        self._lengths = array("I")
        self._rows: list[tuple[Postings, ...]] = []
        self._free: list[int] = []
        self._places = array("q")
        self._ats = array("d")
        self._begins = array("d")
        self._ends = array("d")
        self._asides = array("b")
        self._anchors = array("q")
        self._anchored: dict[str, list[int]] = {}
        self._named: list[str] = []
        self._bylines = array("q")
        self._byline_ids: dict[tuple[str, ...], int] = {}

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def capacity(self) -> int:
        """Number of slots, used and free; every slot is below it."""
        return len(self._ids)

    def add(self, entry: Entry, counts: Counter[str]) -> None:
        """Add a row whose id is not here yet.

        Args:
            entry: the row.
            counts: how often it holds each of its terms, those of its byline included.
        """
        slot = self._free.pop() if self._free else self._new_slots(1)
        row = []
        for term, number in counts.items():
            postings = self._postings.get(term)
            if postings is None:
                postings = self._postings[term] = Postings(term)
            postings.add(slot, number)
            row.append(postings)
        self._describe(slot, entry)
        self._rows[slot] = tuple(row)
        self.version += 1

    def extend(self, entries: Sequence[Entry]) -> None:
        """Add many rows whose ids are not here yet, each several times as fast as `add` adds one."""
        if not entries:
            return
        first = self._new_slots(len(entries))
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        texts = [(*entry.terms, *entry.byline) for entry in entries]
        flat = np.fromiter(map(numbers.__getitem__, chain.from_iterable(texts)), dtype=np.int64)
        rows = np.repeat(np.arange(len(entries)), [len(text) for text in texts])
        pairs, counts = np.unique(flat * len(entries) + rows, return_counts=True)
        terms, rows = np.divmod(pairs, len(entries))
        packed = (rows + first) << _SLOT_SHIFT | counts
        starts = np.searchsorted(terms, np.arange(len(numbers) + 1)).tolist()
        lists: list[Postings] = []
        for number, term in enumerate(numbers):
            postings = self._postings.get(term)
            if postings is None:
                postings = self._postings[term] = Postings(term)
            postings.extend(packed[starts[number] : starts[number + 1]])
            lists.append(postings)
        by_row = np.argsort(rows, kind="stable")
        held = [lists[term] for term in terms[by_row].tolist()]
        ends = np.searchsorted(rows[by_row], np.arange(len(entries) + 1)).tolist()
        for number, entry in enumerate(entries):
            self._describe(first + number, entry)
            self._rows[first + number] = tuple(held[ends[number] : ends[number + 1]])
        self.version += 1

    def remove(self, doc_id: str) -> list[str]:
        """Take out a row that is here. Returns its distinct terms."""
        slot = self._slots.pop(doc_id)
        row = self._rows[slot]
        for postings in row:
            postings.discard(slot)
            if not postings:
                del self._postings[postings.term]
        self.total_length -= self._lengths[slot]
        self._lengths[slot] = 0
        self._ids[slot] = None
        self._rows[slot] = ()
        self._places[slot] = NOWHERE
        self._detach(doc_id, slot)
        self._free.append(slot)
        self.vectors.remove(slot)
        self.version += 1
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
        return Counter({postings.term: number for postings, number in counts.items()})

    def vocabulary_size(self) -> int:
        """Return the number of distinct terms."""
        return len(self._postings)

    def doc_id(self, slot: int) -> str:
        """Return the id of the row in a used slot."""
        doc_id = self._ids[slot]
        if doc_id is None:
            raise KeyError(slot)
        return doc_id

    def slot(self, doc_id: str) -> int | None:
        """Return the slot of a row, None where it isn't here."""
        return self._slots.get(doc_id)

    def documents(self) -> Iterable[tuple[int, str]]:
        """Return slot and id of every row."""
        return ((slot, doc_id) for slot, doc_id in enumerate(self._ids) if doc_id is not None)

    def used(self) -> NDArray[np.bool_]:
        """Return which slots hold a row, shape (capacity,)."""
        used = np.ones(self.capacity, dtype=np.bool_)
        used[self._free] = False
        return used

    def lengths(self) -> NDArray[np.uintc]:
        """Return the number of terms in the row of every slot, shape (capacity,), a copy; 0 for a free one."""
        return np.array(self._lengths, dtype=np.uintc)

    def places(self) -> NDArray[np.int64]:
        """Return where the turn of every slot stands, shape (capacity,), a copy; `NOWHERE` for no turn."""
        return np.array(self._places, dtype=np.int64)

    def ats(self) -> NDArray[np.float64]:
        """Return when the row of every slot was said, shape (capacity,), a copy."""
        return np.array(self._ats, dtype=np.float64)

    def spans(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return from when until when what each row tells of happened, both of shape (capacity,), copies."""
        return np.array(self._begins, dtype=np.float64), np.array(self._ends, dtype=np.float64)

    def asides(self) -> NDArray[np.bool_]:
        """Return which rows are never a hit, shape (capacity,), a copy."""
        return np.array(self._asides, dtype=np.bool_)

    def bylines(self) -> NDArray[np.int64]:
        """Return the number of every row's byline in `byline_terms`, shape (capacity,), a copy."""
        return np.array(self._bylines, dtype=np.int64)

    def anchors(self) -> NDArray[np.int64]:
        """Return the slot of the turn that each row rests on, shape (capacity,); `NOWHERE` for none here."""
        return np.array(self._anchors, dtype=np.int64)

    def _new_slots(self, number: int) -> int:
        """Make room for so many rows, and return the first of their slots."""
        first = len(self._ids)
        self._ids.extend([None] * number)
        self._rows.extend([()] * number)
        self._named.extend([""] * number)
        self._anchors.extend([NOWHERE] * number)
        self._lengths.extend([0] * number)
        self._places.extend([NOWHERE] * number)
        for times in (self._ats, self._begins, self._ends):
            times.extend([0.0] * number)
        self._asides.extend([0] * number)
        self._bylines.extend([0] * number)
        return first

    def _describe(self, slot: int, entry: Entry) -> None:
        length = len(entry.terms) + len(entry.byline)
        self._ids[slot] = entry.doc_id
        self._slots[entry.doc_id] = slot
        self._lengths[slot] = length
        self.total_length += length
        self._places[slot] = entry.place
        self._ats[slot] = entry.at
        self._begins[slot] = entry.begins
        self._ends[slot] = entry.ends
        self._asides[slot] = entry.aside
        self._attach(slot, entry)
        byline = self._byline_ids.get(entry.byline)
        if byline is None:
            byline = self._byline_ids[entry.byline] = len(self.byline_terms)
            self.byline_terms.append(Counter(entry.byline))
            self.byline_vocabulary.update(entry.byline)
        self._bylines[slot] = byline

    def _attach(self, slot: int, entry: Entry) -> None:
        """Join a row to the turn that it rests on, and to the rows that rest on it, whichever came first."""
        self._named[slot] = entry.anchor
        self._anchors[slot] = NOWHERE
        if entry.anchor:
            self._anchors[slot] = self._slots.get(entry.anchor, NOWHERE)
            self._anchored.setdefault(entry.anchor, []).append(slot)
        for resting in self._anchored.get(entry.doc_id, ()):
            self._anchors[resting] = slot

    def _detach(self, doc_id: str, slot: int) -> None:
        for resting in self._anchored.get(doc_id, ()):
            self._anchors[resting] = NOWHERE
        anchor, self._named[slot], self._anchors[slot] = self._named[slot], "", NOWHERE
        if anchor:
            self._anchored[anchor].remove(slot)
            if not self._anchored[anchor]:
                del self._anchored[anchor]
