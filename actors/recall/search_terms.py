"""Texts as the terms by which memories are found: those of `tokens`, and more alike than these.

A question and what answers it are seldom written alike, and a search that finds too much is only ranked. What is
compared for anything else (topics, claims, corrections) keeps the terms of `tokens`. Pure.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Final

import snowballstemmer

from ...protocols.tokens import CACHED_WORDS, MAX_STEMMED_CHARS, terms, terms_of, tokens_of
from ...protocols.word_forms import BASES

_ACCENTS: Final = re.compile("(?<=[a-z])[\u0300-\u036f]+|(?<=\u0435)\u0308")
"""Accents of Latin letters, and those of ё, which people leave out when they type."""

_CYRILLIC: Final = re.compile("[\u0430-\u044f]+")

_russian = snowballstemmer.stemmer("russian")
_stemming = threading.Lock()

_BASES_OF: Final[Mapping[str, str]] = {terms(form)[0]: terms(base)[0] for form, base in BASES.items()}
"""The stem of each base by those of its forms: "painters" is "painter" first, and belongs to "paint"."""


def search_terms(text: str, *, leave_out: frozenset[str] = frozenset()) -> list[str]:
    """Return the terms by which a text is found, in reading order, repetitions kept.

    Forms of an English word that no suffix tells have the term of their base, Russian words are stemmed, and
    accents of Latin letters don't count.

    Args:
        text: a query or a stored text; both go through this one function.
        leave_out: terms, made by this function, that say nothing here; they count where nothing else is left.
    """
    tokens = tokens_of(without_accents(text))
    found = list(chain.from_iterable(map(_meanings.__getitem__, tokens)))
    if not found:
        found = [_alike(term) for token in tokens for term in terms_of(token)[1]]
    return found if leave_out.isdisjoint(found) else [term for term in found if term not in leave_out] or found


def content_of(token: str) -> tuple[str, ...]:
    """Return the terms of one of the tokens of a text without accents, but for those that say nothing."""
    return _meanings[token]


class Meanings(dict[str, tuple[str, ...]]):
    """The terms of each token that was met, without those that say nothing; some `CACHED_WORDS` of them.

    Looked up by the thousand while everything is loaded, at half the cost of a function that remembers.
    """

    def __missing__(self, token: str) -> tuple[str, ...]:
        """Return the terms of a token that isn't among them, which it joins."""
        found = tuple(map(_alike, terms_of(token)[0]))
        if len(token) <= MAX_STEMMED_CHARS:
            if len(self) >= CACHED_WORDS:
                self.clear()
            self[token] = found
        return found


_meanings: Final = Meanings()


def _alike(term: str) -> str:
    """Return the term that stands for one of `tokens`."""
    base = _BASES_OF.get(term, term)
    return _stem_russian(base) if not base.isascii() and _CYRILLIC.fullmatch(base) else base


def without_accents(text: str) -> str:
    """Return a text folded to small letters without the accents of Latin ones; ASCII stays as it is."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold())))


@lru_cache(CACHED_WORDS)
def _stem_russian(word: str) -> str:
    if len(word) > MAX_STEMMED_CHARS:
        return word
    # A stemmer keeps the word that it is working on in itself, so two threads must not share it.
    with _stemming:
        stem: str = _russian.stemWord(word)
    return stem
