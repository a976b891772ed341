"""What one audience said and heard last: what a reply answers, and what would be a repetition to it.

Derived from the turns of one subject; it is no store of its own, and is read anew after a crash. What was said
elsewhere is another audience's, and isn't shown to this one.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Final

from ...protocols.records import Role, Turn, TurnId
from ...protocols.settings import RepetitionSettings
from .repetition import Corpus, Output

FIRST_READ: Final = 256
"""Turns of a subject that are read at first; as many again and again while the corpus isn't full."""

LATELY: Final = 2
"""Turns before a wish among which its pronouns look for their topic: what was just said, and what it answered."""

MOST_READ: Final = 16_384
"""Most turns of a subject that are read: where the character spoke that rarely, fewer of its lines do."""


class Audience:
    """One subject's side of the conversation.

    Args:
        settings: how much of the character's output is compared.
        turns: its newest turns, oldest first.
    """

    def __init__(self, settings: RepetitionSettings, turns: Sequence[Turn] = ()) -> None:
        self.corpus = Corpus(settings)
        self.said = ""
        self.said_at = -math.inf
        self.lately: deque[str] = deque(maxlen=LATELY)
        self._read: frozenset[TurnId] = frozenset()
        for turn in turns:
            self.take(turn)
        self._read = frozenset(turn.id for turn in turns)

    def take(self, turn: Turn) -> None:
        """Take in one more turn; one that was read already changes nothing."""
        if turn.id in self._read:
            return
        self.lately.append(turn.text)
        if turn.role is Role.PERSON:
            self.said = turn.text
            self.said_at = max(self.said_at, min(turn.said_at, turn.heard_at))
        else:
            self.corpus.add(Output(text=turn.text, said_at=turn.heard_at))


def is_enough(turns: Sequence[Turn], asked: int, settings: RepetitionSettings) -> bool:
    """Return whether the newest turns of a subject tell all that matters of it, or there are no more.

    Args:
        turns: the newest turns.
        asked: how many were asked for.
        settings: how much of the character's output is compared.
    """
    if len(turns) < asked or asked >= MOST_READ:
        return True
    own = sum(turn.role is Role.CHARACTER for turn in turns)
    return own >= settings.background and own < len(turns)
