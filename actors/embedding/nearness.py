"""Which records have vectors near a rejected value's, and are to be looked at by those who know what they mean.

A vector only points at them: whether one says the value in other words is decided by rules (`paraphrases`), by the
role that owns the rejections.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import trio
from numpy.typing import NDArray

from ...protocols.ports import Journal
from ...protocols.records import Fact, FactId, PersonaEntry, Reflection, Rejection, RejectionId
from ...protocols.vectors import Space, Vectors
from ...protocols.work import RecogniseValue

Embedded = Mapping[str, NDArray[np.float32]]
"""Vectors of length 1 by the records that they are of."""

LOOKED_AT: Final = 64
"""Most records that are looked at for one rejection, the nearest."""


async def near_rejections(
    journal: Journal, space: Space, batch: Embedded, same: float
) -> tuple[RecogniseValue, ...]:
    """Return what is to be looked at now that a batch of records was embedded.

    New facts and beliefs are compared with every rejection in force, and a rejection that is new with all that is
    remembered; only within one subject.

    Args:
        journal: what is stored; the batch isn't, yet.
        space: of the vectors.
        batch: the vectors that are new.
        same: least cosine at which two texts may say the same.
    """
    rejections = {one.id: one for one in await journal.records(Rejection) if one.lifted_at is None}
    if not rejections:
        return ()
    is_new = not batch.keys().isdisjoint(rejections)
    stored = await (journal.vectors(space) if is_new else journal.vectors_of(space, tuple(rejections)))
    # With all that is remembered it is some milliseconds of arithmetic, or tens: not on the loop.
    near = await trio.to_thread.run_sync(_near, frozenset(rejections), stored, batch, same)
    subjects = await _subjects(journal, [record for records in near.values() for record in records])
    return tuple(
        RecogniseValue(rejection=rejection, cause=rejections[rejection].cause, records=beside[:LOOKED_AT])
        for rejection, records in near.items()
        if (beside := tuple(each for each in records if subjects.get(each) == rejections[rejection].subject))
    )


def _near(
    rejections: frozenset[RejectionId], stored: Vectors, batch: Embedded, same: float
) -> dict[RejectionId, list[str]]:
    """Return the records near each rejection, the nearest first."""
    fresh = Vectors(0, tuple(batch), np.stack(list(batch.values())))
    places = {record: place for place, record in enumerate(stored.records) if record in rejections}
    near: dict[RejectionId, list[str]] = {}
    for rejection in sorted(rejections):
        found: dict[str, float] = {}
        if rejection in batch:
            found = _nearer(stored, batch[rejection], same) | _nearer(fresh, batch[rejection], same)
        elif rejection in places:
            found = _nearer(fresh, stored.matrix[places[rejection]], same)
        beside = [record for record in found if record not in rejections]
        near[rejection] = sorted(beside, key=lambda record: (-found[record], record))
    return near


def _nearer(vectors: Vectors, vector: NDArray[np.float32], same: float) -> dict[str, float]:
    cosines = vectors.matrix @ vector
    return {vectors.records[place]: float(cosines[place]) for place in np.flatnonzero(cosines >= same).tolist()}


async def _subjects(journal: Journal, records: Sequence[str]) -> dict[str, str]:
    """Return the subjects of those of some records that can say what was rejected: facts and beliefs, no turns."""
    if not records:
        return {}
    facts = await journal.facts_by_id([FactId(record) for record in dict.fromkeys(records)])
    stored: list[Fact | Reflection | PersonaEntry] = [*facts.values()]
    stored += await journal.records(Reflection)
    stored += await journal.records(PersonaEntry)
    return {one.id: one.subject for one in stored}
