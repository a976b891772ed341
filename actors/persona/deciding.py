"""What a mind decides of a reflection that is to last, and which of two contradicting texts stands. Pure.

It decides among what it was shown, and never for the card or against a rejection. An answer that doesn't keep to
that is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.errors import InvalidTextError, ModelOutputError
from ...protocols.events import AnyPersonaChange, PersonaEntryChanged
from ...protocols.records import EntryStatus, PersonaEntry, Reflection, Rejection
from ...protocols.settings import EvidenceSettings
from ...protocols.tasks import (
    Claimed,
    Contradiction,
    CorrectAction,
    Correction,
    MergeAction,
    MergeDecision,
    TargetKind,
)
from ...protocols.text import check_text
from ..reflection.lifecycle import Step
from .promotion import Promotion, as_new, contradicted, merged_into, says_rejected


class Setting(Struct, frozen=True, kw_only=True):
    """What a decision is held to.

    `rejections` are all of them, `names` the owner's, `max_chars` the longest text that can be kept.
    """

    now: float
    weights: EvidenceSettings
    rejections: tuple[Rejection, ...]
    names: tuple[str, ...]
    max_chars: int


class Pair(Struct, frozen=True, kw_only=True):
    """An entry and a confirmed reflection that contradicts it."""

    entry: PersonaEntry
    reflection: Reflection


class Decided(Struct, frozen=True, kw_only=True):
    """What becomes of the reflection, and of the entry beside it."""

    promotion: Promotion
    changes: tuple[AnyPersonaChange, ...] = ()


def decided(
    decision: MergeDecision, reflection: Reflection, shown: Sequence[PersonaEntry], held_to: Setting
) -> Promotion:
    """Return what a mind's decision makes of a reflection.

    A new entry that contradicts one that is there waits, until that is decided too: `step` is None then.

    Args:
        decision: what the mind returned.
        reflection: the reflection.
        shown: the entries that it was shown.
        held_to: what it is held to.

    Raises:
        ModelOutputError: if it names what it wasn't shown, or its text can't stand.
    """
    match decision.action:
        case MergeAction.REJECT:
            return Promotion(step=Step.DENY, reason=decision.reason or "rejected by the mind")
        case MergeAction.NEW:
            if against := contradicted(reflection, shown, names=held_to.names):
                return Promotion(reason=f"contradicts {against.id}", against=against.id)
            return as_new(reflection, held_to.now, reason=decision.reason or "stable")
        case MergeAction.MERGE:
            into = decision.into
            known = {entry.id: entry for entry in shown}
            entry = next((known[one] for one in known if into is not None and one == into.id), None)
            if entry is None or into is None or into.kind is not TargetKind.PERSONA:
                raise ModelOutputError("the model merges into something that it wasn't shown")
            text = _standing(decision.text, reflection, held_to)
            return merged_into(
                entry, reflection, text, held_to.now, held_to.weights, reason=decision.reason or "merged"
            )


def asked(pair: Pair) -> Contradiction:
    """Return a contradiction as a mind is asked about it; both sides are the owner's own."""
    return Contradiction(
        old=Claimed(text=pair.entry.text), new=Claimed(text=pair.reflection.text), entity=pair.entry.entity
    )


def corrections(
    answer: Iterable[Correction], pairs: Sequence[Pair], held_to: Setting
) -> tuple[dict[int, Decided], int]:
    """Return what was decided on each pair by its place, and how many decisions were dropped.

    Dropped are places that weren't asked about, a second decision on a pair, and texts that can't stand.
    """
    found: dict[int, Decided] = {}
    dropped = 0
    for correction in answer:
        if correction.pair in found or not 0 <= correction.pair < len(pairs):
            dropped += 1
            continue
        try:
            found[correction.pair] = _corrected(correction, pairs[correction.pair], held_to)
        except ModelOutputError:
            dropped += 1
    return found, dropped


def _corrected(correction: Correction, pair: Pair, held_to: Setting) -> Decided:
    entry, reflection, now = pair.entry, pair.reflection, held_to.now
    reason = correction.reason or "decided by the mind"
    match correction.action:
        case CorrectAction.KEEP_OLD:
            return Decided(promotion=Promotion(step=Step.DENY, reason=f"gave way to {entry.id}: {reason}"))
        case CorrectAction.KEEP_NEW:
            gone = replace(entry, status=EntryStatus.SUPERSEDED, status_at=now, reason=f"gave way: {reason}")
            return Decided(
                promotion=as_new(reflection, now, reason=reason), changes=(PersonaEntryChanged(entry=gone),)
            )
        case CorrectAction.KEEP_BOTH:
            return Decided(promotion=as_new(reflection, now, reason=reason))
        case CorrectAction.REPLACE:
            text = _standing(correction.text, reflection, held_to)
            return Decided(promotion=merged_into(entry, reflection, text, now, held_to.weights, reason=reason))


def _standing(text: str, reflection: Reflection, held_to: Setting) -> str:
    """Return a mind's wording, if it can be kept and says nothing that was rejected."""
    try:
        kept = check_text(text, max_chars=held_to.max_chars, what="wording").strip()
    except InvalidTextError as error:
        raise ModelOutputError(f"the model's wording is no text that can be kept: {error}") from error
    if says_rejected(kept, reflection, held_to.rejections, names=held_to.names):
        raise ModelOutputError("the model's wording says what a person rejected")
    return kept
