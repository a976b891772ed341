"""A mind that follows a script where there is one, and is asleep unless a step lets it think.

Background work starts by itself as soon as something is heard, and would race with the steps that script
the mind's answers. So no call is answered outside `awake()`: which call is "the next one" then depends
on the scenario alone. Knows nothing of processes and pipes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import trio
from msgspec import Struct

from ...protocols.errors import ModelError, ModelOutputError
from ...protocols.messages import Candidate
from ...protocols.ports import ExtractRequest, LanguageModel
from ...protocols.records import Entity
from .protocol import ScriptedAnswer

DEFAULT_IMPORTANCE: Final = 5
"""Importance of a scripted statement that gives none; the middle of 1 to 10."""

TASKS: Final = frozenset({"extract"})
"""Model tasks that exist."""


class _Statement(Struct, frozen=True, kw_only=True):
    """One statement of an answer to `extract`. Whatever else an answer says is ignored."""

    text: str
    importance: float = DEFAULT_IMPORTANCE
    entity: Entity = Entity.OWNER


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
