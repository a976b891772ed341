"""Which pending reflections the character may bring up, to learn what the person says to them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.evidence import score
from ...protocols.records import Fact, Reflection, ReflectionStatus
from ...protocols.settings import EvidenceSettings, ReflectionSettings
from ...protocols.statements import statement_key


class Offer(Struct, frozen=True, kw_only=True):
    """A memory that may be brought up, with its weight (above 0) when some of many are drawn."""

    memory: Reflection | Fact
    weight: float


def offers(
    reflections: Iterable[Reflection], now: float, settings: ReflectionSettings, weights: EvidenceSettings
) -> tuple[Offer, ...]:
    """Return the reflections that may be brought up now, one a statement, by weight.

    Pending, past their cool-down, and not negative; that their evidence has reached another tier meanwhile
    doesn't matter. The weight is max(score, 0) + `surfaced_weight`.
    """
    found: dict[str, Offer] = {}
    for reflection in sorted(reflections, key=lambda one: (one.created_at, one.id)):
        value = score(reflection.evidence, now, weights)
        # More than a cool-down ahead is a time from before the clock was set back.
        rests = now < reflection.next_eligible_at <= now + settings.cooldown_s
        if reflection.status is ReflectionStatus.PENDING and not rests and value >= 0:
            offer = Offer(memory=reflection, weight=max(value, 0.0) + settings.surfaced_weight)
            if key := statement_key(reflection.text):
                found.setdefault(key, offer)
    return tuple(sorted(found.values(), key=lambda offer: -offer.weight))


def drawn(offered: Sequence[Offer], most: int, random: Random) -> tuple[Offer, ...]:
    """Return at most so many offers, drawn by weight without replacement.

    The `most` largest of ln(u) / weight with u uniform in (0, 1]: Efraimidis and Spirakis, "Weighted random
    sampling with a reservoir" (2006), algorithm A. Where no more are offered, all are returned.
    """
    if len(offered) <= most:
        return tuple(offered)
    keyed = [(math.log(1.0 - random.random()) / offer.weight, at) for at, offer in enumerate(offered)]
    return tuple(offered[at] for _, at in sorted(keyed, reverse=True)[:most])


def surfaced(reflection: Reflection, now: float, settings: ReflectionSettings) -> Reflection:
    """Return the reflection after it was brought up: not again before its cool-down is over.

    For what was delivered, never for what was only offered.
    """
    return replace(reflection, next_eligible_at=now + settings.cooldown_s)
