"""The check at the door: what the host hands over becomes a turn, or a clear error. Pure."""

from __future__ import annotations

import hashlib
import math
import unicodedata

import msgspec

from ...protocols.errors import InvalidNameError, InvalidRequestError
from ...protocols.messages import IdempotencyKey, Utterance
from ...protocols.records import Role, Speaker, Turn, TurnId
from ...protocols.scopes import MAX_COMPONENT_CHARS, parse_subject
from ...protocols.secrets import redact
from ...protocols.self_account import PLATFORM
from ...protocols.settings import Settings
from ...protocols.text import check_text, has_control_or_surrogate
from ...protocols.trust import Tally, base_of, trust_of

MAX_LABEL_CHARS = 64
"""Longest speaker label kept (characters); labels are cosmetic (baseline: 64)."""

MAX_SURFACED = 16
"""Most reflections that one line can bring up; more are a list and no line."""

MAX_SURFACED_CHARS = 4_096
"""Longest name of one (characters): its whole text is at most a few hundred."""


def open_envelope(utterance: Utterance, role: Role, *, fresh_id: str, now: float, settings: Settings) -> Turn:
    """Return the turn that an utterance makes, with the trust that the host's word alone gives.

    Its id comes from the host's message id where there is one, so that the same message is the same
    turn, and is `fresh_id` otherwise.

    Args:
        utterance: what the host hands over.
        role: whose side it is from.
        fresh_id: id of a turn without a message id.
        now: seconds since the epoch.
        settings: what is too long, how far a speaker is believed, and whether secrets are taken out.

    Raises:
        InvalidTextError: if the text is empty, too long, or not storable.
        InvalidSubjectError: if the subject is malformed.
        InvalidNameError: if the speaker's platform or account is malformed.
        InvalidRequestError: if the id, the trust or the time is malformed.
    """
    if not isinstance(utterance, Utterance):
        raise InvalidRequestError(f"expected an Utterance, got {type(utterance).__name__}")
    redacts = settings.secrets.redact
    said = check_text(utterance.text, max_chars=settings.limits.text_chars, setting="limits.text_chars")
    text = without_secrets(said, redacts=redacts)
    subject = parse_subject(utterance.subject)
    said_at = (
        now if utterance.said_at is None else _checked_number("said_at", utterance.said_at, -math.inf, math.inf)
    )
    base = base_of(utterance.trust, settings.trust)
    return Turn(
        id=TurnId(f"turn_{fresh_id if utterance.id is None else _digest(_checked_id(utterance.id))}"),
        role=role,
        text=text,
        subject=subject,
        speaker=None if utterance.speaker is None else _checked_speaker(utterance.speaker, redacts=redacts),
        trust=None if base is None else trust_of(base, Tally(), settings.trust),
        said_at=said_at,
        heard_at=now,
    )


def idempotency_of(turn: Turn) -> IdempotencyKey:
    """Return the key under which a turn is committed once; its fingerprint covers what was said and by whom.

    Args:
        turn: the turn as the envelope gives it: what the pool knows of the speaker meanwhile makes it no other.
    """
    content = (turn.role, turn.text, turn.subject, turn.speaker, turn.trust)
    return IdempotencyKey(key=turn.id, fingerprint=hashlib.sha256(msgspec.json.encode(content)).hexdigest())


def without_secrets(text: str, *, redacts: bool) -> str:
    """Return a text as it may be stored: with markers in the place of secrets, if they are to be taken out.

    What is no text at all is left to whoever checks it.
    """
    return redact(text).text if redacts and isinstance(text, str) else text


def surfaced_by(utterance: Utterance, role: Role, *, redacts: bool) -> tuple[str, ...]:
    """Return what names the reflections that a line of the character brought up, each once.

    Raises:
        InvalidRequestError: if a person's turn names some, there are too many, or a name is blank or too long.
    """
    names = utterance.surfaced
    if not names:
        return ()
    if role is not Role.CHARACTER:
        raise InvalidRequestError("surfaced belongs to what the character says: a person brings no reflection up")
    if not isinstance(names, tuple | list) or len(names) > MAX_SURFACED:
        raise InvalidRequestError(f"surfaced is a list of at most {MAX_SURFACED} ids or texts, got {names!r:.60}")
    for name in names:
        if not isinstance(name, str) or not name.strip() or len(name) > MAX_SURFACED_CHARS:
            raise InvalidRequestError(
                f"surfaced names a reflection by its id or by up to {MAX_SURFACED_CHARS:,} characters of its "
                f"words, got {name!r:.60}"
            )
        if any(unicodedata.category(char) == "Cs" for char in name):
            raise InvalidRequestError("surfaced holds a lone surrogate: send valid Unicode")
    return tuple(dict.fromkeys(without_secrets(name, redacts=redacts) for name in names))


def _digest(message_id: str) -> str:
    return hashlib.sha256(message_id.encode()).hexdigest()[:32]


def _checked_id(message_id: object) -> str:
    if not isinstance(message_id, str):
        raise InvalidRequestError(f"a message id is a string, got {type(message_id).__name__}")
    if not message_id.strip() or len(message_id) > MAX_COMPONENT_CHARS or has_control_or_surrogate(message_id):
        raise InvalidRequestError(
            f"a message id has 1 to {MAX_COMPONENT_CHARS} visible characters, got {message_id[:40]!r}",
        )
    return message_id


def _checked_number(name: str, value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidRequestError(f"{name} is a finite number, got {value!r}")
    if not low <= value <= high:
        raise InvalidRequestError(f"{name} is between {low:g} and {high:g}, got {value!r}")
    return float(value)


def _checked_speaker(speaker: object, *, redacts: bool) -> Speaker:
    if not isinstance(speaker, Speaker):
        raise InvalidNameError(f"a speaker is a Speaker(platform, account, label), got {type(speaker).__name__}")
    for name in ("platform", "account"):
        part = getattr(speaker, name)
        if (
            not isinstance(part, str)
            or not part.strip()
            or len(part) > MAX_COMPONENT_CHARS
            or has_control_or_surrogate(part)
        ):
            raise InvalidNameError(
                f"a speaker's {name} has 1 to {MAX_COMPONENT_CHARS} visible characters, got {part!r:.60}",
            )
    if speaker.platform.strip().casefold() == PLATFORM:
        raise InvalidNameError(f"the platform {PLATFORM!r} is the character's own: name the speaker's platform")
    if ":" in speaker.platform:
        raise InvalidNameError(f"a speaker's platform has no colon, got {speaker.platform!r}")
    if not isinstance(speaker.label, str):
        raise InvalidNameError(f"a speaker's label is a string, got {type(speaker.label).__name__}")
    return Speaker(
        platform=speaker.platform.strip().lower(),
        account=speaker.account.strip(),
        label=_clean_label(without_secrets(speaker.label, redacts=redacts)),
    )


def _clean_label(label: str) -> str:
    """Return a label that can be shown. People choose it themselves, so it must not cost them their message."""
    visible = "".join(" " if has_control_or_surrogate(char) else char for char in label)
    return " ".join(visible.split())[:MAX_LABEL_CHARS]
