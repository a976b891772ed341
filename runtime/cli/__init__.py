"""The `omoide` command line."""

from __future__ import annotations

import sys

__all__ = ["main"]

_INTERRUPTED = 130


def main() -> None:
    """Run the command line; ends the process with its exit code."""
    try:
        from .application import app  # noqa: PLC0415 - an interrupt while the program loads needs no traceback

        for stream in (sys.stdout, sys.stderr):
            # A terminal that can't show a character gets its number instead of a crash.
            getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
        app(prog_name="omoide")
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
