"""Puts a cluster before a mind, and reads what its answer is held to."""

from __future__ import annotations

from collections.abc import Sequence

from ...protocols.records import Directive, Fact, FactId, PersonaEntry, Profile, Reflection, Rejection
from ...protocols.tasks import Refinement, RefineRequest
from ..directives.standing import Standing
from ..role import Surroundings
from ..signals.stage_two import shown_beliefs
from .clusters import Belief
from .held import HeldTo


async def refined_by_a_mind(world: Surroundings, cluster: Sequence[Belief]) -> tuple[Refinement, ...]:
    """Return what a mind would change about a cluster.

    Raises:
        ModelError: if it gives no usable answer.
    """
    settings = world.settings
    reflections = [one for one in cluster if isinstance(one, Reflection)]
    entries = [one for one in cluster if isinstance(one, PersonaEntry)]
    now = world.clock.now()
    shown = (
        *shown_beliefs(reflections, now, settings.evidence, settings.signals),
        *shown_beliefs(entries, now, settings.evidence, settings.signals),
    )
    profile = await world.journal.profile()
    facts = tuple((await _facts(world, cluster)).values())[: settings.signals.facts]
    return tuple(await world.model.refine(RefineRequest(cluster=shown, facts=facts, profile=profile)))


async def held_to(world: Surroundings, cluster: Sequence[Belief]) -> HeldTo:
    """Return what an answer about a cluster is held to now."""
    now = world.clock.now()
    profile: Profile = await world.journal.profile()
    matcher = Standing(await world.journal.records(Directive)).matcher((cluster[0].subject,), now)
    return HeldTo(
        now=now,
        weights=world.settings.evidence,
        rejections=await world.journal.records(Rejection),
        banned=lambda text: bool(matcher.find(text)),
        facts=tuple(fact.text for fact in (await _facts(world, cluster)).values()),
        owner=(profile.owner,) if profile.owner else (),
        character=world.character,
        max_chars=world.settings.limits.text_chars,
    )


async def _facts(world: Surroundings, cluster: Sequence[Belief]) -> dict[FactId, Fact]:
    """Return the facts that the beliefs rest on, those of persona entries by their lineage."""
    sources = [fact for one in cluster if isinstance(one, Reflection) for fact in one.sources]
    for entry in cluster:
        if isinstance(entry, PersonaEntry):
            for name in entry.lineage:
                reflection = await world.journal.record(Reflection, name)
                sources += reflection.sources if reflection is not None else ()
    return await world.journal.facts_by_id(tuple(dict.fromkeys(sources)))
