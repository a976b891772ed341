"""What one search may read of a partition, the rows of it that match, and the best of them.

Owns the step from posting lists to ranked rows. Hidden rows are gone before anything is counted, so
what comes after can't tell a hidden row from one that was never there.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .okapi import Okapi
from .partition import Partition


class Holders(NamedTuple):
    """The allowed rows of one partition that hold one term, and how often each does; both of shape (n,)."""

    slots: NDArray[np.int64]
    counts: NDArray[np.int64]


class Candidates(NamedTuple):
    """The allowed rows of one partition that hold any term of a query, all arrays of shape (n,).

    `matched` is the number of the query's distinct terms in each row.
    """

    partition: Partition
    slots: NDArray[np.int64]
    scores: NDArray[np.float64]
    matched: NDArray[np.int32]


class Ranked(NamedTuple):
    """One of the best rows."""

    doc_id: str
    score: float
    partition: Partition
    slot: int


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
        self._lengths = partition.lengths()
        self._shown: NDArray[np.bool_] | None = None
        self.total_length = partition.total_length
        if hidden:
            self.total_length -= int(self._lengths[hidden].sum(dtype=np.int64))
            self._shown = np.ones(partition.capacity, dtype=np.bool_)
            self._shown[hidden] = False
        self.rows = len(partition) - len(hidden)

    def allowed(self) -> Iterable[int]:
        """Return the slots of the allowed rows."""
        hidden = set(self.hidden)
        return (slot for slot, _ in self.partition.documents() if slot not in hidden)

    def holders(self, term: str) -> Holders:
        """Return the allowed rows that hold a term."""
        postings = self.partition.postings(term)
        if postings is None:
            return _NOBODY
        slots, counts = postings.decode()
        if self._shown is None:
            return Holders(slots, counts)
        shown = self._shown[slots]
        return Holders(slots[shown], counts[shown])

    def score(
        self,
        weighted: Iterable[tuple[float, Holders]],
        average_length: float,
        okapi: Okapi,
    ) -> Candidates:
        """Return the allowed rows that hold any of some terms, with their scores.

        Args:
            weighted: for each distinct term of the query its idf and the rows here that hold it.
            average_length: mean number of terms a row, over all partitions that may be read.
            okapi: the parameters of BM25.
        """
        scores = np.zeros(self.partition.capacity)
        matched = np.zeros(self.partition.capacity, dtype=np.int32)
        for idf, (slots, counts) in weighted:
            if slots.size:
                scores[slots] += okapi.term_scores(idf, counts, self._lengths[slots], average_length)
                matched[slots] += 1
        found = np.flatnonzero(matched)
        return Candidates(self.partition, found, scores[found], matched[found])


def best(found: Sequence[Candidates], limit: int) -> list[Ranked]:
    """Return at most `limit` rows: highest score, then most matched terms, then lowest id.

    Ids are looked at only where the arrays leave a tie at the limit, so that a common word in tens of
    thousands of rows costs no sort of as many strings.
    """
    scores = np.concatenate([each.scores for each in found])
    matched = np.concatenate([each.matched for each in found])
    starts = np.cumsum([0] + [each.slots.size for each in found])

    def row(at: int) -> Ranked:
        which = int(np.searchsorted(starts, at, side="right")) - 1
        partition = found[which].partition
        slot = int(found[which].slots[at - starts[which]])
        return Ranked(partition.doc_id(slot), float(scores[at]), partition, slot)

    kept = np.arange(scores.size)
    tied = kept[:0]
    if scores.size > limit:
        kept = np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
        kept = kept[np.lexsort((-matched[kept], -scores[kept]))]
        last = kept[limit - 1]
        at_edge = (scores[kept] == scores[last]) & (matched[kept] == matched[last])
        kept, tied = kept[: int(at_edge.argmax())], kept[at_edge]
    ranked = [(-int(matched[at]), row(at)) for at in kept.tolist()]
    ranked.sort(key=lambda each: (-each[1].score, each[0], each[1].doc_id))
    edge = heapq.nsmallest(limit - len(ranked), map(row, tied.tolist()), key=lambda each: each.doc_id)
    return [each for _, each in ranked] + edge
