"""What a scenario may write as the answer to each model task, and what it becomes.

An answer has the shape that the task's contract asks of a model (`omoide.runtime.models.contracts`) and passes
the same checks. Where a model names what it was shown by a handle, a scenario may quote a part of its text:
handles are known only once the question is asked. Knows nothing of scripts, processes and time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import ValidationError

from ...protocols.errors import ModelOutputError
from ...protocols.tasks import (
    ArbitrateRequest,
    Belief,
    CorrectRequest,
    ExtractSelfRequest,
    MergeRequest,
    NegativeTargetsRequest,
    RebutRequest,
    RefineRequest,
    RerankRequest,
    ReviewRequest,
    SignalRequest,
)
from ..models.contracts import Task, TaskName
from ..models.contracts.checks import shown
from ..models.contracts.task import AnyRequest, Item
from .expect import contains

RequestT = TypeVar("RequestT", bound=AnyRequest)
ItemT = TypeVar("ItemT", bound=Item)
ResultT = TypeVar("ResultT")

TASKS: Final = frozenset(TaskName)
"""Model tasks that a scenario may script."""

SYNONYMS: Final[Mapping[str, tuple[str, ...]]] = {
    "belief": ("reflection", "persona", "target"),
    "id": ("reflection", "persona", "target", "belief", "text"),
    "ids": ("targets", "reflections"),
    "into": ("target", "persona"),
}
"""What else a scenario may call a key that names beliefs, by the contract's name of it."""

PLAIN: Final[Mapping[str, str]] = {"negative_targets": "id", "rerank": "id", "summarise": "text"}
"""The one key that an element of these tasks may leave out: a bare text stands for it."""


class _Shown(NamedTuple):
    """What a key of an answer names: the letter of its handles, and the texts of each that was shown."""

    letter: str
    texts: tuple[tuple[str, ...], ...]


def answer_to(task: Task[RequestT, ItemT, ResultT], request: RequestT, returned: Any) -> ResultT:  # noqa: ANN401
    """Return the result of a scripted answer, checked as a model's answer is.

    Args:
        task: the task's contract.
        request: what is asked.
        returned: what the scenario says, any JSON value.

    Raises:
        ModelOutputError: if it can't be read as an answer to the task, or nothing of it stands.
    """
    named = _named_by(request)
    try:
        items = [
            task.item.model_validate(_with_handles(_keyed(element, PLAIN.get(task.name)), named, place))
            for place, element in enumerate(_elements(returned, task.many))
        ]
    except ValidationError as error:
        raise ModelOutputError(
            f"the model's answer is no answer to {task.name}: {error.errors()[0]['msg']}"
        ) from error
    if not task.many and len(items) != 1:
        raise ModelOutputError(f"the model's answer to {task.name} is one object, got {len(items)}")
    reading = task.check(request, items)
    if items and not reading.kept:
        raise ModelOutputError(
            f"nothing of the model's answer to {task.name} stands: {'; '.join(reading.dropped)}"
        )
    return reading.result


def _elements(returned: Any, many: str) -> list[Any]:  # noqa: ANN401 - whatever a model says
    if many and isinstance(returned, dict) and isinstance(returned.get(many), list):
        return list(returned[many])
    if isinstance(returned, list):
        return returned
    if many:
        raise ModelOutputError(f"the model's answer is a list of {many}, got {type(returned).__name__}")
    return [returned]


def _keyed(element: Any, plain: str | None) -> dict[str, Any]:  # noqa: ANN401 - whatever a model says
    if isinstance(element, str) and plain is not None:
        return {plain: element}
    if not isinstance(element, dict):
        raise ModelOutputError(f"an element of the model's answer is an object, got {type(element).__name__}")
    return element


def _with_handles(element: dict[str, Any], named: Mapping[str, _Shown], place: int) -> dict[str, Any]:
    """Return an element with a handle for each text that it quotes.

    A pair may be left out where the answers stand in the order of the pairs, and a turn where one was shown last.
    """
    found = dict(element)
    for key, offered in named.items():
        given = next((element[name] for name in (key, *SYNONYMS.get(key, ())) if name in element), None)
        if isinstance(given, list):
            found[key] = [_handle(str(one), offered) for one in given]
        elif given is not None:
            found[key] = _handle(str(given), offered)
        elif key == "pair":
            found[key] = f"{offered.letter}{place + 1}"
        elif key == "turn":
            found[key] = f"{offered.letter}{len(offered.texts)}"
    return found


def _handle(words: str, offered: _Shown) -> str:
    """Return the handle of what the words quote; the words themselves where they quote nothing of it."""
    if shown(words, offered.letter, offered.texts) is not None:
        return words
    numbered = enumerate(offered.texts, start=1)
    quoted = (number for number, texts in numbered if any(contains(text, words) for text in texts))
    number = next(quoted, None)
    return words if number is None else f"{offered.letter}{number}"


def _named_by(request: AnyRequest) -> dict[str, _Shown]:
    """Return what each key of an answer names, of what the request shows."""
    named: dict[str, _Shown] = {}
    match request:
        case SignalRequest():
            named = {"fact": _Shown("f", _texts(request.facts)), "belief": _beliefs(request.beliefs)}
        case RebutRequest():
            named = {"id": _Shown("r", _texts(request.reflections)), "turn": _Shown("t", _texts(request.turns))}
        case ExtractSelfRequest():
            named = {"turn": _Shown("t", _texts(request.turns))}
        case ReviewRequest():
            turns = _Shown("t", _texts(request.turns))
            named = {"turn": turns, "by": turns}
        case NegativeTargetsRequest() | RerankRequest():
            named = {"id": _beliefs(request.candidates)}
        case MergeRequest():
            named = {"into": _beliefs(request.pool)}
        case RefineRequest():
            named = {"ids": _beliefs(request.cluster)}
        case CorrectRequest():
            named = {"pair": _Shown("p", tuple((pair.old.text, pair.new.text) for pair in request.pairs))}
        case ArbitrateRequest():
            pairs = tuple((pair.existing.text, pair.candidate.text) for pair in request.pairs)
            named = {"pair": _Shown("p", pairs)}
    return named


def _texts(records: Sequence[Any]) -> tuple[tuple[str, ...], ...]:
    return tuple((one.text,) for one in records)


def _beliefs(offered: Sequence[Belief]) -> _Shown:
    return _Shown("b", _texts(offered))
