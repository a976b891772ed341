"""`omoide mcp`: a character's memory as tools for a model."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Annotated, Final

import trio
import typer

from ...protocols.errors import NotAvailableError
from ...protocols.scopes import PRIVATE, parse_subjects
from ..host import open_runtime
from .command import NameArgument, command
from .failure import decisive
from .invocation import Invocation
from .speaker import SpeakerOption, parse_speaker

EXTRA: Final = "the MCP server needs the extra `mcp`: pip install 'omoide[mcp]'"


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "mcp",
        examples=(
            "omoide mcp yui",
            "omoide mcp yui --subject group:qq:77 --speaker qq:1001",
            "omoide mcp yui --http --port 7078",
        ),
    )(mcp)


def mcp(
    invocation: Invocation,
    name: NameArgument,
    *,
    subject: Annotated[
        list[str] | None,
        typer.Option(metavar="SUBJECT", help="What the tools read; they speak in the first."),
    ] = None,
    speaker: SpeakerOption = None,
    may_lift: Annotated[
        bool, typer.Option("--may-lift", help="Let the model delete what the person asked not to mention.")
    ] = False,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP on this machine instead of stdio.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port for --http; 0 takes a free one.")] = 7_078,
) -> None:
    """Give a model tools over a character's memory, by the Model Context Protocol.

    The tools are briefing, recall_memory, remember, explain and list_directives. What they reach is what
    the options say: no argument of a tool widens it. Over stdio a model's program starts the command; with
    --http it calls http://127.0.0.1:PORT/mcp, which only programs on this machine reach.
    """
    try:
        from ..api import mcp as server  # noqa: PLC0415 - the libraries of an extra
        from ..api.tools import Reach  # noqa: PLC0415 - as above
    except ModuleNotFoundError as error:
        raise NotAvailableError(EXTRA) from error
    reach = Reach(
        subjects=tuple(str(one) for one in parse_subjects(subject or [PRIVATE])),
        speaker=parse_speaker(speaker),
        may_lift=may_lift,
    )

    async def main() -> None:
        async with open_runtime(invocation.settings) as runtime:
            character = await runtime.character(name)
            if not http:
                await server.serve_stdio(character, reach)
                return
            with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                await server.serve_http(
                    character, reach, port=port, stop=lambda: anext(signals), on_listening=_teller(invocation)
                )

    try:
        trio.run(main)
    except BaseExceptionGroup as group:
        raise decisive(group) from group


def _teller(invocation: Invocation) -> Callable[[str], None]:
    def tell(address: str) -> None:
        if invocation.as_json:
            invocation.emit({"address": address})
        else:
            invocation.line(f"Omoide's tools are at {address}  (Ctrl-C stops it)")

    return tell
