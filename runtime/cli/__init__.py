"""The `omoide` command line."""

from __future__ import annotations

import sys

from .application import app

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; ends the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that can't show a character gets its number instead of a crash.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    app(prog_name="omoide")
