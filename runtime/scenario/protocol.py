"""What the player and the process that holds the runtime say to each other: one JSON line each way.

A request has exactly one reply. JSON is written in ASCII, so that a lone surrogate in a scenario reaches
the runtime, which is the one to refuse it.
"""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from ...protocols.records import Speaker


class ScriptedAnswer(Struct, frozen=True, kw_only=True):
    """How the next call of a model task ends: with `returns`, or with the failure that `raises` names.

    `number` is the step that scripted it.
    """

    number: int
    task: str
    returns: Any = None
    raises: Literal["timeout", "malformed", "http_500"] | None = None


class Ask(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask"):
    """Base of every request."""


class Open(Ask, frozen=True, kw_only=True, tag="open"):
    """Open the data folder at virtual time `now` (seconds since the epoch). First request of a process."""

    data_dir: str
    now: float
    settings: dict[str, Any]
    name: str
    owner: str | None
    locale: str
    card: tuple[str, ...]
    answers: tuple[ScriptedAnswer, ...]


class HearLine(Ask, frozen=True, kw_only=True, tag="hear"):
    """Somebody says something. `id` is the host's id of the message."""

    text: str
    speaker: Speaker | None
    trust: float | None
    subject: str
    id: str


class SayLine(Ask, frozen=True, kw_only=True, tag="say"):
    """The character says something. `id` is the host's id of the message; `surfaced` quotes what it brought up."""

    text: str
    subject: str
    id: str
    surfaced: tuple[str, ...] = ()


class SettleWork(Ask, frozen=True, kw_only=True, tag="settle"):
    """Run background work until none is left, moving the clock to what is due. Reply: `Health`."""


class MoveClock(Ask, frozen=True, kw_only=True, tag="wait"):
    """Move the clock by so many seconds, running what falls due."""

    by_s: float


class ArmCrash(Ask, frozen=True, kw_only=True, tag="crash"):
    """Make the role's actor fail at the next point that it reaches."""

    role: str


class Answer(Ask, frozen=True, kw_only=True, tag="model"):
    """Script the next call of a model task."""

    answer: ScriptedAnswer


class FindTexts(Ask, frozen=True, kw_only=True, tag="recall"):
    """Recall. Reply: `Texts` of the hits, best first."""

    query: str
    time: str
    subjects: tuple[str, ...]


class ListFacts(Ask, frozen=True, kw_only=True, tag="facts"):
    """List the facts in force, of every subject. Reply: `Texts`."""


class ListReflections(Ask, frozen=True, kw_only=True, tag="reflections"):
    """List the reflections that take part, of every subject, of one tier or all. Reply: `Texts`."""

    tier: str | None


class ReadBriefing(Ask, frozen=True, kw_only=True, tag="briefing"):
    """Brief the character. Reply: `Texts`, a line each."""

    subjects: tuple[str, ...]
    cue: str | None


class ListPersona(Ask, frozen=True, kw_only=True, tag="persona"):
    """List the persona entries in force, of every subject. Reply: `Texts`."""


class ExplainText(Ask, frozen=True, kw_only=True, tag="explain"):
    """Explain the entries whose text contains `of`. Reply: `Texts`, the lines of each."""

    of: str


class DecideText(Ask, frozen=True, kw_only=True, tag="decide"):
    """Reject or affirm, in the interface, the entry whose text contains `of`."""

    of: str
    affirms: bool


class Erase(Ask, frozen=True, kw_only=True, tag="erase"):
    """Erase a subject, or everything whose text contains `words`; exactly one is set."""

    subject: str | None
    words: str | None


class GateDraft(Ask, frozen=True, kw_only=True, tag="gate"):
    """Judge a draft. Reply: `Texts` with the verdict."""

    draft: str
    unprompted: bool
    subject: str


class StreamChunks(Ask, frozen=True, kw_only=True, tag="stream"):
    """Pass a text in chunks through the streaming gate. Reply: `Texts` with what it let through, joined."""

    chunks: tuple[str, ...]
    unprompted: bool


class ListDirectives(Ask, frozen=True, kw_only=True, tag="directives"):
    """List the directives in force. Reply: `Texts` of their terms."""


class RevokeDirective(Ask, frozen=True, kw_only=True, tag="revoke"):
    """Delete the directives on a term, as the person does in the interface."""

    term: str


class ReadStatus(Ask, frozen=True, kw_only=True, tag="status"):
    """Report the health. Reply: `Health`."""


class Close(Ask, frozen=True, kw_only=True, tag="close"):
    """Close the runtime in order. The reply comes when it is closed; the process ends after it."""


AnyAsk: TypeAlias = (
    Open
    | HearLine
    | SayLine
    | SettleWork
    | MoveClock
    | ArmCrash
    | Answer
    | FindTexts
    | ListFacts
    | ListReflections
    | ReadBriefing
    | ListPersona
    | ExplainText
    | DecideText
    | Erase
    | GateDraft
    | StreamChunks
    | ListDirectives
    | RevokeDirective
    | ReadStatus
    | Close
)


class Outcome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="outcome"):
    """Base of what a reply carries."""


class Done(Outcome, frozen=True, kw_only=True, tag="done"):
    """It is done, and there is nothing to show."""


class Texts(Outcome, frozen=True, kw_only=True, tag="texts"):
    """Texts, in order."""

    texts: tuple[str, ...]


class Health(Outcome, frozen=True, kw_only=True, tag="health"):
    """What doesn't work, how much background work is parked, and the error of each parked op."""

    degraded: tuple[str, ...]
    parked: int
    errors: tuple[str, ...]


class Refused(Outcome, frozen=True, kw_only=True, tag="refused"):
    """The runtime refused, or failed: the error's class and its message."""

    error: str
    message: str


class Reply(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reply to one request.

    `now` is the virtual time after it, `used` the numbers of the scripted answers that were given
    meanwhile, and `crashed` the points at which an armed crash happened.
    """

    outcome: Done | Texts | Health | Refused
    now: float
    used: tuple[int, ...] = ()
    crashed: tuple[str, ...] = ()


def encode(message: AnyAsk | Reply) -> bytes:
    """Return a message as one line."""
    return json.dumps(msgspec.to_builtins(message)).encode("ascii") + b"\n"


def decode_ask(line: bytes) -> AnyAsk:
    """Return the request of a line; raises `ValueError` if it is none."""
    request: AnyAsk = msgspec.convert(json.loads(line), AnyAsk)
    return request


def decode_reply(line: bytes) -> Reply:
    """Return the reply of a line; raises `ValueError` if it is none."""
    return msgspec.convert(json.loads(line), Reply)
