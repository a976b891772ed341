"""`omoide recall`: what a character remembers about something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

import msgspec
import typer

from ...actors.recall.missing import TIME
from ...protocols.errors import InvalidRequestError
from ...protocols.messages import Hit, Recollection
from ...protocols.records import Entity
from .access import use
from .command import NameArgument, ReadableOption, command
from .invocation import Invocation
from .presentation import ago, printable, show, teller_name

if TYPE_CHECKING:
    from ..character import Character

QueryArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="[QUERY]", help="Any words; a question will do. With --time it may be left out.")
]
TimeOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Only of this time: 2026, 2026-03, 2026-03-01, two of these with .. between, or 'last summer'.",
    ),
]
SaidOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="The person's words of this turn, where QUERY isn't made of them."),
]
ToolCallOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--tool-call", help="QUERY is the JSON that a model called the recall tool with; its query alone is read."
    ),
]


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
            'omoide recall yui \'{"query": "birthday"}\' --tool-call',
        ),
    )(recall)


def recall(  # noqa: PLR0913 - an option each
    invocation: Invocation,
    name: NameArgument,
    query: QueryArgument = "",
    *,
    subjects: ReadableOption = None,
    limit: Annotated[int | None, typer.Option(metavar="N", help="Most memories wanted.")] = None,
    time: TimeOption = None,
    said: SaidOption = None,
    tool_call: ToolCallOption = False,
    as_text: Annotated[bool, typer.Option("--text", help="Show the text that a model is given.")] = False,
) -> None:
    """Show what a character remembers about QUERY or of a time, best first, and what matched.

    JSON output is one document with the hits.
    """
    if not query.strip() and time is None:
        raise InvalidRequestError("nothing to look for: give a QUERY, a --time, or both")
    if tool_call and (limit, time) != (None, None):
        raise InvalidRequestError(
            "a model's call has no limit and no time: leave out --limit and --time, or --tool-call"
        )
    arguments = _arguments(query) if tool_call else None

    async def ask(character: Character) -> Recollection:
        if tool_call:
            return await character.answer_tool(arguments, subjects=subjects or None, said=said)
        return await character.recall(query, subjects=subjects or None, limit=limit, said=said, time=time)

    found = use(invocation, name, ask, warm=True)
    if invocation.as_json:
        invocation.emit(found)
    elif as_text or tool_call:
        for line in found.text.splitlines():
            invocation.line(printable(line))
    elif TIME in found.degraded:
        # Nothing was looked through, so that it doesn't say whether anything is remembered.
        invocation.line(
            f"The time {printable(time or '')!r} isn't understood, so nothing was looked for: "
            "2026, 2026-03, 2026-03-01, two of these with .. between, or 'last summer'.",
            style="yellow",
        )
    else:
        what = f"about {printable(query)!r}" if query.strip() else f"of {printable(time or '')!r}"
        _show_found(invocation, found, empty=f"Nothing is remembered {what}.")


def _arguments(call: str) -> object:
    try:
        return msgspec.json.decode(call)
    except msgspec.DecodeError as error:
        raise InvalidRequestError(f"what a model calls a tool with is JSON: {error}") from error


def _show_found(invocation: Invocation, found: Recollection, *, empty: str) -> None:
    show_hits(invocation, found.hits, empty=empty)
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
