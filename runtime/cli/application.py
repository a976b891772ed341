"""The `omoide` command: which commands there are, and the options that may stand before them."""

from __future__ import annotations

from typing import Annotated

import typer

from ... import __version__
from ..scenario.command import app as scenario
from . import (
    briefing,
    bus,
    characters,
    chat,
    decisions,
    directives,
    doctor,
    erase,
    events,
    explain,
    export,
    facts,
    import_,
    mcp,
    models,
    outbox,
    recall,
    reflections,
    replay,
    serve,
    status,
    strong_memory,
    subjects,
    trust,
)
from .command import ConfigOption, DataOption, JsonOption, VerboseOption, epilog
from .demo import command as demo
from .invocation import Invocation

app = typer.Typer(
    name="omoide",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=epilog(
        (
            "omoide demo",
            "omoide chat yui",
            'omoide recall yui "the birthday present"',
            "omoide --data ./memories facts yui --json",
        )
    ),
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - Typer calls it with the flag
    if wanted:
        typer.echo(f"omoide {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    ctx: typer.Context,
    *,
    data: DataOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
    verbose: VerboseOption = False,
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """Long-term memory for characters: what they heard is kept, found again, and survives any crash.

    Every option below may also stand after the command's name.
    """
    ctx.obj = Invocation()
    ctx.obj.tell(data_dir=data, config=config, as_json=json, verbose=verbose)


for noun in (
    demo,
    chat,
    replay,
    recall,
    reflections,
    briefing,
    facts,
    explain,
    decisions,
    directives,
    events,
    outbox,
    trust,
    characters,
    export,
    import_,
    models,
    erase,
    serve,
    bus,
    mcp,
    status,
    strong_memory,
    subjects,
    models,
    doctor,
):
    noun.mount(app)
app.add_typer(scenario, name="scenario")
