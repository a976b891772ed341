"""Texts as terms for ranking: stemmed words, and character bigrams where words have no blanks between them.

For ranking only. Whether two statements are one is decided in `statements`, on much more than terms.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
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
    rf"{_CJK_RUN}"
    rf"|[0-9]+(?:[.,][0-9]+)+(?!{WORD})"
    rf"|{_PART}(?:'{_PART})*",
)
_ASCII_TOKEN: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)+(?![0-9a-z])|[0-9a-z]+(?:'[0-9a-z]+)*")
"""What `_TOKEN` finds in a folded text of ASCII characters alone, several times as fast."""
_POINTED: Final = re.compile("[0-9][.,][0-9]")
_PLAIN: Final = bytes(
    ord("'" if char in "'`" else char.lower() if char.isalnum() else " ") for char in map(chr, range(128))
).ljust(256)
"""What each ASCII character becomes where a text is parted at its blanks."""
_UNSPACED: Final = re.compile(_CJK_RUN)
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
    parts = [
        _cached_terms(token) if len(token) <= MAX_STEMMED_CHARS else terms_of(token) for token in tokens_of(text)
    ]
    content = list(chain.from_iterable([meaning for meaning, _ in parts]))
    if leave_out:
        content = [term for term in content if term not in leave_out] or content
    return content or list(chain.from_iterable([everything for _, everything in parts]))


def distinct_terms(text: str) -> list[str]:
    """Return the terms that `terms` returns, each once, in reading order; a word that recurs costs nothing."""
    parts = [
        _cached_terms(token) if len(token) <= MAX_STEMMED_CHARS else terms_of(token)
        for token in dict.fromkeys(tokens_of(text))
    ]
    content = dict.fromkeys(chain.from_iterable([meaning for meaning, _ in parts]))
    return list(content or dict.fromkeys(chain.from_iterable([everything for _, everything in parts])))


def words_of(text: str) -> list[str]:
    """Return the words of a text as the lists of stop words are written: folded, unstemmed, in reading order."""
    return [word for token in tokens_of(text) for word in (token, *token.split("'")) if word]


def tokens_of(text: str) -> list[str]:
    """Return the words, the numbers and the runs of characters without blanks, folded, in reading order."""
    straight = text if text.isascii() else text.translate(_APOSTROPHES)
    if straight.isascii():
        return _ascii_tokens(straight)
    folded = unicodedata.normalize("NFKC", straight).casefold()
    folded = unicodedata.normalize("NFKC", folded).translate(_APOSTROPHES)
    return [match.group() for match in _TOKEN.finditer(folded)]


def _ascii_tokens(text: str) -> list[str]:
    """Return what `_ASCII_TOKEN` finds in a folded text, by splitting at once where no number has a point."""
    plain = text.encode("ascii").translate(_PLAIN).decode("ascii")
    if "''" in plain or (("." in text or "," in text) and _POINTED.search(text)):
        return _ASCII_TOKEN.findall(text.lower().replace("`", "'"))
    tokens = plain.split()
    if "'" not in plain or ("' " not in plain and " '" not in plain and plain[0] != "'" != plain[-1]):
        return tokens
    return [bare for token in tokens if (bare := token.strip("'"))]


def terms_of(token: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the terms of one of `tokens_of` that aren't stop words, and all its terms."""
    if token.isascii() and token.isalnum():
        one = (_stem(token),)
        return () if token in ENGLISH else one, one
    if _UNSPACED.match(token):
        pairs = tuple(token[at : at + 2] for at in range(max(1, len(token) - 1)))
        return pairs, pairs
    words = [(token, False)] if "." in token or "," in token else list(_parted(token))
    return tuple(word for word, is_stop in words if not is_stop), tuple(word for word, _ in words)


_cached_terms: Final = lru_cache(CACHED_WORDS)(terms_of)


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
