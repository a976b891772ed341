"""The offline engine as a `LanguageModel`. The rules are the pure functions beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import trio

from ....protocols.messages import Candidate
from ....protocols.ports import ExtractRequest, Feedback, FeedbackRequest, Synthesis, SynthesiseRequest
from .extraction import candidates
from .feedback import judged
from .synthesis import synthesised

INLINE_CHARS: Final = 1_024
"""Longest turn that is read on the event loop (characters): some 3 ms of work; a longer one goes to a thread."""


class OfflineEngine:
    """Does every task by rules, in the person's own words. Same request, same answer, every time."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        """Return the statements that the turn makes, in the order in which they were said."""
        if len(request.turn.text) <= INLINE_CHARS:
            return candidates(request.turn)
        return await trio.to_thread.run_sync(candidates, request.turn)

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        """Return a judgement on the topic that most of the facts share, or None where they share none."""
        return await trio.to_thread.run_sync(synthesised, request.facts, request.profile)

    async def judge_feedback(self, request: FeedbackRequest) -> Sequence[Feedback]:
        """Return the reflections that the turn plainly confirms or denies."""
        return await trio.to_thread.run_sync(judged, request.turn.text, request.reflections, request.profile)
