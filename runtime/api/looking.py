"""The operations that look at what is stored, and change nothing: lists in pages, explanations, the journal."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from ...protocols.events import Event
from ...protocols.explanations import Explanation
from ...protocols.records import Directive, Fact, PersonaEntry, Reflection, Turn
from ...protocols.work import OutboxOp
from ..character import CharacterStatus
from . import bodies
from .endpoint import ONE, Call, Endpoint, Page, check_limit, page_of


class Characters(Struct, frozen=True, kw_only=True):
    """The characters that the caller may use."""

    characters: tuple[str, ...]


class TurnsPage(Struct, frozen=True, kw_only=True):
    """Some turns, oldest first. `next_before` begins the page of older ones, None where there are none."""

    items: tuple[Turn, ...]
    next_before: str | None


class EventsPage(Struct, frozen=True, kw_only=True):
    """Entries of the journal. `next_after` begins the next page, None where this is the last."""

    items: tuple[Event, ...]
    next_after: int | None


async def list_characters(call: Call, _: bodies.NoFields) -> Characters:
    """List the characters that are stored and that the token is for."""
    return Characters(
        characters=tuple(name for name in call.runtime.stored_characters() if call.capability.may_use(name))
    )


async def status(call: Call, _: bodies.NoFields) -> CharacterStatus:
    """Tell how a character is: what it holds, and what doesn't work right now."""
    return await (await call.character()).status()


async def facts(call: Call, query: bodies.SubjectsQuery) -> Page[Fact]:
    """List the facts in force."""
    subjects = call.capability.check_subjects(query.subject)
    return page_of(await (await call.character()).facts(subjects=subjects), query, _id)


async def reflections(call: Call, query: bodies.ReflectionsQuery) -> Page[Reflection]:
    """List the reflections that take part."""
    subjects = call.capability.check_subjects(query.subject)
    return page_of(await (await call.character()).reflections(subjects=subjects, tier=query.tier), query, _id)


async def persona(call: Call, query: bodies.SubjectsQuery) -> Page[PersonaEntry]:
    """List the persona entries in force."""
    subjects = call.capability.check_subjects(query.subject)
    return page_of(await (await call.character()).persona(subjects=subjects), query, _id)


async def turns(call: Call, query: bodies.TurnsQuery) -> TurnsPage:
    """List the newest turns, oldest first, or those before one."""
    check_limit(query.limit)
    subjects = call.capability.check_subjects(query.subject)
    found = await (await call.character()).turns(newest=query.limit + 1, subjects=subjects, before=query.before)
    items = found[-query.limit :]
    return TurnsPage(items=items, next_before=items[0].id if len(found) > query.limit else None)


async def directives(call: Call, query: bodies.DirectivesQuery) -> Page[Directive]:
    """List what isn't to be mentioned."""
    return page_of(await (await call.character()).directives(active_only=not query.all), query, _id)


async def explain(call: Call, query: bodies.ExplainQuery) -> tuple[Explanation, ...]:
    """Tell why something is remembered as it is, and since when."""
    return await (await call.character()).explain(query.what)


async def matching(call: Call, query: bodies.MatchingQuery) -> tuple[Explanation, ...]:
    """Find what an id or words may mean that is to be rejected or affirmed."""
    return await (await call.character()).matching(query.what, affirms=query.affirms)


async def events(call: Call, query: bodies.EventsQuery) -> EventsPage:
    """Return a page of the journal, oldest entries first."""
    check_limit(query.limit)
    found = await (await call.character()).events(after=query.after, limit=query.limit)
    return EventsPage(items=found, next_after=found[-1].seq if len(found) == query.limit else None)


async def outbox(call: Call, query: bodies.PageQuery) -> Page[OutboxOp]:
    """List the background work that is pending or parked."""
    return page_of(await (await call.character()).outbox(), query, _id)


def _id(one: Fact | Reflection | PersonaEntry | Directive | OutboxOp) -> str:
    return one.id


_ALL: Final = True

LOOKING: Final[tuple[Endpoint[Any], ...]] = (
    Endpoint("listCharacters", "GET", "/v1/characters", bodies.NoFields, Characters, list_characters),
    Endpoint("status", "GET", ONE, bodies.NoFields, CharacterStatus, status),
    Endpoint("facts", "GET", f"{ONE}/facts", bodies.SubjectsQuery, Page[Fact], facts),
    Endpoint("reflections", "GET", f"{ONE}/reflections", bodies.ReflectionsQuery, Page[Reflection], reflections),
    Endpoint("persona", "GET", f"{ONE}/persona", bodies.SubjectsQuery, Page[PersonaEntry], persona),
    Endpoint("turns", "GET", f"{ONE}/turns", bodies.TurnsQuery, TurnsPage, turns),
    Endpoint("directives", "GET", f"{ONE}/directives", bodies.DirectivesQuery, Page[Directive], directives, _ALL),
    Endpoint("explain", "GET", f"{ONE}/explain", bodies.ExplainQuery, tuple[Explanation, ...], explain, _ALL),
    Endpoint("matching", "GET", f"{ONE}/matching", bodies.MatchingQuery, tuple[Explanation, ...], matching, _ALL),
    Endpoint("events", "GET", f"{ONE}/events", bodies.EventsQuery, EventsPage, events, _ALL),
    Endpoint("outbox", "GET", f"{ONE}/outbox", bodies.PageQuery, Page[OutboxOp], outbox, _ALL),
)
"""All of them; those marked need a token with `everything`."""
