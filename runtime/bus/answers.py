"""What a sender is told of a command: its result, or why there is none, in a message that the bus takes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...protocols.errors import InvalidRequestError, OmoideError, OutsideError
from ...protocols.events import Event
from ...protocols.text import has_control_or_surrogate
from . import wire
from .commands import Received

DETAIL_CHARS: Final = 300
"""Longest reason and id in a header (characters)."""

FRAME_BYTES: Final = 256
"""What a message takes on a bus beside its body, headers and names, at most."""

MARGIN_BYTES: Final = 1_024
"""Room for the headers of an event, at most: its type, its id and its seq."""

HEADER_BYTES: Final = 8
"""What a header takes beside its name and value, at most."""


def answer_to(result: object) -> wire.Answer:
    """Return the answer for a result or an error; of a fault of the program's own only that there was one."""
    if isinstance(result, OmoideError):
        error = wire.Failure(
            type=type(result).__name__, message=str(result), again=isinstance(result, OutsideError)
        )
        return wire.Answer(error=error)
    if isinstance(result, Exception):
        message = f"the program failed ({type(result).__name__}): see its log"
        return wire.Answer(error=wire.Failure(type="DefectError", message=message))
    return wire.Answer(result=result)


def fits(body: bytes, headers: Mapping[str, str], most_bytes: int) -> bool:
    """Return whether a message is one that the bus takes.

    A bus that gets a larger one ends the connection, and whoever sent it would send it again, for ever.

    Args:
        body: its body.
        headers: its headers.
        most_bytes: longest message that the bus takes, headers and names with it.
    """
    beside = sum(len(name.encode()) + len(value.encode()) + HEADER_BYTES for name, value in headers.items())
    return len(body) + beside + FRAME_BYTES <= most_bytes


def answer_body(result: object, content_type: str, most_bytes: int) -> bytes:
    """Return the body of the answer for a result or an error; of one that no message holds, that it is long."""
    body = wire.encode(answer_to(result), content_type)
    if fits(body, {}, most_bytes):
        return body
    error = InvalidRequestError(
        f"the answer has {len(body):,} bytes, and this bus takes messages of {most_bytes:,}: ask for less, "
        "or let it take more"
    )
    return wire.encode(answer_to(error), content_type)


def dead_letter(
    received: Received, error: OmoideError, most_bytes: int, **more: str
) -> tuple[bytes, dict[str, str]]:
    """Return the body and headers of a dead letter. A body that the bus doesn't take with them is left out.

    Args:
        received: the command.
        error: why it couldn't be carried out.
        most_bytes: longest message that the bus takes.
        more: further headers, by their names behind `Omoide-`.
    """
    headers = {**reason_headers(received, error), **{f"Omoide-{name}": value for name, value in more.items()}}
    if fits(received.body, headers, most_bytes):
        return received.body, headers
    headers["Omoide-Left-Out"] = str(len(received.body))
    if not fits(b"", headers, most_bytes):
        headers["Omoide-Subject"] = headers["Omoide-Subject"][:DETAIL_CHARS]
    return b"", headers


def event_bodies(
    name: str, word: str, events: Sequence[Event], most_bytes: int, *, content_type: str, texts: bool
) -> list[tuple[wire.Told, bytes]]:
    """Return events as they are published, each with its body; one that no message holds goes without its record.

    Args:
        name: of the character.
        word: the word for it.
        events: the events.
        most_bytes: longest message that the bus takes.
        content_type: how bodies are written.
        texts: whether events carry their records.
    """
    found = []
    for event in events:
        told = wire.told(name, word, event, texts=texts)
        body = wire.encode(told, content_type)
        if not fits(body, {}, most_bytes - MARGIN_BYTES):
            told = wire.told(name, word, event, texts=False)
            body = wire.encode(told, content_type)
        found.append((told, body))
    return found


def reason_headers(received: Received, error: OmoideError) -> dict[str, str]:
    """Return the headers of a dead letter: what it was, and why it couldn't be carried out."""
    said = "".join(" " if has_control_or_surrogate(char) else char for char in str(error))
    return {
        "Content-Type": wire.known(received.content_type),
        "Omoide-Reason": type(error).__name__,
        "Omoide-Detail": said[:DETAIL_CHARS].strip(),
        "Omoide-Subject": received.subject,
        "Omoide-Command-Id": "".join(char for char in received.id if not has_control_or_surrogate(char))[
            :DETAIL_CHARS
        ],
    }
