"""`omoide recall`: what a character remembers about something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from ...protocols.messages import Hit, Recollection
from ...protocols.records import Entity
from ..character import Character
from .access import use
from .command import NameArgument, command
from .invocation import Invocation
from .presentation import ago, printable, show, teller_name


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "recall",
        examples=(
            'omoide recall yui "where is the recipe?"',
            'omoide recall yui "birthday" --as private --as group:home:kitchen',
            'omoide recall yui "birthday" --json',
        ),
    )(recall)


def recall(
    invocation: Invocation,
    name: NameArgument,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Any words; a question will do.")],
    *,
    subjects: Annotated[
        list[str] | None,
        typer.Option(
            "--as", metavar="SUBJECT", help="Whose memory may be read (default: private); can be repeated."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", help="Most memories wanted.")] = None,
) -> None:
    """Show what a character remembers about QUERY, best first, and what matched.

    JSON output is one document with the hits.
    """

    async def ask(character: Character) -> Recollection:
        return await character.recall(query, subjects=subjects or None, limit=limit)

    found = use(invocation, name, ask, warm=True)
    if invocation.as_json:
        invocation.emit(found)
        return
    show_hits(invocation, found.hits, empty=f"Nothing is remembered about {printable(query)!r}.")
    if found.truncated:
        invocation.line("More matched: --limit N shows them.", style="dim")
    for part in found.degraded:
        invocation.line(f"Without {part} for now, so something may be missing.", style="yellow")


def show_hits(invocation: Invocation, hits: Sequence[Hit], *, empty: str) -> None:
    """Print hits, best first."""
    show(
        invocation,
        ("score", "said", "by", "trust", "about", "matched", "memory"),
        (
            (
                f"{hit.score:.2f}",
                ago(hit.last_said_at, invocation.now),
                teller_name(hit),
                f"{hit.band or ''}{', doubtful' if hit.doubtful else ''}",
                "" if hit.entity is Entity.OTHER else hit.entity.value,
                " ".join(hit.matched),
                hit.text,
            )
            for hit in hits
        ),
        empty=empty,
    )
