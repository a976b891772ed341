"""`omoide characters`: who is stored here."""

from __future__ import annotations

from collections.abc import Mapping

import typer

from ...protocols.errors import CorruptStorageError
from .access import survey
from .command import command
from .invocation import Invocation
from .presentation import show


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(app, "characters", examples=("omoide characters", "omoide characters --data ./memories --json"))(
        characters
    )


def characters(invocation: Invocation) -> None:
    """List the characters of the data folder."""
    names, troubles = survey(invocation)
    if invocation.as_json:
        for name in names:
            invocation.emit({"name": name})
        _raise_trouble(troubles)
        return
    show(
        invocation,
        ("character",),
        ((name,) for name in names),
        empty=f"No characters in {invocation.settings.data_dir} yet: `omoide chat NAME` begins one.",
    )
    _raise_trouble(troubles)


def _raise_trouble(troubles: Mapping[str, str]) -> None:
    """Say that the list isn't whole.

    Raises:
        CorruptStorageError: if there are troubles.
    """
    if troubles:
        raise CorruptStorageError("; ".join(troubles.values()))
