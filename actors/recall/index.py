"""The lexical index: what a caller may read of it, and BM25 over exactly that.

Owns one partition a subject and merges their statistics at query time, so that every score equals the
one that `rank_bm25.BM25Okapi` gives over the allowed rows alone, and so that what the caller may not
read leaves no trace in it. Must not know what a row is (a fact, a turn), why one is hidden, how a
text becomes terms, or where rows are stored. Pure and synchronous; a caller uses it from one thread.

Two decisions on points where the oracle leaves room:

- the terms of a query count once, however often the query repeats them;
- of rows of equal score and equally many matched terms the latest come first, those of one moment by id, so that
  the answer depends on what is stored and not on the order in which it arrived.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...protocols.errors import InvalidRequestError
from ...protocols.scopes import Subject
from .arrangement import Arrangement
from .okapi import Okapi
from .partition import Partition
from .reading import Readable, Reading
from .rows import Entry, Piece
from .spectra import Spectra

Hidden: TypeAlias = AbstractSet[str] | Callable[[str], bool]
"""Rows that one search leaves out: a set of their ids, or a predicate on an id."""

GAP_S: Final = 3_600.0
"""Silence that ends a conversation, in seconds (baseline: 1 h)."""


_FEW_TIES: Final = 4
"""Rows for each that is wanted that are sorted at once; a common word ties tens of thousands."""


class Match(NamedTuple):
    """One row that holds a term of the query. `matched` are those that it holds, in the query's order."""

    doc_id: str
    score: float
    matched: tuple[str, ...]


class SearchResult(NamedTuple):
    """The best rows, best first, and whether there were more than asked for."""

    matches: tuple[Match, ...]
    truncated: bool


class _Arranged(NamedTuple):
    """Windows that are kept, and the slots of the hidden rows that they leave out."""

    hidden: frozenset[int]
    windows: Arrangement


class InvertedIndex:
    """An inverted index that is changed row by row and read within a set of subjects.

    Args:
        k1: BM25 term saturation of the rows' own terms.
        b: BM25 length normalisation of them, 0 to 1.
        around_k1: BM25 term saturation of the rows' windows.
        around_b: BM25 length normalisation of them, 0 to 1.
        gap_s: the silence that ends a conversation, in seconds.
    """

    def __init__(
        self,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        around_k1: float = 1.5,
        around_b: float = 0.75,
        gap_s: float = GAP_S,
    ) -> None:
        self._okapi = Okapi(k1, b)
        self._okapi_around = Okapi(around_k1, around_b)
        self._gap_s = gap_s
        self._partitions: dict[Subject, Partition] = {}
        self._subjects: dict[str, Subject] = {}
        self._spectra = Spectra(self._partitions)
        self._arranged: dict[Subject, _Arranged] = {}
        self._read: tuple[tuple[Subject, ...], frozenset[str], Reading] | None = None

    def __len__(self) -> int:
        return len(self._subjects)

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._subjects

    def put(self, doc_id: str, subject: Subject, terms: Sequence[str]) -> None:
        """Add a row that is no turn, or replace the row of the same id, of whatever subject, by this one."""
        self.enter(subject, Entry(doc_id, terms))

    def enter(self, subject: Subject, entry: Entry) -> None:
        """Add a row, or replace the row of the same id, of whatever subject, by this one.

        A row without terms is never found, and counts as a row all the same. A row that is replaced loses its
        vector.
        """
        counts = Counter(entry.terms)
        counts.update(entry.byline)
        self._read = None
        self.remove(entry.doc_id)
        partition = self._partitions.get(subject)
        if partition is None:
            partition = self._partitions[subject] = Partition()
        self._subjects[entry.doc_id] = subject
        slot = partition.add(entry, counts)
        known = self._arranged.get(subject)
        if known is not None and not known.windows.append(slot, known.hidden):
            del self._arranged[subject]
        self._spectra.added(subject, counts)

    def extend(self, subject: Subject, pieces: Iterable[Piece], vocabulary: Sequence[str]) -> None:
        """Add many rows of a subject whose ids are not here yet; several times as fast as one by one.

        Args:
            subject: whose rows they are.
            pieces: the rows.
            vocabulary: the terms that their numbers stand for; may grow while pieces are taken.
        """
        self._read = None
        known = self._partitions.get(subject)
        partition = Partition() if known is None else known
        doc_ids = partition.extend(pieces, vocabulary)
        if not doc_ids:
            return
        self._partitions[subject] = partition
        self._subjects.update(dict.fromkeys(doc_ids, subject))
        self._arranged.pop(subject, None)
        self._spectra.forget(subject)

    def remove(self, doc_id: str) -> None:
        """Take a row out; an id that is not there changes nothing."""
        subject = self._subjects.pop(doc_id, None)
        if subject is None:
            return
        self._read = None
        partition = self._partitions[subject]
        self._forget_window(subject, partition, doc_id)
        terms = partition.remove(doc_id)
        if not len(partition):
            del self._partitions[subject]
        self._spectra.removed(subject, terms)

    def embed(self, doc_ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep the vectors of rows; those of ids that are not there are left.

        Args:
            doc_ids: the rows, each once.
            vectors: theirs, of length 1, shape (n, dimension).
        """
        numbers: defaultdict[Subject, list[int]] = defaultdict(list)
        for number, subject in enumerate(map(self._subjects.get, doc_ids)):
            if subject is not None:
                numbers[subject].append(number)
        for subject, its in numbers.items():
            self._partitions[subject].embed([doc_ids[number] for number in its], vectors[its])

    def holders(self, subject: Subject, terms: Iterable[str]) -> frozenset[str]:
        """Return the ids of the rows of a subject that hold all of some terms; none for no terms."""
        partition = self._partitions.get(subject)
        if partition is None:
            return frozenset()
        slots: NDArray[np.int32] | None = None
        for term in terms:
            postings = partition.postings(term)
            if postings is None:
                return frozenset()
            its, _ = postings.decode()
            slots = its if slots is None else np.intersect1d(slots, its, assume_unique=True)
        if slots is None:
            return frozenset()
        return frozenset(partition.doc_ids(slots.tolist()))

    def terms_with(self, character: str, subjects: Iterable[Subject], limit: int) -> tuple[str, ...]:
        """Return the terms of some subjects' rows that a character is part of, sorted; at most `limit`."""
        partitions = [self._partitions[name] for name in subjects if name in self._partitions]
        found = {term for one in partitions for term, _ in one.frequencies() if character in term}
        return tuple(sorted(found)[:limit])

    def holds(self, term: str, subjects: Iterable[Subject]) -> bool:
        """Return whether a row of some subjects holds a term."""
        partitions = (self._partitions.get(name) for name in subjects)
        return any(one is not None and one.postings(term) is not None for one in partitions)

    def terms_from(
        self, beginning: str, shortest: int, longest: int, subjects: Iterable[Subject]
    ) -> tuple[str, ...]:
        """Return the terms of some subjects' rows that begin so and are as long (characters), sorted."""
        partitions = [self._partitions[name] for name in subjects if name in self._partitions]
        return tuple(
            sorted(
                {
                    term
                    for one in partitions
                    for term, _ in one.frequencies()
                    if shortest <= len(term) <= longest and term.startswith(beginning)
                }
            )
        )

    def read(
        self,
        subjects: Iterable[Subject],
        hidden: Hidden | None = None,
        *,
        within: tuple[float, float] | None = None,
    ) -> Reading:
        """Return what may be read of some subjects. It holds until the next change of the index.

        Args:
            subjects: whose rows may be read. A subject without rows, and no subject at all, has none.
            hidden: rows to leave out as if they had never been put. A set costs by its size, a
                predicate is asked about every row of the subjects.
            within: only what happened between these two moments, in seconds since the epoch, as if no other row
                had ever been put.
        """
        names = tuple(sorted({name for name in subjects if name in self._partitions}))
        left_out = hidden if callable(hidden) else frozenset(hidden or ())
        known = self._read
        if known is not None and within is None and known[:2] == (names, left_out) and not known[2].is_full():
            return known[2]
        parts = self._readable(names, hidden)
        if within is not None:
            parts = [part.within(*within) for part in parts]
        kept = within is None
        reading = Reading(
            parts,
            self._okapi,
            self._okapi_around,
            lambda: self._spectra.of(frozenset(names)),
            lambda at: self._windows(names[at], parts[at]) if kept else self._arrange(parts[at]),
        )
        if kept and isinstance(left_out, frozenset):
            self._read = names, left_out, reading
        return reading

    def search(
        self,
        query: Sequence[str],
        subjects: Sequence[Subject],
        *,
        limit: int,
        hidden: Hidden | None = None,
    ) -> SearchResult:
        """Return the best rows of some subjects that hold at least one term of the query, by their own terms.

        Best is the highest score, then the most distinct terms of the query, the latest, the lowest id. In
        small collections Okapi gives scores of zero and below; such rows are found like any other.

        Args:
            query: the terms of the query.
            subjects: whose rows may be read.
            limit: most rows to return; at least 1.
            hidden: rows to leave out, as `read` takes them.

        Raises:
            InvalidRequestError: if `limit` is below 1.
        """
        if limit < 1:
            raise InvalidRequestError(f"limit is {limit}; ask for at least 1 row")
        reading = self.read(subjects, hidden)
        distinct = tuple(dict.fromkeys(query))
        field = reading.own(distinct)
        held = reading.holding(distinct)
        found = np.flatnonzero(held)
        places = found[best(reading, found, field.scores[found], held[found], limit)].tolist()
        matches = tuple(
            Match(reading.doc_id(at), float(field.scores[at]), terms)
            for at, terms in zip(places, reading.terms_of(places, distinct), strict=True)
        )
        return SearchResult(matches, truncated=found.size > limit)

    def _windows(self, subject: Subject, part: Readable) -> Arrangement:
        """Return the windows of a part, kept for the next search as long as the same rows are hidden."""
        known, hidden = self._arranged.get(subject), frozenset(part.hidden)
        if known is None or known.hidden != hidden:
            known = self._arranged[subject] = _Arranged(hidden, self._arrange(part))
        return known.windows

    def _arrange(self, part: Readable) -> Arrangement:
        return Arrangement(part.partition, part.shown, self._gap_s)

    def _forget_window(self, subject: Subject, partition: Partition, doc_id: str) -> None:
        """Take a row that is about to be removed out of the windows that are kept."""
        known, slot = self._arranged.get(subject), partition.slot(doc_id)
        if (
            known is not None
            and slot is not None
            and (slot in known.hidden or partition.is_rested_on(slot) or not known.windows.removed(slot))
        ):
            del self._arranged[subject]

    def _readable(self, subjects: Sequence[Subject], hidden: Hidden | None) -> list[Readable]:
        """Return what may be read of every partition, less the hidden rows."""
        partitions = [self._partitions[name] for name in subjects]
        if not hidden:
            return [Readable(partition, []) for partition in partitions]
        out: list[list[int]] = [[] for _ in subjects]
        if isinstance(hidden, AbstractSet) and len(hidden) <= sum(map(len, partitions)):
            places = {name: at for at, name in enumerate(subjects)}
            for doc_id in hidden:
                at = places.get(self._subjects.get(doc_id, Subject("")))
                if at is not None and (slot := partitions[at].slot(doc_id)) is not None:
                    out[at].append(slot)
        else:
            is_hidden = hidden.__contains__ if isinstance(hidden, AbstractSet) else hidden
            for at, partition in enumerate(partitions):
                out[at].extend(slot for slot, doc_id in partition.documents() if is_hidden(doc_id))
        return [Readable(partition, slots) for partition, slots in zip(partitions, out, strict=True)]


def best(
    reading: Reading,
    found: NDArray[np.int64],
    scores: NDArray[np.float64],
    matched: NDArray[np.integer[Any] | np.bool_],
    limit: int,
) -> list[int]:
    """Return which of some places are the best: by score, then by most matched terms, the latest, the lowest id.

    Args:
        reading: what they are places of.
        found: the places, shape (n,).
        scores: of each, shape (n,).
        matched: terms that each holds, or whether it holds one, shape (n,).
        limit: most to return.

    Returns:
        Positions in `found`, best first.
    """
    kept = np.arange(found.size)
    if found.size > limit:
        (kept,) = (scores >= np.partition(scores, -limit)[-limit]).nonzero()
    if kept.size > _FEW_TIES * limit:
        kept = _best_of_many(reading, found, scores, matched, limit)
    order = kept[np.argsort(-scores[kept], kind="stable")]
    sorted_scores = scores[order]
    if not (sorted_scores[1:] == sorted_scores[:-1]).any():
        return list(map(int, order[:limit]))
    places = found[kept]
    columns = (-scores[kept], -matched[kept].astype(np.int64), -reading.ats[places], kept)
    ids = reading.doc_ids(places.tolist())
    score, held, at, number = (column.tolist() for column in columns)
    return [its for *_, its in sorted(zip(score, held, at, ids, number, strict=True))[:limit]]


def _best_of_many(
    reading: Reading,
    found: NDArray[np.int64],
    scores: NDArray[np.float64],
    matched: NDArray[np.integer[Any] | np.bool_],
    limit: int,
) -> NDArray[np.int64]:
    """Return those among which the best are, of arguments as `best` takes them; columns decide what they can."""
    surely: list[NDArray[np.int64]] = []
    tied, left = np.arange(found.size), limit
    for values_of in (scores.__getitem__, matched.__getitem__, lambda some: reading.ats[found[some]]):
        if tied.size <= left:
            break
        values = values_of(tied)
        least = np.partition(values, -left)[-left]
        surely.append(tied[values > least])
        left -= surely[-1].size
        tied = tied[values == least]
    return np.concatenate([*surely, tied])
