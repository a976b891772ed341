"""The operations of whoever tends the characters: profiles, switches, decisions, erasing, stuck work, accounts."""

from __future__ import annotations

from typing import Any, Final

import trio
from msgspec import Struct

from ...actors.keeper.messages import Restored, StaleSubject
from ...protocols.errors import InvalidRequestError, NotFoundError
from ...protocols.messages import Decided
from ...protocols.people import Person
from ...protocols.records import Directive, Profile
from ...protocols.work import OutboxOp
from ..character import description
from ..host import RuntimeStatus
from ..store import ErasureReport
from . import bodies
from .endpoint import ONE, Call, Endpoint, Page, page_of


class Settled(Struct, frozen=True, kw_only=True):
    """Whether no background work is left, and how much of it is parked where a person has to look."""

    settled: bool
    parked: int


class Forgotten(Struct, frozen=True, kw_only=True):
    """The account of which the pool knows nothing any more."""

    account: str


async def describe(call: Call, body: bodies.DescribeBody) -> Profile:
    """Make a character if there is none of that name, and replace what is given of its profile."""
    call.check_usable()
    limits = call.runtime.settings.limits
    description(limits, owner=body.owner, locale=body.locale, card=body.card)  # before there is a character
    return await (await call.character(create=True)).describe(owner=body.owner, locale=body.locale, card=body.card)


async def switch(call: Call, body: bodies.SwitchesBody) -> Profile:
    """Switch strong memory, or the memory of a group's members, on or off."""
    character = await call.character()
    if body.strong_memory is None and body.member_memory is None:
        raise InvalidRequestError("nothing is switched: give strong_memory or member_memory, true or false")
    profile = Profile()
    if body.strong_memory is not None:
        profile = await character.set_strong_memory(body.strong_memory)
    if body.member_memory is not None:
        profile = await character.set_member_memory(body.member_memory)
    return profile


async def add_directive(call: Call, body: bodies.DirectiveBody) -> Directive:
    """Ban a topic as the owner does by saying so."""
    return await (await call.character()).add_directive(body.term, body.aliases)


async def remove_directive(call: Call, _: bodies.NoFields) -> tuple[Directive, ...]:
    """Delete a directive by its id or its term."""
    return await (await call.character()).remove_directive(call.part)


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
    call.check_usable()
    return await call.runtime.erase(call.name, None)


async def retry(call: Call, _: bodies.NoFields) -> OutboxOp:
    """Send parked work again."""
    return await (await call.character()).retry(call.part)


async def discard(call: Call, _: bodies.NoFields) -> OutboxOp:
    """Give up pending or parked work for good."""
    return await (await call.character()).discard(call.part)


async def settle(call: Call, body: bodies.SettleBody) -> Settled:
    """Wait until no background work is left, for as long as the body says; the work itself waits for nobody."""
    if not body.within_s >= 0:
        raise InvalidRequestError(f"within_s is a number of seconds from 0 on, got {body.within_s}")
    character = await call.character()
    with trio.move_on_after(body.within_s):
        return Settled(settled=True, parked=(await character.settle()).parked)
    counts = (await character.status()).counts
    return Settled(settled=counts.pending == 0, parked=counts.parked)


async def stale_subjects(call: Call, _: bodies.NoFields) -> tuple[StaleSubject, ...]:
    """List the groups and participants whose memory would be put away now."""
    return await (await call.character()).stale_subjects()


async def restore_subject(call: Call, _: bodies.NoFields) -> Restored:
    """Bring back what was put away of a group or participant."""
    return await (await call.character()).restore_subject(call.part)


async def runtime_status(call: Call, _: bodies.NoFields) -> RuntimeStatus:
    """Tell how the whole runtime is: the characters in memory, the models, the embeddings."""
    return await call.runtime.status()


async def people(call: Call, query: bodies.PageQuery) -> Page[Person]:
    """List the persons of the pool of accounts."""
    return page_of(await call.runtime.trust.people(), query, lambda one: one.id)


async def person(call: Call, _: bodies.NoFields) -> Person:
    """Tell who holds an account."""
    found = await call.runtime.trust.person(call.part)
    if found is None:
        raise NotFoundError(f"the pool holds no account {call.part!r}")
    return found


async def bind(call: Call, body: bodies.BindBody) -> tuple[Person, ...]:
    """Make an account one of a person's, because a human says so."""
    return await call.runtime.trust.bind(call.part, body.to, by=body.by or call.capability.name)


async def unbind(call: Call, body: bodies.UnbindBody) -> tuple[Person, ...]:
    """Make an account a person of its own, because a human says so."""
    return await call.runtime.trust.unbind(call.part, by=body.by or call.capability.name)


async def merge(call: Call, body: bodies.MergeBody) -> tuple[Person, ...]:
    """Make two persons one, because a human says so."""
    return await call.runtime.trust.merge(call.part, body.other, by=body.by or call.capability.name)


async def forget(call: Call, _: bodies.NoFields) -> Forgotten:
    """Erase what the pool knows of an account, for good."""
    await call.runtime.trust.forget(call.part)
    return Forgotten(account=call.part)


_ACCOUNT: Final = "/v1/people/{part}"

TENDING: Final[tuple[Endpoint[Any], ...]] = tuple(
    Endpoint(name, method, path, takes, answers, run, needs_everything=True)
    for name, method, path, takes, answers, run in (
        ("describe", "PUT", ONE, bodies.DescribeBody, Profile, describe),
        ("eraseCharacter", "DELETE", ONE, bodies.NoFields, ErasureReport, erase_character),
        ("switch", "PUT", f"{ONE}/switches", bodies.SwitchesBody, Profile, switch),
        ("addDirective", "POST", f"{ONE}/directives", bodies.DirectiveBody, Directive, add_directive),
        (
            "removeDirective",
            "DELETE",
            f"{ONE}/directives/{{part}}",
            bodies.NoFields,
            tuple[Directive, ...],
            remove_directive,
        ),
        ("reject", "POST", f"{ONE}/records/{{part}}/reject", bodies.NoFields, Decided, reject),
        ("affirm", "POST", f"{ONE}/records/{{part}}/affirm", bodies.NoFields, Decided, affirm),
        ("erase", "POST", f"{ONE}/erase", bodies.EraseBody, ErasureReport, erase),
        ("retry", "POST", f"{ONE}/outbox/{{part}}/retry", bodies.NoFields, OutboxOp, retry),
        ("discard", "POST", f"{ONE}/outbox/{{part}}/discard", bodies.NoFields, OutboxOp, discard),
        ("settle", "POST", f"{ONE}/settle", bodies.SettleBody, Settled, settle),
        (
            "staleSubjects",
            "GET",
            f"{ONE}/stale-subjects",
            bodies.NoFields,
            tuple[StaleSubject, ...],
            stale_subjects,
        ),
        (
            "restoreSubject",
            "POST",
            f"{ONE}/subjects/{{part}}/restore",
            bodies.NoFields,
            Restored,
            restore_subject,
        ),
        ("runtimeStatus", "GET", "/v1/status", bodies.NoFields, RuntimeStatus, runtime_status),
        ("people", "GET", "/v1/people", bodies.PageQuery, Page[Person], people),
        ("person", "GET", _ACCOUNT, bodies.NoFields, Person, person),
        ("forget", "DELETE", _ACCOUNT, bodies.NoFields, Forgotten, forget),
        ("bind", "POST", f"{_ACCOUNT}/bind", bodies.BindBody, tuple[Person, ...], bind),
        ("unbind", "POST", f"{_ACCOUNT}/unbind", bodies.UnbindBody, tuple[Person, ...], unbind),
        ("merge", "POST", f"{_ACCOUNT}/merge", bodies.MergeBody, tuple[Person, ...], merge),
    )
)
"""All of them: each needs a token with `everything`."""
