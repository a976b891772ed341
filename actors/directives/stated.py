"""What an utterance states beside the wishes in it.

A wish is no statement: whoever asks not to hear of a topic neither raises it nor states a fact by asking.
Knows sentences and wishes; knows nothing of who asks for the rest.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import trio

from .sentences import sentences
from .wishes import Wish, find_wishes

INLINE_CHARS: Final = 512
"""Longest text that is read on the event loop (characters): about 3 ms of work; a longer one goes to a thread."""


class Understood(NamedTuple):
    """An utterance taken apart: the wishes that it voices, and what it says without their sentences."""

    wishes: tuple[Wish, ...]
    stated: str


def take_apart(text: str) -> Understood:
    """Return the wishes of an utterance and the rest of it.

    A sentence goes whole, also where it states something beside its wish. Without a wish the rest is the
    text as it was.

    Args:
        text: what the person said, of any length.
    """
    wishes = find_wishes(text)
    if not wishes:
        return Understood((), text)
    kept: list[str] = []
    behind = 0
    for sentence in sentences(text):
        start = text.index(sentence, behind)
        end = start + len(sentence)
        kept.append(text[behind:start])
        if not find_wishes(sentence):
            kept.append(sentence)
        behind = end
    kept.append(text[behind:])
    return Understood(wishes, "".join(kept).strip())


async def understand(text: str) -> Understood:
    """Return what `take_apart` returns, without holding up the event loop."""
    if len(text) <= INLINE_CHARS:
        return take_apart(text)
    return await trio.to_thread.run_sync(take_apart, text)
