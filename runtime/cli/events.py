"""`omoide events`: the journal of a character, entry by entry."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from ...protocols.erasure import Erasure
from ...protocols.events import AnyChange, Event, record_of
from ...protocols.memos import ConversationMemo
from ...protocols.people import Person
from ...protocols.ports import Journal
from ...protocols.records import Directive, Fact, PersonaEntry, Profile, Reflection, Rejection, Turn
from .access import read
from .command import NameArgument, command
from .invocation import Invocation
from .presentation import ago, show_each


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "events",
        examples=("omoide events yui", "omoide events yui --after 100 --limit 20", "omoide events yui --json"),
    )(events)


def events(
    invocation: Invocation,
    name: NameArgument,
    *,
    after: Annotated[int, typer.Option(min=0, metavar="SEQ", help="Only entries after this one.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Most entries to list.")] = None,
) -> None:
    """List the entries of a character's journal, oldest first.

    Works while another process has the character open. JSON output has one entry a line, with its
    digest and its place in the hash chain.
    """

    async def query(journal: Journal) -> tuple[Event, ...]:
        return await journal.events(after=after, limit=limit)

    found = read(invocation, name, query)
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
        empty=f"{name} has no entries after {after}.",
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
