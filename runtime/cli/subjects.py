"""`omoide subjects`: whose memories a character holds, what a turn may read, and what was put away."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer
from msgspec import Struct

from ...actors.keeper.messages import Restored, StaleSubject
from ...protocols.erasure import check_account
from ...protocols.ports import Journal
from ...protocols.records import Fact, FactStatus, Profile, Speaker
from ...protocols.scopes import Subject
from .access import read, use
from .command import NameArgument, command, epilog
from .group import ListByDefault
from .invocation import Invocation
from .presentation import ago, counted, printable, show_each

if TYPE_CHECKING:
    from ..character import Character

_EXAMPLES: Final = (
    "omoide subjects yui",
    "omoide subjects for yui group:qq:77 --speaker qq:1001",
    "omoide subjects stale yui",
    "omoide subjects restore yui group:qq:77",
)

SubjectArgument = Annotated[str, typer.Argument(metavar="SUBJECT", help="Such as group:qq:77.")]


class Switch(StrEnum):
    """The two positions of the switch."""

    ON = "on"
    OFF = "off"


class SubjectMemory(Struct, frozen=True, kw_only=True):
    """How many facts of a subject are in force and put away, and when (epoch seconds) the last was said."""

    subject: Subject
    facts: int
    archived: int
    last_said_at: float


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    verbs = typer.Typer(cls=ListByDefault, no_args_is_help=True, epilog=epilog(_EXAMPLES))
    app.add_typer(
        verbs,
        name="subjects",
        help="Show whose memories there are (`omoide subjects NAME`), who may read what, and what was put away.",
    )
    command(verbs, "list", examples=("omoide subjects yui", "omoide subjects list yui --json"))(list_subjects)
    command(verbs, "for", examples=("omoide subjects for yui group:qq:77 --speaker qq:1001",))(subjects_for)
    command(verbs, "stale", examples=("omoide subjects stale yui",))(stale)
    command(verbs, "restore", examples=("omoide subjects restore yui group:qq:77",))(restore)
    command(verbs, "members", examples=("omoide subjects members yui", "omoide subjects members yui off"))(members)


def list_subjects(invocation: Invocation, name: NameArgument) -> None:
    """List whose memories a character holds. `omoide subjects NAME` does the same.

    Works while another process has the character open. JSON output has one subject a line.
    """

    async def query(journal: Journal) -> tuple[Fact, ...]:
        return await journal.facts(statuses=(FactStatus.ACTIVE, FactStatus.ARCHIVED))

    facts = read(invocation, name, query)
    counts = Counter((fact.subject, fact.status) for fact in facts)
    found = [
        SubjectMemory(
            subject=subject,
            facts=counts[subject, FactStatus.ACTIVE],
            archived=counts[subject, FactStatus.ARCHIVED],
            last_said_at=max(fact.last_said_at for fact in facts if fact.subject == subject),
        )
        for subject in sorted({fact.subject for fact in facts})
    ]
    show_each(
        invocation,
        found,
        ("facts", "put away", "last said", "subject"),
        lambda one: (f"{one.facts:,}", f"{one.archived:,}", ago(one.last_said_at, invocation.now), one.subject),
        empty=f"{name} knows no fact.",
    )


def subjects_for(
    invocation: Invocation,
    name: NameArgument,
    where: SubjectArgument,
    *,
    speaker: Annotated[
        str | None,
        typer.Option("--speaker", metavar="PLATFORM:ACCOUNT", help="Who speaks.", show_default="the owner"),
    ] = None,
) -> None:
    """Tell which subjects a turn in SUBJECT may read, in order of priority: what `--as` of recall takes.

    JSON output is one list.
    """
    platform, _, account = ("", "", "") if speaker is None else check_account(speaker).partition(":")

    async def ask(character: Character) -> tuple[Subject, ...]:
        who = None if speaker is None else Speaker(platform=platform, account=account)
        return await character.subjects_for(where, speaker=who)

    found = use(invocation, name, ask)
    if invocation.as_json:
        invocation.emit(found)
        return
    for subject in found:
        invocation.line(printable(subject))


def stale(invocation: Invocation, name: NameArgument) -> None:
    """List the groups and participants that nobody added to for so long that they would be put away now.

    JSON output has one subject a line.
    """

    async def ask(character: Character) -> tuple[StaleSubject, ...]:
        return await character.stale_subjects()

    found = use(invocation, name, ask)
    show_each(
        invocation,
        found,
        ("last added to", "subject"),
        lambda one: (ago(one.last_write, invocation.now), one.subject),
        empty="Nothing is due to be put away.",
    )


def restore(invocation: Invocation, name: NameArgument, subject: SubjectArgument) -> None:
    """Bring back what was put away of a group or participant."""

    async def ask(character: Character) -> Restored:
        return await character.restore_subject(subject)

    restored = use(invocation, name, ask)
    if invocation.as_json:
        invocation.emit(restored)
    else:
        invocation.line(f"{printable(subject)}: {counted(restored.rows, 'record')} brought back")


def members(
    invocation: Invocation,
    name: NameArgument,
    to: Annotated[Switch | None, typer.Argument(metavar="[on|off]", help="Switch it; without, show it.")] = None,
) -> None:
    """Show whether members of groups have a memory of their own, or switch it from the next turn on.

    Off, no turn reads a member's memory. What was learned of them stays. Showing works while another process has
    the character open.
    """

    async def query(journal: Journal) -> Profile:
        return await journal.profile()

    async def act(character: Character) -> Profile:
        return await character.set_member_memory(to is Switch.ON)

    profile = read(invocation, name, query) if to is None else use(invocation, name, act)
    on = invocation.settings.scopes.members if profile.member_memory is None else profile.member_memory
    if invocation.as_json:
        invocation.emit({"name": name, "member_memory": on})
    else:
        invocation.line(f"Member memory of {printable(name)} is {'on' if on else 'off'}.")
