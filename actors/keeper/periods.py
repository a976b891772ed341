"""Which UTC day it is, and when a character is next looked over. Pure."""

from __future__ import annotations

import math
import zlib
from datetime import UTC, datetime
from typing import Final

from ...protocols.evidence import DAY_S

SPREAD_S: Final = 3_600.0
"""Time after midnight (UTC, seconds) over which characters are spread, so that not all are looked over at once."""


def day_of(now: float) -> str:
    """Return the UTC day of a time in seconds since the epoch, as an ISO date."""
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def next_sweep_at(now: float, character: str) -> float:
    """Return the next time after `now` at which a character is looked over: once a UTC day, at its own minute.

    Args:
        now: seconds since the epoch.
        character: its name, from which the minute follows.
    """
    offset = zlib.crc32(character.encode()) / 2**32 * SPREAD_S
    return (math.floor((now - offset) / DAY_S) + 1) * DAY_S + offset
