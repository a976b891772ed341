"""Whether what was found is what was expected. Pure; a mismatch says both in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from ...protocols.text import fold

SHOWN_TEXTS: Final = 5
"""Most texts that a mismatch quotes."""

SHOWN_CHARS: Final = 100
"""Longest quotation in a mismatch (characters)."""


class Mismatch(Struct, frozen=True, kw_only=True):
    """One expectation that isn't met. `expected` is empty where nothing particular was expected."""

    expected: str
    found: str

    def __str__(self) -> str:
        return f"expected {self.expected}, found {self.found}" if self.expected else self.found


def contains(text: str, part: str) -> bool:
    """Return whether a text contains a part, without regard to case, width and the length of blanks."""
    return fold(part) in fold(text)


def check_texts(
    texts: Sequence[str],
    *,
    what: str,
    has: Sequence[str] = (),
    lacks: Sequence[str] = (),
    first: str | None = None,
    count: int | None = None,
) -> list[Mismatch]:
    """Return every expectation on a list of texts that isn't met.

    Args:
        texts: what was found, in order.
        what: how messages call one of them.
        has: parts of which each must be contained in a text.
        lacks: parts of which none may be contained in a text.
        first: part that the first text must contain.
        count: how many texts there must be.
    """
    found = _list(texts, what)
    mismatches = [
        Mismatch(expected=f"a {what} with {part!r}", found=found)
        for part in has
        if not any(contains(text, part) for text in texts)
    ]
    mismatches += [
        Mismatch(expected=f"no {what} with {part!r}", found=quote(offending))
        for part in lacks
        if (offending := next((text for text in texts if contains(text, part)), None)) is not None
    ]
    if first is not None and not (texts and contains(texts[0], first)):
        mismatches.append(Mismatch(expected=f"{first!r} in the first {what}", found=found))
    if count is not None and len(texts) != count:
        mismatches.append(Mismatch(expected=_many(count, what), found=found))
    return mismatches


def quote(text: str) -> str:
    """Return a text in quotes, shortened."""
    return repr(text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1] + "…")


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _list(texts: Sequence[str], what: str) -> str:
    if not texts:
        return f"no {what}"
    shown = "; ".join(quote(text) for text in texts[:SHOWN_TEXTS])
    rest = f" and {len(texts) - SHOWN_TEXTS} more" if len(texts) > SHOWN_TEXTS else ""
    return f"{_many(len(texts), what)}: {shown}{rest}"
