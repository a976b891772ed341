"""A clause without blanks read from left to right. Knows no language."""

from __future__ import annotations

import re
from typing import Final

from ..scripts import CJK
from ..tokens import terms

OWNER: Final = "\ue000"
"""Stands for the owner's name inside a clause (a private-use character, so that no text holds it)."""

_PIECE: Final = re.compile(rf"(?P<cjk>(?:{CJK.pattern})+)|(?P<word>[^\W_]+(?:[.,][0-9]+)*)")


class Scanner:
    """What is left of a clause, from which patterns are taken at the front."""

    def __init__(self, text: str) -> None:
        self.text = text

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Take the pattern from the front; None, and nothing taken, where it isn't there."""
        found = pattern.match(self.text)
        if found and found.end():
            self.text = self.text[found.end() :]
            return found
        return None


def with_owner(clause: str, names: frozenset[str]) -> str:
    """Return a clause without blanks beside unspaced characters and with `OWNER` for the owner's names."""
    for name in sorted(names, key=len, reverse=True):
        clause = clause.replace(name, OWNER)
    return re.sub(rf"(?<=[{OWNER}\u3000-\u9fff])\s+|\s+(?=[{OWNER}\u3000-\u9fff])", "", clause)


def pieces(text: str) -> tuple[str, ...]:
    """Return the unspaced runs and the stems of the spaced words in a text."""
    return tuple(
        found.group() if found.lastgroup == "cjk" else terms(found.group())[-1]
        for found in _PIECE.finditer(text.replace(OWNER, ""))
    )
