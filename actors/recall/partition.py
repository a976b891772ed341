"""The rows of one subject, inverted: for every term, which rows hold it and how often.

Owns the layout in memory. Knows one subject only, so that nothing here can mix what belongs to two.

A row lives in a slot, a small number that is used again after the row is gone. Postings are sorted
by slot and hold live rows only, so the length of a posting list is the term's document frequency.
Removing moves the tail of a list down (8 bytes a posting, a memmove), which for 25,000 postings is
cheaper than a tombstone is to every later search.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .column import Column
from .numbering import Shared
from .okapi import Norms, Okapi
from .postings import SLOT_SHIFT, Packed, Postings, length_of, with_row, with_rows, without_row
from .rows import NOWHERE, Entry, Piece, Rows, Voice
from .vector_table import VectorTable

_INVERTED: Final = 64_000
"""Rows that are inverted at once when there are many, for which each takes some 600 bytes for a moment."""


_MOST_SMALL: Final = 1 << 32
"""What a number of 4 bytes is below."""

_ONLY: Final = np.zeros(1, dtype=np.intp)
"""Of one row with one value."""


class Partition:
    """The inverted rows of one subject.

    `total_length` is the number of terms in all of them, `most_times` how often a row held one of them at most,
    and `vectors` are those of the rows, by slot. Arrays that are handed out are looked at and not changed, and are
    good until the next change.
    """

    __slots__ = (
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
        "_resting",
        "_rows",
        "_slots",
        "_spare_numbers",
        "_terms",
        "_used",
        "_voice_ids",
        "_voices",
        "_voices_named",
        "_waiting",
        "byline_terms",
        "byline_vocabulary",
        "most_times",
        "total_length",
        "vectors",
    )

    def __init__(self) -> None:
        self.total_length = 0
        self.most_times = 0
        self.vectors = VectorTable()
        self.byline_terms: list[Counter[str]] = []
        self.byline_vocabulary: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._terms: list[str] = []
        self._lists: list[Packed] = []
        self._spare_numbers: list[int] = []
        self._ids: list[str] = []
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
        self._resting = Column(np.int64)
        self._waiting: dict[str, list[int]] = {}
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
        self.most_times = max(self.most_times, *counts.values(), 0)
        row = array("I", [self._number(term) for term in counts])
        for number, times in zip(row, counts.values(), strict=True):
            self._lists[number] = with_row(self._lists[number], slot, times)
        self._describe(
            slot,
            Rows(
                doc_ids=(entry.doc_id,),
                lengths=(counts.total(),),
                bylines=Shared((entry.byline,), _ONLY),
                places=(entry.place,),
                ats=(entry.at,),
                anchors=(entry.anchor,),
                begins=(entry.begins,),
                ends=(entry.ends,),
                asides=(entry.aside,),
                voices=Shared((entry.voice,), _ONLY),
                asks=(entry.asks,),
            ),
        )
        self._rows[slot] = row.tobytes()
        return slot

    def extend(self, pieces: Iterable[Piece], vocabulary: Sequence[str]) -> list[str]:
        """Add many rows whose ids are not here yet, each several times as fast as `add` adds one.

        Args:
            pieces: the rows.
            vocabulary: the terms that their numbers stand for; may grow while pieces are taken.

        Returns:
            Their ids.
        """
        doc_ids: list[str] = []
        left = iter(pieces)
        while ids := self._extend(left, vocabulary):
            doc_ids += ids
        return doc_ids

    def _extend(self, pieces: Iterator[Piece], vocabulary: Sequence[str]) -> list[str]:
        """Add as many rows as are inverted at once, and return their ids."""
        first = self.capacity
        doc_ids: list[str] = []
        terms = []
        for rows, numbers in pieces:
            self._describe(self._new_slots(len(rows.doc_ids)), rows)
            doc_ids += rows.doc_ids
            terms.append(numbers)
            if len(doc_ids) >= _INVERTED:
                break
        if doc_ids:
            self._invert(first, np.concatenate(terms), vocabulary)
        return doc_ids

    def _invert(self, first: int, terms: NDArray[np.uintc], vocabulary: Sequence[str]) -> None:
        """Put the rows from a slot on into the lists of their terms.

        Args:
            first: the slot.
            terms: their terms, one row behind the other, each by where it stands in `vocabulary`.
            vocabulary: terms.
        """
        lengths = self._lengths.values[first:].astype(np.int64)
        # A term and a row in one number, which half the bytes mostly hold: to sort them is most of the work.
        few = lengths.size * len(vocabulary) < _MOST_SMALL
        pairs: NDArray[Any] = terms.astype(np.uint32 if few else np.uint64)
        pairs *= lengths.size
        pairs += np.repeat(np.arange(lengths.size, dtype=pairs.dtype), lengths)
        pairs.sort()
        firsts = np.flatnonzero(np.diff(pairs, prepend=pairs[:1] + 1))
        held, rows = np.divmod(pairs[firsts], lengths.size)
        counts = np.diff(firsts, append=pairs.size)
        self.most_times = max(self.most_times, int(counts.max(initial=0)))
        packed = ((rows.astype(np.int64) + first) << SLOT_SHIFT | counts).tobytes()
        starts = np.flatnonzero(np.diff(held, prepend=held[:1] + 1))
        bounds = (np.append(starts, held.size) * counts.itemsize).tolist()
        numbers = np.empty(len(vocabulary), dtype=np.uintc)
        numbers[held[starts]] = its = [self._number(vocabulary[term]) for term in held[starts].tolist()]
        for number, (start, end) in zip(its, pairwise(bounds), strict=True):
            self._lists[number] = with_rows(self._lists[number], packed[start:end])
        texts = numbers[terms].tobytes()
        ends = np.cumsum(lengths * numbers.itemsize).tolist()
        self._rows[first:] = [texts[start:end] for start, end in pairwise((0, *ends))]

    def embed(self, doc_ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep the vectors, of shape (n, dimension), of rows that are here, each named once."""
        self.vectors.put(np.array([self._slots[doc_id] for doc_id in doc_ids], dtype=np.int64), vectors)

    def remove(self, doc_id: str) -> list[str]:
        """Take out a row that is here. Returns its distinct terms."""
        slot = self._slots.pop(doc_id)
        numbers = self._terms_in(slot)
        terms = [self._terms[number] for number in numbers]
        for number, term in zip(numbers, terms, strict=True):
            self._lists[number] = postings = without_row(self._lists[number], slot)
            if not postings:
                del self._numbers[term]
                self._spare_numbers.append(number)
        self.total_length -= int(self._lengths[slot])
        self._lengths[slot] = 0
        self._used[slot] = False
        self._ids[slot] = ""
        self._rows[slot] = b""
        self._places[slot] = NOWHERE
        self._detach(doc_id, slot)
        self._free.append(slot)
        self.vectors.remove(slot)
        return terms

    def postings(self, term: str) -> Postings | None:
        """Return the posting list of a term, None where no row holds it."""
        number = self._numbers.get(term)
        return None if number is None else Postings(self._lists[number])

    def held(self, slots: Iterable[int], terms: Sequence[str]) -> list[tuple[str, ...]]:
        """Return which of some terms the row of each of some slots holds."""
        known = [(number, term) for term in terms if (number := self._numbers.get(term)) is not None]
        wanted = [(array("I", (number,)).tobytes(), number, term) for number, term in known]
        # Its bytes may be pieces of two numbers side by side; seldom enough, so that few rows are read closely.
        rows = [(row, array("I", row)) for row in map(self._rows.__getitem__, slots)]
        return [
            tuple([term for its, number, term in wanted if its in row and number in numbers])
            for row, numbers in rows
        ]

    def frequency(self, term: str) -> int:
        """Return the number of rows that hold a term."""
        postings = self.postings(term)
        return 0 if postings is None else len(postings)

    def frequencies(self) -> Iterable[tuple[str, int]]:
        """Return every term with the number of rows that hold it."""
        return ((term, length_of(self._lists[number])) for term, number in self._numbers.items())

    def frequencies_within(self, slots: Iterable[int]) -> Counter[str]:
        """Return, for every term of some rows, the number of these rows that hold it."""
        counts = Counter(chain.from_iterable(map(self._terms_in, slots)))
        return Counter({self._terms[number]: times for number, times in counts.items()})

    def vocabulary_size(self) -> int:
        """Return the number of distinct terms."""
        return len(self._numbers)

    def doc_ids(self, slots: Iterable[int]) -> list[str]:
        """Return the ids of the rows in some slots; that of a free one is empty."""
        return [self._ids[slot] for slot in slots]

    def slot(self, doc_id: str) -> int | None:
        """Return the slot of a row, None where it isn't here."""
        return self._slots.get(doc_id)

    def documents(self) -> Iterable[tuple[int, str]]:
        """Return slot and id of every row."""
        return ((slot, doc_id) for slot, doc_id in enumerate(self._ids) if doc_id)

    def is_rested_on(self, slot: int) -> bool:
        """Return whether another row rests on the row in a used slot."""
        return bool(self._resting[slot])

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
        if self._spare_numbers:
            number = self._spare_numbers.pop()
            self._terms[number] = term
        else:
            number = len(self._lists)
            self._terms.append(term)
            self._lists.append(b"")
        self._numbers[term] = number
        return number

    def _terms_in(self, slot: int) -> set[int]:
        return set(array("I", self._rows[slot]))

    def _new_slots(self, number: int) -> int:
        """Make room for so many rows, and return the first of their slots."""
        first = len(self._ids)
        self._ids.extend([""] * number)
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
            self._resting,
            self._bylines,
            self._asks,
            self._voices,
        )
        for column in columns:
            column.grow(number)
        return first

    def _describe(self, first: int, rows: Rows) -> None:
        """Keep what is known of rows beside their terms, in the slots from `first` on."""
        size = len(rows.doc_ids)
        self.total_length += int(np.sum(rows.lengths))
        self._lengths.put(first, np.array(rows.lengths, dtype=np.float64))
        self._norms.forget()
        self._places.put(first, rows.places)
        self._ats.put(first, rows.ats)
        self._begins.put(first, rows.begins)
        self._ends.put(first, rows.ends)
        self._asides.put(first, rows.asides)
        self._used.put(first, [True] * size)
        self._asks.put(first, rows.asks)
        bylines, voices = map(self._byline, rows.bylines.values), map(self._voice, rows.voices.values)
        self._bylines.put(first, np.array([*bylines], dtype=np.int64)[rows.bylines.of_row])
        self._voices.put(first, np.array([*voices], dtype=np.int64)[rows.voices.of_row])
        self._ids[first : first + size] = rows.doc_ids
        self._slots.update(zip(rows.doc_ids, range(first, first + size), strict=True))
        if self._waiting:
            for doc_id in self._waiting.keys() & rows.doc_ids:
                slot, resting = self._slots[doc_id], self._waiting.pop(doc_id)
                self._anchors[np.array(resting)] = slot
                self._resting[slot] = len(resting)
        self._attach(first, rows.anchors)

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
        """Join rows to the turns that they rest on; those whose turn isn't here wait for it."""
        if not any(anchors):
            return
        self._named[first : first + len(anchors)] = anchors
        slots = [self._slots.get(anchor, NOWHERE) for anchor in anchors]
        self._anchors.put(first, slots)
        np.add.at(self._resting.values, [slot for slot in slots if slot != NOWHERE], 1)
        for slot, (anchor, its) in enumerate(zip(anchors, slots, strict=True), first):
            if anchor and its == NOWHERE:
                self._waiting.setdefault(anchor, []).append(slot)

    def _detach(self, doc_id: str, slot: int) -> None:
        if self.is_rested_on(slot):
            resting = np.flatnonzero(self._anchors.values == slot)
            self._anchors[resting] = NOWHERE
            self._waiting[doc_id] = resting.tolist()
            self._resting[slot] = 0
        anchor, its = self._named[slot], int(self._anchors[slot])
        self._named[slot], self._anchors[slot] = "", NOWHERE
        if its != NOWHERE:
            self._resting.values[its] -= 1
        elif anchor:
            self._waiting[anchor].remove(slot)
            if not self._waiting[anchor]:
                del self._waiting[anchor]
