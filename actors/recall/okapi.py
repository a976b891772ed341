"""Okapi BM25 as `rank_bm25.BM25Okapi` computes it, to the last term.

Owns the formulas; knows nothing of rows, subjects or who may read what. Source of all of them:
Robertson et al., "Okapi at TREC-3" (1994), in the form of rank_bm25 0.2.2, whose floor for negative
idf goes back to Trotman et al., "Improvements to BM25 and Language Models Examined" (2014).
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

EPSILON: Final = 0.25
"""Share of the average idf that a term in more than half of the rows gets (rank_bm25's default)."""


def raw_idf(rows: int, frequency: int) -> float:
    """Return ln((N - n + 0.5) / (n + 0.5)), which is negative for a term in more than half of the rows.

    Args:
        rows: N, the number of rows.
        frequency: n, the number of them that hold the term; 0 to N.
    """
    return math.log(rows - frequency + 0.5) - math.log(frequency + 0.5)


def positive_idf(rows: int, frequency: int) -> float:
    """Return ln(1 + (N - n + 0.5) / (n + 0.5)), which is above 0 for every term (baseline's form).

    Args:
        rows: N, the number of rows.
        frequency: n, the number of them that hold the term; 0 to N.
    """
    return math.log1p((rows - frequency + 0.5) / (frequency + 0.5))


class Spectrum:
    """The frequency spectrum of a vocabulary: how many terms are held by exactly n rows, for every n.

    The average idf needs nothing else, and a spectrum has a few hundred entries where the vocabulary
    has tens of thousands.
    """

    __slots__ = ("_average", "_terms")

    def __init__(self, terms: Counter[int] | None = None) -> None:
        self._terms: Counter[int] = Counter() if terms is None else terms
        self._average: tuple[int, float] | None = None

    def copy(self) -> Spectrum:
        """Return an independent copy."""
        return Spectrum(self._terms.copy())

    def move(self, before: int, after: int, *, terms: int = 1) -> None:
        """Take the change of some terms' document frequency; 0 means that the vocabulary lacks them."""
        self._average = None
        if before:
            self._terms[before] -= terms
            if not self._terms[before]:
                del self._terms[before]
        if after:
            self._terms[after] += terms

    def average_idf(self, rows: int) -> float:
        """Return the mean of `raw_idf` over the vocabulary, 0.0 for an empty one.

        The sum is correctly rounded, so it depends on the frequencies alone and not on the history
        that led to them.
        """
        if self._average is None or self._average[0] != rows:
            total = math.fsum(count * raw_idf(rows, frequency) for frequency, count in self._terms.items())
            self._average = (rows, total / max(1, self._terms.total()))
        return self._average[1]


class Okapi(NamedTuple):
    """The two parameters of BM25.

    Attributes:
        k1: term saturation.
        b: length normalisation, 0 to 1.
    """

    k1: float
    b: float

    def norms(self, lengths: NDArray[np.float64], average_length: float) -> NDArray[np.float64]:
        """Return what a row's length adds to the count of each term in the denominator of its score, shape (n,).

        Args:
            lengths: terms in the row, shape (n,).
            average_length: mean number of terms over all rows; 0 where there is no row.
        """
        norms = lengths * (self.k1 * self.b / average_length if average_length else 0.0)
        norms += self.k1 * (1 - self.b)
        return norms

    def most(self, idf: float) -> float:
        """Return what a term scores in a row that holds it without end."""
        return idf * (self.k1 + 1)


class Norms:
    """The norms of some rows as they were asked for last: they change when a row comes or goes, not by a query."""

    __slots__ = ("_known", "_of")

    def __init__(self) -> None:
        self._of: tuple[Okapi, float] | None = None
        self._known: NDArray[np.float64] = np.empty(0)

    def forget(self) -> None:
        """Take that a length changed."""
        self._of = None

    def of(self, okapi: Okapi, lengths: NDArray[np.float64], average_length: float) -> NDArray[np.float64]:
        """Return what `Okapi.norms` returns. It is shared: it must not be changed."""
        if self._of != (okapi, average_length):
            self._of, self._known = (okapi, average_length), okapi.norms(lengths, average_length)
        return self._known
