"""The offline engine as a `LanguageModel`. The rules are the pure functions beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import trio

from ....actors.precedence import in_steps
from ....protocols.messages import Candidate
from ....protocols.ports import ExtractRequest, Feedback, FeedbackRequest, Synthesis, SynthesiseRequest
from ....protocols.tasks import (
    ArbitrateRequest,
    Arbitration,
    Correction,
    CorrectRequest,
    ExtractSelfRequest,
    FactSignal,
    Memo,
    MergeDecision,
    MergeRequest,
    NegativeTarget,
    NegativeTargetsRequest,
    Overtaken,
    OwnStatement,
    RebutRequest,
    Rebuttal,
    Refinement,
    RefineRequest,
    RerankRequest,
    ReviewRequest,
    SignalRequest,
    SummariseRequest,
    Target,
)
from . import beliefs
from .extraction import candidates, own_statements
from .feedback import judged
from .memo import summarised
from .review import reviewed
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

    async def extract_self(self, request: ExtractSelfRequest) -> Sequence[OwnStatement]:
        """Return what the character's turns state of itself in the first person, promises among it."""
        return await trio.to_thread.run_sync(own_statements, request)

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        """Return a judgement on the topic that most of the facts share, or None where they share none."""
        return await trio.to_thread.run_sync(synthesised, request.facts, request.profile)

    async def judge_feedback(self, request: FeedbackRequest) -> Sequence[Feedback]:
        """Return the reflections that the turn plainly confirms or denies."""
        return await trio.to_thread.run_sync(judged, request.turn.text, request.reflections, request.profile)

    async def signal(self, request: SignalRequest) -> Sequence[FactSignal]:
        """Return the facts that say the same as a belief, or its opposite."""
        return await trio.to_thread.run_sync(beliefs.signalled, request)

    async def rebut(self, request: RebutRequest) -> Sequence[Rebuttal]:
        """Return the reflections that a turn denies in so many words."""
        return await trio.to_thread.run_sync(beliefs.rebutted, request)

    async def negative_targets(self, request: NegativeTargetsRequest) -> Sequence[NegativeTarget]:
        """Return the candidates of which the last turn names the topic."""
        return await trio.to_thread.run_sync(beliefs.unwelcome, request)

    async def merge(self, request: MergeRequest) -> MergeDecision:
        """Return a merge into the entry that says the same, or else a new entry."""
        return await trio.to_thread.run_sync(beliefs.merged, request)

    async def correct(self, request: CorrectRequest) -> Sequence[Correction]:
        """Return that of two contradicting statements the newer stands, unless the older is better believed."""
        return await trio.to_thread.run_sync(beliefs.corrected, request)

    async def summarise(self, request: SummariseRequest) -> Memo:
        """Return the newest of what the people said that has room, word for word."""
        return await in_steps(partial(summarised, request))

    async def review(self, request: ReviewRequest) -> Sequence[Overtaken]:
        """Return the turns that the same person says again later in the same words, or takes back."""
        return await trio.to_thread.run_sync(reviewed, request)

    async def refine(self, request: RefineRequest) -> Sequence[Refinement]:
        """Return a merge for beliefs that are the same statement."""
        return await trio.to_thread.run_sync(beliefs.refined, request)

    async def arbitrate(self, request: ArbitrateRequest) -> Sequence[Arbitration]:
        """Return that facts which say the same are merged, and all others stay."""
        return await trio.to_thread.run_sync(beliefs.arbitrated, request)

    async def rerank(self, request: RerankRequest) -> Sequence[Target]:
        """Return the candidates by the terms that they share with a query, then by score."""
        return await trio.to_thread.run_sync(beliefs.reranked, request)
