"""`omoide settle`: doing a character's background work now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import trio
import typer
from msgspec import Struct

from .access import use
from .command import NameArgument, command
from .invocation import Invocation
from .presentation import counted
from .waiting import tell_what_waits

if TYPE_CHECKING:
    from ..character import Character

EXIT_UNSETTLED: Final = 1


class Settled(Struct, frozen=True, kw_only=True):
    """Whether no work is left, and how much is parked where a person has to look."""

    name: str
    settled: bool
    parked: int


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "settle", examples=("omoide settle yui", "omoide settle yui --within 60"))(settle)


def settle(
    invocation: Invocation,
    name: NameArgument,
    *,
    within: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Longest wait for work that is tried again later.")
    ] = 30.0,
) -> None:
    """Do a character's background work until none is left. Exit code 1 means that some is left or parked.

    Work that is left goes on whenever the character is next open. JSON output is one document.
    """

    async def act(character: Character) -> Settled:
        settled = False
        with trio.move_on_after(within):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(tell_what_waits, invocation, character)
                await character.settle()
                settled = True
                nursery.cancel_scope.cancel()
        counts = (await character.status()).counts
        return Settled(name=character.name, settled=settled, parked=counts.parked)

    done = use(invocation, name, act)
    if invocation.as_json:
        invocation.emit(done)
    elif not done.settled:
        invocation.line(f"{name}: work is left; `omoide outbox {name}` shows it.", style="yellow")
    elif done.parked:
        told = counted(done.parked, "piece")
        invocation.line(f"{name}: {told} of work parked; `omoide outbox {name}` shows why.", style="yellow")
    else:
        invocation.line(f"{name}: no work is left.", style="green")
    if done.parked or not done.settled:
        raise typer.Exit(EXIT_UNSETTLED)
