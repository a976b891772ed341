"""`omoide turns`: what was said, word for word."""

from __future__ import annotations

from typing import Annotated

import typer

from ...protocols.ports import Journal
from ...protocols.records import Role, Turn, TurnId
from ...protocols.scopes import parse_subjects
from .access import read
from .command import NameArgument, command
from .facts import SubjectsOption
from .invocation import Invocation
from .presentation import ago, short_id, show_each, speaker_name


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "turns",
        examples=("omoide turns yui", "omoide turns yui --limit 5 --as private", "omoide turns yui --json"),
    )(turns)


def turns(
    invocation: Invocation,
    name: NameArgument,
    *,
    subjects: SubjectsOption = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Most turns to list.")] = 20,
    before: Annotated[
        str | None, typer.Option(metavar="ID", help="Only what came before this turn, by its whole id.")
    ] = None,
) -> None:
    """List the newest turns, oldest first; of all subjects unless --as names some.

    Works while another process has the character open. JSON output has one turn a line.
    """
    wanted = parse_subjects(subjects) if subjects else None

    async def query(journal: Journal) -> tuple[Turn, ...]:
        return await journal.turns(
            subjects=wanted, newest=limit, before=None if before is None else TurnId(before)
        )

    found = read(invocation, name, query)
    show_each(
        invocation,
        found,
        ("id", "said", "by", "subject", "words"),
        lambda turn: (
            short_id(turn.id),
            ago(turn.said_at, invocation.now),
            name if turn.role is Role.CHARACTER else speaker_name(turn.speaker),
            turn.subject,
            turn.text,
        ),
        empty=f"{name} has heard nothing there yet.",
    )
