"""Who said something and when, as terms: questions name people and days. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from ...protocols.records import Speaker
from .rows import Voice
from .search_terms import search_terms

_DAY_S: Final = 86_400

_DATE: Final = "%A %d %B %Y"
"""A day as people write it in a question, such as `Monday 08 May 2023`."""


CHARACTER: Final = Voice("character")
"""The character itself, whose name is left out of terms."""


def voice(speaker: Speaker | None, owner: str) -> Voice:
    """Return who a person is.

    Args:
        speaker: who it was, None for the owner.
        owner: how the owner is called, or an empty string.
    """
    return _voice("owner", owner) if speaker is None else _voice(f"speaker {speaker.key}", speaker.label)


@lru_cache(maxsize=1 << 12)
def _voice(key: str, name: str) -> Voice:
    return Voice(key, tuple(search_terms(name)))


def byline(speaker: Speaker | None, owner: str, said_at: float) -> tuple[str, ...]:
    """Return the terms that tell who said something and on which day (UTC).

    Args:
        speaker: who it was, None for the owner.
        owner: how the owner is called, or an empty string.
        said_at: when, in seconds since the epoch.
    """
    return _byline(owner if speaker is None else speaker.label, int(said_at // _DAY_S))


@lru_cache(maxsize=1 << 12)
def _byline(name: str, day: int) -> tuple[str, ...]:
    try:
        date = datetime.fromtimestamp(day * _DAY_S, UTC).strftime(_DATE)
    except (OverflowError, OSError, ValueError):
        date = ""
    # One spelling of a number: nobody writes "08 May".
    return tuple(search_terms(f"{date} {name}".replace(" 0", " ")))
