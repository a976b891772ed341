"""Where a sentence ends, in a whole text and in one that still grows.

Knows the marks that end sentences and the abbreviations that only look like it; knows nothing of
what is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

MAX_CHARS: Final = 300
"""Longest piece that phrases are looked for in (characters). It bounds what a pattern can cost, so that the
cost of a text grows with its length alone; spoken sentences are rarely half as long."""

CLOSERS: Final = "\"'\u201d\u2019\u00bb)\\]\uff09\u3011\u300b\u300d\u300f\uff3d}"
"""Marks that still belong to the sentence after its end mark, for a character class."""

WIDE_ENDS: Final = "\u3002\uff01\uff1f\uff61"
"""End marks after which no blank follows."""

_ABBREVIATION: Final = (
    r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bSr)(?<!\bJr)(?<!\bMrs)(?<!\bProf)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)"
)
END: Final = re.compile(
    rf"(?:{_ABBREVIATION}\.|[!?\u2026])[.!?\u2026]*[{CLOSERS}]*(?=\s)|[{WIDE_ENDS}][{WIDE_ENDS}!?\u2026]*[{CLOSERS}]*|\n"
)
"""The end of a sentence: its marks, with the closing marks after them."""

_QUOTED: Final = "|".join(
    rf"{opening}[^{closing}\n]{{1,60}}{closing}"
    for opening, closing in ('""', "\u201c\u201d", "\u300c\u300d", "\u300e\u300f", "\u300a\u300b", "\u00ab\u00bb")
)
_OPENINGS: Final = '"\u201c\u300c\u300e\u300a\u00ab'
_MARKS: Final = r".!?\u2026;\uff1b"
_PIECE: Final = re.compile(
    rf"(?:[^{_OPENINGS}{_MARKS}\n{WIDE_ENDS}]++|{_QUOTED}|[{_OPENINGS}]|{_ABBREVIATION}[{_MARKS}]+(?!\s|$)"
    rf"|(?<=\bMr|\bMs|\bDr|\bSt|\bSr|\bJr)\.)++"
    rf"(?:[{_MARKS}{WIDE_ENDS}]+[{CLOSERS}]*)?",
)
_BREAK: Final = re.compile(r"[\s,\uff0c\u3001]")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text with their end marks, each of at most `MAX_CHARS` characters.

    An end mark inside short quotes or brackets belongs to what is quoted. A longer sentence comes in
    pieces, broken at a blank or a comma where there is one.
    """
    for match in _PIECE.finditer(text):
        start, end = match.span()
        while end - start > MAX_CHARS:
            cut = _last_break(text, start)
            if piece := text[start:cut].strip():
                yield piece
            start = cut
        if piece := text[start:end].strip():
            yield piece


def _last_break(text: str, start: int) -> int:
    breaks = [found.end() for found in _BREAK.finditer(text, start + MAX_CHARS // 2, start + MAX_CHARS)]
    return breaks[-1] if breaks else start + MAX_CHARS
