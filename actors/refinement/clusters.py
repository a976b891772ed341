"""Which beliefs are close to each other. Pure.

A cluster holds beliefs of one kind, subject, entity and standing, so that refining moves nothing over a border.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...protocols.prompt_tokens import estimated_tokens
from ...protocols.records import EntryStatus, PersonaEntry, Reflection
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.settings import RefinementSettings

Belief = Reflection | PersonaEntry


def close(
    ids: Sequence[str], vectors: Mapping[str, NDArray[np.float32]], *, least: float, neighbours: int, most: int
) -> tuple[tuple[str, ...], ...]:
    """Return clusters of beliefs, each belief in at most one; the same for the same vectors.

    Args:
        ids: the beliefs, the one that begins a cluster first.
        vectors: their vectors, of length 1; a belief without one is in no cluster.
        least: least cosine of the first of a cluster with each other one.
        neighbours: how many of the nearest of each are looked at.
        most: most beliefs in a cluster.
    """
    known = [one for one in ids if one in vectors]
    if len(known) < 2:
        return ()
    matrix = np.stack([vectors[one] for one in known])
    cosines = matrix @ matrix.T
    taken: set[int] = set()
    found: list[tuple[str, ...]] = []
    for at, row in enumerate(cosines):
        nearest = [int(other) for other in np.argsort(-row, kind="stable") if other != at][:neighbours]
        near = [other for other in nearest if other not in taken and row[other] >= least][: most - 1]
        if at not in taken and near:
            taken.update((at, *near))
            found.append(tuple(sorted(known[one] for one in (at, *near))))
    return tuple(found)


def pools(
    beliefs: Iterable[Belief], settings: RefinementSettings, belief_tokens: int
) -> dict[tuple[Subject, bool], tuple[tuple[Belief, ...], ...]]:
    """Return the beliefs that may be refined together, by subject and by whether they are persona entries.

    Left out are the card, what waits for the person's answer, what is too long to be shown as a whole, and the
    memory of a group or participant that holds few.

    Args:
        beliefs: all that take part.
        settings: how many are few.
        belief_tokens: longest belief that a mind is shown, in tokens.
    """
    of: dict[tuple[Subject, bool], dict[tuple[str, ...], list[Belief]]] = {}
    for one in beliefs:
        if may_be_refined(one) and estimated_tokens(one.text) <= belief_tokens:
            place = (one.subject, isinstance(one, PersonaEntry))
            of.setdefault(place, {}).setdefault(_standing(one), []).append(one)
    return {
        place: tuple(tuple(sorted(group, key=lambda one: (one.created_at, one.id))) for group in groups.values())
        for place, groups in of.items()
        if place[0] == PRIVATE or sum(map(len, groups.values())) >= settings.scoped_least
    }


def may_be_refined(belief: Belief) -> bool:
    """Return whether a belief may be changed by a mind of its own accord."""
    if isinstance(belief, PersonaEntry):
        return belief.status is EntryStatus.ACTIVE and not belief.evidence.protected
    return belief.awaiting is None


def _standing(belief: Belief) -> tuple[str, ...]:
    if isinstance(belief, PersonaEntry):
        return (belief.entity,)
    return (belief.entity, belief.status, belief.temporal_scope)
