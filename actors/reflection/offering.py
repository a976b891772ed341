"""What the character may bring up of its own accord, to learn what the person says to it, or because it matters.

Pending reflections are meant to be probed, and facts to be asked after. Each is offered at most once in the
window of mentions, by what it says and not by its wording, so that nobody hears the same memory again and again.
`offered` decides, and is pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final

from ...protocols.messages import MemoryKind
from ...protocols.records import Directive, Fact, FactStatus, Reflection, Rejection, Role, Turn
from ...protocols.settings import Settings
from ...protocols.statements import statement_key
from ..dedup.rejected import RejectedValues
from ..directives.standing import Standing
from ..persona.mentions import is_mentioned, may_bring_up, rarity_of
from ..role import Surroundings
from .messages import OfferedMemory, OfferMemories
from .surfacing import Offer, drawn, offers

LINES: Final = 256
"""Last turns among which the character's own are looked for."""

Barred = Callable[[Fact | Reflection], bool]
"""Returns whether a memory must not be brought up: its topic is banned, or what it says was rejected."""


def offered(
    memories: Iterable[Fact | Reflection],
    turns: Iterable[Turn],
    barred: Barred,
    now: float,
    settings: Settings,
    *,
    most: int,
    names: Sequence[str],
    random: Random,
) -> tuple[Fact | Reflection, ...]:
    """Return at most so many memories to bring up, drawn by weight; of those that say the same, one.

    Args:
        memories: the reflections and facts of the subject.
        turns: the last ones of the subject; what the character brought up in the window of mentions rests.
        barred: what must not be brought up.
        now: seconds since the epoch.
        settings: cool-downs, weights and limits.
        most: how many are wanted.
        names: the owner's and the character's, which say nothing of a memory.
        random: draws among many.
    """
    known = tuple(memories)
    window_s = settings.mentions.window_s
    lines = [turn.text for turn in turns if turn.role is Role.CHARACTER and 0 <= now - turn.heard_at < window_s]
    open_ones = (
        *offers(
            (one for one in known if isinstance(one, Reflection) and not _rests(one, now, settings)),
            now,
            settings.reflections,
            settings.evidence,
        ),
        *(
            Offer(memory=one, weight=settings.reflections.fact_weight * one.importance)
            for one in known
            if isinstance(one, Fact) and _may_be_asked_after(one, now, settings)
        ),
    )
    rarity = rarity_of((one.memory.text for one in open_ones), names=names)
    distinct: dict[str, Offer] = {}
    for one in open_ones:
        text = one.memory.text
        said = any(is_mentioned(text, line, rarity, settings.mentions, names=names) for line in lines)
        if not said and not barred(one.memory):
            distinct.setdefault(statement_key(text), one)
    return tuple(one.memory for one in drawn(tuple(distinct.values()), most, random))


async def offer(world: Surroundings, message: OfferMemories) -> tuple[OfferedMemory, ...]:
    """Return what may be brought up in a subject now, read from the journal."""
    journal, now, place = world.journal, world.clock.now(), (message.subject,)
    profile = await journal.profile()
    matcher = Standing(await journal.records(Directive)).matcher(place, now)
    rejected = RejectedValues(profile.owner)
    for rejection in await journal.records(Rejection):
        rejected.take(rejection)
    found = offered(
        (*await journal.reflections(subjects=place, now=now), *await journal.facts(subjects=place)),
        await journal.turns(subjects=place, newest=LINES),
        lambda one: bool(matcher.find(one.text)) or (isinstance(one, Reflection) and rejected.says(one)),
        now,
        world.settings,
        most=message.limit,
        names=[name for name in (profile.owner, world.character) if name],
        random=world.random,
    )
    return tuple(
        OfferedMemory(
            kind=MemoryKind.FACT if isinstance(one, Fact) else MemoryKind.REFLECTION, id=one.id, text=one.text
        )
        for one in found
    )


def _may_be_asked_after(fact: Fact, now: float, settings: Settings) -> bool:
    """Return whether a fact matters enough, and wasn't said a moment ago."""
    return (
        fact.status is FactStatus.ACTIVE
        and fact.importance >= settings.reflections.min_importance
        and not 0 <= now - fact.last_said_at < settings.reflections.cooldown_s
    )


def _rests(reflection: Reflection, now: float, settings: Settings) -> bool:
    """Return whether a reflection was brought up within the window of mentions."""
    if not may_bring_up(reflection.mentions, now, settings.mentions):
        return True
    surfaced_at = reflection.next_eligible_at - settings.reflections.cooldown_s
    return surfaced_at > reflection.created_at and 0 <= now - surfaced_at < settings.mentions.window_s
