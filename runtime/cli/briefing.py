"""`omoide briefing`: what a character should have in mind for its next line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...protocols.messages import Briefing
from .access import use
from .command import NameArgument, ReadableOption, command
from .invocation import Invocation
from .presentation import printable

if TYPE_CHECKING:
    from ..character import Character


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "briefing",
        examples=(
            "omoide briefing yui",
            'omoide briefing yui --cue "We are back from the vet."',
            "omoide briefing yui --as group:home:kitchen --json",
        ),
    )(briefing)


def briefing(
    invocation: Invocation,
    name: NameArgument,
    *,
    subjects: ReadableOption = None,
    cue: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What was just said; what it brings to mind is added.")
    ] = None,
) -> None:
    """Show what a character should have in mind for its next line, as a model's prompt would hold it.

    JSON output is one document with the parts and the text.
    """

    async def ask(character: Character) -> Briefing:
        return await character.briefing(subjects=subjects or None, cue=cue)

    told = use(invocation, name, ask, warm=cue is not None)
    if invocation.as_json:
        invocation.emit(told)
        return
    for line in told.text.split("\n"):
        invocation.line(printable(line))
    if told.left_out:
        invocation.line(f"Left out, since the budget is used up: {told.left_out:,}.", style="dim")
    for part in told.degraded:
        invocation.line(f"Without {part} for now, so something may be missing.", style="yellow")
