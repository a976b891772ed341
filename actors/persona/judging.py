"""What new facts say of persona entries, by what they claim. Pure.

Strict, as with reflections: only a fact that says the same as an entry, or its opposite, counts. The card is the
host's word and takes no signal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.claims import opposes, same_claim
from ...protocols.evidence import Signal, apply_signal
from ...protocols.records import EntryStatus, Fact, FactStatus, PersonaEntry
from ...protocols.rejections import readings
from ...protocols.settings import EvidenceSettings


class Judged(Struct, frozen=True, kw_only=True):
    """An entry after what new facts say of it; `denied` if any of them says the opposite."""

    entry: PersonaEntry
    denied: bool


def judged(
    entries: Iterable[PersonaEntry],
    facts: Iterable[Fact],
    now: float,
    weights: EvidenceSettings,
    *,
    names: Sequence[str],
) -> tuple[Judged, ...]:
    """Return the entries of which new facts say something, after it.

    Args:
        entries: the persona entries of the facts' subject.
        facts: the new facts; what somebody else than the owner said counts for nothing.
        now: when, in seconds since the epoch.
        weights: what a signal weighs.
        names: the owner's names.
    """
    called = tuple(names)
    new = [fact for fact in facts if fact.status is FactStatus.ACTIVE and fact.speaker is None]
    found: list[Judged] = []
    for entry in entries:
        if entry.status is not EntryStatus.ACTIVE or entry.evidence.protected:
            continue
        signals = [
            signal
            for fact in new
            if fact.subject == entry.subject and fact.entity is entry.entity
            if (signal := _signal(fact, entry, called)) is not None
        ]
        evidence = entry.evidence
        for signal in signals:
            evidence = apply_signal(evidence, signal, now, weights)
        if signals:
            denied = Signal.FACT_NEGATES in signals
            found.append(Judged(entry=replace(entry, evidence=evidence), denied=denied))
    return tuple(found)


def _signal(fact: Fact, entry: PersonaEntry, names: tuple[str, ...]) -> Signal | None:
    stated, believed = readings(fact.text, names), readings(entry.text, names)
    if any(opposes(claim, belief) for belief in believed for claim in stated):
        return Signal.FACT_NEGATES
    if any(same_claim(belief, claim) for belief in believed for claim in stated):
        return Signal.FACT_REINFORCES
    return None
