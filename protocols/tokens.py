"""Texts as terms for ranking: stemmed words, and character bigrams where words have no blanks between them.

For ranking only. Whether two statements are one is decided in `statements`, on much more than terms.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import snowballstemmer

from .scripts import HAN, HANGUL, KANA, MARKS, WORD
from .stopwords import ENGLISH

MAX_STEMMED_CHARS: Final = 40
"""Longest word that is stemmed and cached (characters). No word of a language with a stemmer is longer."""

CACHED_WORDS: Final = 1 << 16
"""Words whose stems are remembered; a speaker's active vocabulary is some 20,000."""

_CJK_RUN: Final = rf"[{HAN}{KANA}{HANGUL}]+"
_PART: Final = rf"(?:[^\W_{HAN}{KANA}{HANGUL}]++|[{MARKS}]++)++"
"""Letters and digits with their marks, outside of the scripts that become bigrams."""

_TOKEN: Final = re.compile(
    rf"(?P<cjk>{_CJK_RUN})"
    rf"|(?P<number>[0-9]+(?:[.,][0-9]+)+)(?!{WORD})"
    rf"|(?P<word>{_PART}(?:'{_PART})*)",
)
_APOSTROPHES: Final = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2032": "'", "`": "'"})
_LATIN: Final = re.compile(r"[a-z\u00df-\u024f]+")

_english = snowballstemmer.stemmer("english")
_stemming = threading.Lock()


def terms(text: str, *, leave_out: frozenset[str] = frozenset()) -> list[str]:
    """Return the terms that a text is ranked by, in reading order, repetitions kept.

    Words are folded (NFKC, case), English stop words are left out and words in Latin letters are
    stemmed with Snowball's English stemmer; a word with a digit or of another script stays as it is.
    Chinese, Japanese and Korean runs become overlapping bigrams of characters, and a lone character
    stands for itself.

    Args:
        text: a query or a stored text; both go through this one function.
        leave_out: terms, made by this function, that say nothing here, such as the names of the two
            who are talking.

    Returns:
        The terms. Where leaving out would leave none, the names count again, and after them the stop
        words, so that only a text without any word has no terms.
    """
    everything: list[str] = []
    content: list[str] = []
    for term, is_stop in _scan(text):
        everything.append(term)
        if not is_stop:
            content.append(term)
    return [term for term in content if term not in leave_out] or content or everything


def _scan(text: str) -> Iterator[tuple[str, bool]]:
    """Yield every term with whether it is a stop word."""
    folded = text.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    folded = folded.translate(_APOSTROPHES)
    for match in _TOKEN.finditer(folded):
        token = match.group()
        if match.lastgroup == "cjk":
            yield from ((token[at : at + 2], False) for at in range(max(1, len(token) - 1)))
        elif match.lastgroup == "number":
            yield token, False
        else:
            yield from _words(token) if len(token) <= MAX_STEMMED_CHARS else _parted(token)


@lru_cache(CACHED_WORDS)
def _words(token: str) -> tuple[tuple[str, bool], ...]:
    """Return the terms of a word, remembered."""
    return tuple(_parted(token))


def _parted(token: str) -> Iterator[tuple[str, bool]]:
    """Yield the terms of a word that may hold apostrophes."""
    if token in ENGLISH:
        yield _stem(token.partition("'")[0]), True
        return
    for word in token.removesuffix("'s").split("'"):
        yield _stem(word), word in ENGLISH


def _stem(word: str) -> str:
    if len(word) > MAX_STEMMED_CHARS or not _LATIN.fullmatch(word):
        return word
    return _stem_english(word)


@lru_cache(CACHED_WORDS)
def _stem_english(word: str) -> str:
    # A stemmer keeps the word that it is working on in itself, so two threads must not share it.
    with _stemming:
        stem: str = _english.stemWord(word)
    return stem
