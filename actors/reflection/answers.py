"""What a signal, a day, a rejection and its lifting make of a reflection.

Pure, and whole: evidence and status go together, so that they can't disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ...protocols.evidence import Signal, apply_signal, inheriting, marked_day
from ...protocols.records import Reflection, ReflectionStatus, Rejection, TurnId
from ...protocols.settings import EvidenceSettings, ReflectionSettings
from ...protocols.statements import statement_key
from ...protocols.text import fold
from .lifecycle import ACTIVE, TRANSITIONS, Step, confirmation_due, stepped, sweep_due
from .surfacing import surfaced


def signalled(
    reflection: Reflection,
    signal: Signal,
    now: float,
    settings: ReflectionSettings,
    weights: EvidenceSettings,
    *,
    reason: str,
    weak_since: float | None,
) -> Reflection:
    """Return the reflection after a signal: its evidence, and the status that it enters by it.

    A denial denies it, and a score that confirms it does so at once. One that waited for an answer has it.

    Args:
        reflection: the reflection as it is.
        signal: what the person's words did to it.
        now: when, in seconds since the epoch.
        settings: what confirms by age.
        weights: what the signal weighs and which score confirms.
        reason: the turn or the fact that it comes from.
        weak_since: when strong memory was switched off, None while it is on.
    """
    moved = replace(reflection, evidence=apply_signal(reflection.evidence, signal, now, weights), awaiting=None)
    if signal is Signal.DENIED and Step.DENY in TRANSITIONS[moved.status]:
        return stepped(moved, Step.DENY, now, reason=reason)
    return confirmed(moved, now, settings, weights, weak_since=weak_since)


def confirmed(
    reflection: Reflection,
    now: float,
    settings: ReflectionSettings,
    weights: EvidenceSettings,
    *,
    weak_since: float | None,
) -> Reflection:
    """Return the reflection, confirmed if that is due."""
    if not confirmation_due(reflection, now, settings, weights, weak_since=weak_since):
        return reflection
    return stepped(reflection, Step.CONFIRM, now)


def swept(
    reflection: Reflection,
    now: float,
    settings: ReflectionSettings,
    weights: EvidenceSettings,
    *,
    weak_since: float | None,
) -> Reflection:
    """Return the reflection after today was looked at: a negative day counted, archived or confirmed if due.

    Looking again on the same day changes nothing more.
    """
    if Step.ARCHIVE not in TRANSITIONS[reflection.status]:
        return reflection
    marked = replace(reflection, evidence=marked_day(reflection.evidence, now, weights))
    if sweep_due(marked, weights):
        days = marked.evidence.sub_zero_days
        return stepped(marked, Step.ARCHIVE, now, reason=f"below zero on {days} days")
    return confirmed(marked, now, settings, weights, weak_since=weak_since)


def brought_up(
    names: Iterable[str], reflections: Sequence[Reflection], turn: TurnId, now: float, settings: ReflectionSettings
) -> tuple[Reflection, ...]:
    """Return the reflections that were brought up, now in cool-down and waiting for the person's answer.

    Args:
        names: what each was named by: its id, or words that its text contains. Of several that contain them the
            shortest is meant; what names none is left out.
        reflections: those that may be meant.
        turn: the character's turn that brought them up.
        now: when, in seconds since the epoch.
        settings: the cool-down.
    """
    meant = {one.id: one for name in names if (one := _meant(name, reflections)) is not None}
    return tuple(replace(surfaced(one, now, settings), awaiting=turn) for one in meant.values())


def held_back(
    reflection: Reflection, rejections: Iterable[Rejection], now: float, weights: EvidenceSettings
) -> Reflection:
    """Return the reflection with at least the disputation, and its clock, of each rejection of what it says."""
    evidence = reflection.evidence
    for rejection in rejections:
        evidence = inheriting(evidence, rejection.disputation, rejection.disputed_at, now, weights)
    return replace(reflection, evidence=evidence)


def told_once(reflection: Reflection, known: Iterable[Reflection], now: float) -> Reflection:
    """Return a new reflection, at once archived if one that takes part says the same.

    Its facts are used up all the same, and what is said once isn't believed twice.

    Args:
        reflection: the new one.
        known: those of its subject that take part.
        now: when, in seconds since the epoch.
    """
    key = statement_key(reflection.text)
    twin = next((one for one in known if one.entity is reflection.entity and statement_key(one.text) == key), None)
    if twin is None or twin.id == reflection.id:
        return reflection
    return stepped(reflection, Step.ARCHIVE, now, reason=f"says the same as {twin.id}")


def affirmed_again(
    reflection: Reflection,
    now: float,
    settings: ReflectionSettings,
    weights: EvidenceSettings,
    *,
    reason: str,
    weak_since: float | None,
) -> Reflection:
    """Return the reflection after the person affirmed what they had rejected.

    What was held against it is taken back, it is confirmed by the person's words as by an answer, and one that was
    denied takes part again.
    """
    clean = replace(reflection.evidence, disputation=0.0, disp_last_signal_at=now)
    restored = replace(reflection, evidence=clean)
    if restored.status is ReflectionStatus.DENIED:
        restored = stepped(restored, Step.AFFIRM, now, reason=reason)
    if restored.status not in ACTIVE:
        return reflection
    return signalled(restored, Signal.CONFIRMED, now, settings, weights, reason=reason, weak_since=weak_since)


def _meant(name: str, reflections: Sequence[Reflection]) -> Reflection | None:
    folded = fold(name)
    named = [one for one in reflections if one.id == name] or [
        one for one in reflections if folded and folded in fold(one.text)
    ]
    return min(named, key=lambda one: (len(one.text), one.id), default=None)
