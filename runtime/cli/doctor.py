"""`omoide doctor`: whether what is stored is whole."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from ...protocols.errors import StorageError, UnknownCharacterError
from ..store import POOL, Finding, Report, examine, is_stored
from .access import survey, who_is_there
from .command import command
from .invocation import Invocation
from .presentation import counted, printable


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "doctor", examples=("omoide doctor", "omoide doctor yui", "omoide doctor --json"))(doctor)


def doctor(
    invocation: Invocation,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Only this character.")] = None,
) -> None:
    """Verify every event and the hash chain, and compare the views with a fresh fold of the events.

    Changes nothing, and works while another process has the character open. Exit code 1 means that
    something is wrong. JSON output has one report a line.
    """
    if name is None:
        names, troubles = survey(invocation)
        if is_stored(invocation.settings, POOL):
            names = (*names, POOL)
        reports = [_examined(invocation, one) for one in names]
        reports += [_unreadable(folder, trouble) for folder, trouble in troubles.items()]
    else:
        reports = [_examined(invocation, name)]
    for report in reports:
        if invocation.as_json:
            invocation.emit(_document(report))
        else:
            _print(invocation, report)
    if not reports and not invocation.as_json:
        invocation.line(f"No characters in {invocation.settings.data_dir}: there is nothing to examine.")
    if not all(report.healthy for report in reports):
        raise typer.Exit(1)


def _examined(invocation: Invocation, name: str) -> Report:
    try:
        return examine(invocation.settings, name)
    except UnknownCharacterError as error:
        raise UnknownCharacterError(who_is_there(invocation, name)) from error
    except StorageError as error:
        return _unreadable(name, str(error))


def _unreadable(name: str, trouble: str) -> Report:
    return Report(character=name, findings=(Finding("file", trouble),))


def _document(report: Report) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.to_builtins(report)
    return {**document, "healthy": report.healthy, "first_broken": report.first_broken}


def _print(invocation: Invocation, report: Report) -> None:
    name = "the pool of accounts" if report.character == POOL else printable(report.character)
    if report.healthy:
        rows = ", ".join(f"{count} {view}" for view, count in report.rows.items())
        erased = f" ({report.erased} erased)" if report.erased else ""
        invocation.line(f"{name}: healthy", style="green")
        invocation.line(f"  chain   {report.events} events{erased}, each follows from the one before it")
        invocation.line(f"  views   {rows}: equal to a fresh fold of the events")
        invocation.line(f"  outbox  {', '.join(f'{count} {state}' for state, count in report.ops.items())}")
        return
    invocation.line(f"{name}: {counted(len(report.findings), 'finding')}", style="bold red")
    for finding in report.findings:
        invocation.line(f"  {finding.part:7} {printable(finding.message)}")
    if report.first_broken is not None:
        invocation.line(f"  The first event that is not as it was written is {report.first_broken}.")
