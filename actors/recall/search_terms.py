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
from typing import Final

import snowballstemmer

from ...protocols.tokens import CACHED_WORDS, MAX_STEMMED_CHARS, terms
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
    found = [_BASES_OF.get(term, term) for term in terms(without_accents(text))]
    if not text.isascii():
        found = [_stem_russian(term) if _CYRILLIC.fullmatch(term) else term for term in found]
    return [term for term in found if term not in leave_out] or found


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
