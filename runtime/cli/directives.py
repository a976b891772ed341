"""`omoide directives`: what a character must not mention, and how a person adds to it and takes from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...actors.directives.bounds import bound, is_active
from ...protocols.errors import InvalidRequestError
from ...protocols.ports import Journal
from ...protocols.records import Directive, DirectiveStatus
from ...protocols.scopes import PRIVATE
from .access import read, use
from .command import NameArgument, command, epilog
from .facts import SubjectsOption
from .group import ListByDefault
from .invocation import Invocation
from .presentation import ago, printable, short_id, show_each

if TYPE_CHECKING:
    from ..character import Character

TermArgument = Annotated[str, typer.Argument(metavar="TERM", help="The topic, in any way of writing.")]


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    verbs = typer.Typer(
        cls=ListByDefault,
        no_args_is_help=True,
        epilog=epilog(
            (
                "omoide directives yui",
                "omoide directives add yui Marcus --alias 'my ex'",
                "omoide directives remove yui Marcus",
            )
        ),
    )
    app.add_typer(
        verbs,
        name="directives",
        help="Show what must not be mentioned (`omoide directives NAME`), add to it or remove from it.",
    )
    command(
        verbs,
        "list",
        examples=("omoide directives yui", "omoide directives list yui --all", "omoide directives yui --json"),
    )(list_directives)
    command(
        verbs,
        "block",
        examples=("omoide directives block yui", "omoide directives block yui --as group:qq:77 --locale zh"),
    )(block)
    command(verbs, "add", examples=("omoide directives add yui Marcus --alias 'my ex'",))(add)
    command(
        verbs,
        "remove",
        examples=("omoide directives remove yui Marcus", "omoide directives remove yui directive_910cb268"),
    )(remove)


def list_directives(
    invocation: Invocation,
    name: NameArgument,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Also what lapsed, was lifted or deleted.")] = False,
) -> None:
    """List what must not be mentioned, in the order in which it was said. `omoide directives NAME` does the same.

    Works while another process has the character open. JSON output has one directive a line.
    """

    async def query(journal: Journal) -> tuple[Directive, ...]:
        return await journal.records(Directive)

    stored = read(invocation, name, query)
    now = invocation.now
    found = tuple(directive for directive in stored if everything or is_active(directive, now))
    _show(invocation, found, empty=f"Nothing is off limits for {name}.")
    if not invocation.as_json and (warning := bound(stored, now, invocation.settings.directives.stored).warning):
        invocation.line(warning, style="yellow")


def block(
    invocation: Invocation,
    name: NameArgument,
    *,
    subjects: SubjectsOption = None,
    locale: Annotated[
        str | None, typer.Option(metavar="TAG", help="Language of it; else the character's.")
    ] = None,
) -> None:
    """Show the block of a prompt that tells a model what not to mention. JSON output is one document."""

    async def ask(character: Character) -> str:
        return await character.directives_block(locale=locale, subjects=subjects or None)

    text = use(invocation, name, ask)
    if invocation.as_json:
        invocation.emit({"text": text})
    elif text:
        for line in text.splitlines():
            invocation.line(printable(line))
    else:
        invocation.note(f"There is nothing that {name} must not mention there.")


def add(
    invocation: Invocation,
    name: NameArgument,
    term: TermArgument,
    *,
    aliases: Annotated[
        list[str] | None, typer.Option("--alias", metavar="NAME", help="Another name of it; can be repeated.")
    ] = None,
) -> None:
    """Ban a topic, as the person does by saying "don't mention TERM". Added again, its aliases add up."""

    async def act(character: Character) -> Directive:
        return await character.add_directive(term, aliases or ())

    _show(invocation, (use(invocation, name, act),), empty="")


def remove(
    invocation: Invocation,
    name: NameArgument,
    what: Annotated[
        str, typer.Argument(metavar="TERM|ID", help="The topic or an alias, or an id or a unique beginning of it.")
    ],
) -> None:
    """Delete a directive. What it was about may be mentioned again, and its history stays in the journal."""

    async def act(character: Character) -> tuple[Directive, ...]:
        return await character.remove_directive(await _find(character, what))

    _show(invocation, use(invocation, name, act), empty="")


def _show(invocation: Invocation, directives: tuple[Directive, ...], *, empty: str) -> None:
    show_each(
        invocation,
        directives,
        ("id", "state", "said", "last", "until", "where", "topic"),
        lambda directive: (
            short_id(directive.id),
            _state(directive, invocation.now),
            f"{directive.hits}×",
            ago(directive.last_said_at, invocation.now),
            "lifted" if directive.expires_at is None else ago(directive.expires_at, invocation.now),
            "everywhere" if directive.subject == PRIVATE else directive.subject,
            ", ".join((directive.term, *directive.aliases)),
        ),
        empty=empty,
    )


def _state(directive: Directive, now: float) -> str:
    if directive.status is not DirectiveStatus.ACTIVE:
        return directive.status.value
    if not is_active(directive, now):
        return "lapsed"
    return "only told" if directive.bare else "holds"


async def _find(character: Character, name: str) -> str:
    """Return the full id where a name begins the id of one directive; otherwise the name as it is.

    Raises:
        InvalidRequestError: if it begins several ids.
    """
    stored = await character.directives(active_only=False)
    found = [directive.id for directive in stored if name.strip() and directive.id.startswith(name)]
    if len(found) > 1:
        raise InvalidRequestError(f"{len(found)} directives begin with {name!r}: write more of the id")
    return found[0] if found else name
