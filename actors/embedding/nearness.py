"""Which records have vectors near a rejected value's, and are to be looked at by those who know what they mean.

A vector only points at them: whether one says the value in other words is decided by rules (`paraphrases`), by the
role that owns the rejections.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...protocols.ports import Journal
from ...protocols.records import Fact, FactId, PersonaEntry, RecogniseValue, Reflection, Rejection, RejectionId
from ...protocols.vectors import Space

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
    new = [rejection for rejection in rejections if rejection in batch]
    stored = await (journal.vectors(space) if new else journal.vectors_of(space, tuple(rejections)))
    known = dict(zip(stored.records, stored.matrix, strict=True)) | dict(batch)
    near: dict[RejectionId, list[str]] = {}
    for rejection in rejections:
        if rejection in known:
            others = known if rejection in batch else batch
            near[rejection] = _nearest(known[rejection], others, same, leave_out=rejections)
    subjects = await _subjects(journal, [record for records in near.values() for record in records])
    return tuple(
        RecogniseValue(rejection=rejection, cause=rejections[rejection].cause, records=beside[:LOOKED_AT])
        for rejection, records in near.items()
        if (beside := tuple(each for each in records if subjects.get(each) == rejections[rejection].subject))
    )


def _nearest(
    vector: NDArray[np.float32], others: Embedded, same: float, *, leave_out: Mapping[RejectionId, Rejection]
) -> list[str]:
    """Return the records that are near enough, the nearest first."""
    names = [record for record in others if record not in leave_out]
    if not names:
        return []
    cosines = np.stack([others[record] for record in names]) @ vector
    order: Sequence[int] = np.argsort(-cosines, kind="stable").tolist()
    return [names[place] for place in order if cosines[place] >= same]


async def _subjects(journal: Journal, records: Sequence[str]) -> dict[str, str]:
    """Return the subjects of those of some records that can say what was rejected: facts and beliefs, no turns."""
    if not records:
        return {}
    facts = await journal.facts_by_id([FactId(record) for record in dict.fromkeys(records)])
    stored: list[Fact | Reflection | PersonaEntry] = [*facts.values()]
    stored += await journal.records(Reflection)
    stored += await journal.records(PersonaEntry)
    return {one.id: one.subject for one in stored}
