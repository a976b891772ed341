"""Which beliefs new facts are held against (Stage 2), where there are more than a mind is shown.

Those whose vectors are near the facts' go first, three times as many as are shown, with a share for what has no
vector yet; of these a mind picks. Without vectors it is the order of the evidence, and no mind is asked
(baseline). What rules find denied is found among all beliefs, whatever is shown.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

import numpy as np
import trio

from ...protocols.errors import ModelError
from ...protocols.evidence import is_disputed, score
from ...protocols.records import Fact, PersonaEntry, Profile, Reflection
from ...protocols.settings import EvidenceSettings
from ...protocols.tasks import Belief, RerankRequest, Target
from ..embedding.fresh import Embedded, fresh_vectors
from ..role import Surroundings
from .stage_two import target_of, told_beliefs

logger = logging.getLogger(__name__)

COARSE: Final = 3
"""How many times as many beliefs as are shown go to the mind that picks (baseline: 3)."""

UNRANKED_SHARE: Final = 4
"""One of so many places is kept for beliefs that have no vector (baseline: a quarter, and at least one)."""

_Held = TypeVar("_Held", Reflection, PersonaEntry)


def standing(beliefs: Sequence[_Held], now: float, weights: EvidenceSettings) -> list[_Held]:
    """Return the beliefs that may be shown, best evidence first, without what is disputed: silence is no dispute.

    Args:
        beliefs: reflections, or persona entries, that take part.
        now: seconds since the epoch.
        weights: half-lives.
    """
    scores = {one.id: score(one.evidence, now, weights) for one in beliefs}
    held = (one for one in beliefs if not is_disputed(one.evidence, now, weights))
    return sorted(held, key=lambda one: (-scores[one.id], one.id))


def cosines_of(beliefs: Iterable[_Held], facts: Iterable[Fact], vectors: Embedded) -> dict[str, float]:
    """Return for each belief with a vector its largest cosine with a fact; empty where no fact has a vector."""
    asked = [vectors[fact.id] for fact in facts if fact.id in vectors]
    ranked = [one.id for one in beliefs if one.id in vectors]
    if not asked or not ranked:
        return {}
    cosines = np.stack([vectors[one] for one in ranked]) @ np.stack(asked).T
    return dict(zip(ranked, cosines.max(axis=1).tolist(), strict=True))


def coarse(beliefs: Sequence[_Held], cosines: Mapping[str, float], most: int) -> tuple[_Held, ...]:
    """Return at most so many beliefs: the nearest, and then what has no vector, which has a share of its own.

    Args:
        beliefs: in the order of their evidence, which decides among equals.
        cosines: by belief, of those that have a vector.
        most: how many are wanted.
    """
    ranked = sorted((one for one in beliefs if one.id in cosines), key=lambda one: -cosines[one.id])
    unranked: list[_Held] = [one for one in beliefs if one.id not in cosines]
    reserved = min(max(1, most // UNRANKED_SHARE), len(unranked))
    nearest: list[_Held] = ranked[: max(0, most - reserved)]
    return tuple(nearest + unranked[: most - len(nearest)])


def picked(answer: Iterable[Target], candidates: Sequence[_Held], most: int) -> tuple[_Held, ...]:
    """Return at most so many candidates: those that a mind named, in its order, and then the rest in theirs."""
    by_target: dict[Target, _Held] = {target_of(one): one for one in candidates}
    order = dict.fromkeys((*(target for target in answer if target in by_target), *by_target))
    return tuple(by_target[target] for target in order)[:most]


async def pool(
    world: Surroundings, beliefs: Sequence[_Held], facts: Sequence[Fact], profile: Profile
) -> tuple[Belief, ...]:
    """Return the beliefs that a mind is shown beside new facts.

    Args:
        world: has the minds and what is stored.
        beliefs: reflections, or persona entries, that take part in the facts' subject.
        facts: what is new.
        profile: for the mind that picks.
    """
    settings, weights, now = world.settings.signals, world.settings.evidence, world.clock.now()
    held = standing(beliefs, now, weights)
    if len(held) > settings.beliefs:
        vectors = await fresh_vectors(
            world, {fact.id: fact.text for fact in facts}, {one.id: one.text for one in held}
        )
        cosines = await trio.to_thread.run_sync(cosines_of, held, facts, vectors)
        if cosines:
            near = coarse(held, cosines, COARSE * settings.beliefs)
            answer = await _picks(world, near, facts, profile)
            held = list(picked(answer, near, settings.beliefs))
    return told_beliefs(held, now, weights, settings)


async def _picks(
    world: Surroundings, near: Sequence[_Held], facts: Sequence[Fact], profile: Profile
) -> Sequence[Target]:
    """Return what a mind picks; nothing where it fails, for the coarse order is good enough."""
    settings = world.settings.signals
    wide = settings.model_copy(update={"beliefs": len(near)})
    candidates = told_beliefs(near, world.clock.now(), world.settings.evidence, wide)
    request = RerankRequest(
        queries=tuple(fact.text for fact in facts),
        candidates=candidates,
        limit=settings.beliefs,
        profile=profile,
    )
    try:
        return await world.model.rerank(request)
    except ModelError as error:
        logger.warning("signals.not_reranked", extra={"error": type(error).__name__})
        return ()
