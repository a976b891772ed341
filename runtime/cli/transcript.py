"""The transcript format: a conversation as JSONL, one turn a line. `docs/reference/transcript.md` describes it.

Pure. Knows what a line means; must not know where lines come from or what is done with them.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from ...protocols.errors import InvalidRequestError
from ...protocols.records import Role, Speaker
from ...protocols.scopes import PRIVATE

Side: TypeAlias = Literal["owner", "character"]

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_SPEAKERS: Final = '"owner", "character" or {"platform": ..., "account": ..., "label": ...}'


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line as it is written; what is left out has the defaults of `docs/reference/transcript.md`."""

    text: str
    id: str | None = None
    speaker: Speaker | str = "owner"
    subject: str = PRIVATE
    at: str | float | None = None


class Spoken(Struct, frozen=True, kw_only=True):
    """One turn of a transcript. `said_at` is in seconds since the epoch; None is the time of the replay."""

    number: int
    message_id: str
    role: Role
    speaker: Speaker | None
    subject: str
    text: str
    said_at: float | None


_decoder: Final = msgspec.json.Decoder(Line)


def parse_line(raw: bytes, number: int) -> Spoken | None:
    """Return the turn that a line of a transcript is, or None for a blank line.

    Args:
        raw: the line, with or without its end.
        number: its place in the transcript, counted from 1.

    Raises:
        InvalidRequestError: if it is no such line; the message says why, and not where.
    """
    stripped = raw.removeprefix(_UTF8_MARK).strip() if number == 1 else raw.strip()
    if not stripped:
        return None
    try:
        line = _decoder.decode(stripped)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidRequestError(f"{_lower(str(error))}; a line is a JSON object with at least a text") from error
    role, speaker = _speaker(line.speaker)
    return Spoken(
        number=number,
        message_id=line.id if line.id is not None else derived_id(line, number),
        role=role,
        speaker=speaker,
        subject=line.subject,
        text=line.text,
        said_at=moment_of(line.at),
    )


def derived_id(line: Line, number: int) -> str:
    """Return the id of a line that names none: the same for the same content in the same place, always."""
    content = msgspec.json.encode((number, line.speaker, line.subject, line.text, line.at))
    return f"line:{number}:{hashlib.sha256(content).hexdigest()[:32]}"


def _speaker(speaker: Speaker | str) -> tuple[Role, Speaker | None]:
    match speaker:
        case "owner":
            return Role.PERSON, None
        case "character":
            return Role.CHARACTER, None
        case Speaker():
            return Role.PERSON, speaker
        case unknown:
            raise InvalidRequestError(f"unknown speaker {unknown!r:.60}: write {_SPEAKERS}")


def moment_of(at: str | float | None) -> float | None:
    """Return when something was said, in seconds since the epoch; None where that isn't told.

    Raises:
        InvalidRequestError: if it is a text, and no time with a zone.
    """
    if not isinstance(at, str):
        return at
    try:
        moment = datetime.fromisoformat(at)
    except ValueError as error:
        raise InvalidRequestError(
            f"at is {at!r:.60}: write ISO 8601 with a zone, such as 2026-03-02T19:30:00+01:00, or seconds",
        ) from error
    if moment.tzinfo is None:
        raise InvalidRequestError(f"at is {at!r:.60} without a zone: add one, such as {at}Z or {at}+01:00")
    return moment.timestamp()


def _lower(message: str) -> str:
    return message if message[:2].isupper() else message[:1].lower() + message[1:]
