"""How stored things look on a terminal: as data, never as instructions to it.

Everything that people said passes `printable` on its way out. Pure, but for `show` and `show_each`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, TypeVar

from rich.table import Table
from rich.text import Text

from ...protocols.messages import Hit, MemoryKind
from ...protocols.records import Speaker
from .invocation import Invocation

T = TypeVar("T")

_BIDI_CONTROLS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that reorder what is around them (Unicode UAX #9), with which a text can pose as another."""

_STEPS: Final = ((60.0, "second"), (60.0, "minute"), (24.0, "hour"), (7.0, "day"), (52.0, "week"))
"""How many of each unit make one of the next."""

_NOW_S: Final = 10.0
"""What is less than this away (seconds) is called now."""

SHORT_ID_CHARS: Final = 8
"""Characters of an id's random part that tables show; commands take any beginning that is unique."""


def printable(text: str) -> str:
    """Return a text on one line in which nothing can command a terminal.

    Blanks of every kind become a space; control characters, lone surrogates and characters that turn
    the writing direction become visible escapes.
    """
    return "".join(_visible(char) for char in text)


def ago(at: float, now: float) -> str:
    """Return how long before `now` something was, such as `3 hours ago`; both in seconds since the epoch."""
    amount, unit = abs(now - at), "year"
    if amount < _NOW_S:
        return "now"
    for size, its_unit in _STEPS:
        if amount < size:
            unit = its_unit
            break
        amount /= size
    span = counted(int(amount), unit)
    return f"{span} ago" if at <= now else f"in {span}"


def counted(count: int, thing: str) -> str:
    """Return a count with its thing in the singular or plural, such as `2 turns`."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def date(at: float) -> str:
    """Return the day (UTC) of a time in seconds since the epoch, as `2 Mar 2026`."""
    try:
        moment = datetime.fromtimestamp(at, UTC)
    except (OverflowError, OSError, ValueError):
        return f"{at:g} s"
    return f"{moment.day} {moment:%b %Y}"


def short_id(record_id: str) -> str:
    """Return the beginning of an id, long enough to tell it from others in one table."""
    kind, underscore, rest = record_id.partition("_")
    return f"{kind}_{rest[:SHORT_ID_CHARS]}" if underscore else record_id[:SHORT_ID_CHARS]


def speaker_name(speaker: Speaker | None) -> str:
    """Return how a speaker is called in tables."""
    return "owner" if speaker is None else speaker.label or speaker.key


def teller_name(hit: Hit) -> str:
    """Return how whoever said a memory is called in tables; a judgement is the character's own."""
    return "itself" if hit.kind is MemoryKind.REFLECTION else speaker_name(hit.speaker)


def show(invocation: Invocation, columns: Sequence[str], rows: Iterable[Sequence[str]], *, empty: str) -> None:
    """Print rows as a table on a terminal, and elsewhere as lines with tabs between the cells.

    Args:
        invocation: whose output it is.
        columns: headings; the last column takes the room that is left.
        rows: cells as text of any origin.
        empty: what is printed where there are no rows.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    if not cells:
        invocation.line(empty)
    elif invocation.out.is_terminal:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for at, column in enumerate(columns):
            table.add_column(column, no_wrap=at < len(columns) - 1, overflow="fold")
        for row in cells:
            table.add_row(*(Text(cell) for cell in row))
        invocation.out.print(table)
    else:
        for row in [[*columns], *cells] if len(columns) > 1 else cells:
            invocation.line("\t".join(row))


def show_each(
    invocation: Invocation,
    items: Sequence[T],
    columns: Sequence[str],
    row: Callable[[T], Sequence[str]],
    *,
    empty: str,
) -> None:
    """Print each item as a JSON document on a line, where that is asked for, or as a row. See `show`."""
    if invocation.as_json:
        for item in items:
            invocation.emit(item)
    else:
        show(invocation, columns, map(row, items), empty=empty)


def _visible(char: str) -> str:
    category = unicodedata.category(char)
    if char in "\t\n\r" or category in {"Zl", "Zp"}:
        return " "
    if category in {"Cc", "Cs"} or char in _BIDI_CONTROLS:
        return char.encode("ascii", "backslashreplace").decode() if ord(char) > 0x7F else f"\\x{ord(char):02x}"
    return char
