"""The terms of many texts as numbers, for loading everything: each text is read once, each word looked up once.

Reads a text as `search_terms`, `implied_terms` and `kinds_of` do. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...protocols.tokens import tokens_of
from .implied import implied_terms, kinds_of
from .numbering import Runs, Shared
from .search_terms import content_of, search_terms, without_accents

T = TypeVar("T")

_Text: TypeAlias = str | tuple[str, ...]
"""A text, or terms that were made of one already."""

_START: Final = np.zeros(1, dtype=np.int64)


class Numbered(NamedTuple):
    """The terms of some rows as numbers, one row behind the other, and how many each row has."""

    terms: NDArray[np.uintc]
    lengths: NDArray[np.int64]


class _Numbers(dict[str, int]):
    """A number for each string that was looked up, in turn; `known` are all of them by their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.known: list[str] = []

    def __missing__(self, string: str) -> int:
        """Return the number of a string that wasn't looked up before."""
        number = self[string] = len(self.known)
        self.known.append(string)
        return number


class Lexicon:
    """The terms of all texts that were read.

    Args:
        leave_out: terms that say nothing here; they count where nothing else is left of a text.
    """

    def __init__(self, leave_out: frozenset[str] = frozenset()) -> None:
        self._leave_out = leave_out
        self._terms = _Numbers()
        self._words = _Numbers()
        self._terms_of_words = Runs()
        self._texts: dict[_Text, int] = {}
        self._terms_of_texts = Runs()

    @property
    def vocabulary(self) -> Sequence[str]:
        """Every term, by its number; grows while texts are read."""
        return self._terms.known

    def read(self, texts: Sequence[str], bylines: Shared[tuple[str, ...]]) -> Numbered:
        """Return the terms of rows: of each those of its text, then those of its byline.

        Args:
            texts: a text for each row.
            bylines: the terms of a byline for each row.
        """
        known = self._texts
        fresh = [text for text in texts if text not in known]
        self._read(list(dict.fromkeys(fresh)))
        for byline in bylines.values:
            if byline not in known:
                self._put(byline, byline)
        its_byline = np.array([known[byline] for byline in bylines.values], dtype=np.int64)[bylines.of_row]
        runs = np.stack((np.array([known[text] for text in texts], dtype=np.int64), its_byline), axis=1)
        lengths = self._terms_of_texts.lengths[runs].sum(axis=1)
        return Numbered(self._terms_of_texts.joined(runs.ravel()), lengths)

    def _read(self, texts: Sequence[str]) -> None:
        words, sizes = _run_together(tokens_of(without_accents(text)) for text in texts)
        its = np.fromiter(map(self._words.__getitem__, words), dtype=np.int64, count=len(words))
        self._learn()
        ends = np.concatenate((_START, np.cumsum(self._terms_of_words.lengths[its])))
        lengths = np.diff(ends[np.concatenate((_START, np.cumsum(sizes, dtype=np.int64)))])
        self._texts.update(zip(texts, count(len(self._terms_of_texts)), strict=False))
        self._terms_of_texts.extend(self._terms_of_words.joined(its), lengths)
        for text, length in zip(texts, lengths.tolist(), strict=True):
            implied = implied_terms(text)
            if implied or not length:
                terms = search_terms(text, leave_out=self._leave_out)
                self._put(text, (*terms, *implied, *kinds_of(terms)))

    def _learn(self) -> None:
        """Look up the terms of the words that were met for the first time."""
        fresh = self._words.known[len(self._terms_of_words) :]
        told = ([term for term in content_of(word) if term not in self._leave_out] for word in fresh)
        terms, sizes = _run_together([self._terms[term] for term in (*its, *kinds_of(its))] for its in told)
        self._terms_of_words.extend(terms, sizes)

    def _put(self, text: _Text, terms: Sequence[str]) -> None:
        self._texts[text] = len(self._terms_of_texts)
        self._terms_of_texts.extend([self._terms[term] for term in terms], [len(terms)])


def _run_together(lists: Iterable[list[T]]) -> tuple[list[T], list[int]]:
    """Return the items of lists, one list behind the other, and how long each was; none of them is kept.

    Where hundreds are alive at once, a garbage collector is called to look at everything that there is.
    """
    items: list[T] = []
    sizes: list[int] = []
    for each in lists:
        items += each
        sizes.append(len(each))
    return items, sizes
