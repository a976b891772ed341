"""A statement of several clauses as statements of one clause each, in the words in which it was said.

"I live in Turin and work as a courier" is "I live in Turin" and "I work as a courier": a clause without a subject
gets the one before it, and "she" becomes "my sister" where only she can be meant. Where a rule is in doubt, the
statement stays whole; conditions, reasons and quotations always do. Every word of a statement is one of the text.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from ..scripts import CJK, KANA
from . import chinese_compound, english_compound, japanese_compound

MAX_CHARS: Final = 600
"""Longest statement that is parted (characters): a longer one is a story, and its clauses lean on one another."""

_KANA: Final = re.compile(f"[{KANA}]")
_QUOTING: Final = re.compile('["“”「」『』«»„]')


class Compound(Struct, frozen=True):
    """The statements in a text, and the subject that a pronoun in the next sentence would mean, if any."""

    statements: tuple[str, ...]
    antecedent: str = ""


def statements_in(text: str) -> tuple[str, ...]:
    """Return the statements of one clause that a text makes, in reading order; the text itself where it is one."""
    return parted(text).statements


def parted(text: str, antecedent: str = "") -> Compound:
    """Return the statements that one sentence makes, and whom a pronoun after it means.

    Args:
        text: one sentence.
        antecedent: whom a pronoun in it means, as the sentence before says.
    """
    if len(text) > MAX_CHARS or _QUOTING.search(text) or not text.strip():
        return Compound((text,))
    if _KANA.search(text):
        return Compound(japanese_compound.statements(text))
    rules = chinese_compound if CJK.search(text) else english_compound
    said: list[str] = []
    for piece in rules.pieces(text):
        resolved = rules.resolved(piece, antecedent) if antecedent else piece
        antecedent = rules.antecedent(resolved) or (antecedent if resolved != piece else "")
        said.append(resolved)
    return Compound(tuple(said), antecedent)
