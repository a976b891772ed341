"""Looks for clusters that are due: near each other by the stored vectors, and not looked at lately."""

from __future__ import annotations

from functools import partial

import trio

from ...protocols.evidence import DAY_S
from ...protocols.records import PersonaEntry
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.vectors import space_of
from ...protocols.work import Refine, op_id
from ..role import Surroundings
from .clusters import Belief, close, pools


async def refinements_due(world: Surroundings) -> tuple[Refine, ...]:
    """Return the clusters to put before a mind now, the oldest first; none without an embedding model.

    At most `refinement.clusters` of the owner's, and one of each group's or participant's.
    """
    embedder, settings, now = world.embedder, world.settings.refinement, world.clock.now()
    if embedder is None or (await world.journal.profile()).weak_since is not None:
        return ()
    beliefs: tuple[Belief, ...] = (
        *await world.journal.reflections(now=now),
        *await world.journal.records(PersonaEntry),
    )
    space = space_of(embedder)
    current = await world.journal.embedded(space, [(one.id, one.text) for one in beliefs])
    kept = await world.journal.vectors_of(space, tuple(current))
    vectors = dict(zip(kept.records, kept.matrix, strict=True))
    least = embedder.likeness.same - settings.below_same
    due: list[Refine] = []
    for (subject, persona), groups in pools(beliefs, settings, world.settings.signals.belief_tokens).items():
        own = subject == PRIVATE
        found: list[Refine] = []
        for group in groups:
            look = partial(
                close,
                [one.id for one in group],
                vectors,
                least=least,
                neighbours=settings.neighbours,
                most=settings.most if own else settings.scoped_most,
            )
            for members in await trio.to_thread.run_sync(look):
                if len(found) < (settings.clusters if own else 1):
                    found += await _new(world, subject, members, persona=persona)
        due += found
    return tuple(due)


async def _new(world: Surroundings, subject: Subject, members: tuple[str, ...], *, persona: bool) -> list[Refine]:
    """Return the work for a cluster, unless it was queued within the time for which it is left alone."""
    now, again_s = world.clock.now(), world.settings.refinement.again_after_d * DAY_S
    number = int(now // again_s)
    work = Refine(subject=subject, members=members, round=number, persona=persona)
    for earlier in (number, number - 1):
        op = await world.journal.op(
            op_id(Refine(subject=subject, members=members, round=earlier, persona=persona))
        )
        if op is not None and (earlier == number or 0 <= now - op.enqueued_at < again_s):
            return []
    return [work]
