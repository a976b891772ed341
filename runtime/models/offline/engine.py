"""The offline engine as a `LanguageModel`. The rules are the pure functions beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import trio

from ....protocols.messages import Candidate
from ....protocols.ports import ExtractRequest
from .extraction import candidates

INLINE_CHARS: Final = 1_024
"""Longest turn that is read on the event loop (characters): some 3 ms of work; a longer one goes to a thread."""


class OfflineEngine:
    """Extracts what a person states, in the person's own words. Same turn, same facts, every time."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        """Return the statements that the turn makes, in the order in which they were said."""
        if len(request.turn.text) <= INLINE_CHARS:
            return candidates(request.turn)
        return await trio.to_thread.run_sync(candidates, request.turn)
