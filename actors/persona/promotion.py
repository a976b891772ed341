"""What becomes of a reflection that is stable enough to last, and of persona entries that are rejected. Pure.

By rules, which go by what the texts claim: the same again is merged, what speaks against the card is denied, what
speaks against another entry waits, and anything else is new. What a mind decides is in `deciding`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.claims import Claim, opposes, replaces, same_claim
from ...protocols.events import AnyPersonaChange, PersonaEntryAdded, PersonaEntryChanged
from ...protocols.evidence import merged
from ...protocols.provenance import joined
from ...protocols.records import (
    VERSIONS_KEPT,
    EntryId,
    EntrySource,
    EntryStatus,
    EntryVersion,
    PersonaEntry,
    Reflection,
    Rejection,
)
from ...protocols.rejections import holds_back, readings
from ...protocols.settings import EvidenceSettings
from ...protocols.statements import statement_key
from ..reflection.lifecycle import Step

Compare: TypeAlias = Callable[[Claim, Claim], bool]
"""Returns whether two claims stand so to each other."""


class Promotion(Struct, frozen=True, kw_only=True):
    """What becomes of a reflection: the step that it takes, and what changes in the persona.

    `step` is None where it stays as it is for now; `against` is then the entry that it contradicts, if that is
    why. `absorbed_into` is the entry that it became or was merged into.
    """

    step: Step | None = None
    reason: str = ""
    absorbed_into: EntryId | None = None
    against: EntryId | None = None
    change: AnyPersonaChange | None = None


def promoted(
    reflection: Reflection,
    entries: Iterable[PersonaEntry],
    rejections: Iterable[Rejection],
    now: float,
    weights: EvidenceSettings,
    *,
    names: Sequence[str],
) -> Promotion:
    """Return what becomes of a reflection whose promotion is due, by rules alone.

    Args:
        reflection: the reflection.
        entries: all persona entries.
        rejections: all rejections; what one in force holds back isn't promoted.
        now: when, in seconds since the epoch.
        weights: half-lives, to compare what is merged.
        names: the owner's names.
    """
    known, called = tuple(entries), tuple(names)
    if (settled := settled_by_rule(reflection, known, rejections, names=called)) is not None:
        return settled
    own = mergeable(reflection, known)
    if same := _first(own, reflection, _says_the_same, called):
        return merged_into(same, reflection, same.text, now, weights, reason="says the same")
    if against := _first(own, reflection, _contradicts, called):
        return Promotion(reason=f"contradicts {against.id}", against=against.id)
    return as_new(reflection, now, reason="stable")


def settled_by_rule(
    reflection: Reflection,
    entries: Iterable[PersonaEntry],
    rejections: Iterable[Rejection],
    *,
    names: tuple[str, ...],
) -> Promotion | None:
    """Return what no mind has a say in: what a rejection holds back, and what the card says or denies.

    None where nothing of that is so.
    """
    if any(_rejects(one, reflection.subject, reflection.text, reflection, names) for one in rejections):
        return Promotion(reason="held back by a rejection")
    card = [one for one in entries if one.status is EntryStatus.ACTIVE and one.source is EntrySource.CARD]
    if against := _first(card, reflection, _contradicts, names):
        return Promotion(step=Step.DENY, reason=f"contradicts the card ({against.id})")
    if same := _first(card, reflection, _says_the_same, names):
        return Promotion(step=Step.MERGE, reason="the card says so", absorbed_into=same.id)
    return None


def mergeable(reflection: Reflection, entries: Iterable[PersonaEntry]) -> list[PersonaEntry]:
    """Return the entries that a reflection can go into: those of its subject and entity, but the card's."""
    return [
        entry
        for entry in entries
        if entry.status is EntryStatus.ACTIVE
        and entry.subject == reflection.subject
        and entry.entity is reflection.entity
        and entry.source is not EntrySource.CARD
    ]


def contradicted(
    reflection: Reflection, entries: Iterable[PersonaEntry], *, names: tuple[str, ...]
) -> PersonaEntry | None:
    """Return the first of the entries that a reflection contradicts."""
    return _first(entries, reflection, _contradicts, names)


def as_new(reflection: Reflection, now: float, *, reason: str) -> Promotion:
    """Return that a reflection becomes an entry of its own."""
    entry = entry_of(reflection, now)
    return Promotion(
        step=Step.PROMOTE, reason=reason, absorbed_into=entry.id, change=PersonaEntryAdded(entry=entry)
    )


def merged_into(
    entry: PersonaEntry,
    reflection: Reflection,
    text: str,
    now: float,
    weights: EvidenceSettings,
    *,
    reason: str,
) -> Promotion:
    """Return that a reflection goes into an entry, which then reads `text`."""
    joined = reworded(joined_with(entry, reflection, now, weights), text, now, reason=reason)
    return Promotion(
        step=Step.MERGE,
        reason=reason,
        absorbed_into=entry.id,
        change=None if joined == entry else PersonaEntryChanged(entry=joined),
    )


def reworded(entry: PersonaEntry, text: str, now: float, *, reason: str) -> PersonaEntry:
    """Return an entry in another wording, with the one that it had among its versions."""
    if text == entry.text:
        return entry
    replaced = EntryVersion(text=entry.text, replaced_at=now, reason=reason)
    return replace(entry, text=text, versions=(*entry.versions, replaced)[-VERSIONS_KEPT:])


def says_rejected(
    text: str, reflection: Reflection, rejections: Iterable[Rejection], *, names: tuple[str, ...]
) -> bool:
    """Return whether a text that would stand for a reflection says what a rejection in force holds back."""
    return any(_rejects(one, reflection.subject, text, reflection, names) for one in rejections)


def entry_of(reflection: Reflection, now: float) -> PersonaEntry:
    """Return the persona entry that a reflection becomes: what speaks for and against it goes along."""
    return PersonaEntry(
        id=EntryId(f"prom_{reflection.id}"),
        text=reflection.text,
        entity=reflection.entity,
        subject=reflection.subject,
        source=EntrySource.REFLECTION,
        importance=reflection.importance,
        evidence=reflection.evidence,
        created_at=now,
        status_at=now,
        lineage=(reflection.id,),
        mentions=reflection.mentions,
        provenance=reflection.provenance,
    )


def joined_with(
    entry: PersonaEntry, reflection: Reflection, now: float, weights: EvidenceSettings
) -> PersonaEntry:
    """Return an entry after a reflection that says the same was merged into it; merging it again changes nothing.

    Its wording stays. Of each side of the evidence the larger stands, never the sum.
    """
    if reflection.id in entry.lineage:
        return entry
    return replace(
        entry,
        evidence=merged(entry.evidence, reflection.evidence, now, weights),
        importance=max(entry.importance, reflection.importance),
        lineage=(*entry.lineage, reflection.id),
        provenance=joined(entry.provenance, reflection.provenance, {}),
    )


def corrected(entry: PersonaEntry, rejection: Rejection, now: float, *, names: Sequence[str]) -> PersonaEntry:
    """Return an entry in line with a rejection as it is now; unchanged where it says something else.

    What is rejected is out of force until the person affirms it again. The card is the host's word, and stands.
    """
    in_force = replace(rejection, lifted_at=None)
    if entry.evidence.protected or not _rejects(in_force, entry.subject, entry.text, entry, tuple(names)):
        return entry
    reason = f"rejected ({rejection.id})"
    if rejection.lifted_at is None and entry.status is EntryStatus.ACTIVE:
        return replace(entry, status=EntryStatus.SUPERSEDED, status_at=now, reason=reason)
    if rejection.lifted_at is not None and entry.reason == reason:
        return replace(entry, status=EntryStatus.ACTIVE, status_at=now, reason="affirmed again")
    return entry


def _rejects(
    rejection: Rejection, subject: str, text: str, belief: PersonaEntry | Reflection, names: tuple[str, ...]
) -> bool:
    return (
        rejection.lifted_at is None
        and rejection.subject == subject
        and holds_back(rejection, text, entity=belief.entity, names=names)
    )


def _first(
    entries: Iterable[PersonaEntry], reflection: Reflection, alike: Compare, names: tuple[str, ...]
) -> PersonaEntry | None:
    """Return the first entry of which any claim stands so to any of the reflection's."""
    ours = readings(reflection.text, names)
    key = statement_key(reflection.text)
    for entry in entries:
        if alike is _says_the_same and statement_key(entry.text) == key:
            return entry
        theirs = readings(entry.text, names)
        if alike is _says_the_same and not (len(ours) == len(theirs) == 1):
            continue
        if any(alike(one, other) for one in ours for other in theirs):
            return entry
    return None


def _contradicts(one: Claim, other: Claim) -> bool:
    return opposes(one, other) or replaces(one, other)


def _says_the_same(one: Claim, other: Claim) -> bool:
    return same_claim(other, one) and same_claim(one, other)
