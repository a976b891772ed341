"""`omoide import`: a character from what `omoide export` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ..failpoints import Unarmed
from ..store import ImportReport, import_character
from .command import command
from .invocation import Invocation
from .meter import Meter
from .presentation import counted, printable


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "import",
        examples=(
            "omoide import backups/yui",
            "omoide import backups/yui --as mio",
            "omoide --data ./memories import backups/yui --json",
        ),
    )(import_)


def import_(
    invocation: Invocation,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="What `omoide export` made.")],
    *,
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="Call the character so instead of as it was called.")
    ] = None,
) -> None:
    """Make a character of an export.

    The export is looked through first, every digest, the whole chain, and the views against the events;
    if anything is wrong, nothing is created. A character that exists already is never changed. Killed in
    the middle, the command leaves all of the character or nothing. Work that was pending goes on when the
    character is next opened.
    """
    invocation.after_interrupt = "the character was imported whole or not at all; `omoide characters` tells which"
    with Meter(invocation, f"reading {folder}", None) as meter:
        report = import_character(
            invocation.settings,
            folder,
            name,
            now=invocation.now,
            failpoints=Unarmed(),
            watch=meter.reach,
        )
    if invocation.as_json:
        invocation.emit(msgspec.to_builtins(report))
    else:
        _print(invocation, report)


def _print(invocation: Invocation, report: ImportReport) -> None:
    name = printable(report.character)
    renamed = report.exported_as != report.character
    was = f", where it was called {printable(report.exported_as)}" if renamed else ""
    erased = f" ({report.erased} erased)" if report.erased else ""
    invocation.line(f"{name}: imported from {printable(report.folder)}{was}", style="green")
    invocation.line(f"  events  {counted(report.events, 'event')}{erased}, the newest with chain {report.chain}")
    if renamed:
        invocation.line(f"          made anew for the name; it was {report.exported_chain}")
    invocation.line(f"  views   {', '.join(f'{count:,} {view}' for view, count in report.rows.items())}")
    invocation.line(f"  outbox  {', '.join(f'{count:,} {state}' for state, count in report.ops.items())}")
    if report.ops.get("pending"):
        invocation.line(f"  Pending work goes on when {name} is next opened.")
