"""`omoide strong-memory`: whether words move what is believed, or time alone."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from ...protocols.ports import Journal
from ...protocols.records import Profile
from .access import read, use
from .command import NameArgument, command
from .invocation import Invocation
from .presentation import ago

if TYPE_CHECKING:
    from ..character import Character


class Switch(StrEnum):
    """The two positions of the switch."""

    ON = "on"
    OFF = "off"


class StrongMemory(Struct, frozen=True, kw_only=True):
    """Whether strong memory is on; else since when it is off, in seconds since the epoch."""

    name: str
    strong_memory: bool
    off_since: float | None


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "strong-memory",
        examples=("omoide strong-memory yui", "omoide strong-memory yui off", "omoide strong-memory yui on"),
    )(strong_memory)


def strong_memory(
    invocation: Invocation,
    name: NameArgument,
    to: Annotated[Switch | None, typer.Argument(metavar="[on|off]", help="Switch it; without, show it.")] = None,
) -> None:
    """Show whether a character has strong memory, or switch it.

    Off, only answers to what was brought up move what is believed, and time alone confirms and promotes it. What
    a person denies or rejects is held back all the same. Showing works while another process has the character
    open.
    """

    async def query(journal: Journal) -> Profile:
        return await journal.profile()

    async def act(character: Character) -> Profile:
        return await character.set_strong_memory(to is Switch.ON)

    profile = read(invocation, name, query) if to is None else use(invocation, name, act)
    since = profile.weak_since
    if invocation.as_json:
        invocation.emit(StrongMemory(name=name, strong_memory=since is None, off_since=since))
    elif since is None:
        invocation.line(f"Strong memory of {name} is on.")
    else:
        invocation.line(f"Strong memory of {name} is off since {ago(since, invocation.now)}.")
