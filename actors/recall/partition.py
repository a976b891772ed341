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
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .column import Column
from .numbering import distinct, in_turn
from .okapi import Norms, Okapi
from .vector_table import VectorTable

_SLOT_SHIFT: Final = 32
_COUNT_MASK: Final = (1 << _SLOT_SHIFT) - 1

_PIECE: Final = 500
"""Rows that are described in one piece when there are many: no other thread runs while their terms are counted."""

_INVERTED: Final = 32_000
"""Rows that are inverted at once when there are many, for which each takes some 400 bytes for a moment."""

NOWHERE: Final = -1
"""Place of a row that is no turn, and anchor of one that rests on none."""


class Voice(NamedTuple):
    """Who said something: a key that is this one's alone, and the terms of its name."""

    key: str
    name: tuple[str, ...] = ()


class Entry(Struct, frozen=True, gc=False):
    """What a partition keeps of a row.

    `terms` are those of its text and `byline` those of who said it and when. `place` is where a turn stands in the
    order of what was said, `NOWHERE` for other rows, and `at` when it was said, in seconds since the epoch. What
    it tells of happened between `begins` and `ends`. `anchor` is the id of the turn that the row rests on, empty
    for none. A row that is `aside` is never a hit: it only stands beside others. `voice` is who said it, None for
    nobody, and `asks` says whether it asks something.
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
    voice: Voice | None = None
    asks: bool = False


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

    def extend(self, packed: bytes) -> None:
        """Add rows whose slots are above all in the list, ascending, each as `slot << 32 | count` in 8 bytes."""
        self._packed.frombytes(packed)

    def discard(self, slot: int) -> None:
        """Take out a row that is in the list."""
        del self._packed[bisect_left(self._packed, slot << _SLOT_SHIFT)]

    def decode(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the slots, ascending, and the counts, both of shape (n,) and both copies.

        Copies, because an array that is looked at through its buffer can't be appended to. That isn't done even
        for a moment: whoever looks at this frame, such as a debugger, would keep the buffer.
        """
        packed = np.array(self._packed, dtype=np.int64)
        return packed >> _SLOT_SHIFT, packed & _COUNT_MASK


class Partition:
    """The inverted rows of one subject.

    `total_length` is the number of terms in all of them, and `vectors` are those of the rows, by slot. Arrays that
    are handed out are looked at and not changed, and are good until the next change.
    """

    __slots__ = (
        "_anchored",
        "_anchors",
        "_asides",
        "_asks",
        "_ats",
        "_begins",
        "_byline_ids",
        "_bylines",
        "_ends",
        "_free",
        "_ids",
        "_lengths",
        "_lists",
        "_named",
        "_norms",
        "_numbers",
        "_places",
        "_rows",
        "_slots",
        "_spare_numbers",
        "_used",
        "_voice_ids",
        "_voices",
        "_voices_named",
        "byline_terms",
        "byline_vocabulary",
        "total_length",
        "vectors",
    )

    def __init__(self) -> None:
        self.total_length = 0
        self.vectors = VectorTable()
        self.byline_terms: list[Counter[str]] = []
        self.byline_vocabulary: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._lists: list[Postings] = []
        self._spare_numbers: list[int] = []
        self._ids: list[str | None] = []
        self._slots: dict[str, int] = {}
        # The numbers of each row's terms as bytes, some of them several times: a garbage collector doesn't look
        # into them.
        self._rows: list[bytes] = []
        self._free: list[int] = []
        self._lengths = Column(np.float64)
        self._norms = Norms()
        self._places = Column(np.int64, NOWHERE)
        self._ats = Column(np.float64)
        self._begins = Column(np.float64)
        self._ends = Column(np.float64)
        self._asides = Column(np.bool_)
        self._used = Column(np.bool_)
        self._anchors = Column(np.int64, NOWHERE)
        self._anchored: dict[str, tuple[int, ...]] = {}
        self._named: list[str] = []
        self._bylines = Column(np.int64)
        self._byline_ids: dict[tuple[str, ...], int] = {}
        self._asks = Column(np.bool_)
        self._voices = Column(np.int64, NOWHERE)
        self._voice_ids: dict[Voice, int] = {}
        self._voices_named: defaultdict[str, list[int]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def capacity(self) -> int:
        """Number of slots, used and free; every slot is below it."""
        return len(self._ids)

    def add(self, entry: Entry, counts: Counter[str]) -> int:
        """Add a row whose id is not here yet, and return its slot.

        Args:
            entry: the row.
            counts: how often it holds each of its terms, those of its byline included.
        """
        slot = self._free.pop() if self._free else self._new_slots(1)
        row = array("I", [self._number(term) for term in counts])
        for number, times in zip(row, counts.values(), strict=True):
            self._lists[number].add(slot, times)
        self._describe(slot, (entry,))
        self._bylines[slot] = self._byline(entry.byline)
        self._voices[slot] = self._voice(entry.voice)
        self._rows[slot] = row.tobytes()
        return slot

    def extend(self, entries: Iterable[Entry]) -> list[str]:
        """Add many rows whose ids are not here yet, each several times as fast as `add` adds one.

        Returns:
            Their ids.
        """
        first = self.capacity
        rows = iter(entries)
        while self._extend(islice(rows, _INVERTED)):
            pass
        return [self.doc_id(slot) for slot in range(first, self.capacity)]

    def _extend(self, entries: Iterator[Entry]) -> int:
        """Add as many rows as are inverted at once, and return how many."""
        first = self.capacity
        local: defaultdict[str, int] = defaultdict(count().__next__)
        numbered = []
        while piece := list(islice(entries, _PIECE)):
            start = self._new_slots(len(piece))
            self._describe(start, piece)
            texts, its_text = distinct([entry.terms for entry in piece])
            bylines, its_byline = distinct([entry.byline for entry in piece])
            self._bylines.put(start, np.array([self._byline(byline) for byline in bylines])[its_byline])
            voices, its_voice = distinct([entry.voice for entry in piece])
            self._voices.put(start, np.array([self._voice(voice) for voice in voices])[its_voice])
            numbered.append(in_turn((*texts, *bylines), its_text, its_byline + len(texts), local))
        if local:
            known = self._numbers
            numbers = [known[term] if term in known else self._number(term) for term in local]
            self._invert(first, np.concatenate(numbered), numbers)
        return self.capacity - first

    def _invert(self, first: int, terms: NDArray[np.uintc], numbers: list[int]) -> None:
        """Put the rows from a slot on into the lists of their terms.

        Args:
            first: the slot.
            terms: their terms, one row behind the other, each by where its number stands in `numbers`.
            numbers: the numbers of all their terms.
        """
        lengths = self._lengths.values[first:].astype(np.int64)
        pairs = np.repeat(np.arange(lengths.size), lengths)
        pairs += terms * np.int64(lengths.size)
        pairs, counts = np.unique(pairs, return_counts=True)
        held, rows = np.divmod(pairs, lengths.size)
        packed = ((rows + first) << _SLOT_SHIFT | counts).tobytes()
        starts = (np.searchsorted(held, np.arange(len(numbers) + 1)) * pairs.itemsize).tolist()
        for number, (start, end) in zip(numbers, pairwise(starts), strict=True):
            self._lists[number].extend(packed[start:end])
        texts = np.array(numbers, dtype=np.uintc)[terms].tobytes()
        ends = np.cumsum(lengths * terms.itemsize).tolist()
        self._rows[first:] = [texts[start:end] for start, end in pairwise((0, *ends))]

    def embed(self, doc_ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep the vectors, of shape (n, dimension), of rows that are here, each named once."""
        self.vectors.put(np.array([self._slots[doc_id] for doc_id in doc_ids], dtype=np.int64), vectors)

    def remove(self, doc_id: str) -> list[str]:
        """Take out a row that is here. Returns its distinct terms."""
        slot = self._slots.pop(doc_id)
        terms = []
        for number in self._terms_in(slot):
            postings = self._lists[number]
            postings.discard(slot)
            terms.append(postings.term)
            if not postings:
                del self._numbers[postings.term]
                self._spare_numbers.append(number)
        self.total_length -= int(self._lengths[slot])
        self._lengths[slot] = 0
        self._norms.forget()
        self._used[slot] = False
        self._ids[slot] = None
        self._rows[slot] = b""
        self._places[slot] = NOWHERE
        self._detach(doc_id, slot)
        self._free.append(slot)
        self.vectors.remove(slot)
        return terms

    def postings(self, term: str) -> Postings | None:
        """Return the posting list of a term, None where no row holds it."""
        number = self._numbers.get(term)
        return None if number is None else self._lists[number]

    def held(self, slot: int, terms: Iterable[str]) -> tuple[str, ...]:
        """Return which of some terms the row of a slot holds."""
        numbers, number_of = self._terms_in(slot), self._numbers.get
        return tuple(term for term in terms if number_of(term) in numbers)

    def frequency(self, term: str) -> int:
        """Return the number of rows that hold a term."""
        postings = self.postings(term)
        return 0 if postings is None else len(postings)

    def frequencies(self) -> Iterable[tuple[str, int]]:
        """Return every term with the number of rows that hold it."""
        return ((term, len(self._lists[number])) for term, number in self._numbers.items())

    def frequencies_within(self, slots: Iterable[int]) -> Counter[str]:
        """Return, for every term of some rows, the number of these rows that hold it."""
        counts = Counter(chain.from_iterable(map(self._terms_in, slots)))
        return Counter({self._lists[number].term: times for number, times in counts.items()})

    def vocabulary_size(self) -> int:
        """Return the number of distinct terms."""
        return len(self._numbers)

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

    def is_rested_on(self, slot: int) -> bool:
        """Return whether another row rests on the row in a used slot."""
        return self.doc_id(slot) in self._anchored

    @property
    def used(self) -> NDArray[np.bool_]:
        """Which slots hold a row, shape (capacity,)."""
        return self._used.values

    @property
    def lengths(self) -> NDArray[np.float64]:
        """The number of terms in the row of every slot, shape (capacity,); 0 for a free one."""
        return self._lengths.values

    def norms(self, okapi: Okapi, average_length: float) -> NDArray[np.float64]:
        """Return the norms of every slot's row, shape (capacity,), where rows have so many terms on average."""
        return self._norms.of(okapi, self.lengths, average_length)

    @property
    def places(self) -> NDArray[np.int64]:
        """Where the turn of every slot stands, shape (capacity,); `NOWHERE` for no turn."""
        return self._places.values

    @property
    def ats(self) -> NDArray[np.float64]:
        """When the row of every slot was said, shape (capacity,)."""
        return self._ats.values

    @property
    def spans(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """From when until when what each row tells of happened, both of shape (capacity,)."""
        return self._begins.values, self._ends.values

    @property
    def asides(self) -> NDArray[np.bool_]:
        """Which rows are never a hit, shape (capacity,)."""
        return self._asides.values

    @property
    def asks(self) -> NDArray[np.bool_]:
        """Which rows ask something, shape (capacity,)."""
        return self._asks.values

    @property
    def voices(self) -> NDArray[np.int64]:
        """The number of who said each row, shape (capacity,); `NOWHERE` where nobody did."""
        return self._voices.values

    @property
    def voice_count(self) -> int:
        """How many have said something; their numbers are below it."""
        return len(self._voice_ids)

    def voices_named(self, term: str) -> Sequence[int]:
        """Return the numbers of those in whose names a term is."""
        return self._voices_named.get(term, ())

    @property
    def bylines(self) -> NDArray[np.int64]:
        """The number of every row's byline in `byline_terms`, shape (capacity,)."""
        return self._bylines.values

    @property
    def anchors(self) -> NDArray[np.int64]:
        """The slot of the turn that each row rests on, shape (capacity,); `NOWHERE` for none here."""
        return self._anchors.values

    def _number(self, term: str) -> int:
        """Return the number of a term, a new one where no row holds it yet."""
        number = self._numbers.get(term)
        if number is not None:
            return number
        postings = Postings(term)
        if self._spare_numbers:
            number = self._spare_numbers.pop()
            self._lists[number] = postings
        else:
            number = len(self._lists)
            self._lists.append(postings)
        self._numbers[term] = number
        return number

    def _terms_in(self, slot: int) -> set[int]:
        return set(array("I", self._rows[slot]))

    def _new_slots(self, number: int) -> int:
        """Make room for so many rows, and return the first of their slots."""
        first = len(self._ids)
        self._ids.extend([None] * number)
        self._rows.extend([b""] * number)
        self._named.extend([""] * number)
        columns: tuple[Column[Any], ...] = (
            self._lengths,
            self._places,
            self._ats,
            self._begins,
            self._ends,
            self._asides,
            self._used,
            self._anchors,
            self._bylines,
            self._asks,
            self._voices,
        )
        for column in columns:
            column.grow(number)
        return first

    def _describe(self, first: int, entries: Sequence[Entry]) -> None:
        """Keep what is known of rows beside their terms, in the slots from `first` on."""
        lengths = [len(entry.terms) + len(entry.byline) for entry in entries]
        self.total_length += sum(lengths)
        self._lengths.put(first, lengths)
        self._norms.forget()
        self._places.put(first, [entry.place for entry in entries])
        self._ats.put(first, [entry.at for entry in entries])
        self._begins.put(first, [entry.begins for entry in entries])
        self._ends.put(first, [entry.ends for entry in entries])
        self._asides.put(first, [entry.aside for entry in entries])
        self._used.put(first, [True] * len(entries))
        self._asks.put(first, [entry.asks for entry in entries])
        ids = [entry.doc_id for entry in entries]
        self._ids[first : first + len(ids)] = ids
        self._slots.update(zip(ids, range(first, first + len(ids)), strict=True))
        for doc_id in self._anchored.keys() & ids:
            self._anchors[np.array(self._anchored[doc_id])] = self._slots[doc_id]
        self._attach(first, [entry.anchor for entry in entries])

    def _byline(self, byline: tuple[str, ...]) -> int:
        number = self._byline_ids.get(byline)
        if number is None:
            number = self._byline_ids[byline] = len(self.byline_terms)
            self.byline_terms.append(Counter(byline))
            self.byline_vocabulary.update(byline)
        return number

    def _voice(self, voice: Voice | None) -> int:
        if voice is None:
            return NOWHERE
        number = self._voice_ids.get(voice)
        if number is None:
            number = self._voice_ids[voice] = len(self._voice_ids)
            for term in set(voice.name):
                self._voices_named[term].append(number)
        return number

    def _attach(self, first: int, anchors: Sequence[str]) -> None:
        """Join rows to the turns that they rest on and that are here."""
        self._named[first : first + len(anchors)] = anchors
        self._anchors.put(first, [self._slots.get(anchor, NOWHERE) for anchor in anchors])
        for slot, anchor in enumerate(anchors, first):
            if anchor:
                others = self._anchored.get(anchor)
                self._anchored[anchor] = (slot,) if others is None else (*others, slot)

    def _detach(self, doc_id: str, slot: int) -> None:
        for resting in self._anchored.get(doc_id, ()):
            self._anchors[resting] = NOWHERE
        anchor, self._named[slot], self._anchors[slot] = self._named[slot], "", NOWHERE
        if anchor:
            self._anchored[anchor] = tuple(other for other in self._anchored[anchor] if other != slot)
            if not self._anchored[anchor]:
                del self._anchored[anchor]
