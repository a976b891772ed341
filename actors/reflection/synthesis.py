"""When facts are synthesised into a reflection, which ones, and what it starts as. Writes no text itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from ...protocols.evidence import seeded
from ...protocols.prompt_tokens import estimated_tokens
from ...protocols.records import (
    Entity,
    Evidence,
    Fact,
    FactId,
    FactStatus,
    Reflection,
    ReflectionId,
    ReflectionStatus,
    TemporalScope,
)
from ...protocols.scopes import PRIVATE
from ...protocols.settings import EvidenceSettings, ReflectionSettings


def batch(facts: Sequence[Fact], absorbed: AbstractSet[FactId], settings: ReflectionSettings) -> tuple[Fact, ...]:
    """Return the facts to synthesise next, the most important and then the oldest first, or none.

    Args:
        facts: the facts of one subject.
        absorbed: those that a reflection rests on already.
        settings: how many are needed, how important, and how many are taken.
    """
    fresh = [fact for fact in facts if _is_fresh(fact, absorbed, settings)]
    if len(fresh) < settings.min_facts:
        return ()
    ordered = sorted(fresh, key=lambda fact: (-fact.importance, fact.created_at, fact.id))
    return tuple(ordered[: settings.max_facts])


def reflection_id(facts: Iterable[FactId]) -> ReflectionId:
    """Return the id of the reflection on these facts, so that a retry is the same reflection.

    `ref_` and the first 16 hex digits of SHA-256 over the sorted ids, each followed by a NUL byte (baseline). The
    same digest over all fresh facts is the key under which failures of synthesis are counted.
    """
    digest = hashlib.sha256("".join(f"{fact}\0" for fact in sorted(set(facts))).encode())
    return ReflectionId(f"ref_{digest.hexdigest()[:16]}")


def synthesised(
    facts: Sequence[Fact],
    text: str,
    now: float,
    settings: ReflectionSettings,
    weights: EvidenceSettings,
    *,
    entity: Entity,
    temporal_scope: TemporalScope = TemporalScope.PATTERN,
    event_at: float | None = None,
) -> Reflection:
    """Return the new reflection on a batch of facts.

    It is pending and seeded by its facts' largest importance. Outside the private corpus, where no signals come
    in, it is born confirmed with a positive seed. A text over the soft limit loses its temporal scope. Whether
    the value was rejected before is for the caller to see (`evidence.inheriting`).

    Args:
        facts: the batch, of one subject and not empty.
        text: what was synthesised.
        now: when, in seconds since the epoch.
        settings: limits and cool-downs.
        weights: the seeds.
        entity: whom it is about.
        temporal_scope: how long it stays true.
        event_at: when what it tells of happened, where that is known.
    """
    importance = max(fact.importance for fact in facts)
    subject = facts[0].subject
    scoped = subject != PRIVATE
    evidence = seeded(importance, now, weights)
    overlong = estimated_tokens(text) > settings.text_tokens
    ids = tuple(sorted({fact.id for fact in facts}))
    return Reflection(
        id=reflection_id(ids),
        text=text,
        entity=entity,
        subject=subject,
        sources=ids,
        importance=importance,
        evidence=_at_least(settings.scoped_seed, evidence, now) if scoped else evidence,
        created_at=now,
        status=ReflectionStatus.CONFIRMED if scoped else ReflectionStatus.PENDING,
        status_at=now,
        age_anchor_at=now,
        auto_confirmed=scoped,
        next_eligible_at=now + settings.cooldown_s,
        temporal_scope=TemporalScope.PATTERN if overlong else temporal_scope,
        event_at=None if overlong else event_at,
    )


def _at_least(seed: float, evidence: Evidence, now: float) -> Evidence:
    return evidence if evidence.reinforcement >= seed else Evidence(reinforcement=seed, rein_last_signal_at=now)


def _is_fresh(fact: Fact, absorbed: AbstractSet[FactId], settings: ReflectionSettings) -> bool:
    return (
        fact.status is FactStatus.ACTIVE and fact.importance >= settings.min_importance and fact.id not in absorbed
    )
