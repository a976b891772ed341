"""A mind that follows a script where there is one, and is asleep unless a step lets it think.

Background work starts by itself as soon as something is heard, and would race with the steps that script
the mind's answers. So no call is answered outside `awake()`: which call is "the next one" then depends
on the scenario alone. Knows nothing of processes and pipes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal

import msgspec
import trio
from msgspec import Struct

from ...protocols.errors import ModelError, ModelOutputError
from ...protocols.evidence import Signal
from ...protocols.messages import Candidate
from ...protocols.ports import (
    ExtractRequest,
    Feedback,
    FeedbackRequest,
    LanguageModel,
    Synthesis,
    SynthesiseRequest,
)
from ...protocols.records import Entity, Reflection, TemporalScope
from ...protocols.tasks import (
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
from ..models.contracts import (
    ARBITRATE,
    CORRECT,
    EXTRACT_SELF,
    MERGE,
    NEGATIVE_TARGETS,
    REBUT,
    REFINE,
    RERANK,
    REVIEW,
    SIGNAL,
    SUMMARISE,
    Task,
)
from .answers import ItemT, RequestT, ResultT, answer_to
from .expect import contains
from .protocol import ScriptedAnswer

DEFAULT_IMPORTANCE: Final = 5
"""Importance of a scripted statement that gives none; the middle of 1 to 10."""


class _Statement(Struct, frozen=True, kw_only=True):
    """One statement of an answer to `extract`. Whatever else an answer says is ignored."""

    text: str
    importance: float = DEFAULT_IMPORTANCE
    entity: Entity = Entity.OWNER


class _Judgement(Struct, frozen=True, kw_only=True):
    """The one judgement of an answer to `synthesise`. Whatever else an answer says is ignored."""

    text: str
    entity: Entity = Entity.OWNER
    temporal_scope: TemporalScope = TemporalScope.PATTERN


class _Answered(Struct, frozen=True, kw_only=True):
    """How the person answered to the reflection whose text contains `reflection`."""

    reflection: str
    feedback: Literal["confirmed", "denied", "ignored"]


class ScriptedMind:
    """A language model that gives scripted answers first and asks the one behind it otherwise.

    Args:
        behind: who answers where nothing is scripted.
        answers: the script, in order.
    """

    def __init__(self, behind: LanguageModel, answers: Iterable[ScriptedAnswer] = ()) -> None:
        self._behind = behind
        self._script = deque(answers)
        self._used: list[int] = []
        self._wakening = trio.Event()

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Let calls be answered for the length of the block."""
        self._wakening.set()
        try:
            yield
        finally:
            self._wakening = trio.Event()

    def script(self, answer: ScriptedAnswer) -> None:
        """Add an answer to the end of the script."""
        self._script.append(answer)

    def take_used(self) -> tuple[int, ...]:
        """Return the numbers of the answers that were given since the last time."""
        used = tuple(self._used)
        self._used.clear()
        return used

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        """Return the statements of the next scripted answer, or of the mind behind where there is none.

        Raises:
            ModelError: if that is what the script says.
            ModelOutputError: if the answer is not a list of statements.
        """
        await self._wakening.wait()
        answer = self._next("extract")
        if answer is None:
            return await self._behind.extract(request)
        return candidates_of(_outcome(answer))

    async def extract_self(self, request: ExtractSelfRequest) -> Sequence[OwnStatement]:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(EXTRACT_SELF, request, self._behind.extract_self)

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        """Return the next scripted judgement, or that of the mind behind where there is none.

        Raises:
            ModelError: if that is what the script says.
            ModelOutputError: if the answer is neither a judgement, nor a list of at most one, nor nothing.
        """
        await self._wakening.wait()
        answer = self._next("synthesise")
        if answer is None:
            return await self._behind.synthesise(request)
        return synthesis_of(_outcome(answer))

    async def judge_feedback(self, request: FeedbackRequest) -> Sequence[Feedback]:
        """Return the next scripted judgement of an answer, or that of the mind behind where there is none.

        Raises:
            ModelError: if that is what the script says.
            ModelOutputError: if the answer is not a list of reflections with how the person answered to them.
        """
        await self._wakening.wait()
        answer = self._next("feedback")
        if answer is None:
            return await self._behind.judge_feedback(request)
        return feedback_of(_outcome(answer), request.reflections)

    async def signal(self, request: SignalRequest) -> Sequence[FactSignal]:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(SIGNAL, request, self._behind.signal)

    async def rebut(self, request: RebutRequest) -> Sequence[Rebuttal]:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(REBUT, request, self._behind.rebut)

    async def negative_targets(self, request: NegativeTargetsRequest) -> Sequence[NegativeTarget]:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(NEGATIVE_TARGETS, request, self._behind.negative_targets)

    async def merge(self, request: MergeRequest) -> MergeDecision:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(MERGE, request, self._behind.merge)

    async def correct(self, request: CorrectRequest) -> Sequence[Correction]:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(CORRECT, request, self._behind.correct)

    async def summarise(self, request: SummariseRequest) -> Memo:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(SUMMARISE, request, self._behind.summarise)

    async def review(self, request: ReviewRequest) -> Sequence[Overtaken]:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(REVIEW, request, self._behind.review)

    async def refine(self, request: RefineRequest) -> Sequence[Refinement]:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(REFINE, request, self._behind.refine)

    async def arbitrate(self, request: ArbitrateRequest) -> Sequence[Arbitration]:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(ARBITRATE, request, self._behind.arbitrate)

    async def rerank(self, request: RerankRequest) -> Sequence[Target]:
        """Return what the script says, or what the mind behind answers; raises as `LanguageModel` does."""
        return await self._scripted(RERANK, request, self._behind.rerank)

    async def _scripted(
        self,
        task: Task[RequestT, ItemT, ResultT],
        request: RequestT,
        behind: Callable[[RequestT], Awaitable[ResultT]],
    ) -> ResultT:
        await self._wakening.wait()
        answer = self._next(task.name)
        return await behind(request) if answer is None else answer_to(task, request, _outcome(answer))

    def _next(self, task: str) -> ScriptedAnswer | None:
        for answer in self._script:
            if answer.task == task:
                self._script.remove(answer)
                self._used.append(answer.number)
                return answer
        return None


def candidates_of(returned: Any) -> tuple[Candidate, ...]:  # noqa: ANN401 - whatever a model says
    """Return the candidates of an answer to `extract`.

    Raises:
        ModelOutputError: if the answer can't be read as a list of statements.
    """
    try:
        statements = msgspec.convert(returned, tuple[_Statement, ...])
    except ValueError as error:
        raise ModelOutputError(f"the model's answer is no list of statements: {error}") from error
    return tuple(
        Candidate(
            text=statement.text.strip(),
            entity=statement.entity,
            importance=round(min(10.0, max(1.0, statement.importance))),
        )
        for statement in statements
        if statement.text.strip()
    )


def synthesis_of(returned: Any) -> Synthesis | None:  # noqa: ANN401 - whatever a model says
    """Return the judgement of an answer to `synthesise`, or None where it makes none.

    Raises:
        ModelOutputError: if the answer can't be read as one judgement or as none.
    """
    try:
        judgement = msgspec.convert(_only(returned), _Judgement | None)
    except ValueError as error:
        raise ModelOutputError(f"the model's answer is no judgement: {error}") from error
    if judgement is None:
        return None
    return Synthesis(text=judgement.text.strip(), entity=judgement.entity, temporal_scope=judgement.temporal_scope)


def feedback_of(returned: Any, reflections: Sequence[Reflection]) -> tuple[Feedback, ...]:  # noqa: ANN401
    """Return the feedback of an answer to `feedback`; words that no reflection contains stand for an invented id.

    Raises:
        ModelOutputError: if the answer can't be read as a list of reflections with `feedback`.
    """
    try:
        answered = msgspec.convert(returned, tuple[_Answered, ...])
    except ValueError as error:
        raise ModelOutputError(f"the model's answer is no list of feedback: {error}") from error
    return tuple(
        Feedback(reflection=_named(one.reflection, reflections), signal=Signal(one.feedback)) for one in answered
    )


def _only(returned: Any) -> Any:  # noqa: ANN401 - whatever a model says
    if isinstance(returned, list) and len(returned) <= 1:
        return returned[0] if returned else None
    return returned


def _named(words: str, reflections: Sequence[Reflection]) -> str:
    return next((one.id for one in reflections if words == one.id or contains(one.text, words)), words)


def _outcome(answer: ScriptedAnswer) -> Any:  # noqa: ANN401 - whatever a model says
    match answer.raises:
        case None:
            return answer.returns
        case "timeout":
            raise ModelError("the model gave no answer in time")
        case "malformed":
            raise ModelOutputError("the model's answer couldn't be read")
        case "http_500":
            raise ModelError("the model's server answered with status 500")
