"""How reflections are read by what their evidence makes of them.

A tier is stored nowhere: `omoide_tier` is a function that SQL calls with the counters and the moment, so that a
filter can't meet a label that has gone stale.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

import msgspec

from ...protocols.evidence import Tier, tier
from ...protocols.records import Evidence, Reflection, ReflectionStatus
from ...protocols.scopes import Subject
from ...protocols.settings import EvidenceSettings

_reflections: Final = msgspec.json.Decoder(Reflection)
_evidence: Final = msgspec.json.Decoder(Evidence)

_TAKING_PART: Final = (ReflectionStatus.PENDING.value, ReflectionStatus.CONFIRMED.value)


def register(connection: sqlite3.Connection, weights: EvidenceSettings) -> None:
    """Give a connection the function `omoide_tier(evidence, now)`: the tier of evidence as JSON at a moment.

    Args:
        connection: to the file.
        weights: half-lives and thresholds.
    """

    def omoide_tier(evidence: str, now: float) -> str:
        return tier(_evidence.decode(evidence), now, weights).value

    connection.create_function("omoide_tier", 2, omoide_tier, deterministic=True)


def read(
    connection: sqlite3.Connection,
    character: int,
    subjects: Sequence[Subject] | None,
    wanted: Tier | None,
    now: float,
) -> tuple[Reflection, ...]:
    """Return the pending and confirmed reflections of the subjects (all for None), in order of storing.

    Args:
        connection: one that `register` was called for.
        character: number of the character inside the file.
        subjects: whose memory.
        wanted: only those of this tier at `now`, or None for all.
        now: seconds since the epoch.
    """
    query = "SELECT body FROM reflections WHERE character = ? AND status IN (?, ?)"
    values: list[object] = [character, *_TAKING_PART]
    if subjects is not None:
        query += f" AND subject IN ({','.join('?' * len(subjects))})"
        values += subjects
    if wanted is not None:
        query += " AND omoide_tier(json_extract(CAST(body AS TEXT), '$.evidence'), ?) = ?"
        values += (now, wanted.value)
    found = connection.execute(f"{query} ORDER BY seq", values)
    return tuple(_reflections.decode(body) for (body,) in found)
