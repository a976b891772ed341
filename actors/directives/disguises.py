"""Ways of writing that hide a word from a search: markup inside it, line breaks, spelling out, look-alike letters.

Works on folded texts and yields them again as they read; a draft that a model wrote has such things by accident,
and what is read out or shown is the word all the same. Knows nothing of topics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...protocols.scripts import HAN, HANGUL, KANA
from .folding import Folded

MAX_NOISE: Final = 3
"""Most characters of markup or of a line's end at one place inside a word, such as "**"."""

_MARKS: Final = "*_~|\u00b7\u30fb\u2027\u2022\u2219\u22c5"
_MARKUP: Final = re.escape(_MARKS)
_NOISE: Final = re.compile(
    # Inside a word of letters: markup, or a hyphen at the end of a line.
    rf"(?<=[^\W_])(?:[{_MARKUP}]{{1,{MAX_NOISE}}}|-\s?\n\s?)(?=[^\W_])"
    # Between characters of scripts without blanks: blanks, line breaks, dots and hyphens as well.
    rf"|(?<=[{HAN}{KANA}])[\s{_MARKUP}-]{{1,{MAX_NOISE}}}(?=[{HAN}{KANA}])"
    rf"|(?<=[{HANGUL}])[\n{_MARKUP}-]{{1,{MAX_NOISE}}}(?=[{HANGUL}])"
)
_GAP: Final = re.compile(rf"[{HAN}{KANA}{HANGUL}][\s-]")
_SPELLED: Final = re.compile(r"(?<![^\W_])[^\W_](?:([ .*_-])[^\W_])(?:\1[^\W_]){2,}(?![^\W_])")
"""A word letter by letter, with the same sign between all of them: "M-a-r-c-u-s"."""

LEAST_SPELLED: Final = 4
"""Fewest letters of a word that is spelled out; fewer stand side by side by chance."""

_FOREIGN: Final = re.compile("[\u0370-\u03ff\u0400-\u052f\u0131\u0251\u0261]")
_MIXED_WORD: Final = re.compile("[a-z\u0131\u0251\u0261\u0370-\u03ff\u0400-\u052f]+")
_LATIN: Final = re.compile("[a-z\u0131\u0251\u0261]")
_CYRILLIC: Final = re.compile("[\u0400-\u052f]")

_TO_LATIN: Final = str.maketrans(
    "авекмнорстухіјѕһԁԛԝьαβεζηικμνορτυχγωıɑɡ",
    "abekmhopctyxijshdqwbabezhikmnoptyxywiag",
)
"""Cyrillic and Greek letters that look like Latin ones, in capitals or not (source: UTS 39, confusables)."""

_GREEK_SMALL: Final = {"ν": "v", "υ": "u", "η": "n"}
"""Greek letters whose small forms look like another letter than their capitals."""

_TO_CYRILLIC: Final = str.maketrans("abekmhopctyxijs", "авекмнорстухіјѕ")


def as_read(text: str, folded: Folded, single_letters: int) -> Iterator[Folded]:
    """Yield the other ways in which a text reads, each with the way back; none for plain writing.

    Costs a few searches where nothing is hidden, and time linear in the length otherwise.

    Args:
        text: the text.
        folded: its folded form.
        single_letters: how many of its words are a single letter.
    """
    # Each test is a search in C for a sign that most texts lack: this runs for every draft.
    ascii_only = folded.text.isascii()
    if (
        "\n" in folded.text
        or any(mark in folded.text for mark in _MARKS)
        or (not ascii_only and _GAP.search(folded.text))
    ):
        joined = _without(folded, [match.span() for match in _NOISE.finditer(folded.text)])
        if joined is not None:
            yield joined
    if single_letters >= LEAST_SPELLED:
        signs = [
            (at, at + 1)
            for match in _SPELLED.finditer(folded.text)
            for at in range(match.start() + 1, match.end(), 2)
        ]
        if (joined := _without(folded, signs)) is not None:
            yield joined
    if not ascii_only and _FOREIGN.search(folded.text):
        yield from _in_one_script(text, folded)


def without_noise(term: str) -> str:
    """Return a folded term without what may stand between its parts in one text and not in another."""
    return _NOISE.sub("", term)


def _without(folded: Folded, spans: list[tuple[int, int]]) -> Folded | None:
    """Return a folded text without some of its stretches, which are in order; None if there are none."""
    if not spans:
        return None
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    behind = 0
    for start, end in (*spans, (len(folded.text), len(folded.text))):
        texts.append(folded.text[behind:start])
        starts += folded.starts[behind:start]
        ends += folded.ends[behind:start]
        behind = end
    return Folded("".join(texts), starts, ends)


def _in_one_script(text: str, folded: Folded) -> Iterator[Folded]:
    """Yield a text with the words that could be Latin ones in Latin letters, and with mixed ones in Cyrillic."""
    latin: list[str] = []
    cyrillic: list[str] = []
    behind = 0
    for word in _MIXED_WORD.finditer(folded.text):
        start, written = word.start(), word.group()
        if not _FOREIGN.search(written):
            continue
        read = "".join(
            _GREEK_SMALL[char] if char in _GREEK_SMALL and text[folded.starts[at]].islower() else char
            for at, char in enumerate(written, start)
        ).translate(_TO_LATIN)
        between = folded.text[behind:start]
        latin += [between, written if _FOREIGN.search(read) else read]
        mixed = _LATIN.search(written) and _CYRILLIC.search(written)
        cyrillic += [between, written.translate(_TO_CYRILLIC) if mixed else written]
        behind = word.end()
    rest = folded.text[behind:]
    for pieces in (latin, cyrillic):
        if (read := "".join((*pieces, rest))) != folded.text:
            yield Folded(read, folded.starts, folded.ends)
