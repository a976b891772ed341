"""`omoide explain`: why something is remembered as it is, and since when."""

from __future__ import annotations

from typing import Annotated

import typer

from ...protocols.errors import NotFoundError
from ...protocols.explanations import Explanation, explain
from ...protocols.ports import Journal
from .access import read
from .command import NameArgument, command
from .invocation import Invocation
from .presentation import printable

WhatArgument = Annotated[
    str, typer.Argument(metavar="ID|TEXT", help="An id, the beginning of one, or words of the text.")
]


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "explain",
        examples=(
            "omoide explain yui fact_1f2e3d4c",
            'omoide explain yui "as a nurse"',
            "omoide explain yui rej_5a6b --json",
        ),
    )(explain_memory)


def explain_memory(invocation: Invocation, name: NameArgument, what: WhatArgument) -> None:
    """Explain a memory: what it rests on, all that happened to it, and what holds it back.

    Works while another process has the character open. JSON output has one memory a line.
    """

    async def query(journal: Journal) -> tuple[Explanation, ...]:
        profile = await journal.profile()
        return explain(
            what,
            await journal.events(),
            now=invocation.now,
            settings=invocation.settings.evidence,
            owner=profile.owner,
        )

    found = read(invocation, name, query)
    if not found:
        raise NotFoundError(
            f"nothing that {name} remembers has the id or the words {what!r}: `omoide facts {name}` lists facts"
        )
    for place, one in enumerate(found):
        if invocation.as_json:
            invocation.emit(one)
            continue
        if place:
            invocation.line("")
        for line in one.lines():
            invocation.line(printable(line))
