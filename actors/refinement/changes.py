"""What a refinement changes of reflections and of persona entries. Pure.

Nothing is lost: what goes into another belief is archived or superseded with the reason, evidence is the larger of
each side and never the sum, sources and lineage are those of all, and earlier wordings of an entry are kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TypeVar

from msgspec.structs import replace

from ...protocols.events import (
    AnyPersonaChange,
    AnyReflectionChange,
    PersonaEntryAdded,
    PersonaEntryChanged,
    ReflectionStateChanged,
    ReflectionSynthesised,
)
from ...protocols.evidence import merged, score
from ...protocols.provenance import joined
from ...protocols.records import EntryId, EntryStatus, FactId, PersonaEntry, Provenance, Reflection
from ...protocols.tasks import RefineAction, Refinement
from ..persona.promotion import reworded
from ..reflection.lifecycle import Step, stepped
from ..reflection.synthesis import reflection_id
from .held import HeldTo

_Held = TypeVar("_Held", Reflection, PersonaEntry)


def reflections_refined(
    changes: Iterable[Refinement], cluster: Sequence[Reflection], held_to: HeldTo
) -> tuple[AnyReflectionChange, ...]:
    """Return what refinements that stand change of reflections.

    Args:
        changes: the refinements.
        cluster: the reflections as they are now.
        held_to: the time, and how evidence fades.
    """
    known: dict[str, Reflection] = {one.id: one for one in cluster}
    return tuple(made for change in changes for made in _of_reflections(change, known, held_to))


def entries_refined(
    changes: Iterable[Refinement], cluster: Sequence[PersonaEntry], held_to: HeldTo
) -> tuple[AnyPersonaChange, ...]:
    """Return what refinements that stand change of persona entries; arguments as `reflections_refined`."""
    known: dict[str, PersonaEntry] = {one.id: one for one in cluster}
    return tuple(made for change in changes for made in _of_entries(change, known, held_to))


def _of_reflections(
    change: Refinement, known: Mapping[str, Reflection], held_to: HeldTo
) -> Iterator[AnyReflectionChange]:
    members = [known[target.id] for target in change.targets]
    best = _best(members, held_to)
    if change.action is RefineAction.MODIFY:
        yield ReflectionStateChanged(reflection=replace(best, text=change.texts[0]))
        return
    made = [_made(best, members, text, held_to) for text in change.texts]
    into = f"refined into {', '.join(one.id for one in made)}" if made else "another one says it"
    for one in made:
        yield ReflectionSynthesised(reflection=one)
    for one in members:
        yield ReflectionStateChanged(reflection=stepped(one, Step.ARCHIVE, held_to.now, reason=_why(into, change)))


def _made(best: Reflection, members: Sequence[Reflection], text: str, held_to: HeldTo) -> Reflection:
    sources = tuple(sorted({fact for one in members for fact in one.sources}))
    return replace(
        best,
        id=reflection_id((*sources, FactId(_digest(text)))),
        text=text,
        sources=sources,
        related=tuple(sorted({fact for one in members for fact in one.related} - set(sources))),
        evidence=reduce(
            lambda sum_, one: merged(sum_, one.evidence, held_to.now, held_to.weights), members, best.evidence
        ),
        importance=max(one.importance for one in members),
        created_at=held_to.now,
        age_anchor_at=max(one.age_anchor_at for one in members),
        next_eligible_at=max(one.next_eligible_at for one in members),
        provenance=_provenance(members),
        mentions=max(
            members, key=lambda one: (one.mentions.suppressed_at or 0.0, len(one.mentions.recent))
        ).mentions,
        reason=f"refined from {', '.join(one.id for one in members)}",
    )


def _provenance(members: Sequence[_Held]) -> Provenance | None:
    held: list[Provenance | None] = [one.provenance for one in members]
    return reduce(lambda sum_, one: joined(sum_, one, {}), held[1:], held[0])


def _of_entries(
    change: Refinement, known: Mapping[str, PersonaEntry], held_to: HeldTo
) -> Iterator[AnyPersonaChange]:
    members = [known[target.id] for target in change.targets]
    best, now = _best(members, held_to), held_to.now
    if change.action is RefineAction.DISCARD:
        why = _why("another one says it", change)
        yield PersonaEntryChanged(entry=replace(best, status=EntryStatus.SUPERSEDED, status_at=now, reason=why))
        return
    first, *others = change.texts
    grown = replace(
        best,
        evidence=reduce(
            lambda sum_, one: merged(sum_, one.evidence, now, held_to.weights), members, best.evidence
        ),
        importance=max(one.importance for one in members),
        lineage=tuple(dict.fromkeys(name for one in (best, *members) for name in one.lineage)),
        provenance=_provenance(members),
    )
    yield PersonaEntryChanged(entry=reworded(grown, first, now, reason=change.reason or change.action))
    for text in others:
        yield PersonaEntryAdded(
            entry=replace(
                best,
                id=EntryId(f"prom_{_digest(f'{best.id} {text}')[:16]}"),
                text=text,
                created_at=now,
                status_at=now,
                versions=(),
                reason=f"split from {best.id}",
            )
        )
    for one in members:
        if one.id != best.id:
            why = _why(f"refined into {best.id}", change)
            gone = replace(one, status=EntryStatus.SUPERSEDED, status_at=now, reason=why)
            yield PersonaEntryChanged(entry=gone)


def _best(members: Sequence[_Held], held_to: HeldTo) -> _Held:
    return max(members, key=lambda one: (score(one.evidence, held_to.now, held_to.weights), one.id))


def _why(what: str, change: Refinement) -> str:
    return f"{what}: {change.reason}" if change.reason else what


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
