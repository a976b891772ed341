"""`omoide persona` and `omoide profile`: who a character is, by its card and by what it has lastingly learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...protocols.ports import Journal
from ...protocols.records import EntrySource, PersonaEntry, Profile
from .access import read, use, within
from .command import NameArgument, command
from .facts import SubjectsOption
from .invocation import Invocation
from .presentation import ago, printable, short_id, show_each

if TYPE_CHECKING:
    from ..character import Character
    from ..host import Runtime


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    command(app, "persona", examples=("omoide persona yui", "omoide persona yui --as private --json"))(persona)
    command(
        app,
        "profile",
        examples=(
            "omoide profile yui",
            "omoide profile yui --owner Sam --locale en",
            'omoide profile yui --card "Yui is a barista." --card "She hates mornings."',
        ),
    )(profile)


def persona(invocation: Invocation, name: NameArgument, *, subjects: SubjectsOption = None) -> None:
    """List what a character lastingly knows: its card, and what proved stable.

    JSON output has one entry a line.
    """

    async def ask(character: Character) -> tuple[PersonaEntry, ...]:
        return await character.persona(subjects=subjects or None)

    found = use(invocation, name, ask)
    show_each(
        invocation,
        found,
        ("id", "since", "about", "subject", "text"),
        lambda entry: (
            short_id(entry.id),
            "on the card" if entry.source is EntrySource.CARD else ago(entry.created_at, invocation.now),
            entry.entity.value,
            entry.subject,
            entry.text,
        ),
        empty=f"{name} has no card, and nothing has proved lasting yet: `omoide profile {name} --card TEXT`.",
    )


def profile(
    invocation: Invocation,
    name: NameArgument,
    *,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="How the person is called whom the character belongs to.")
    ] = None,
    locale: Annotated[
        str | None, typer.Option(metavar="TAG", help="Language of the character, such as en or zh.")
    ] = None,
    card: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT", help="What always holds of the character; can be repeated, replaces the card."
        ),
    ] = None,
) -> None:
    """Show what you said about a character: its owner, language and card. What is given of them is replaced.

    A character that isn't there yet comes into being where something is given. JSON output is one document.
    """

    async def query(journal: Journal) -> Profile:
        return await journal.profile()

    async def act(runtime: Runtime) -> Profile:
        character = await runtime.character(name, create=True, owner=owner, locale=locale, card=card)
        return await character.describe()

    shows = owner is None and locale is None and not card
    found = read(invocation, name, query) if shows else within(invocation, name, act)
    if invocation.as_json:
        invocation.emit(found)
        return
    invocation.line(f"owner   {printable(found.owner) or '(not named)'}")
    invocation.line(f"locale  {found.locale}")
    for entry in found.card:
        invocation.line(f"card    {printable(entry)}")
