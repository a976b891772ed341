"""Every endpoint of `/v1`: its path, what it takes and answers, and what it needs of the caller's capability.

The one definition that both the server's routes and its OpenAPI document are made from.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from ...actors.directives.gates import Verdict
from ...protocols.errors import InvalidRequestError, NotAllowedError
from ...protocols.events import Event
from ...protocols.explanations import Explanation
from ...protocols.messages import Briefing, Decided, Receipt, Recollection
from ...protocols.records import Directive, Fact, PersonaEntry, Profile, Reflection, Turn
from ...protocols.work import OutboxOp
from ..character import Character, CharacterStatus
from ..host import Runtime
from ..store import ErasureReport
from . import bodies
from .capability import Capability

F = TypeVar("F", bound=bodies.Fields)

PAGE_LIMIT: Final = 1_000
"""Most journal entries in one answer."""


@dataclass(frozen=True, slots=True)
class Call:
    """Who calls, and on what: the character is there where the path names one."""

    runtime: Runtime
    capability: Capability
    name: str
    part: str

    async def character(self, *, create: bool = False) -> Character:
        """Return the character that the path names.

        Raises:
            OmoideError: if it may not be used, or can't be opened.
        """
        self.capability.check_character(self.name)
        return await self.runtime.character(self.name, create=create)


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[F]):
    """One operation. `takes` is read from the body of a POST, PUT or DELETE, else from the query string."""

    name: str
    method: str
    path: str
    takes: type[F]
    answers: Any
    run: Callable[[Call, F], Awaitable[object]]
    needs_everything: bool = False

    @property
    def summary(self) -> str:
        """What it does, in a sentence: the first of its function's docstring."""
        return (self.run.__doc__ or "").split("\n", 1)[0]


class Characters(Struct, frozen=True, kw_only=True):
    """The characters that the caller may use."""

    characters: tuple[str, ...]


class EventsPage(Struct, frozen=True, kw_only=True):
    """Entries of the journal. `next_after` begins the next page, None where this is the last."""

    events: tuple[Event, ...]
    next_after: int | None


async def list_characters(call: Call, _: bodies.NoFields) -> Characters:
    """List the characters that are stored and that the token is for."""
    return Characters(
        characters=tuple(name for name in call.runtime.stored_characters() if _may_use(call.capability, name))
    )


async def describe(call: Call, body: bodies.DescribeBody) -> Profile:
    """Make a character if there is none of that name, and replace what is given of its profile."""
    return await (await call.character(create=True)).describe(owner=body.owner, locale=body.locale, card=body.card)


async def status(call: Call, _: bodies.NoFields) -> CharacterStatus:
    """Tell how a character is: what it holds, and what doesn't work right now."""
    return await (await call.character()).status()


async def hear(call: Call, body: bodies.HearBody) -> Receipt:
    """Take in what somebody said; the answer comes once it can't be lost any more."""
    call.capability.check_speaker(body.speaker)
    if body.trust is not None and not call.capability.everything:
        raise NotAllowedError(f"the token {call.capability.name!r} may not say how far a speaker is trusted")
    return await (await call.character(create=True)).hear(
        body.text,
        speaker=body.speaker,
        subject=call.capability.check_subject(body.subject),
        trust=body.trust,
        said_at=body.said_at,
        message_id=body.message_id,
    )


async def say(call: Call, body: bodies.SayBody) -> Receipt:
    """Take in what the character itself said."""
    return await (await call.character()).say(
        body.text,
        subject=call.capability.check_subject(body.subject),
        surfaced=body.surfaced,
        said_at=body.said_at,
        message_id=body.message_id,
    )


async def recall(call: Call, body: bodies.RecallBody) -> Recollection:
    """Return the memories that match, best first."""
    subjects = call.capability.check_subjects(body.subjects)
    return await (await call.character()).recall(body.query, subjects=subjects, limit=body.limit)


async def briefing(call: Call, body: bodies.BriefingBody) -> Briefing:
    """Return what the character should have in mind for its next line."""
    subjects = call.capability.check_subjects(body.subjects)
    return await (await call.character()).briefing(subjects=subjects, cue=body.cue)


async def gate(call: Call, body: bodies.GateBody) -> Verdict:
    """Judge what the character is about to say: allow, block or revise."""
    subject = call.capability.check_subject(body.subject)
    return await (await call.character()).gate(
        body.draft, unprompted=body.unprompted, subject=subject, said=body.said
    )


async def facts(call: Call, query: bodies.SubjectsQuery) -> tuple[Fact, ...]:
    """List the facts in force."""
    return await (await call.character()).facts(subjects=call.capability.check_subjects(query.subject))


async def reflections(call: Call, query: bodies.ReflectionsQuery) -> tuple[Reflection, ...]:
    """List the reflections that take part."""
    subjects = call.capability.check_subjects(query.subject)
    return await (await call.character()).reflections(subjects=subjects, tier=query.tier)


async def persona(call: Call, query: bodies.SubjectsQuery) -> tuple[PersonaEntry, ...]:
    """List the persona entries in force."""
    return await (await call.character()).persona(subjects=call.capability.check_subjects(query.subject))


async def turns(call: Call, query: bodies.TurnsQuery) -> tuple[Turn, ...]:
    """List the newest turns, oldest first."""
    subjects = call.capability.check_subjects(query.subject)
    return await (await call.character()).turns(newest=query.newest, subjects=subjects)


async def directives(call: Call, _: bodies.NoFields) -> tuple[Directive, ...]:
    """List what isn't to be mentioned."""
    return await (await call.character()).directives()


async def add_directive(call: Call, body: bodies.DirectiveBody) -> Directive:
    """Ban a topic as the owner does by saying so."""
    return await (await call.character()).add_directive(body.term, body.aliases)


async def remove_directive(call: Call, _: bodies.NoFields) -> tuple[Directive, ...]:
    """Delete a directive by its id or its term."""
    return await (await call.character()).remove_directive(call.part)


async def explain(call: Call, query: bodies.ExplainQuery) -> tuple[Explanation, ...]:
    """Tell why something is remembered as it is, and since when."""
    return await (await call.character()).explain(query.what)


async def reject(call: Call, _: bodies.NoFields) -> Decided:
    """Reject what is stored under an id: it doesn't come back."""
    return await (await call.character()).reject(call.part)


async def affirm(call: Call, _: bodies.NoFields) -> Decided:
    """Affirm what is stored under an id: what held it back is lifted."""
    return await (await call.character()).affirm(call.part)


async def erase(call: Call, body: bodies.EraseBody) -> ErasureReport:
    """Erase one thing for good, with what rests on it."""
    return await (await call.character()).erase(
        subject=body.subject,
        account=body.account,
        memory=body.memory,
        words=body.words,
        dry_run=body.dry_run,
    )


async def erase_character(call: Call, _: bodies.NoFields) -> ErasureReport:
    """Erase a whole character for good."""
    call.capability.check_character(call.name)
    return await call.runtime.erase(call.name, None)


async def events(call: Call, query: bodies.EventsQuery) -> EventsPage:
    """Return a page of the journal, oldest entries first."""
    if not 1 <= query.limit <= PAGE_LIMIT:
        raise InvalidRequestError(f"limit is 1 to {PAGE_LIMIT:,}, got {query.limit:,}")
    found = await (await call.character()).events(after=query.after, limit=query.limit)
    return EventsPage(events=found, next_after=found[-1].seq if len(found) == query.limit else None)


async def outbox(call: Call, _: bodies.NoFields) -> tuple[OutboxOp, ...]:
    """List the background work that is pending or parked."""
    return await (await call.character()).outbox()


async def retry(call: Call, _: bodies.NoFields) -> OutboxOp:
    """Send parked work again."""
    return await (await call.character()).retry(call.part)


async def discard(call: Call, _: bodies.NoFields) -> OutboxOp:
    """Give up pending or parked work for good."""
    return await (await call.character()).discard(call.part)


_ONE: Final = "/v1/characters/{name}"

ENDPOINTS: Final[tuple[Endpoint[Any], ...]] = (
    Endpoint("listCharacters", "GET", "/v1/characters", bodies.NoFields, Characters, list_characters),
    Endpoint("hear", "POST", f"{_ONE}/hear", bodies.HearBody, Receipt, hear),
    Endpoint("say", "POST", f"{_ONE}/say", bodies.SayBody, Receipt, say),
    Endpoint("recall", "POST", f"{_ONE}/recall", bodies.RecallBody, Recollection, recall),
    Endpoint("briefing", "POST", f"{_ONE}/briefing", bodies.BriefingBody, Briefing, briefing),
    Endpoint("gate", "POST", f"{_ONE}/gate", bodies.GateBody, Verdict, gate),
    Endpoint("facts", "GET", f"{_ONE}/facts", bodies.SubjectsQuery, tuple[Fact, ...], facts),
    Endpoint(
        "reflections", "GET", f"{_ONE}/reflections", bodies.ReflectionsQuery, tuple[Reflection, ...], reflections
    ),
    Endpoint("persona", "GET", f"{_ONE}/persona", bodies.SubjectsQuery, tuple[PersonaEntry, ...], persona),
    Endpoint("turns", "GET", f"{_ONE}/turns", bodies.TurnsQuery, tuple[Turn, ...], turns),
    Endpoint(
        "directives",
        "GET",
        f"{_ONE}/directives",
        bodies.NoFields,
        tuple[Directive, ...],
        directives,
        needs_everything=True,
    ),
    Endpoint(
        "addDirective",
        "POST",
        f"{_ONE}/directives",
        bodies.DirectiveBody,
        Directive,
        add_directive,
        needs_everything=True,
    ),
    Endpoint(
        "removeDirective",
        "DELETE",
        f"{_ONE}/directives/{{part}}",
        bodies.NoFields,
        tuple[Directive, ...],
        remove_directive,
        needs_everything=True,
    ),
    Endpoint(
        "explain",
        "GET",
        f"{_ONE}/explain",
        bodies.ExplainQuery,
        tuple[Explanation, ...],
        explain,
        needs_everything=True,
    ),
    Endpoint(
        "reject",
        "POST",
        f"{_ONE}/records/{{part}}/reject",
        bodies.NoFields,
        Decided,
        reject,
        needs_everything=True,
    ),
    Endpoint(
        "affirm",
        "POST",
        f"{_ONE}/records/{{part}}/affirm",
        bodies.NoFields,
        Decided,
        affirm,
        needs_everything=True,
    ),
    Endpoint("erase", "POST", f"{_ONE}/erase", bodies.EraseBody, ErasureReport, erase, needs_everything=True),
    Endpoint("events", "GET", f"{_ONE}/events", bodies.EventsQuery, EventsPage, events, needs_everything=True),
    Endpoint(
        "outbox", "GET", f"{_ONE}/outbox", bodies.NoFields, tuple[OutboxOp, ...], outbox, needs_everything=True
    ),
    Endpoint(
        "retry", "POST", f"{_ONE}/outbox/{{part}}/retry", bodies.NoFields, OutboxOp, retry, needs_everything=True
    ),
    Endpoint(
        "discard",
        "POST",
        f"{_ONE}/outbox/{{part}}/discard",
        bodies.NoFields,
        OutboxOp,
        discard,
        needs_everything=True,
    ),
    Endpoint("status", "GET", _ONE, bodies.NoFields, CharacterStatus, status),
    Endpoint("describe", "PUT", _ONE, bodies.DescribeBody, Profile, describe, needs_everything=True),
    Endpoint(
        "eraseCharacter", "DELETE", _ONE, bodies.NoFields, ErasureReport, erase_character, needs_everything=True
    ),
)
"""All of them."""


def _may_use(capability: Capability, name: str) -> bool:
    try:
        capability.check_character(name)
    except NotAllowedError:
        return False
    return True
