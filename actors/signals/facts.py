"""What new facts say of what is believed (Stage 2), by what they claim. Pure.

Strict: only a fact that says the same as a belief, or its opposite, counts. A fact that a belief rests on says
nothing new of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...protocols.claims import opposes, same_claim
from ...protocols.evidence import Signal
from ...protocols.messages import ReflectionSignal
from ...protocols.records import Fact, FactStatus, Reflection, ReflectionId
from ...protocols.rejections import readings
from ...protocols.tasks import Target, TargetKind
from .judgements import FROM_FACTS, Accepted, Judgement, accepted


def facts_as_signals(
    facts: Iterable[Fact], reflections: Iterable[Reflection], names: tuple[str, ...]
) -> tuple[tuple[ReflectionSignal, ...], Accepted]:
    """Return the signals that new facts give, and what of the judgements stood.

    Args:
        facts: the new facts, of one subject.
        reflections: what is believed of that subject.
        names: the owner's names.
    """
    new = tuple(fact for fact in facts if fact.status is FactStatus.ACTIVE and fact.speaker is None)
    beliefs = tuple(reflections)
    held = accepted(
        _judgements(new, beliefs, names),
        targets={Target(TargetKind.REFLECTION, belief.id) for belief in beliefs},
        facts={fact.id for fact in new},
        signals=FROM_FACTS,
    )
    return tuple(
        ReflectionSignal(
            reflection=ReflectionId(judgement.target.id),
            signal=judgement.signal,
            reason=judgement.fact or judgement.reason,
        )
        for judgement in held.kept
    ), held


def _judgements(
    facts: Iterable[Fact], reflections: tuple[Reflection, ...], names: tuple[str, ...]
) -> Iterator[Judgement]:
    for fact in facts:
        stated = readings(fact.text, names)
        for reflection in reflections:
            if fact.id in reflection.sources or fact.entity is not reflection.entity:
                continue
            target = Target(TargetKind.REFLECTION, reflection.id)
            beliefs = readings(reflection.text, names)
            if any(same_claim(belief, claim) for belief in beliefs for claim in stated):
                yield Judgement(target=target, signal=Signal.FACT_REINFORCES, fact=fact.id)
            if any(opposes(claim, belief) for belief in beliefs for claim in stated):
                yield Judgement(target=target, signal=Signal.FACT_NEGATES, fact=fact.id)
