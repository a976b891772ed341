"""What one search may read of the index, and how well the rows of it match in each field.

Hidden rows are gone before anything is counted, so what comes after can't tell a hidden row from one that was
never there. Two fields are scored by Okapi BM25, each over exactly the rows that may be read:

- a row's own terms;
- the terms of its window (`arrangement`), of which only those count that are in at most half of the windows,
  since a name that is in most of them says nothing of any.

A third is the cosine of vectors. All arrays are flat over the subjects, one place a slot.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .arrangement import Arrangement
from .okapi import EPSILON, Okapi, Spectrum, positive_idf, raw_idf
from .partition import Partition
from .rows import NOWHERE
from .spectra import total_frequency

_Scalar = TypeVar("_Scalar", bound=np.generic)

_MOST_TERMS: Final = 256
"""Terms whose rows one reading remembers."""


class Holders(NamedTuple):
    """The allowed rows of one partition that hold one term, and how often each does; both of shape (n,)."""

    slots: NDArray[np.integer[Any]]
    counts: NDArray[np.integer[Any]]


class Holding(NamedTuple):
    """Where one term of a query is held, how often, and the most that it scores; the arrays are of shape (n,)."""

    most: float
    places: NDArray[np.integer[Any]]
    counts: NDArray[np.integer[Any]]


class Field(NamedTuple):
    """How well every row matches in one field.

    `scores` are BM25's, `sizes` are these too, but where Okapi's floor isn't above 0, as in a handful of rows,
    they are those of the idf that never is, or a word that all rows hold would count against a row; `bound` is the
    most that they could be. `held` tells which hold as many of the terms that are counted as were asked for. All
    stand in cells, and `cells` tells that of each row, shape (n,); None means its place.
    """

    scores: NDArray[np.float64]
    sizes: NDArray[np.float64]
    bound: float
    held: NDArray[np.bool_]
    cells: NDArray[np.int64] | None = None

    def scores_at(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the BM25 scores of the rows at some places."""
        return self.scores.take(places if self.cells is None else self.cells.take(places))

    def sizes_at(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the sizes of the rows at some places."""
        return self.sizes.take(places if self.cells is None else self.cells.take(places))

    def held_by_rows(self) -> NDArray[np.bool_]:
        """Return which rows hold as many of the terms that are counted as were asked for, shape (n,)."""
        return self.held if self.cells is None else self.held.take(self.cells)


_NOBODY = Holders(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


class Readable:
    """The rows of one partition without the hidden ones.

    Args:
        partition: the partition, which must not change as long as this is used.
        hidden: the slots of the hidden rows, each once.
    """

    def __init__(self, partition: Partition, hidden: list[int]) -> None:
        self.partition = partition
        self.hidden = hidden
        self.lengths = partition.lengths
        self.shown = partition.used
        self.total_length = partition.total_length
        if hidden:
            self.total_length -= int(self.lengths[hidden].sum())
            self.shown = self.shown.copy()
            self.shown[hidden] = False
        self.rows = len(partition) - len(hidden)

    def within(self, begins: float, ends: float) -> Readable:
        """Return those of these rows that tell of something between two moments, in seconds since the epoch."""
        first, last = self.partition.spans
        outside = self.shown & ((last < begins) | (first > ends))
        return Readable(self.partition, [*self.hidden, *np.flatnonzero(outside).tolist()])

    def allowed(self) -> Iterable[int]:
        """Return the slots of the allowed rows."""
        return iter(np.flatnonzero(self.shown).tolist())

    def holders(self, term: str) -> Holders:
        """Return the allowed rows that hold a term."""
        postings = self.partition.postings(term)
        if postings is None:
            return _NOBODY
        slots, counts = postings.decode()
        if not self.hidden:
            return Holders(slots, counts)
        shown = self.shown[slots]
        return Holders(slots[shown], counts[shown])

    def holders_in_text(self, term: str, holders: Holders) -> NDArray[np.integer[Any]]:
        """Return the slots of those holders of a term that hold it in their text, not in their byline alone."""
        if term not in self.partition.byline_vocabulary:
            return holders.slots
        beside = np.array([byline[term] for byline in self.partition.byline_terms])[
            self.partition.bylines[holders.slots]
        ]
        in_text: NDArray[np.bool_] = holders.counts > beside
        return holders.slots[in_text]


class Reading:
    """The rows of some subjects that one search may read.

    Args:
        parts: the readable rows of each subject.
        okapi: the parameters of BM25 for a row's own terms.
        okapi_around: those for its window.
        spectrum: returns the spectrum of the parts' vocabulary, where none of them has a hidden row.
        arranged: returns the windows of the part of a number.

    Attributes:
        shown: which slots hold a row that may be read, shape (n,).
        asides: which rows are never a hit, shape (n,).
        ats: when each row was said, in seconds since the epoch, shape (n,).
        anchors: the place of the turn that each row rests on, shape (n,); `NOWHERE` for none.
    """

    def __init__(
        self,
        parts: Sequence[Readable],
        okapi: Okapi,
        okapi_around: Okapi,
        spectrum: Callable[[], Spectrum],
        arranged: Callable[[int], Arrangement],
    ) -> None:
        self.parts = parts
        self.rows = sum(part.rows for part in parts)
        self._okapi = okapi
        self._okapi_around = okapi_around
        self._spectrum = spectrum
        self._arranged = arranged
        self._bounds = [0, *accumulate(part.partition.capacity for part in parts)]
        self._holders: dict[str, list[Holders]] = {}
        self.shown = _flat([part.shown for part in parts], np.bool_)
        self.asides = _flat([part.partition.asides for part in parts], np.bool_)
        self.ats = _flat([part.partition.ats for part in parts], np.float64)
        self.anchors = _flat(
            [_moved(part.partition.anchors, at) for part, at in zip(parts, self._bounds, strict=False)], np.int64
        )

    @property
    def size(self) -> int:
        """Number of slots over all subjects."""
        return self._bounds[-1]

    def is_full(self) -> bool:
        """Return whether so many terms were looked up that another reading should take its place."""
        return len(self._holders) > _MOST_TERMS

    @cached_property
    def findable(self) -> NDArray[np.bool_]:
        """Which rows may be hits, shape (n,)."""
        findable: NDArray[np.bool_] = self.shown & ~self.asides
        return findable

    def spans(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return from when until when what each row tells of happened, both of shape (n,)."""
        spans = [part.partition.spans for part in self.parts]
        return _flat([first for first, _ in spans], np.float64), _flat([last for _, last in spans], np.float64)

    @cached_property
    def arrangements(self) -> list[Arrangement]:
        """The windows of each part."""
        return [self._arranged(at) for at in range(len(self.parts))]

    @cached_property
    def turns(self) -> NDArray[np.bool_]:
        """Which rows are turns, shape (n,)."""
        return _flat([part.partition.places != NOWHERE for part in self.parts], np.bool_)

    def told_by(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which turns are told by one of some rows that were made of them, shape (n,)."""
        # What rests on no turn falls behind the last place.
        told = np.zeros(self.size + 1, dtype=np.bool_)
        told[self.anchors[places]] = True
        return told[:-1]

    @cached_property
    def answers(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The places of the rows that answer a question, and of the turns that ask it, both (m,)."""
        pairs = [arranged.answers() for arranged in self.arrangements]
        answers, questions = (
            [slots + start if start else slots for slots, start in zip(its, self._bounds, strict=False)]
            for its in (zip(*pairs, strict=True) if pairs else ((), ()))
        )
        return _flat(answers, np.int64), _flat(questions, np.int64)

    def weights_of_voices(self, name: str, others: float) -> NDArray[np.float64] | None:
        """Return a weight of each row by who said it, shape (n,); None where a term is in nobody's name.

        Args:
            name: the term.
            others: the weight of what others said than those in whose names it is; all else has 1.
        """
        named = [part.partition.voices_named(name) for part in self.parts]
        if not any(named):
            return None
        weights = []
        for part, those in zip(self.parts, named, strict=True):
            # What nobody said has the last weight.
            of_voices = np.full(part.partition.voice_count + 1, others)
            of_voices[[*those, NOWHERE]] = 1.0
            weights.append(of_voices[part.partition.voices])
        return _flat(weights, np.float64)

    @cached_property
    def windows(self) -> NDArray[np.int64]:
        """The cell of the window by which each row is found, over the cells of all parts, shape (n,).

        Neighbours have near cells; a row without a window has one below 0, or one that is empty.
        """
        # Below 0 is the last cell of a part, which is empty; that of another part is just as empty.
        return _flat([each.windows + start if start else each.windows for each, start in self._cells()], np.int64)

    def conversations(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for places of rows that may be read, which all have a window, what those of one talk share."""
        return self._talks.take(self.windows.take(places))

    @cached_property
    def _talks(self) -> NDArray[np.int64]:
        talks = [each.conversations + start if start else each.conversations for each, start in self._cells()]
        return _flat(talks, np.int64)

    def _cells(self) -> Iterable[tuple[Arrangement, int]]:
        """Return the windows of each part, and where their cells begin among those of all."""
        starts = accumulate((arranged.size for arranged in self.arrangements), initial=0)
        return zip(self.arrangements, starts, strict=False)

    def own(self, query: Sequence[str], *, counting: frozenset[str] = frozenset()) -> Field:
        """Return how well the rows' own terms match.

        Args:
            query: distinct terms.
            counting: those of them of which a row's text must hold one to be `held`.
        """
        idfs = self._idfs(query)
        weights = self._weights(idfs)
        average = sum(part.total_length for part in self.parts) / self.rows if self.rows else 0.0
        scores, sizes, held = [], [], []
        for at, part in enumerate(self.parts):
            holders = {term: self._holders_of(term)[at] for term in idfs}
            norms = part.partition.norms(self._okapi, average)
            holdings = [Holding(self._okapi.most(idfs[term]), *its) for term, its in holders.items()]
            scores.append(_summed(holdings, norms))
            if weights is not idfs:
                holdings = [Holding(self._okapi.most(weights[term]), *its) for term, its in holders.items()]
                sizes.append(_summed(holdings, norms))
            in_text = [part.holders_in_text(term, its) for term, its in holders.items() if term in counting]
            held.append(np.zeros(part.partition.capacity, dtype=np.bool_))
            held[-1][_joined(in_text, np.int64)] = True
        bound = sum(map(self._okapi.most, weights.values()))
        flat = _flat(scores, np.float64)
        return Field(flat, _flat(sizes, np.float64) if sizes else flat, bound, _flat(held, np.bool_))

    def around(self, query: Sequence[str], *, counting: frozenset[str] = frozenset(), least: int = 1) -> Field:
        """Return how well the rows' windows match, by the query's terms that are in at most half of the windows.

        Args:
            query: distinct terms.
            counting: those of them of which a window must hold some to be `held`.
            least: how many.
        """
        arrangements = self.arrangements
        windows = sum(arranged.count for arranged in arrangements)
        average = sum(arranged.total_length for arranged in arrangements) / windows if windows else 0.0
        holdings: list[list[Holding]] = [[] for _ in arrangements]
        few = np.min_scalar_type(len(counting))
        matched = [np.zeros(arranged.size, dtype=few) for arranged in arrangements]
        bound = 0.0
        for term in query:
            found = [
                arranged.holding(term, *holders)
                for arranged, holders in zip(arrangements, self._holders_of(term), strict=True)
            ]
            holding = sum([its.cells.size for its in found])
            if not 0 < 2 * holding <= windows:
                continue
            most = self._okapi_around.most(raw_idf(windows, holding))
            bound += most
            for at, its in enumerate(found):
                holdings[at].append(Holding(most, its.cells, its.counts))
                if term in counting:
                    its.tally(matched[at])
        scores = [
            _summed(its, arranged.norms(self._okapi_around, average))
            for its, arranged in zip(holdings, arrangements, strict=True)
        ]
        flat = _flat(scores, np.float64)
        return Field(flat, flat, bound, _flat(matched, few) >= least, self.windows)

    def cosines(self, query: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the cosines of the rows' vectors and a query's, and their means over the windows, both (n,).

        A row that rests on a turn is as near as the nearer of the two; below 0 counts as 0.
        """
        nearer, means = [], []
        for part, arranged in zip(self.parts, self.arrangements, strict=True):
            capacity = part.partition.capacity
            # Behind the last row is a place of nothing, which rows take that rest on none.
            near = np.zeros(capacity + 1, dtype=np.float32)
            np.maximum(part.partition.vectors.cosines(query, capacity), 0.0, out=near[:-1], where=part.shown)
            nearer.append(np.maximum(near[:-1], near[part.partition.anchors]))
            means.append(arranged.means(near))
        return _flat(nearer, np.float32), self._of_windows(means, np.float32)

    def holding(self, query: Sequence[str]) -> NDArray[np.int16]:
        """Return how many of some distinct terms each row holds, its byline included, shape (n,)."""
        held = np.zeros(self.size, dtype=np.int16)
        for term in query:
            for start, holders in zip(self._bounds, self._holders_of(term), strict=False):
                held[start + holders.slots] += 1
        return held

    def terms_of(self, places: Sequence[int], query: Sequence[str]) -> list[tuple[str, ...]]:
        """Return which of some terms the row at each of some places holds."""
        if len(self.parts) == 1:
            return self.parts[0].partition.held(places, query)
        return [held for partition, slot in map(self.row, places) for held in partition.held((slot,), query)]

    def unembedded(self) -> bool:
        """Return whether a row that may be read has no vector."""
        return any(
            bool((part.shown & ~part.partition.vectors.held(part.partition.capacity)).any()) for part in self.parts
        )

    def row(self, at: int) -> tuple[Partition, int]:
        """Return the partition and the slot of a place."""
        if len(self.parts) == 1:
            return self.parts[0].partition, at
        which = bisect_right(self._bounds, at) - 1
        return self.parts[which].partition, at - self._bounds[which]

    def doc_id(self, at: int) -> str:
        """Return the id of the row at a place."""
        return self.doc_ids((at,))[0]

    def doc_ids(self, places: Iterable[int]) -> list[str]:
        """Return the ids of the rows at some places."""
        if len(self.parts) == 1:
            return self.parts[0].partition.doc_ids(places)
        return [doc_id for partition, slot in map(self.row, places) for doc_id in partition.doc_ids((slot,))]

    def _holders_of(self, term: str) -> list[Holders]:
        found = self._holders.get(term)
        if found is None:
            found = self._holders[term] = [part.holders(term) for part in self.parts]
        return found

    def _of_windows(
        self, values: Sequence[NDArray[_Scalar]], dtype: type[_Scalar] | np.dtype[_Scalar]
    ) -> NDArray[_Scalar]:
        """Return for each row the value of the window by which it is found, 0 where there is none."""
        return _flat([its[each.windows] for each, its in zip(self.arrangements, values, strict=True)], dtype)

    def _idfs(self, query: Sequence[str]) -> dict[str, float]:
        """Return the idf of the terms that a row holds, with Okapi's floor, from the number of rows that do."""
        frequencies = {term: sum([each.slots.size for each in self._holders_of(term)]) for term in query}
        idfs = {term: raw_idf(self.rows, number) for term, number in frequencies.items() if number}
        if any(idf < 0 for idf in idfs.values()):
            floor = EPSILON * self._allowed_spectrum().average_idf(self.rows)
            return {term: floor if idf < 0 else idf for term, idf in idfs.items()}
        return idfs

    def _weights(self, idfs: Mapping[str, float]) -> Mapping[str, float]:
        """Return what each term weighs in a share."""
        if all(idf > 0 for idf in idfs.values()):
            return idfs
        return {
            term: positive_idf(self.rows, sum(each.slots.size for each in self._holders_of(term))) for term in idfs
        }

    def _allowed_spectrum(self) -> Spectrum:
        """Return the spectrum of the allowed rows, counting whichever are fewer, they or the hidden ones."""
        hidden = sum(len(part.hidden) for part in self.parts)
        if not hidden:
            return self._spectrum()
        counted: Counter[str] = Counter()
        for part in self.parts:
            slots = part.hidden if hidden < self.rows else part.allowed()
            counted.update(part.partition.frequencies_within(slots))
        if hidden >= self.rows:
            return Spectrum(Counter(counted.values()))
        spectrum = self._spectrum().copy()
        partitions = [part.partition for part in self.parts]
        moves = Counter((total_frequency(partitions, term), number) for term, number in counted.items())
        for (frequency, number), terms in moves.items():
            spectrum.move(frequency, frequency - number, terms=terms)
        return spectrum


def _summed(holdings: Sequence[Holding], norms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the BM25 score of every place, of the shape of `norms`, in one pass over what holds a term."""
    if not holdings:
        return np.zeros(norms.size)
    places = np.concatenate([each.places for each in holdings], dtype=np.int64)
    scores = np.concatenate([each.counts for each in holdings], dtype=np.float64)
    saturated = norms.take(places)
    saturated += scores
    scores /= saturated
    start = 0
    for each in holdings:
        scores[start : (start := start + each.places.size)] *= each.most
    return np.bincount(places, weights=scores, minlength=norms.size).astype(np.float64, copy=False)


def _moved(places: NDArray[np.int64], start: int) -> NDArray[np.int64]:
    """Return places of a part as places of all; `NOWHERE` stays what it is."""
    return np.where(places == NOWHERE, NOWHERE, places + start) if start else places


def _joined(arrays: Sequence[NDArray[Any]], dtype: type[_Scalar] | np.dtype[_Scalar]) -> NDArray[_Scalar]:
    return np.concatenate(arrays, dtype=dtype) if arrays else np.zeros(0, dtype=dtype)


def _flat(arrays: Sequence[NDArray[_Scalar]], dtype: type[_Scalar] | np.dtype[_Scalar]) -> NDArray[_Scalar]:
    return arrays[0] if len(arrays) == 1 else _joined(arrays, dtype)
