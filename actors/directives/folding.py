"""One form for all the ways in which a term can be written, and the way back to where it stood.

Owns what counts as the same writing: width, case, Unicode form, accents, traditional and simplified
Chinese, katakana and hiragana, invisible characters. Knows nothing of words or languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from ...protocols.scripts import HANGUL, KANA, MARKS, simplified

INVISIBLE: Final = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
"""Characters that show nothing: soft hyphens, joiners, direction marks, selectors. For a character class."""

CACHED_TERMS: Final = 1 << 12
"""Terms whose keys are remembered: what is said is said again, and each rule asks for it."""

MAX_REPLACED: Final = 24
"""Most kinds of characters of a text that are replaced one by one, which is faster than a table for all."""

_INVISIBLE: Final = re.compile(rf"[{INVISIBLE}]")
_HALF_WIDTH_VOICING: Final = re.compile("[\uff9e\uff9f]")
_CLUSTER: Final = re.compile(rf"[{HANGUL}]+|.[{MARKS}\u3099\u309a\uff9e\uff9f]*", re.DOTALL)
"""A character with the marks on it; Hangul runs stay whole, because loose jamo join to syllables."""

_COMPOSED: Final = re.compile(rf"[{HANGUL}{KANA}\u3099\u309a\u0400-\u052f]")
"""Scripts whose marks make other letters: Hangul, kana with their voicing marks, Cyrillic with й."""

_SEPARATE: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        "\u0153": "oe",
        "\u00e6": "ae",
        "\u0451": "\u0435",
        "\u59b3": "\u4f60",
    },
)
"""Look-alikes and letters that don't decompose: quotes, dashes, œ, æ, ё (mostly written е), 妳 (also 你)."""

_KATAKANA_TO_HIRAGANA: Final = {code: code - 0x60 for code in (*range(0x30A1, 0x30F7), 0x30FD, 0x30FE)}


class Folded(NamedTuple):
    """A folded text with the way back.

    `starts[i]` and `ends[i]` are where the character that became `text[i]` begins and ends in the
    original (code points).
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where the folded characters from `start` to before `end` stand in the original."""
        return self.starts[start], self.ends[end - 1]


@lru_cache(CACHED_TERMS)
def fold_term(term: str) -> str:
    """Return the key of a term: terms of one key are one directive.

    Width, case, Unicode form, accents, invisible characters, traditional or simplified characters and
    the kind of kana are gone, and blanks are single. Accents go because people leave them out when they
    type quickly ("Jose", "politica"), and a topic that is named without its accent hurts as much; the
    voicing marks of kana and the breve of й stay, since they make other letters. Plurals, possessives
    and determiners stay: they belong to matching, where a language's rules can be applied.
    The key of a key is itself.
    """
    return " ".join(fold(term).text.split())


def fold(text: str) -> Folded:
    """Return a text folded character by character, in time linear in its length."""
    if unicodedata.is_normalized("NFC", text) and not _HALF_WIDTH_VOICING.search(text):
        joined = _fold_chars(text)
        if _ODD not in joined:
            return Folded(joined, range(len(text)), range(1, len(text) + 1))
        folded = [_fold_piece(char) for char in text]
        widths = [1] * len(text)
    else:
        clusters = _CLUSTER.findall(text)
        folded = [_fold_piece(cluster) for cluster in clusters]
        widths = [len(cluster) for cluster in clusters]
    ends = list(accumulate(widths))
    repeated = [len(piece) for piece in folded]
    return Folded(
        "".join(folded),
        [end - width for end, width, times in zip(ends, widths, repeated, strict=True) for _ in range(times)],
        [end for end, times in zip(ends, repeated, strict=True) for _ in range(times)],
    )


def _fold_chars(text: str) -> str:
    """Return a text with each character folded, or `_ODD` where that is not one character."""
    changed = [char for char in set(text) if _PIECES[ord(char)] != char]
    if len(changed) > MAX_REPLACED:
        return text.translate(_PIECES)
    # A folded character folds to itself, so that the order of the replacements doesn't matter.
    for char in changed:
        text = text.replace(char, _PIECES[ord(char)])
    return text


def visible(text: str) -> str:
    """Return a text without its invisible characters."""
    return _INVISIBLE.sub("", text)


@lru_cache(1 << 14)
def _fold_piece(piece: str) -> str:
    """Return the folded form of one character with its marks; empty where it shows nothing."""
    seen = _INVISIBLE.sub("", piece)
    folded = seen
    while True:
        before = folded
        composed = unicodedata.normalize("NFKC", _INVISIBLE.sub("", folded)).casefold().translate(_SEPARATE)
        folded = "".join(map(_bare, unicodedata.normalize("NFC", composed)))
        folded = simplified(folded.translate(_KATAKANA_TO_HIRAGANA))
        if folded == before:
            return folded


def _bare(char: str) -> str:
    """Return a character without accents; outside of the scripts that need their composed letters, in parts."""
    if _COMPOSED.match(char):
        return char
    parts = unicodedata.normalize("NFD", char)
    return "".join(part for part in parts if not unicodedata.combining(part))


class _Pieces(dict[int, str]):
    """Folded forms of single characters by code point, filled as they come: a table for `str.translate`.

    Holds `_ODD` for a character whose form is not one character long, since then positions shift.
    """

    def __missing__(self, code: int) -> str:
        folded = _fold_piece(chr(code))
        self[code] = folded if len(folded) == 1 else _ODD
        return self[code]


_ODD: Final = "\ue000"
"""A character for private use: a text that has it as its own only takes the slower way."""

_PIECES: Final = _Pieces()
