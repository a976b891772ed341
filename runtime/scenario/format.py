"""The format of a scenario file, as pydantic models: one class a step, and the scenario that holds them.

Owns what may be written and nothing of how it is played.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, ClassVar, Final, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StrictBool,
    StrictInt,
    StringConstraints,
    model_validator,
)

from ...actors.character import ROLES
from ...protocols.errors import InvalidSubjectError
from ...protocols.scopes import PRIVATE, parse_subject
from .answers import TASKS

KNOWN_ROLES: Final = frozenset(role.role for role in ROLES)
"""Roles that a character has."""

_UNIT_S: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)([smhd])")


def _duration_s(text: object) -> float:
    match = _DURATION.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"a duration is a number and one of s, m, h and d, such as 2d; got {text!r}")
    return float(match[1]) * _UNIT_S[match[2]]


def _subject(descriptor: str) -> str:
    try:
        return parse_subject(descriptor)
    except InvalidSubjectError as error:
        raise ValueError(str(error)) from error


def _known_role(role: str) -> str:
    if role not in KNOWN_ROLES:
        raise ValueError(f"unknown role {role!r}; the roles are {', '.join(sorted(KNOWN_ROLES))}")
    return role


def _known_task(task: str) -> str:
    if task not in TASKS:
        raise ValueError(f"unknown model task {task!r}; the tasks are {', '.join(sorted(TASKS))}")
    return task


def _written_out(value: object) -> object:
    """Return a date that YAML read as one as the text that it was."""
    return value.isoformat() if isinstance(value, date) else value


Word = Annotated[str, StringConstraints(min_length=1)]
Words = tuple[Word, ...]
Count = Annotated[StrictInt, Field(ge=0)]
Trust = Annotated[float, Field(strict=True, ge=0, le=1)]
SubjectKey = Annotated[str, AfterValidator(_subject)]
Seconds = Annotated[float, BeforeValidator(_duration_s)]
RoleName = Annotated[str, AfterValidator(_known_role)]


class Part(BaseModel):
    """Base of every part of a file: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Step(Part):
    """Base of every step.

    Attributes:
        action: the step's name in a file.
        shorthand: the field that a step written `action: VALUE` gives, or an empty string where there is none.
    """

    action: ClassVar[str]
    shorthand: ClassVar[str] = ""


class Hear(Step):
    """Somebody says something to the character; without `from` it is the owner."""

    action = "hear"
    shorthand = "text"

    text: str
    speaker: Word | None = Field(default=None, alias="from")
    subject: SubjectKey = Field(default=PRIVATE, alias="in")


class Say(Step):
    """The character says something, and brings up the reflections that `surfaced` quotes."""

    action = "say"
    shorthand = "text"

    text: str
    subject: SubjectKey = Field(default=PRIVATE, alias="in")
    surfaced: Words = ()


class Settle(Step):
    """Background work is run until none is left; fails if work was parked."""

    action = "settle"


class Wait(Step):
    """The clock is moved, and the timers that fall due are run in their order."""

    action = "wait"
    shorthand = "by_s"

    by_s: Seconds


class Crash(Step):
    """The actor of a role fails on its next message, in the middle of it."""

    action = "crash"
    shorthand = "role"

    role: RoleName


class Kill(Step):
    """The process is killed without warning."""

    action = "kill"


class Restart(Step):
    """The runtime is closed in order and opened again."""

    action = "restart"


class ScriptModel(Step):
    """The next call of a model task answers so, or fails so."""

    action = "model"

    task: Annotated[str, AfterValidator(_known_task)]
    returns: JsonValue = None
    raises: Literal["timeout", "malformed", "http_500"] | None = None

    @model_validator(mode="after")
    def _one_outcome(self) -> ScriptModel:
        if ("returns" in self.model_fields_set) == (self.raises is not None):
            raise ValueError("give either returns or raises")
        return self


class Recall(Step):
    """What is found by words, by time, or by both, for a caller who may read `as`."""

    action = "recall"

    query: Word | None = None
    time: Annotated[JsonValue, BeforeValidator(_written_out)] = None
    subjects: tuple[SubjectKey, ...] = Field(default=(PRIVATE,), alias="as", min_length=1)
    has: Words = ()
    lacks: Words = ()
    first: Word | None = None
    count: Count | None = None

    @model_validator(mode="after")
    def _something_to_look_for(self) -> Recall:
        if self.query is None and self.time is None:
            raise ValueError("give query, time or both")
        return self


class Briefing(Step):
    """The memory part of the next prompt, after `cue` was said where there is one."""

    action = "briefing"

    subjects: tuple[SubjectKey, ...] = Field(default=(PRIVATE,), alias="as", min_length=1)
    cue: Word | None = None
    has: Words = ()
    lacks: Words = ()


class Gate(Step):
    """What the gate decides on a draft."""

    action = "gate"

    draft: str
    unprompted: StrictBool = False
    verdict: Literal["allow", "block", "revise"]
    subject: SubjectKey = Field(default=PRIVATE, alias="in")


class Stream(Step):
    """What the streaming gate lets through."""

    action = "stream"

    chunks: tuple[str, ...]
    unprompted: StrictBool = False
    out: str


class Directives(Step):
    """The directives in force."""

    action = "directives"

    has: Words = ()
    lacks: Words = ()
    count: Count | None = None


class Revoke(Step):
    """The person deletes a directive."""

    action = "revoke"
    shorthand = "term"

    term: Word


class Facts(Step):
    """The facts in force, of every subject."""

    action = "facts"

    has: Words = ()
    lacks: Words = ()
    count: Count | None = None


class Reflections(Step):
    """The reflections in force, of one tier or of all."""

    action = "reflections"

    has: Words = ()
    lacks: Words = ()
    count: Count | None = None
    tier: Literal["archive_candidate", "pending", "confirmed", "promoted"] | None = None


class Persona(Step):
    """The persona entries in force."""

    action = "persona"

    has: Words = ()
    lacks: Words = ()


class Explain(Step):
    """What the explanation of the entry that contains `of` mentions."""

    action = "explain"

    of: Word
    has: Words = ()


class Reject(Step):
    """The person rejects an entry."""

    action = "reject"
    shorthand = "text"

    text: Word


class Affirm(Step):
    """The person affirms an entry."""

    action = "affirm"
    shorthand = "text"

    text: Word


class Forget(Step):
    """The person has a subject erased, or everything whose text contains `text`."""

    action = "forget"

    subject: SubjectKey | None = None
    text: Word | None = None

    @model_validator(mode="after")
    def _one_target(self) -> Forget:
        if (self.subject is None) == (self.text is None):
            raise ValueError("give either subject or text")
        return self


class ExportImport(Step):
    """Everything is exported, the folder erased, and the export imported."""

    action = "export_import"


class Log(Step):
    """What the program must not have logged since the start."""

    action = "log"

    lacks: Words


class Status(Step):
    """The health report."""

    action = "status"

    degraded: Words | None = None
    parked: Count | None = None


STEPS: Final[dict[str, type[Step]]] = {
    step.action: step
    for step in (
        Hear,
        Say,
        Settle,
        Wait,
        Crash,
        Kill,
        Restart,
        ScriptModel,
        Recall,
        Briefing,
        Gate,
        Stream,
        Directives,
        Revoke,
        Facts,
        Reflections,
        Persona,
        Explain,
        Reject,
        Affirm,
        Forget,
        ExportImport,
        Log,
        Status,
    )
}
"""Every step of the format by its name."""


class Cast(Part):
    """The character that the scenario is about."""

    name: Word = "yui"
    owner: Word | None = None
    card: tuple[str, ...] = ()


class Account(Part):
    """An account that isn't the owner. `trust` left out abstains."""

    platform: Word
    account: Word
    label: str = ""
    trust: Trust | None = None


class Head(Part):
    """All of a scenario but its steps."""

    name: Word
    locale: Word = "en"
    start: AwareDatetime
    needs: Words = ()
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    character: Cast = Cast()
    speakers: dict[str, Account] = Field(default_factory=dict)
