"""`omoide facts`: what a character knows."""

from __future__ import annotations

from typing import Annotated

import typer

from ...protocols.ports import Journal
from ...protocols.records import Fact
from ...protocols.scopes import parse_subjects
from .access import read
from .command import NameArgument, command
from .invocation import Invocation
from .presentation import ago, short_id, show_each, speaker_name

SubjectsOption = Annotated[
    list[str] | None,
    typer.Option("--as", metavar="SUBJECT", help="Only what may be read as this subject; can be repeated."),
]


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "facts",
        examples=("omoide facts yui", "omoide facts yui --as group:home:kitchen", "omoide facts yui --json"),
    )(facts)


def facts(invocation: Invocation, name: NameArgument, *, subjects: SubjectsOption = None) -> None:
    """List the facts in force, in order of storing; of all subjects unless --as names some.

    Works while another process has the character open. JSON output has one fact a line.
    """
    wanted = parse_subjects(subjects) if subjects else None

    async def query(journal: Journal) -> tuple[Fact, ...]:
        return await journal.facts(subjects=wanted)

    found = read(invocation, name, query)
    show_each(
        invocation,
        found,
        ("id", "said", "by", "subject", "sources", "fact"),
        lambda fact: (
            short_id(fact.id),
            ago(fact.last_said_at, invocation.now),
            speaker_name(fact.speaker),
            fact.subject,
            str(len(fact.sources)),
            fact.text,
        ),
        empty=f"{name} knows no facts yet: `omoide status {name}` tells whether work is waiting.",
    )
