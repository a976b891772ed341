"""`omoide reflections`: which judgements a character has made of what it knows."""

from __future__ import annotations

from typing import Annotated

import typer

from ...protocols.evidence import score, tier
from ...protocols.ports import Journal
from ...protocols.records import Reflection
from ...protocols.scopes import parse_subjects
from ..reflective import parse_tier
from .access import read
from .command import NameArgument, command
from .facts import SubjectsOption
from .invocation import Invocation
from .presentation import ago, short_id, show


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "reflections",
        examples=(
            "omoide reflections yui",
            "omoide reflections yui --tier confirmed",
            "omoide reflections yui --as private --json",
        ),
    )(reflections)


def reflections(
    invocation: Invocation,
    name: NameArgument,
    *,
    subjects: SubjectsOption = None,
    tier_name: Annotated[
        str | None,
        typer.Option(
            "--tier",
            metavar="TIER",
            help="Only those whose evidence makes it now: archive_candidate, pending, confirmed or promoted.",
        ),
    ] = None,
) -> None:
    """List the reflections that take part, in order of storing, with what their evidence makes of them now.

    Works while another process has the character open. JSON output has one reflection a line.
    """
    wanted = parse_subjects(subjects) if subjects else None
    its_tier = None if tier_name is None else parse_tier(tier_name)

    async def query(journal: Journal) -> tuple[Reflection, ...]:
        return await journal.reflections(subjects=wanted, tier=its_tier, now=invocation.now)

    found = read(invocation, name, query)
    if invocation.as_json:
        for reflection in found:
            invocation.emit(reflection)
        return
    weights = invocation.settings.evidence
    show(
        invocation,
        ("id", "made", "status", "tier", "score", "subject", "facts", "reflection"),
        (
            (
                short_id(reflection.id),
                ago(reflection.created_at, invocation.now),
                reflection.status.value,
                tier(reflection.evidence, invocation.now, weights).value,
                f"{score(reflection.evidence, invocation.now, weights):.2f}",
                reflection.subject,
                str(len(reflection.sources)),
                reflection.text,
            )
            for reflection in found
        ),
        empty=f"{name} has made no such reflections: they come when enough facts have gathered.",
    )
