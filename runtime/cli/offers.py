"""`omoide offers`: what a character may bring up of its own accord."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...actors.reflection.messages import OfferedMemory
from ...protocols.scopes import PRIVATE
from .access import use
from .command import NameArgument, command
from .invocation import Invocation
from .presentation import short_id, show_each

if TYPE_CHECKING:
    from ..character import Character


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "offers", examples=("omoide offers yui", "omoide offers yui --limit 1 --json"))(offers)


def offers(
    invocation: Invocation,
    name: NameArgument,
    *,
    subject: Annotated[str, typer.Option(metavar="SUBJECT", help="Where it would be said.")] = PRIVATE,
    limit: Annotated[int | None, typer.Option(min=0, metavar="N", help="Most that are wanted.")] = None,
) -> None:
    """Draw memories that a character may bring up of its own accord; nothing banned or just mentioned.

    They are drawn at random by their weight, and being drawn changes nothing. JSON output has one a line.
    """

    async def ask(character: Character) -> tuple[OfferedMemory, ...]:
        return await character.offers(subject=subject, limit=limit)

    found = use(invocation, name, ask)
    show_each(
        invocation,
        found,
        ("id", "kind", "memory"),
        lambda one: (short_id(one.id), one.kind.value, one.text),
        empty=f"{name} has nothing to bring up there.",
    )
