"""Which facts a mind is shown beside those that it makes a judgement of: what reflections rest on already.

They are context and no source: a judgement must stand on its own facts. `eligible`, `nearest` and `round_robin`
are pure; `related_facts` reads the journal. Without vectors there is no context, for the most important facts, or
the latest, would have nothing to do with these (baseline).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

import numpy as np
import trio

from ...protocols.records import Directive, Fact, FactId, FactStatus
from ..directives.standing import Standing
from ..embedding.fresh import Embedded, fresh_vectors
from ..role import Surroundings


def eligible(
    facts: Iterable[Fact],
    batch: Sequence[Fact],
    is_absorbed: Callable[[FactId], bool],
    is_banned: Callable[[str], bool],
) -> tuple[Fact, ...]:
    """Return the facts that may be shown beside a batch, in their order.

    In force, of the batch's subject, about somebody that the batch is about, absorbed, and of no banned topic.

    Args:
        facts: what is stored, whatever its subject and status.
        batch: the facts to make a judgement of, of one subject.
        is_absorbed: whether a reflection rests on a fact.
        is_banned: whether a text names a banned topic.
    """
    subjects = {fact.subject for fact in batch}
    entities = {fact.entity for fact in batch}
    taken = {fact.id for fact in batch}
    return tuple(
        fact
        for fact in facts
        if fact.status is FactStatus.ACTIVE
        and fact.subject in subjects
        and fact.entity in entities
        and fact.id not in taken
        and is_absorbed(fact.id)
        and not is_banned(fact.text)
    )


def nearest(
    batch: Iterable[Fact], candidates: Sequence[Fact], vectors: Embedded, most: int
) -> tuple[tuple[Fact, ...], ...]:
    """Return for each fact of a batch the candidates about the same entity with the largest cosines.

    The largest first, and of equal ones the first of the candidates. A fact without a vector has none near it and
    is near none.

    Args:
        batch: the facts to make a judgement of.
        candidates: what may be shown beside them.
        vectors: those of both, of one space.
        most: how many for each.
    """
    pools: dict[str, list[Fact]] = {}
    for one in candidates:
        if one.id in vectors:
            pools.setdefault(one.entity, []).append(one)
    matrices = {entity: np.stack([vectors[one.id] for one in pool]) for entity, pool in pools.items()}
    found: list[tuple[Fact, ...]] = []
    for fact in batch:
        if fact.id in vectors and fact.entity in pools:
            cosines = matrices[fact.entity] @ vectors[fact.id]
            order = np.argsort(-cosines, kind="stable")[:most]
            found.append(tuple(pools[fact.entity][place] for place in order.tolist()))
        else:
            found.append(())
    return tuple(found)


def round_robin(rankings: Iterable[Sequence[Fact]], most: int) -> tuple[Fact, ...]:
    """Return at most so many facts of several rankings: the first of each, then the second of each; each once."""
    seen: dict[FactId, Fact] = {}
    for places in zip_longest(*rankings):
        for fact in places:
            if fact is not None:
                seen.setdefault(fact.id, fact)
    return tuple(seen.values())[:most]


async def related_facts(
    world: Surroundings, batch: Sequence[Fact], is_absorbed: Callable[[FactId], bool]
) -> tuple[Fact, ...]:
    """Return what a mind is shown beside a batch; nothing where no embedding model is set, or it fails.

    Args:
        world: has the embedding model and what is stored.
        batch: the facts to make a judgement of, of one subject and not empty.
        is_absorbed: whether a reflection rests on a fact.
    """
    if world.embedder is None:
        return ()
    journal, place, settings = world.journal, (batch[0].subject,), world.settings.reflections
    matcher = Standing(await journal.records(Directive)).matcher(place, world.clock.now())
    stored = await journal.facts(subjects=place)
    candidates = eligible(stored, batch, is_absorbed, lambda text: bool(matcher.find(text)))
    if not candidates:
        return ()
    vectors = await fresh_vectors(world, _texts(batch), _texts(candidates))
    # Some twenty vectors by all that was ever absorbed are milliseconds of arithmetic: not on the loop.
    rankings = await trio.to_thread.run_sync(nearest, batch, candidates, vectors, settings.related_per_fact)
    return round_robin(rankings, settings.related)


def _texts(facts: Iterable[Fact]) -> dict[str, str]:
    return {fact.id: fact.text for fact in facts}
