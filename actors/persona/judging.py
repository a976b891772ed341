"""What new facts say of persona entries: plainly, by what they claim, and to a mind. Pure.

Plain is only a fact that says the same as an entry, or its opposite. The card is the host's word and takes no
signal.
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
from ..signals.judgements import Accepted


class Judged(Struct, frozen=True, kw_only=True):
    """An entry after what new facts say of it; `denied` if any of them says the opposite."""

    entry: PersonaEntry
    denied: bool


class EntrySignal(Struct, frozen=True):
    """One signal on an entry, and the fact that it comes from."""

    entry: str
    fact: str
    signal: Signal


def judged(
    entries: Iterable[PersonaEntry], signals: Iterable[EntrySignal], now: float, weights: EvidenceSettings
) -> tuple[Judged, ...]:
    """Return the entries that signals move, after them.

    Args:
        entries: the persona entries.
        signals: on these and on none that takes no signal.
        now: when, in seconds since the epoch.
        weights: what a signal weighs.
    """
    given = tuple(signals)
    found: list[Judged] = []
    for entry in entries:
        own = [one.signal for one in given if one.entry == entry.id]
        evidence = entry.evidence
        for signal in own:
            evidence = apply_signal(evidence, signal, now, weights)
        if own:
            found.append(Judged(entry=replace(entry, evidence=evidence), denied=Signal.FACT_NEGATES in own))
    return tuple(found)


def plain_signals(
    entries: Iterable[PersonaEntry], facts: Iterable[Fact], *, names: Sequence[str]
) -> tuple[EntrySignal, ...]:
    """Return what new facts plainly say of entries that take signals.

    Args:
        entries: the persona entries.
        facts: the new facts; what somebody else than the owner said counts for nothing.
        names: the owner's names.
    """
    called = tuple(names)
    new = [fact for fact in facts if fact.status is FactStatus.ACTIVE and fact.speaker is None]
    return tuple(
        EntrySignal(entry.id, fact.id, signal)
        for entry in entries
        if takes_signals(entry)
        for fact in new
        if fact.subject == entry.subject and fact.entity is entry.entity
        if (signal := _signal(fact, entry, called)) is not None
    )


def seen_by_a_mind(held: Accepted, plain: Iterable[EntrySignal]) -> tuple[EntrySignal, ...]:
    """Return the signals that a mind saw, and the denials that it overlooked: those are not its to overlook.

    Args:
        held: what of its answer stands.
        plain: what the facts plainly say.
    """
    denied = tuple(one for one in plain if one.signal is Signal.FACT_NEGATES)
    said = {(one.entry, one.fact) for one in denied}
    return (
        *denied,
        *(
            EntrySignal(one.target.id, one.fact or "", one.signal)
            for one in held.kept
            if (one.target.id, one.fact) not in said
        ),
    )


def takes_signals(entry: PersonaEntry) -> bool:
    """Return whether words can move an entry: it is in force, and not the host's word."""
    return entry.status is EntryStatus.ACTIVE and not entry.evidence.protected


def _signal(fact: Fact, entry: PersonaEntry, names: tuple[str, ...]) -> Signal | None:
    stated, believed = readings(fact.text, names), readings(entry.text, names)
    if any(opposes(claim, belief) for belief in believed for claim in stated):
        return Signal.FACT_NEGATES
    if any(same_claim(belief, claim) for belief in believed for claim in stated):
        return Signal.FACT_REINFORCES
    return None
