"""Where one sentence ends and the next begins, in chat as people type it.

Rule-based, over all scripts at once, and in one pass. The sentences are pieces of the text. (Of the
maintained libraries, sentencex 1.0 was tried: it knows more abbreviations, but parts no sentence at
"!!", "?!", an ellipsis or a line's end, which is where chat ends them.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....protocols.scripts import CJK, words

_CLOSERS: Final = "\"'”’»）)」』】]"
_END: Final = re.compile(rf"[.!?。！？｡．…]+[{re.escape(_CLOSERS)}]*")
_FULL_WIDTH: Final = re.compile("[。！？｡．]")
_LOUD: Final = re.compile("[!?]")
_ELLIPSIS: Final = re.compile(r"\.\.|…")

_OPENING: Final = {"“": "”", "「": "」", "『": "』", "«": "»", "（": "）", "(": ")", "《": "》", "【": "】"}
_CLOSING: Final = frozenset(_OPENING.values())
_QUOTE_MARK: Final = re.compile(r'["“”「」『』«»（）()《》【】]')

_NEVER_LAST: Final = words("mr mrs ms mx dr prof rev gen col lt sgt capt gov sen rep hon mt ft hr fr sr sra herr")
_SELDOM_LAST: Final = words(
    "st ave rd blvd vs etc approx inc ltd co corp dept est fig vol jr jan feb mar apr jun jul aug sep sept "
    "oct nov "
    "dec mon tue tues wed thu thur thurs fri min max tel ca bzw usw evtl ggf inkl nr z.b",
)
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_STARTERS: Final = words(
    "i i'm i've i'd i'll my we our he she his her it it's its they their the this that there these you "
    "your but and "
    "so what where when who why how do does did is are was then now also",
)
_MONTHS: Final = words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember "
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta",
)
_LAST_WORD: Final = re.compile(r"[^\s(\[\"“'«]+$")
_NEXT_WORD: Final = re.compile(r"\s*[\"“'«(]*([^\W\d_]+(?:'[a-z]+)?)")
_NEXT_DIGIT: Final = re.compile(r"\s*[0-9]")
_VISIBLE: Final = re.compile(r"\S")
_LONGEST_ABBREVIATION: Final = 12


def sentences(text: str) -> list[str]:
    """Return the sentences of a text in order, trimmed, none of them blank. A line's end ends a sentence."""
    return [sentence for line in text.splitlines() for sentence in _line(line)]


def _line(line: str) -> Iterator[str]:
    quoted = _quoted(line)
    start = 0
    for match in _END.finditer(line):
        if _ends(line, match, quoted):
            yield from _trimmed(line[start : match.end()])
            start = match.end()
    yield from _trimmed(line[start:])


def _trimmed(piece: str) -> Iterator[str]:
    if sentence := piece.strip():
        yield sentence


def _quoted(line: str) -> dict[int, int]:
    """Return, for each character inside a quotation or brackets that are closed, the index after the close.

    Only characters that may end a sentence are listed.
    """
    spans: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    straight = -1
    for match in _QUOTE_MARK.finditer(line):
        mark = match.group()
        if mark == '"':
            if straight < 0:
                straight = match.start()
            else:
                spans.append((straight, match.end()))
                straight = -1
        elif mark in _OPENING:
            stack.append((_OPENING[mark], match.start()))
        elif stack and stack[-1][0] == mark:
            _, opened = stack.pop()
            spans.append((opened, match.end()))
    return _covered(line, sorted(spans))


def _covered(line: str, spans: list[tuple[int, int]]) -> dict[int, int]:
    covered: dict[int, int] = {}
    at = 0
    until = 0
    for match in _END.finditer(line):
        while at < len(spans) and spans[at][0] <= match.start():
            until = max(until, spans[at][1])
            at += 1
        if match.start() < until:
            covered[match.start()] = until
    return covered


def _ends(line: str, match: re.Match[str], quoted: dict[int, int]) -> bool:
    after = line[match.end() : match.end() + 1]
    until = quoted.get(match.start())
    if until is not None:
        return until == match.end() and _ends_after_quote(line, match.end())
    mark = match.group()
    if _FULL_WIDTH.search(mark):
        return not (mark[-1] in _CLOSERS and after in {"と", "っ", "て", "の"})
    if not after or _LOUD.search(mark):
        return True
    if _ELLIPSIS.search(mark):
        word = line[match.end() : match.end() + 2].strip()
        return not word or word[0].isupper() or CJK.match(word) is not None
    return _full_stop_ends(line, match, after)


def _ends_after_quote(line: str, at: int) -> bool:
    """Return whether a quotation that ends with a full stop ends the sentence around it too."""
    following = _VISIBLE.search(line, at)
    if following is None:
        return True
    char = following.group()
    return following.start() > at and (char.isupper() or CJK.match(char) is not None)


def _full_stop_ends(line: str, match: re.Match[str], after: str) -> bool:
    before = line[max(0, match.start() - _LONGEST_ABBREVIATION) : match.start()]
    if not after.isspace():
        glued = after.isupper() and before[-2:].isalpha() and before[-2:].islower()
        return glued or CJK.match(after) is not None
    found = _LAST_WORD.search(before)
    word = found.group().lower() if found else ""
    following = _NEXT_WORD.match(line, match.end())
    next_word = following.group(1) if following else ""
    if word in _NEVER_LAST:
        return False
    if word in _SELDOM_LAST or (word != "i" and _INITIALS.fullmatch(word)):
        return next_word.lower() in _STARTERS and next_word[:1].isupper()
    if word == "no" and _NEXT_DIGIT.match(line, match.end()):
        return False
    return not (word.isdigit() and len(word) <= len("31") and next_word.lower() in _MONTHS)
