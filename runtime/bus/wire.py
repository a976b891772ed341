"""What goes over a bus: the shape of every message, its version, and how it is written.

A body is JSON or MessagePack, as its content type says. A field that isn't known is refused, and so is another
version, so that a command is never half understood. Knows no bus.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from ...protocols.errors import InvalidRequestError
from ...protocols.events import AnyChange, Event
from ..api import bodies

VERSION: Final = 1
"""Version of the messages that this program writes, and the only one that it reads."""

JSON: Final = "application/json"
MSGPACK: Final = "application/msgpack"
CONTENT_TYPES: Final = {JSON: "json", MSGPACK: "msgpack", "application/x-msgpack": "msgpack"}


class Hear(bodies.HearBody, frozen=True, kw_only=True):
    """Somebody said something. As over HTTP; `said_at` left out is when the bus got it."""

    version: Literal[1] = VERSION


class Say(bodies.SayBody, frozen=True, kw_only=True):
    """The character said something."""

    version: Literal[1] = VERSION


class Ban(bodies.DirectiveBody, frozen=True, kw_only=True):
    """A topic isn't to be mentioned."""

    message_id: str | None = None
    version: Literal[1] = VERSION


class Unban(bodies.Fields, frozen=True, kw_only=True):
    """A directive is to be deleted, named by its id or its term."""

    name: str
    message_id: str | None = None
    version: Literal[1] = VERSION


class Forget(bodies.Fields, frozen=True, kw_only=True):
    """A memory is wrong or unwanted: it is retracted and doesn't come back, until it is affirmed.

    `what` is its id, or words that only it has. To erase for good is not the bus's to do.
    """

    what: str
    message_id: str | None = None
    version: Literal[1] = VERSION


class Recall(bodies.RecallBody, frozen=True, kw_only=True):
    """What is remembered of something?"""

    version: Literal[1] = VERSION


class Briefing(bodies.BriefingBody, frozen=True, kw_only=True):
    """What should the character have in mind for its next line?"""

    version: Literal[1] = VERSION


class Gate(bodies.GateBody, frozen=True, kw_only=True):
    """May the character say this?"""

    version: Literal[1] = VERSION


class Directives(bodies.Fields, frozen=True, kw_only=True):
    """What isn't to be mentioned?"""

    version: Literal[1] = VERSION


class Failure(Struct, frozen=True, kw_only=True):
    """Why there is no result. `again` says that the same message may succeed later."""

    type: str
    message: str
    again: bool = False


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer to a command or question: its result, or why there is none."""

    version: int = msgspec.field(default_factory=lambda: VERSION)
    result: Any = None
    error: Failure | None = None


class Told(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A change of a character, as it is published. `id` is the same whenever the same event is published again.

    The first of `record_ids` is the record that changed. `change` holds it, where texts are published.
    """

    id: str
    character: str
    seq: int
    at: float
    kind: str
    actor: str
    cause: str
    subject: str
    record_ids: tuple[str, ...]
    change: AnyChange | None = None
    version: int = msgspec.field(default_factory=lambda: VERSION)


class _Versioned(Struct):
    version: int = VERSION


def told(character: str, word: str, event: Event, *, texts: bool) -> Told:
    """Return an event as it is published."""
    return Told(
        id=f"{word}:{event.seq}:{event.chain[:16]}",
        character=character,
        seq=event.seq,
        at=event.at,
        kind=event.kind,
        actor=event.actor,
        cause=event.cause,
        subject=event.subject,
        record_ids=event.record_ids,
        change=event.change if texts else None,
    )


def decode(body: bytes, content_type: str, kind: type[bodies.Fields]) -> Any:  # noqa: ANN401 - of `kind`
    """Return a body as an instance of `kind`.

    Raises:
        InvalidRequestError: if the content type or the version is unknown, or the body isn't what it says.
    """
    form = CONTENT_TYPES.get(content_type.partition(";")[0].strip().lower() or JSON)
    if form is None:
        raise InvalidRequestError(f"the content type {content_type!r:.60} isn't known: send {JSON} or {MSGPACK}")
    decoder: Any = msgspec.json if form == "json" else msgspec.msgpack
    try:
        version = decoder.decode(body, type=_Versioned).version
        if version != VERSION:
            raise InvalidRequestError(f"messages of version {version} aren't known here: send version {VERSION}")
        return decoder.decode(body, type=kind)
    except msgspec.MsgspecError as error:
        raise InvalidRequestError(f"the body isn't what this command takes: {error}") from error
    except UnicodeError as error:
        raise InvalidRequestError("the body isn't UTF-8") from error


def encode(message: Struct, content_type: str) -> bytes:
    """Return a message as bytes, in a content type that is known; an unknown one gets JSON."""
    form = CONTENT_TYPES.get(content_type.partition(";")[0].strip().lower(), "json")
    return msgspec.json.encode(message) if form == "json" else msgspec.msgpack.encode(message)


def known(content_type: str) -> str:
    """Return the content type in which `encode` writes what is to be in another one."""
    form = CONTENT_TYPES.get(content_type.partition(";")[0].strip().lower(), "json")
    return MSGPACK if form == "msgpack" else JSON
