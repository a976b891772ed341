"""The lexical index: BM25 over exactly the rows that a caller may read.

Owns one partition a subject and merges their statistics at query time, so that every score equals the
one that `rank_bm25.BM25Okapi` gives over the allowed rows alone, and so that what the caller may not
read leaves no trace in it. Must not know what a row is (a fact, a reflection), why one is hidden, how a
text becomes terms, or where rows are stored. Pure and synchronous; a caller uses it from one thread.

Two decisions on points where the oracle leaves room:

- the terms of a query count once, however often the query repeats them;
- rows of equal score and equally many matched terms are ordered by id, so that the answer depends on
  what is stored and not on the order in which it arrived.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from ...protocols.errors import InvalidRequestError
from ...protocols.scopes import Subject
from .candidates import Readable, best
from .okapi import EPSILON, Okapi, Spectrum, raw_idf
from .partition import Partition
from .spectra import Spectra, total_frequency

Hidden: TypeAlias = AbstractSet[str] | Callable[[str], bool]
"""Rows that one search leaves out: a set of their ids, or a predicate on an id."""


class Match(NamedTuple):
    """One row that holds a term of the query. `matched` are those that it holds, in the query's order."""

    doc_id: str
    score: float
    matched: tuple[str, ...]


class SearchResult(NamedTuple):
    """The best rows, best first, and whether there were more than asked for."""

    matches: tuple[Match, ...]
    truncated: bool


class InvertedIndex:
    """An inverted index that is changed row by row and searched within a set of subjects.

    Args:
        k1: BM25 term saturation.
        b: BM25 length normalisation, 0 to 1.
    """

    def __init__(self, *, k1: float = 1.5, b: float = 0.75) -> None:
        self._okapi = Okapi(k1, b)
        self._partitions: dict[Subject, Partition] = {}
        self._places: dict[str, tuple[Subject, int]] = {}
        self._spectra = Spectra(self._partitions)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._places

    def put(self, doc_id: str, subject: Subject, terms: Sequence[str]) -> None:
        """Add a row, or replace the row of the same id, of whatever subject, by this one.

        A row without terms is never found, and counts as a row all the same.
        """
        counts = Counter(terms)
        self.remove(doc_id)
        partition = self._partitions.get(subject)
        if partition is None:
            partition = self._partitions[subject] = Partition()
        self._places[doc_id] = (subject, partition.add(doc_id, counts))
        self._spectra.added(subject, counts)

    def remove(self, doc_id: str) -> None:
        """Take a row out; an id that is not there changes nothing."""
        place = self._places.pop(doc_id, None)
        if place is None:
            return
        subject, slot = place
        partition = self._partitions[subject]
        terms = partition.remove(slot)
        if not len(partition):
            del self._partitions[subject]
        self._spectra.removed(subject, terms)

    def search(
        self,
        query: Sequence[str],
        subjects: Sequence[Subject],
        *,
        limit: int,
        hidden: Hidden | None = None,
    ) -> SearchResult:
        """Return the best rows of some subjects that hold at least one term of the query.

        Best is the highest score, then the most distinct terms of the query, then the lowest id. In
        small collections Okapi gives scores of zero and below; such rows are found like any other.

        Args:
            query: the terms of the query.
            subjects: whose rows may be read. A subject without rows, and no subject at all, has none.
            limit: most rows to return; at least 1.
            hidden: rows to leave out as if they had never been put. A set costs by its size, a
                predicate is asked about every row of the subjects.

        Raises:
            InvalidRequestError: if `limit` is below 1.
        """
        if limit < 1:
            raise InvalidRequestError(f"limit is {limit}; ask for at least 1 row")
        names = frozenset(subjects)
        parts = self._readable(names, hidden)
        rows = sum(part.rows for part in parts)
        if not rows:
            return SearchResult((), truncated=False)
        holders = {term: [part.holders(term) for part in parts] for term in dict.fromkeys(query)}
        frequencies = {term: sum(part.slots.size for part in each) for term, each in holders.items()}
        idfs = self._idfs(names, parts, {term: n for term, n in frequencies.items() if n})
        if not idfs:
            return SearchResult((), truncated=False)
        average_length = sum(part.total_length for part in parts) / rows
        found = [
            part.score([(idf, holders[term][at]) for term, idf in idfs.items()], average_length, self._okapi)
            for at, part in enumerate(parts)
        ]
        matches = tuple(
            Match(each.doc_id, each.score, tuple(term for term in idfs if each.partition.holds(each.slot, term)))
            for each in best(found, limit)
        )
        return SearchResult(matches, truncated=sum(each.slots.size for each in found) > limit)

    def _readable(self, subjects: frozenset[Subject], hidden: Hidden | None) -> list[Readable]:
        """Return what may be read of every partition, less the hidden rows."""
        partitions = {name: self._partitions[name] for name in subjects if name in self._partitions}
        out: dict[Subject, list[int]] = {name: [] for name in partitions}
        if isinstance(hidden, AbstractSet) and len(hidden) <= sum(map(len, partitions.values())):
            for doc_id in hidden:
                subject, slot = self._places.get(doc_id, (None, 0))
                if subject in out:
                    out[subject].append(slot)
        elif hidden is not None:
            is_hidden = hidden.__contains__ if isinstance(hidden, AbstractSet) else hidden
            for name, partition in partitions.items():
                out[name].extend(slot for slot, doc_id in partition.documents() if is_hidden(doc_id))
        return [Readable(partition, out[name]) for name, partition in partitions.items()]

    def _idfs(
        self,
        subjects: frozenset[Subject],
        parts: Sequence[Readable],
        frequencies: dict[str, int],
    ) -> dict[str, float]:
        """Return the idf of some terms, with Okapi's floor, from the number of allowed rows that hold each."""
        rows = sum(part.rows for part in parts)
        idfs = {term: raw_idf(rows, frequency) for term, frequency in frequencies.items()}
        if any(idf < 0 for idf in idfs.values()):
            floor = EPSILON * self._spectrum(subjects, parts).average_idf(rows)
            return {term: floor if idf < 0 else idf for term, idf in idfs.items()}
        return idfs

    def _spectrum(self, subjects: frozenset[Subject], parts: Sequence[Readable]) -> Spectrum:
        """Return the spectrum of the allowed rows, counting whichever are fewer, they or the hidden ones."""
        hidden = sum(len(part.hidden) for part in parts)
        if not hidden:
            return self._spectra.of(subjects)
        rows = sum(part.rows for part in parts)
        counted: Counter[str] = Counter()
        for part in parts:
            slots = part.hidden if hidden < rows else part.allowed()
            counted.update(part.partition.frequencies_within(slots))
        if hidden >= rows:
            return Spectrum(Counter(counted.values()))
        spectrum = self._spectra.of(subjects).copy()
        partitions = [part.partition for part in parts]
        moves = Counter((total_frequency(partitions, term), count) for term, count in counted.items())
        for (frequency, count), terms in moves.items():
            spectrum.move(frequency, frequency - count, terms=terms)
        return spectrum
