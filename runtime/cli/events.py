"""`omoide events`: the journal of a character, entry by entry."""

from __future__ import annotations

from time import sleep
from typing import Annotated, Final

import msgspec
import typer

from ...protocols.erasure import Erasure
from ...protocols.errors import InvalidRequestError
from ...protocols.events import AnyChange, Event, record_of
from ...protocols.memos import ConversationMemo
from ...protocols.people import Person
from ...protocols.ports import Journal
from ...protocols.records import Directive, Fact, PersonaEntry, Profile, Reflection, Rejection, Turn
from .access import read
from .command import NameArgument, command
from .invocation import Invocation
from .presentation import ago, show_each

FOLLOWED_EVERY_S: Final = 0.25
"""How long a follower waits before it looks again, in seconds: whoever writes is another process."""


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "events",
        examples=(
            "omoide events yui",
            "omoide events yui --after 100 --limit 20",
            "omoide events yui --follow --json",
        ),
    )(events)


def events(
    invocation: Invocation,
    name: NameArgument,
    *,
    after: Annotated[int, typer.Option(min=0, metavar="SEQ", help="Only entries after this one.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Most entries to list.")] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on with each entry once it is stored, until interrupted.")
    ] = False,
) -> None:
    """List the entries of a character's journal, oldest first.

    Works while another process has the character open. JSON output has one entry a line, with its
    digest and its place in the hash chain.
    """
    if follow and limit is not None:
        raise InvalidRequestError("--follow has no end, and --limit is one: leave one of them out")
    found = _found(invocation, name, after, limit)
    _show(invocation, found, empty=f"{name} has no entries after {after}.")
    while follow:
        sleep(FOLLOWED_EVERY_S)
        after = found[-1].seq if found else after
        if found := _found(invocation, name, after, None):
            _show(invocation, found, empty="")


def _found(invocation: Invocation, name: str, after: int, limit: int | None) -> tuple[Event, ...]:
    async def query(journal: Journal) -> tuple[Event, ...]:
        return await journal.events(after=after, limit=limit)

    return read(invocation, name, query)


def _show(invocation: Invocation, found: tuple[Event, ...], *, empty: str) -> None:
    show_each(
        invocation,
        found,
        ("seq", "stored", "kind", "actor", "chain", "what"),
        lambda event: (
            str(event.seq),
            ago(event.at, invocation.now),
            event.kind,
            event.actor,
            event.chain[:8],
            _gist(event.change),
        ),
        empty=empty,
    )


def _gist(change: AnyChange | None) -> str:
    if change is None:
        return "(erased)"
    match record_of(change):
        case (
            Turn(text=text)
            | Fact(text=text)
            | Rejection(text=text)
            | Reflection(text=text)
            | PersonaEntry(text=text)
            | ConversationMemo(text=text)
        ):
            return text
        case Directive(term=term):
            return term
        case Erasure(kind=kind, removed=removed):
            return (
                f"{kind.value}: {', '.join(f'{count:,} {what}' for what, count in removed.items()) or 'nothing'}"
            )
        case Person(accounts=accounts):
            return ", ".join(account.key for account in accounts)
        case Profile() as profile:
            return msgspec.json.encode(profile).decode()
