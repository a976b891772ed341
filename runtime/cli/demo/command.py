"""`omoide demo`: see it survive, in a quarter of a minute and without a network."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import trio
import typer

from ....protocols.errors import InvalidRequestError, StorageError
from ..command import command
from ..invocation import Invocation
from .performance import NAME, Performance


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "demo", examples=("omoide demo", "omoide demo --keep ./demo", "omoide demo --json"))(demo)


def demo(
    invocation: Invocation,
    *,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Leave what was stored in this new folder.")
    ] = None,
) -> None:
    """Replay a conversation, kill the process in the middle, go on, and ask what is remembered.

    Takes some ten seconds, needs no network, and works in a temporary folder. Every claim is checked:
    exit code 1 means that one didn't hold. JSON output is one document.
    """
    invocation.after_interrupt = "the demonstration is over; nothing of yours was touched"
    with (
        _folder(keep) as folder,
        tempfile.TemporaryDirectory(prefix="omoide-control-") as control,
        as_file(files(__package__) / "conversation.jsonl") as conversation,
    ):
        played = trio.run(Performance(invocation, folder, Path(control), conversation).play)
    failed = [check for check in played.checks if not check.holds]
    if invocation.as_json:
        invocation.emit(played)
    else:
        invocation.line()
        invocation.line(
            f"{len(played.checks) - len(failed)} of {len(played.checks)} checks hold.",
            style="bold red" if failed else "bold green",
        )
        if keep is not None:
            invocation.line(f'Try: omoide recall {NAME} "what grows on the balcony" --data {keep}')
    if failed:
        raise typer.Exit(1)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        folder = Path(tempfile.mkdtemp(prefix="omoide-demo-"))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return
    try:
        if keep.exists() and any(keep.iterdir()):
            raise InvalidRequestError(f"{keep} is not empty: name a new folder with --keep")
        keep.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"the folder {keep} can't be made: {error.strerror}; name another one") from error
    yield keep
