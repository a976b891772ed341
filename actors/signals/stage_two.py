"""What a mind is shown of new facts and of what is believed (Stage 2), and what of its answer counts. Pure.

What the person plainly says is not a mind's to overlook: where rules find that a fact denies a belief, it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from ...protocols.evidence import Signal, score
from ...protocols.messages import ReflectionSignal
from ...protocols.prompt_tokens import estimated_tokens
from ...protocols.records import Fact, FactStatus, PersonaEntry, Reflection, ReflectionId
from ...protocols.settings import EvidenceSettings, SignalSettings
from ...protocols.tasks import Belief, FactSignal, Target, TargetKind
from ..briefing.quoting import cut, quotable
from .judgements import FROM_FACTS, Accepted, Judgement, accepted

_Held = TypeVar("_Held", Reflection, PersonaEntry)


def shown_facts(facts: Iterable[Fact], settings: SignalSettings) -> tuple[Fact, ...]:
    """Return the facts that a mind is shown: the owner's own that are in force, the most important first."""
    new = [fact for fact in facts if fact.status is FactStatus.ACTIVE and fact.speaker is None]
    return tuple(sorted(new, key=lambda fact: (-fact.importance, fact.created_at, fact.id))[: settings.facts])


def shown_beliefs(
    beliefs: Iterable[_Held], now: float, weights: EvidenceSettings, settings: SignalSettings
) -> tuple[Belief, ...]:
    """Return the beliefs that a mind is shown, those with the highest score first, as many as have room.

    Args:
        beliefs: reflections, or persona entries.
        now: seconds since the epoch.
        weights: half-lives.
        settings: how many, and how long they may be.
    """
    scored = sorted(beliefs, key=lambda one: (-score(one.evidence, now, weights), one.id))
    return told_beliefs(scored, now, weights, settings)


def told_beliefs(
    beliefs: Sequence[_Held], now: float, weights: EvidenceSettings, settings: SignalSettings
) -> tuple[Belief, ...]:
    """Return the first of some beliefs as a mind is shown them, in their order, as many as have room.

    Args:
        beliefs: reflections, or persona entries.
        now: seconds since the epoch.
        weights: half-lives.
        settings: how many, and how long they may be.
    """
    shown: list[Belief] = []
    left = settings.pool_tokens
    for one in beliefs[: settings.beliefs]:
        text = cut(quotable(one.text), settings.belief_tokens)
        left -= estimated_tokens(text)
        if left < 0:
            break
        shown.append(
            Belief(
                target=target_of(one),
                text=text,
                entity=one.entity,
                score=score(one.evidence, now, weights),
            )
        )
    return tuple(shown)


def target_of(belief: Reflection | PersonaEntry) -> Target:
    """Return what a signal names a belief by."""
    kind = TargetKind.REFLECTION if isinstance(belief, Reflection) else TargetKind.PERSONA
    return Target(kind, belief.id)


def held_to_the_question(
    answer: Iterable[FactSignal], facts: Iterable[Fact], beliefs: Iterable[Belief]
) -> Accepted:
    """Return what of a mind's answer stands: signals of this task, by facts and for beliefs that it was shown."""
    return accepted(
        (Judgement(target=one.target, signal=one.signal, fact=one.fact, reason=one.reason) for one in answer),
        targets={belief.target for belief in beliefs},
        facts={fact.id for fact in facts},
        signals=FROM_FACTS,
    )


def reflection_signals(
    held: Accepted, plain: Sequence[ReflectionSignal], reflections: Iterable[Reflection]
) -> tuple[ReflectionSignal, ...]:
    """Return the signals on reflections: what rules find denied, and whatever else a mind saw.

    Args:
        held: what of the mind's answer stands. That a belief says what the facts say which it rests on is no news.
        plain: what rules find.
        reflections: what the mind was shown.
    """
    rests_on: dict[str, frozenset[str]] = {one.id: frozenset(one.sources) for one in reflections}
    denied = [one for one in plain if one.signal is Signal.FACT_NEGATES]
    said = {(one.reflection, one.reason) for one in denied}
    return (
        *denied,
        *(
            ReflectionSignal(
                reflection=ReflectionId(one.target.id), signal=one.signal, reason=one.fact or one.reason
            )
            for one in held.kept
            if (one.target.id, one.fact) not in said and one.fact not in rests_on.get(one.target.id, frozenset())
        ),
    )
