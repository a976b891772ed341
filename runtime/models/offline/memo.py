"""A memo of turns that leave the recent window, made of what was said, word for word. Pure."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

from ....actors.briefing.quoting import cut
from ....protocols.prompt_tokens import estimated_tokens
from ....protocols.records import Role, Turn
from ....protocols.tasks import Memo, SummariseRequest
from .extraction import candidates
from .sentences import sentences

LINE_TOKENS: Final = 60
"""Longest line of a memo, in tokens: some forty words, which is a long sentence."""


def summarised(request: SummariseRequest) -> Generator[None, None, Memo]:
    """Return the lines of the earlier memo and what the people said since, the newest that have room.

    Of a turn that states something its statements are kept, of another one its first sentence. A line that was
    said before is kept once, where it was said last. Yields after each turn: reading closely takes time.
    """
    lines = [line.strip() for line in request.earlier.splitlines() if line.strip()]
    for turn in request.turns:
        lines += _lines(turn)
        yield
    left = request.max_tokens
    kept: dict[str, None] = {}
    for line in reversed(lines):
        tokens = estimated_tokens(line)
        if line not in kept and tokens <= left:
            kept[line] = None
            left -= tokens
    return Memo(text="\n".join(reversed(kept)))


def _lines(turn: Turn) -> Iterator[str]:
    if turn.role is not Role.PERSON:
        return
    said = [candidate.text for candidate in candidates(turn)] or list(sentences(turn.text))[:1]
    label = " ".join(turn.speaker.label.split()) if turn.speaker else ""
    for text in said:
        line = cut(" ".join(text.split()), LINE_TOKENS)
        yield f"{label}: {line}" if label else line
