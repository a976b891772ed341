"""A model behind HTTP as a `LanguageModel`: asks, reads, repairs once, counts, and falls back if it may."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import trio
from msgspec import Struct

from ....protocols.errors import ModelBusyError, ModelCutOffError, ModelError, ModelOutputError
from ....protocols.messages import Candidate
from ....protocols.ports import (
    Clock,
    ExtractRequest,
    Feedback,
    FeedbackRequest,
    LanguageModel,
    Synthesis,
    SynthesiseRequest,
)
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
from .. import contracts
from ..contracts import Company, Question, Task, Tier, ask
from ..contracts.lenient import Answer
from ..contracts.task import ItemT, Reading, RequestT, ResultT_co
from ..contracts.templates import continuation, repair
from ..usage import Health, Spent, Usage
from .client import Asking, ChatClient
from .wire import Completion, Message

logger = logging.getLogger(__name__)

ECHO_CHARS: Final = 8_000
"""Most of an answer that is shown to the model again when it is asked to repair it, in characters."""

INLINE_CHARS: Final = 16_384
"""Longest answer that is read on the event loop, in characters: a few ms; a longer one goes to a thread."""


class Trial(Struct, frozen=True, kw_only=True):
    """One task as it went, for a person to look at: what was said, what came back, and what was read of it."""

    instruction: str
    data: str
    answers: tuple[str, ...]
    result: object
    error: str
    spent: Spent


class _Talk:
    """One task's chat so far, and what it cost."""

    def __init__(self, question: Question[RequestT, ItemT, ResultT_co]) -> None:
        self.messages = [Message("system", question.instruction), Message("user", question.data)]
        self.answers: list[str] = []
        self.spent = Spent(calls=1)

    def go_on(self, answer: str, reply: str) -> None:
        self.messages += [Message("assistant", answer[:ECHO_CHARS]), Message("user", reply)]


class RemoteMind:
    """The mind of one character at a provider.

    Args:
        client: the provider.
        character: whose mind it is.
        clock: the time.
        usage: where what it costs is counted.
        offline: who thinks instead where the provider is gone; None waits.
    """

    def __init__(
        self,
        client: ChatClient,
        character: str,
        clock: Clock,
        usage: Usage,
        offline: LanguageModel | None,
    ) -> None:
        self._client = client
        self._character = character
        self._clock = clock
        self._usage = usage
        self._offline = offline

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        """Return the statements that the turn makes.

        Raises:
            ModelCutOffError: if the answer was cut off twice; it carries the statements that were complete.
            ModelError: if no usable answer came.
        """
        return await self._do(contracts.EXTRACT, request, lambda mind: mind.extract)

    async def extract_self(self, request: ExtractSelfRequest) -> Sequence[OwnStatement]:
        """Return what the character said of itself."""
        return await self._do(contracts.EXTRACT_SELF, request, lambda mind: mind.extract_self)

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        """Return one judgement that the facts support together, or None."""
        return await self._do(contracts.SYNTHESISE, request, lambda mind: mind.synthesise)

    async def judge_feedback(self, request: FeedbackRequest) -> Sequence[Feedback]:
        """Return how the person answered to each reflection."""
        return await self._do(contracts.FEEDBACK, request, lambda mind: mind.judge_feedback)

    async def signal(self, request: SignalRequest) -> Sequence[FactSignal]:
        """Return which facts speak for or against which beliefs."""
        return await self._do(contracts.SIGNAL, request, lambda mind: mind.signal)

    async def rebut(self, request: RebutRequest) -> Sequence[Rebuttal]:
        """Return which reflections the turns deny."""
        return await self._do(contracts.REBUT, request, lambda mind: mind.rebut)

    async def negative_targets(self, request: NegativeTargetsRequest) -> Sequence[NegativeTarget]:
        """Return which candidates the person doesn't want to be told."""
        return await self._do(contracts.NEGATIVE_TARGETS, request, lambda mind: mind.negative_targets)

    async def merge(self, request: MergeRequest) -> MergeDecision:
        """Return what becomes of a reflection."""
        return await self._do(contracts.MERGE, request, lambda mind: mind.merge)

    async def correct(self, request: CorrectRequest) -> Sequence[Correction]:
        """Return decisions on contradictions."""
        return await self._do(contracts.CORRECT, request, lambda mind: mind.correct)

    async def summarise(self, request: SummariseRequest) -> Memo:
        """Return a memo."""
        return await self._do(contracts.SUMMARISE, request, lambda mind: mind.summarise)

    async def review(self, request: ReviewRequest) -> Sequence[Overtaken]:
        """Return which turns a later one repeats or contradicts."""
        return await self._do(contracts.REVIEW, request, lambda mind: mind.review)

    async def refine(self, request: RefineRequest) -> Sequence[Refinement]:
        """Return what to change in a cluster."""
        return await self._do(contracts.REFINE, request, lambda mind: mind.refine)

    async def arbitrate(self, request: ArbitrateRequest) -> Sequence[Arbitration]:
        """Return decisions on pairs of facts."""
        return await self._do(contracts.ARBITRATE, request, lambda mind: mind.arbitrate)

    async def rerank(self, request: RerankRequest) -> Sequence[Target]:
        """Return what matters most to the queries."""
        return await self._do(contracts.RERANK, request, lambda mind: mind.rerank)

    async def try_out(self, task: Task[RequestT, ItemT, ResultT_co], request: RequestT) -> Trial:
        """Do one task and return all that was said, also where it failed. Nothing falls back."""
        question = self._question(task, request)
        talk = _Talk(question)
        result: object = None
        failure = ""
        try:
            result = (await self._timed(question, talk)).result
        except ModelError as error:
            failure = f"{type(error).__name__}: {error}"
        return Trial(
            instruction=question.instruction,
            data=question.data,
            answers=tuple(talk.answers),
            result=result,
            error=failure,
            spent=talk.spent,
        )

    # --- one task --------------------------------------------------------------------------------

    async def _do(
        self,
        task: Task[RequestT, ItemT, ResultT_co],
        request: RequestT,
        of: Callable[[LanguageModel], Callable[[RequestT], Awaitable[ResultT_co]]],
    ) -> ResultT_co:
        question = self._question(task, request)
        talk = _Talk(question)
        try:
            reading = await self._timed(question, talk)
        except (ModelBusyError, ModelCutOffError):
            raise
        except ModelError as error:
            if self._offline is None:
                raise
            logger.warning(
                "models.fell_back",
                extra={"provider": self._client.name, "task": task.name, "error": type(error).__name__},
            )
            await self._usage.add(self._client.name, task.name, Spent(fallbacks=1), None, self._clock.now())
            return await of(self._offline)(request)
        if reading.dropped:
            logger.info(
                "models.dropped",
                extra={"task": task.name, "kept": reading.kept, "dropped": len(reading.dropped)},
            )
        return reading.result

    def _question(
        self, task: Task[RequestT, ItemT, ResultT_co], request: RequestT
    ) -> Question[RequestT, ItemT, ResultT_co]:
        return ask(task, request, Company(request.profile, self._character), secrets.token_bytes)

    async def _timed(self, question: Question[RequestT, ItemT, ResultT_co], talk: _Talk) -> Reading[ResultT_co]:
        """Ask within the task's time, and count what it cost and how it ended."""
        task, name = question.task, self._client.name
        timeout_s = self._client.settings.task_timeout_s or task.timeout_s
        began = trio.current_time()
        error: ModelError | None = None
        reading: Reading[ResultT_co] | None = None
        with trio.move_on_after(timeout_s):
            try:
                reading = await self._asked(question, talk)
            except ModelError as raised:
                error = raised
        if reading is None and error is None:
            self._client.breaker.failed(self._clock.now())
            error = ModelError(f"{name} gave no usable answer to {task.name} within {timeout_s:g} s")
        spent, now = talk.spent, self._clock.now()
        spent.failures = int(error is not None)
        spent.latency_s = spent.longest_s = trio.current_time() - began
        health = Health(
            answered_at=now if error is None else None,
            failed_at=None if error is None else now,
            error="" if error is None else f"{type(error).__name__}: {error}",
            retry_at=self._client.breaker.retry_at,
        )
        await self._usage.add(name, task.name, spent, health, now)
        if reading is None:
            raise error or ModelError(f"{name} gave no answer")
        return reading

    async def _asked(self, question: Question[RequestT, ItemT, ResultT_co], talk: _Talk) -> Reading[ResultT_co]:
        completion = await self._complete(question, talk)
        try:
            answer = await _read(question, completion)
            if not answer.cut_off:
                return question.settle(answer.items, answer.complaints)
        except ModelOutputError as error:
            talk.spent.repairs += 1
            talk.go_on(completion.text, repair(question.locale, str(error)))
            answer = await _read(question, await self._complete(question, talk))
            if not answer.cut_off:
                return question.settle(answer.items, answer.complaints)
            raise self._cut_off(question, answer.items) from error
        return await self._continued(question, talk, completion, answer)

    async def _continued(
        self,
        question: Question[RequestT, ItemT, ResultT_co],
        talk: _Talk,
        completion: Completion,
        answer: Answer[ItemT],
    ) -> Reading[ResultT_co]:
        """Ask for the elements that an answer lacks; what is there already isn't lost, whatever comes of it."""
        talk.spent.repairs += 1
        talk.go_on(completion.text, continuation(question.locale))
        items = answer.items
        try:
            rest = await _read(question, await self._complete(question, talk))
        except ModelError as error:
            raise self._cut_off(question, items) from error
        items += rest.items
        if rest.cut_off:
            raise self._cut_off(question, items)
        return question.settle(items, (*answer.complaints, *rest.complaints))

    def _cut_off(
        self, question: Question[RequestT, ItemT, ResultT_co], items: Sequence[ItemT]
    ) -> ModelCutOffError:
        result = question.settle(items).result
        kept = tuple(result) if isinstance(result, tuple) else ()
        return ModelCutOffError(
            f"{self._client.name} cut its answer to {question.task.name} off after {len(kept)} elements; "
            "the rest is asked for again",
            kept,
        )

    async def _complete(self, question: Question[RequestT, ItemT, ResultT_co], talk: _Talk) -> Completion:
        task, settings = question.task, self._client.settings
        asking = Asking(
            task=task.name,
            model=(settings.strong if task.tier is Tier.STRONG else "") or settings.fast,
            schema=task.schema(),
            max_tokens=task.max_output_tokens,
        )
        completion = await self._client.complete(asking, talk.messages, talk.spent)
        talk.answers.append(completion.text)
        return completion


async def _read(question: Question[RequestT, ItemT, ResultT_co], completion: Completion) -> Answer[ItemT]:
    if len(completion.text) <= INLINE_CHARS:
        return question.read(completion.text)
    return await trio.to_thread.run_sync(question.read, completion.text)
