"""`omoide recall`: what a character remembers about something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from ...protocols.errors import InvalidRequestError
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
            'omoide recall yui "where did we go?" --time "last summer"',
            "omoide recall yui --time 2026-03-01..2026-03-07",
            'omoide recall yui "birthday" --json',
        ),
    )(recall)


def recall(
    invocation: Invocation,
    name: NameArgument,
    query: Annotated[
        str,
        typer.Argument(metavar="[QUERY]", help="Any words; a question will do. With --time it may be left out."),
    ] = "",
    *,
    subjects: Annotated[
        list[str] | None,
        typer.Option(
            "--as", metavar="SUBJECT", help="Whose memory may be read (default: private); can be repeated."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", help="Most memories wanted.")] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Only of this time: 2026, 2026-03, 2026-03-01, two of these with .. between, or 'last summer'.",
        ),
    ] = None,
    as_text: Annotated[bool, typer.Option("--text", help="Show the text that a model is given.")] = False,
) -> None:
    """Show what a character remembers about QUERY or of a time, best first, and what matched.

    JSON output is one document with the hits.
    """
    if not query.strip() and time is None:
        raise InvalidRequestError("nothing to look for: give a QUERY, a --time, or both")

    async def ask(character: Character) -> Recollection:
        return await character.recall(query, subjects=subjects or None, limit=limit, time=time)

    found = use(invocation, name, ask, warm=True)
    if invocation.as_json:
        invocation.emit(found)
        return
    if as_text:
        for line in found.text.splitlines():
            invocation.line(printable(line))
        return
    what = f"about {printable(query)!r}" if query.strip() else f"of {printable(time or '')!r}"
    show_hits(invocation, found.hits, empty=f"Nothing is remembered {what}.")
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
                " ".join(hit.matched) or hit.reason.value,
                hit.text,
            )
            for hit in hits
        ),
        empty=empty,
    )
