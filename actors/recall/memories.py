"""What of memory takes part in recall, and what a hit tells of it. Pure.

A fact takes part while it is in force, a reflection while it is pending or confirmed. Whether a reflection is
disputed or left alone for a while depends on the moment, so that is asked anew for each query.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from ...protocols.evidence import is_disputed, tier
from ...protocols.messages import Hit, MemoryKind
from ...protocols.records import Fact, FactStatus, Reflection
from ...protocols.settings import Settings
from ...protocols.statements import statement_key
from ...protocols.trust import band_of, is_doubtful
from ..persona.mentions import is_suppressed
from ..reflection.lifecycle import ACTIVE

Memory: TypeAlias = Fact | Reflection


def takes_part(memory: Memory) -> bool:
    """Return whether a memory can be recalled at all, as it stands."""
    if isinstance(memory, Fact):
        return memory.status is FactStatus.ACTIVE
    return memory.status in ACTIVE


def held_back(reflections: Iterable[Reflection], now: float, settings: Settings) -> frozenset[str]:
    """Return the ids of those reflections that aren't recalled now.

    That are the disputed ones, those brought up too often lately, and of several that say the same all but the
    oldest. One that is negative through being ignored is recalled: silence is no dispute.

    Args:
        reflections: those that take part.
        now: seconds since the epoch.
        settings: what disputes one, and how often one may be brought up.
    """
    held: set[str] = set()
    told: set[tuple[str, str]] = set()
    for one in sorted(reflections, key=lambda reflection: (reflection.created_at, reflection.id)):
        says = (one.subject, statement_key(one.text))
        if (
            is_disputed(one.evidence, now, settings.evidence)
            or is_suppressed(one.mentions, now, settings.mentions)
            or says in told
        ):
            held.add(one.id)
        else:
            told.add(says)
    return frozenset(held)


def hit_of(memory: Memory, score: float, matched: tuple[str, ...], now: float, settings: Settings) -> Hit:
    """Return the hit on a memory.

    Args:
        memory: what was found.
        score: how well it matched.
        matched: the query's terms found in it.
        now: seconds since the epoch, for the tier of a reflection.
        settings: what makes a tier and a band.
    """
    if isinstance(memory, Fact):
        return Hit(
            kind=MemoryKind.FACT,
            id=memory.id,
            text=memory.text,
            entity=memory.entity,
            subject=memory.subject,
            speaker=memory.speaker,
            trust=memory.trust,
            band=band_of(memory.trust, settings.trust),
            doubtful=is_doubtful(memory.contested_at, memory.trust, settings.trust),
            said_at=memory.said_at,
            last_said_at=memory.last_said_at,
            score=score,
            matched=matched,
        )
    return Hit(
        kind=MemoryKind.REFLECTION,
        id=memory.id,
        text=memory.text,
        entity=memory.entity,
        subject=memory.subject,
        tier=tier(memory.evidence, now, settings.evidence),
        said_at=memory.created_at,
        last_said_at=memory.created_at,
        score=score,
        matched=matched,
    )
