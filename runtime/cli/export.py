"""`omoide export`: a character as readable files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ...protocols.errors import UnknownCharacterError
from ..failpoints import Unarmed
from ..store import ExportReport, export_character
from .access import who_is_there
from .command import NameArgument, command
from .invocation import Invocation
from .meter import Meter
from .presentation import counted, printable


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "export", examples=("omoide export yui backups/yui", "omoide export yui backups/yui --json"))(
        export
    )


def export(
    invocation: Invocation,
    name: NameArgument,
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where to; a folder that isn't there yet, or an empty one.")
    ],
) -> None:
    """Write everything about a character into a folder, as readable JSON with digests.

    Works while another process has the character open. The folder appears when it is whole and was
    read back; `omoide import` makes the character of it again. It holds all that was said and learned,
    in clear: only you can look into it, and copies are yours to protect. docs/reference/export-format.md
    describes the files.
    """
    invocation.after_interrupt = "nothing was exported"
    try:
        with Meter(invocation, f"exporting {name}", None) as meter:
            report = export_character(
                invocation.settings,
                name,
                folder,
                now=invocation.now,
                failpoints=Unarmed(),
                watch=meter.reach,
            )
    except UnknownCharacterError as error:
        raise UnknownCharacterError(who_is_there(invocation, name)) from error
    if invocation.as_json:
        invocation.emit(msgspec.to_builtins(report))
    else:
        _print(invocation, report)


def _print(invocation: Invocation, report: ExportReport) -> None:
    erased = f" ({report.erased} erased)" if report.erased else ""
    invocation.line(f"{printable(report.character)}: exported to {printable(report.folder)}", style="green")
    invocation.line(f"  events  {counted(report.events, 'event')}{erased}, the newest with chain {report.chain}")
    invocation.line(f"  views   {', '.join(f'{count:,} {view}' for view, count in report.rows.items())}")
    invocation.line(f"  outbox  {', '.join(f'{count:,} {state}' for state, count in report.ops.items())}")
    invocation.line(f"  size    {counted(report.bytes, 'byte')}")
