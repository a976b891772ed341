"""How what people said stands in a request to a model: in segments that no text can leave or imitate.

Three layers, all needed. Each segment has a header with a nonce that is drawn after the texts exist; each line of
a text is prefixed; and whatever looks like a header inside a text is bent. Text that shows nothing is left out.
Knows no task. Pure: the nonce's randomness is an argument.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import Struct

from ....actors.briefing.quoting import without_hidden
from ....protocols.records import Role, Turn

NONCE_BYTES: Final = 4
"""Random bytes of a nonce (baseline: 4, written as 8 hexadecimal digits)."""

LABEL_CHARS: Final = 64
"""Longest label of a speaker, in characters (baseline: 64)."""

_IMITATION: Final = re.compile(r"[\[\uff3b]\s*(?=(?:SEGMENT|END)\b)", re.IGNORECASE)
_BRACKETS: Final = str.maketrans(dict.fromkeys("[]{}()|<>［］｛｝（）｜", " "))


class Line(Struct, frozen=True, kw_only=True):
    """One text of a segment, with what stands before it: a handle, a speaker, or both."""

    prefix: str
    text: str


class Segment(Struct, frozen=True, kw_only=True):
    """Texts of one kind. `title` is ours and says what they are."""

    title: str
    lines: tuple[Line, ...]


def fenced(segments: Iterable[Segment], random_bytes: Callable[[int], bytes]) -> str:
    """Return segments as they stand in a prompt.

    Args:
        segments: what to show, in order; one without lines is left out.
        random_bytes: returns so many unguessable bytes; called again while anything shown holds them.
    """
    shown = [segment for segment in segments if segment.lines]
    texts = [
        text
        for segment in shown
        for text in (segment.title, *(part for line in segment.lines for part in (line.prefix, line.text)))
    ]
    nonce = random_bytes(NONCE_BYTES).hex()
    while any(nonce in text for text in texts):
        nonce = random_bytes(NONCE_BYTES).hex()
    blocks = [
        "\n".join((f"[SEGMENT {number}:{nonce} | {segment.title}]", *_body(segment.lines)))
        for number, segment in enumerate(shown, start=1)
    ]
    return "\n\n".join((*blocks, f"[END {nonce}]"))


def label(text: str, otherwise: str) -> str:
    """Return a name as it may stand in a header or before a line; `otherwise` where nothing of it is left."""
    printable = "".join(char if char.isprintable() else " " for char in without_hidden(text))
    return " ".join(printable.translate(_BRACKETS).split())[:LABEL_CHARS].strip() or otherwise


def turns(spoken: Iterable[Turn], *, owner: str, character: str, handles: bool = False) -> tuple[Line, ...]:
    """Return turns as lines, each with who said it by the envelope's word, and with a handle if wanted."""
    return tuple(
        Line(
            prefix=f"t{number} {speaker}" if handles else speaker,
            text=turn.text,
        )
        for number, turn in enumerate(spoken, start=1)
        for speaker in (_speaker(turn, owner, character),)
    )


def _speaker(turn: Turn, owner: str, character: str) -> str:
    if turn.role is Role.CHARACTER:
        return label(character, "character")
    if turn.speaker is None:
        return label(owner, "owner")
    return label(turn.speaker.label, "guest")


def _body(lines: Iterable[Line]) -> Iterator[str]:
    for line in lines:
        # `str.splitlines` knows every line break of Unicode, not the line feed alone.
        first, *rest = _IMITATION.sub("［", _valid(line.text)).splitlines() or [""]
        yield f"{line.prefix} | {first}"
        yield from (f"| {part}" for part in rest if part.strip())


def _valid(text: str) -> str:
    kept = "".join(char for char in text if char in "\n\r\t" or unicodedata.category(char) != "Cs")
    return "\n".join(without_hidden(part) for part in kept.splitlines())
