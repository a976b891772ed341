"""What the harness and the process under test say to each other: a JSON line each, matched by number.

Many requests may be under way at once. What the runtime refuses is an answer too.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

PLATFORM: Final = "soak"
"""Where the accounts of those who talk are."""


class Request(Struct, frozen=True, kw_only=True, tag_field="ask"):
    """Base of every request."""


class Open(Request, frozen=True, kw_only=True, tag="open"):
    """Open the data folder that `settings` name, at the time `now` of a clock of that speed. Comes first.

    `serves_bus` has it serve on the message bus of its settings too.
    """

    settings: dict[str, Any]
    now: float
    speed: float
    serves_bus: bool = False


class Hear(Request, frozen=True, kw_only=True, tag="hear"):
    """Somebody says something. Reply: `Heard`."""

    who: str
    text: str
    place: str
    by: str
    id: str
    said_at: float


class Recall(Request, frozen=True, kw_only=True, tag="recall"):
    """Recall. `said` is what the person says in this turn, None for the query. Reply: `Found`."""

    who: str
    query: str
    places: tuple[str, ...]
    limit: int
    said: str | None = None


class Brief(Request, frozen=True, kw_only=True, tag="brief"):
    """Brief the character. Reply: `Told`."""

    who: str
    places: tuple[str, ...]
    cue: str


class Gate(Request, frozen=True, kw_only=True, tag="gate"):
    """Judge an unprompted draft. Reply: `Told` with the verdict."""

    who: str
    draft: str
    place: str


class Stream(Request, frozen=True, kw_only=True, tag="stream"):
    """Pass chunks of unprompted speech through the gate. Reply: `Told` with what it let through."""

    who: str
    chunks: tuple[str, ...]
    place: str


class Reject(Request, frozen=True, kw_only=True, tag="reject"):
    """Reject, in the interface, the facts in force in `place` with that text. Reply: `Counted`."""

    who: str
    text: str
    place: str


class Settle(Request, frozen=True, kw_only=True, tag="settle"):
    """Do all background work; parked work is sent again once. Reply: `Counted` with what is parked then."""

    who: str


class Look(Request, frozen=True, kw_only=True, tag="look"):
    """Show everything. Reply: `Shown`."""

    who: str


class Examine(Request, frozen=True, kw_only=True, tag="examine"):
    """Have the doctor examine the journal. Reply: `Examined`."""

    who: str


class Tamper(Request, frozen=True, kw_only=True, tag="tamper"):
    """Change an entry of a copy of the journal and have the doctor examine that. Reply: `Examined`."""

    who: str


class Passivate(Request, frozen=True, kw_only=True, tag="passivate"):
    """Take a character out of memory."""

    who: str


class Move(Request, frozen=True, kw_only=True, tag="move"):
    """Export a character to `folder`, erase it and import it again. Each part is done only if it wasn't yet."""

    who: str
    folder: str


class Retire(Request, frozen=True, kw_only=True, tag="retire"):
    """Erase a character, if it is there."""

    who: str


class Arm(Request, frozen=True, kw_only=True, tag="arm"):
    """Arm a failpoint."""

    point: str
    kills: bool
    skip: int = 0


class SetDisk(Request, frozen=True, kw_only=True, tag="disk"):
    """Take no file longer than `limit` bytes (None lifts it), and have every commit wait."""

    limit: int | None
    wait_s: float


class Jump(Request, frozen=True, kw_only=True, tag="jump"):
    """Move the clock."""

    by_s: float


class Measure(Request, frozen=True, kw_only=True, tag="measure"):
    """Measure the process. Reply: `Measured`."""


class Close(Request, frozen=True, kw_only=True, tag="close"):
    """Close the runtime in order. The reply comes when it is closed; the process ends after it."""


AnyRequest: TypeAlias = (
    Open
    | Hear
    | Recall
    | Brief
    | Gate
    | Stream
    | Reject
    | Settle
    | Look
    | Examine
    | Tamper
    | Passivate
    | Move
    | Retire
    | Arm
    | SetDisk
    | Jump
    | Measure
    | Close
)


class Answer(Struct, frozen=True, kw_only=True, tag_field="answer"):
    """Base of every reply."""


class Done(Answer, frozen=True, kw_only=True, tag="done"):
    """It is done."""


class Heard(Answer, frozen=True, kw_only=True, tag="heard"):
    """The receipt."""

    turn: str
    repeated: bool


class Memory(Struct, frozen=True, kw_only=True):
    """One memory: a fact, a turn, or a reflection. `active` says whether it is in force."""

    kind: str
    id: str
    text: str
    place: str
    by: str = ""
    active: bool = True


class Found(Answer, frozen=True, kw_only=True, tag="found"):
    """What was recalled, best first; `degraded` names what was missing."""

    hits: tuple[Memory, ...]
    degraded: tuple[str, ...]


class Told(Answer, frozen=True, kw_only=True, tag="told"):
    """A text; `degraded` names what was missing."""

    text: str
    degraded: tuple[str, ...] = ()


class Counted(Answer, frozen=True, kw_only=True, tag="counted"):
    """How many, and which."""

    count: int
    which: tuple[str, ...] = ()


class Shown(Answer, frozen=True, kw_only=True, tag="shown"):
    """Everything of a character: turns, facts in force and not, terms of the directives in force, pending ops."""

    turns: tuple[Memory, ...]
    facts: tuple[Memory, ...]
    directives: tuple[str, ...]
    pending: tuple[str, ...]


class Examined(Answer, frozen=True, kw_only=True, tag="examined"):
    """What the doctor found, as `part: message`, and how many events there are."""

    findings: tuple[str, ...]
    events: int


class Measured(Answer, frozen=True, kw_only=True, tag="measured"):
    """The process.

    It tells its memory in bytes, open files, threads, its clock, characters in memory, work that waits, the
    longest mailbox and its bound, restarts of roles, and dead letters.
    """

    rss: int
    files: int
    threads: int
    now: float
    resident: int
    pending: int
    mailbox: int
    mailbox_bound: int
    restarts: int
    dead_letters: int


class Refused(Answer, frozen=True, kw_only=True, tag="refused"):
    """The runtime refused, or failed: whose fault it is, the error's class and its message."""

    whose: Literal["caller", "outside", "defect"]
    error: str
    message: str


AnyAnswer: TypeAlias = Done | Heard | Found | Told | Counted | Shown | Examined | Measured | Refused


AnswerT = TypeVar("AnswerT", bound=Answer)


class Envelope(Struct, frozen=True, kw_only=True):
    """A request with its number."""

    number: int
    request: AnyRequest


class Reply(Struct, frozen=True, kw_only=True):
    """The answer to the request of that number."""

    number: int
    answer: AnyAnswer


_encoder = msgspec.json.Encoder()
_requests = msgspec.json.Decoder(Envelope)
_replies = msgspec.json.Decoder(Reply)


def encode(message: Envelope | Reply) -> bytes:
    """Return a message as one line."""
    return _encoder.encode(message) + b"\n"


def decode_request(line: bytes) -> Envelope:
    """Return the request of a line; raises `msgspec.DecodeError` if it is none."""
    return _requests.decode(line)


def decode_reply(line: bytes) -> Reply:
    """Return the reply of a line; raises `msgspec.DecodeError` if it is none."""
    return _replies.decode(line)
