"""What a task is: its name, what it is shown, the shape of its answer, its tier, its budget and its time.

Owns the two ends of a question to a model: the segments that a request becomes, and the checks that an answer must
pass. Knows no wire and no provider. A check drops what keeps to no rule and says why; an answer of which nothing
stands is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from ....protocols.records import Profile
from .fence import Segment, label


class TaskName(StrEnum):
    """The tasks, as settings, accounts and commands name them."""

    EXTRACT = "extract"
    EXTRACT_SELF = "extract_self"
    SYNTHESISE = "synthesise"
    FEEDBACK = "feedback"
    SIGNAL = "signal"
    REBUT = "rebut"
    NEGATIVE_TARGETS = "negative_targets"
    MERGE = "merge"
    CORRECT = "correct"
    SUMMARISE = "summarise"
    REVIEW = "review"
    REFINE = "refine"
    ARBITRATE = "arbitrate"
    RERANK = "rerank"


class Tier(StrEnum):
    """How able a model a task needs: one that is fast, or one whose decision lasts."""

    FAST = "fast"
    STRONG = "strong"


class Item(BaseModel):
    """Base of what a model may answer. A closed list of fields is read; whatever else it says is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True, coerce_numbers_to_str=True)

    handles: ClassVar[dict[str, str]] = {}
    """How what was shown is named, by field: what stands there in the form of the answer."""


@dataclass(frozen=True, slots=True)
class Company:
    """Who is talking: what a prompt calls them, made harmless."""

    profile: Profile
    character: str

    @property
    def names(self) -> dict[str, str]:
        """What the placeholders of a template stand for."""
        return {
            "owner": label(self.profile.owner, "the owner"),
            "character": label(self.character, "the character"),
        }


class AnyRequest(Protocol):
    """What every request has: who is talking."""

    @property
    def profile(self) -> Profile:
        """What the host says about the character."""
        ...


RequestT = TypeVar("RequestT", bound=AnyRequest)
ItemT = TypeVar("ItemT", bound=Item)
ResultT_co = TypeVar("ResultT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Reading(Generic[ResultT_co]):
    """What stands of an answer, how many of its elements do, and why others don't."""

    result: ResultT_co
    kept: int
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task(Generic[RequestT, ItemT, ResultT_co]):
    """One task.

    Attributes:
        name: what it is called.
        item: the shape of one element of the answer, or of all of it.
        many: name of the list that holds the elements; empty where the answer is one object.
        tier: how able a model it needs.
        max_output_tokens: longest answer.
        timeout_s: longest time for all of it, retries and the repair turn included, in seconds.
        show: returns what the model is shown, in order.
        check: returns what stands of the elements.
    """

    name: TaskName
    item: type[ItemT]
    many: str
    tier: Tier
    max_output_tokens: int
    timeout_s: float
    show: Callable[[RequestT, Company], Sequence[Segment]]
    check: Callable[[RequestT, Sequence[ItemT]], Reading[ResultT_co]]

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the answer, as strict servers want it: closed, with every field required."""
        element = _closed(self.item.model_json_schema())
        if not self.many:
            return element
        definitions = element.pop("$defs", None)
        whole: dict[str, Any] = {
            "type": "object",
            "properties": {self.many: {"type": "array", "items": element}},
            "required": [self.many],
            "additionalProperties": False,
        }
        if definitions:
            whole["$defs"] = definitions
        return whole


_UNWANTED: Final = ("title", "default", "description")
"""What strict servers refuse in a schema, or what tells a model nothing."""


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    closed = {key: _closed_value(key, value) for key, value in schema.items() if key not in _UNWANTED}
    if closed.get("type") == "object":
        closed["required"] = list(closed.get("properties", {}))
        closed["additionalProperties"] = False
    return closed


def _closed_value(key: str, value: Any) -> Any:  # noqa: ANN401 - any part of a JSON schema
    if key in {"properties", "$defs"}:
        return {name: _closed(held) for name, held in value.items()}
    if isinstance(value, dict):
        return _closed(value)
    if isinstance(value, list):
        return [_closed(held) if isinstance(held, dict) else held for held in value]
    return value
