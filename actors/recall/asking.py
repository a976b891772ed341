"""What a question asks for, as terms: without the grammar of asking, and with what a misspelt word may mean.

What stands in rows is left as it is; only the question is read so. Knows the vocabulary of what may be read,
nothing of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from ...protocols.question_words import CHINESE_PAIRS, FOREIGN, JAPANESE_PAIRS, KOREAN_PAIRS
from ...protocols.scopes import Subject
from ...protocols.scripts import CJK
from ...protocols.stopwords import ENGLISH
from ...protocols.tokens import words_of
from .ranking import Query
from .search_terms import search_terms, without_accents
from .tense import asked_tense
from .times import AskedTime

WIDEST: Final = 64
"""Terms that one term of a query stands for, at most, where it is a lone character."""

LIKE: Final = 4
"""The same where it is misspelt."""

ONE_SLIP: Final = 6
"""Shortest word of which one letter may be wrong (characters): a horse is no house."""

TWO_SLIPS: Final = 9
"""Shortest word of which two may be."""

ENDING: Final = 2
"""Letters of a misspelt word that its stem may lack (measured: 3 mistakes more words for others)."""

_ALL_FOREIGN: Final = frozenset(chain.from_iterable(FOREIGN.values()))

_PAIRS: Final = CHINESE_PAIRS | JAPANESE_PAIRS | KOREAN_PAIRS


class Vocabulary(Protocol):
    """What of the index says which terms there are."""

    def holds(self, term: str, subjects: Iterable[Subject]) -> bool:
        """Return whether a row of some subjects holds a term."""
        ...

    def terms_with(self, character: str, subjects: Iterable[Subject], limit: int) -> tuple[str, ...]:
        """Return the terms of some subjects' rows that a character is part of, sorted; at most `limit`."""
        ...

    def terms_from(
        self, beginning: str, shortest: int, longest: int, subjects: Iterable[Subject]
    ) -> tuple[str, ...]:
        """Return the terms of some subjects' rows that begin so and are as long, sorted."""
        ...


def query_of(
    stated: str,
    names: AbstractSet[str],
    vocabulary: Vocabulary,
    subjects: Sequence[Subject],
    vector: NDArray[np.float32] | None,
    related: float,
    *,
    at: AskedTime | None = None,
) -> Query:
    """Return what is asked for, as the index knows it.

    Args:
        stated: the question, or an empty text.
        names: terms of the names of the two who talk.
        vocabulary: the terms of what may be read.
        subjects: what may be read.
        vector: the question's, of shape (dimension,), or None.
        related: least cosine of what has anything to do with a question.
        at: the time that the question names, or None.
    """
    said = asked_terms(stated)
    variants = {term: _variants(term, stated, vocabulary, subjects) for term in dict.fromkeys(said)}
    content = [term for term in said if term not in names] or said
    return Query(
        _all_of(variants, said),
        frozenset(_all_of(variants, content)),
        vector,
        related,
        stated,
        asked_tense(stated),
        () if at is None else at.spans,
    )


def asked_terms(stated: str) -> list[str]:
    """Return the terms of a question without those that only ask; all of them where nothing else is left."""
    said = search_terms(stated)
    grammar = _PAIRS | _foreign(stated)
    return [term for term in said if term not in grammar] or said


def _foreign(stated: str) -> frozenset[str]:
    """Return the terms of the grammar of the language that a question is in, none where that is English.

    The languages share spellings ("die", "son", "la"), so that one is taken only where it tells most of the words.
    """
    words = words_of(without_accents(stated))
    if _ALL_FOREIGN.isdisjoint(words):
        return frozenset()
    told = {name: sum(word in listed for word in words) for name, listed in FOREIGN.items()}
    best = max(told, key=lambda name: told[name])
    if told[best] <= sum(word in ENGLISH for word in words):
        return frozenset()
    return frozenset(chain.from_iterable(search_terms(word) for word in words if word in FOREIGN[best]))


def _all_of(variants: Mapping[str, tuple[str, ...]], words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(variants[word] for word in words)))


def _variants(term: str, stated: str, vocabulary: Vocabulary, subjects: Sequence[Subject]) -> tuple[str, ...]:
    """Return a term of a question with the terms that it stands for.

    Rows are kept by pairs of characters: who asks for a cat, 猫, means the 橘猫 too. A word that no row holds may
    be one that is held, misspelt or misheard.

    Args:
        term: the term.
        stated: the question.
        vocabulary: the terms of what may be read.
        subjects: what may be read.
    """
    if CJK.match(term):
        return (term, *vocabulary.terms_with(term, subjects, WIDEST)) if len(term) == 1 else (term,)
    if not term.isalpha() or vocabulary.holds(term, subjects):
        return (term,)
    spelt = _spelt(stated).get(term, 0)
    if spelt < ONE_SLIP:
        return (term,)
    slips = 2 if spelt >= TWO_SLIPS else 1
    known = vocabulary.terms_from(term[0], len(term) - slips, len(term) + slips + 1, subjects)
    found = sorted(
        (away, like) for like in known if (away := _slips(term, like, slips)) <= slips and like.isalpha()
    )
    return (term, *(like for _, like in found[:LIKE]))


@lru_cache(1)
def _spelt(stated: str) -> Mapping[str, int]:
    """Return how long the last word of a question is that each of its terms is the stem of (characters).

    Of a word with a longer ending the stem alone counts, as it alone is compared: "political" is no "positive".
    """
    return {
        term: len(word) if len(word) - len(term) <= ENDING else len(term)
        for word in words_of(without_accents(stated))
        for term in search_terms(word)
    }


def _slips(term: str, like: str, most: int) -> int:
    """Return in how many letters a term differs from a known one; a stem may have kept one letter more."""
    return min(OSA.distance(term, like, score_cutoff=most), OSA.distance(term, like[:-1], score_cutoff=most))
