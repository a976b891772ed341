"""The canonical form by which two statements are one, and the id that follows from it.

Conservative: what is dropped here makes two sayings one fact for ever, so a doubt keeps them apart.
Order, negation, tense, numbers, prepositions and names always remain. For likeness see `tokens`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import Final

from .contractions import expand
from .fillers import is_filler, merge, without_fillers
from .records import FactId
from .scopes import Subject
from .scripts import UNSPACED, WORD

_IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]",
)
_ALIKE: Final = str.maketrans("\u2018\u2019\u02bc\u2032`\u2010\u2011\u2012\u2013\u2212", "'''''-----")
_LETTER: Final = rf"(?:(?!{UNSPACED.pattern}){WORD})"
_TOKEN: Final = re.compile(
    rf"(?P<unspaced>{UNSPACED.pattern}+)"
    rf"|(?P<word>(?:(?:(?<!{WORD})-)?[0-9]+(?:[.,:/-][0-9]+)*{_LETTER}*|{_LETTER}+)(?:'{_LETTER}+)*)"
    r"|(?P<other>\S)",
)
_KEPT_PUNCTUATION: Final = frozenset("#%&@")
_INSIDE: Final = frozenset("'\"-_\u2014\u2015")
"""Punctuation that stands inside a phrase and so doesn't part it; opening and closing quotes do neither."""

_ENDS: Final = ".!? "
"""What ends a sentence behind which nothing comes: words and blanks before it take no closer look."""

CACHED_KEYS: Final = 1 << 15
"""Texts whose canonical form is remembered: finding one takes up to 0.1 ms, and texts are compared many times."""

CACHED_CHARS: Final = 512
"""Longest of these, in characters, so that the memory stays bounded; a statement is rarely longer."""


CACHED_LONG: Final = 4
"""Longer texts whose form is remembered: whole turns, each compared with every statement that is made of it."""


def statement_key(text: str) -> str:
    """Return the canonical form of a statement; two statements are one exactly where theirs are equal.

    Width, case, Unicode form, punctuation, blanks, English contractions and articles, and words that
    only fill or intensify disappear. The form of a canonical form is itself. Where nothing would
    be left, the folded words stand.
    """
    return _remembered(text) if len(text) <= CACHED_CHARS else _remembered_long(text)


def fact_id(subject: Subject, speaker_key: str, key: str) -> FactId:
    """Return the id of the fact that a speaker states to a subject: `fact_` and 64 bits of SHA-256 in hex.

    Args:
        subject: whose memory it belongs to.
        speaker_key: `Speaker.key`, or an empty string for the owner.
        key: the statement's canonical form.
    """
    digest = hashlib.sha256(f"{subject}\0{speaker_key}\0{key}".encode())
    return FactId(f"fact_{digest.hexdigest()[:16]}")


def _key(text: str) -> str:
    before, key = "", _reduced(folded := _fold(text))
    # What a reduction left as it was, another leaves so too.
    while key not in {before, folded}:
        before, key = key, _reduced(folded := _fold(key))
    return key


_remembered: Final = lru_cache(maxsize=CACHED_KEYS)(_key)
_remembered_long: Final = lru_cache(maxsize=CACHED_LONG)(_key)


def _reduced(folded: str) -> str:
    segments = _segments(folded)
    words = [word for segment in segments if not is_filler(segment) for word in segment]
    kept = without_fillers(words)
    return " ".join(kept or merge([word for segment in segments for word in segment]))


def _fold(text: str) -> str:
    """Return a text in one case and one compatible form, without invisible characters."""
    if text.isascii():
        return text.lower().translate(_ALIKE)
    folded = text
    while True:
        before = folded
        folded = unicodedata.normalize("NFKC", _IGNORABLE.sub("", folded)).casefold().translate(_ALIKE)
        if folded == before:
            return folded


def _segments(folded: str) -> list[list[str]]:
    """Return the tokens, with their contractions written out, parted where punctuation parts phrases."""
    plain = folded.rstrip(_ENDS)
    if plain.isascii() and plain.replace(" ", "").isalnum():
        return [expand(plain.split())]
    segments: list[list[str]] = [[]]
    for match in _TOKEN.finditer(folded):
        token = match.group()
        if match.lastgroup != "other" or _is_symbol(token):
            segments[-1].append(token)
        elif _parts(token) and segments[-1]:
            segments.append([])
    return [expand(segment) for segment in segments if segment]


def _is_symbol(char: str) -> bool:
    return char in _KEPT_PUNCTUATION or unicodedata.category(char)[0] in "SMLN"


def _parts(char: str) -> bool:
    return char not in _INSIDE and unicodedata.category(char) not in {"Pi", "Pf"}
