"""One call of the command: what was asked of all commands alike, and where its output goes.

Knows the options that every command has; must not know any single command.
"""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from rich.console import Console

from ...protocols.encoding import encoded

if TYPE_CHECKING:
    from ...protocols.settings import Settings

_log: Final = logging.getLogger("omoide")
_log_of_retries: Final = logging.getLogger("stamina")
_NOWHERE: Final = logging.NullHandler()


class Invocation:
    """What one call of the command was told, from its options before and after the command's name."""

    def __init__(self) -> None:
        self.data_dir: Path | None = None
        self.config: Path | None = None
        self.as_json = False
        self.verbose = False
        self.after_interrupt = "what was acknowledged is stored, and waiting work goes on at the next start"
        self.out = Console(highlight=False, emoji=False, markup=False)
        self.err = Console(highlight=False, emoji=False, markup=False, stderr=True)

    def tell(self, *, data_dir: Path | None, config: Path | None, as_json: bool, verbose: bool) -> None:
        """Take options in; of an option that is given twice, the later one wins."""
        self.data_dir = data_dir or self.data_dir
        self.config = config or self.config
        self.as_json = as_json or self.as_json
        self.verbose = verbose or self.verbose

    @cached_property
    def settings(self) -> Settings:
        """The settings tree that holds for this call.

        Raises:
            SettingsError: if a setting is unknown or out of range.
        """
        from ..configuration import load_settings  # noqa: PLC0415 - help and completion need no settings

        return load_settings(data_dir=self.data_dir, config=self.config)

    @property
    def now(self) -> float:
        """The time, in seconds since the epoch, from which relative times count."""
        from ..clock import SystemClock  # noqa: PLC0415 - as above

        return SystemClock().now()

    def start_logging(self) -> None:
        """Send the program's log to stderr where the person wants to see it, and nowhere else."""
        if not self.verbose:
            for log in (_log, _log_of_retries):
                log.addHandler(_NOWHERE)
            return
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        _log.addHandler(handler)
        _log.setLevel(logging.DEBUG)

    def emit(self, document: object) -> None:
        """Print one JSON document on one line of stdout, at once."""
        typer.echo(encoded(document))

    def line(self, text: str = "", *, style: str = "") -> None:
        """Print one line for people; a line that is longer than the terminal is left to the terminal."""
        _print(self.out, text, style)

    def note(self, text: str, *, style: str = "") -> None:
        """Print one line for people to stderr, out of the way of what a program reads."""
        _print(self.err, text, style)


def _print(console: Console, text: str, style: str) -> None:
    if console.is_terminal:
        console.print(text, style=style, soft_wrap=True)
    else:
        # Rich would turn tabs into blanks, and whoever cuts columns out needs the tabs.
        typer.echo(text, file=console.file)
