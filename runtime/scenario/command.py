"""The `omoide scenario` commands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import trio
import typer
from rich.console import Console

from ...protocols.errors import ScenarioError
from ..cli.command import command, epilog
from ..cli.invocation import Invocation
from .parse import Scenario, find_files, read_scenario
from .player import Performance, Verdict, play_all
from .report import print_report, to_json

app = typer.Typer(
    no_args_is_help=True,
    help="Play conversations with expectations.",
    epilog=epilog(("omoide scenario run tests/scenarios",)),
)


def mount(parent: typer.Typer) -> None:
    """Add the commands to `parent`."""
    parent.add_typer(app, name="scenario")


@app.callback()
def scenario() -> None:
    """Play conversations with expectations."""


def run(
    invocation: Invocation,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Scenario files; folders are walked.", show_default=False),
    ],
    *,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the data folders, and say where they are.")] = False,
) -> None:
    """Play each scenario in a fresh data folder on a virtual clock.

    The characters of --data are not touched, and a scenario has its own settings. JSON output is one object.

    Exit code 0 if all passed or were skipped, 1 if any failed, 2 if a file can't be read or breaks the
    format; then nothing is played.
    """
    scenarios = _read_all(files)
    performances = _play_all(scenarios, keep=keep, quiet=invocation.as_json)
    if invocation.as_json:
        typer.echo(to_json(performances))
    else:
        print_report(performances, Console(highlight=False))
    if any(performance.verdict is Verdict.FAILED for performance in performances):
        raise typer.Exit(1)


command(app, "run", examples=("omoide scenario run tests/scenarios", "omoide scenario run diary.yaml --json"))(run)


def _read_all(paths: Sequence[Path]) -> list[Scenario]:
    scenarios: list[Scenario] = []
    problems: list[str] = []
    try:
        files = find_files(paths)
    except ScenarioError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    for file in files:
        try:
            scenarios.append(read_scenario(file))
        except ScenarioError as error:
            problems.append(str(error))
    if problems:
        typer.echo("\n".join(problems), err=True)
        raise typer.Exit(2)
    return scenarios


def _play_all(scenarios: Sequence[Scenario], *, keep: bool, quiet: bool) -> tuple[Performance, ...]:
    if quiet:
        return trio.run(partial(play_all, scenarios, keep=keep))
    console = Console(stderr=True)
    played = 0
    with console.status(f"0 of {len(scenarios)} played") as status:

        def tell(_performance: Performance) -> None:
            nonlocal played
            played += 1
            status.update(f"{played} of {len(scenarios)} played")

        return trio.run(partial(play_all, scenarios, keep=keep, on_played=tell))
