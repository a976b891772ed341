"""How a failure reaches the person: one line with the next step, and an exit code by whose fault it is."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Iterator
from typing import Final

import msgspec
import typer

from ...protocols.errors import CallerError, OmoideError, OutsideError
from .invocation import Invocation

EXIT_OUTSIDE: Final = 1
EXIT_CALLER: Final = 2
EXIT_DEFECT: Final = 70
"""EX_SOFTWARE of sysexits.h."""
EXIT_INTERRUPTED: Final = 130
"""128 and the number of SIGINT, as shells count."""


def report(error: BaseException, invocation: Invocation) -> int:
    """Tell the person what went wrong, and return the exit code.

    Several errors at once, as a nursery raises them, are told as the one that matters most.
    """
    cause = decisive(error)
    if _is_broken_pipe(cause):
        _silence_stdout()
        return EXIT_OUTSIDE
    if isinstance(cause, KeyboardInterrupt):
        _tell(invocation, "KeyboardInterrupt", f"interrupted: {invocation.after_interrupt}")
        return EXIT_INTERRUPTED
    if invocation.verbose:
        traceback.print_exception(error)
    if not isinstance(cause, OmoideError):
        _tell(
            invocation,
            type(cause).__name__,
            f"the program is wrong ({type(cause).__name__}: {cause}); please report it"
            + ("" if invocation.verbose else ", with what --verbose prints"),
        )
        return EXIT_DEFECT
    _tell(invocation, type(cause).__name__, str(cause))
    return exit_code(cause)


def exit_code(error: OmoideError) -> int:
    """Return the exit code that says whose fault an error is."""
    if isinstance(error, CallerError):
        return EXIT_CALLER
    return EXIT_OUTSIDE if isinstance(error, OutsideError) else EXIT_DEFECT


def decisive(error: BaseException) -> BaseException:
    """Return the error that a group of them comes down to: an interrupt, else a defect, else the first."""
    leaves = list(_leaves(error))
    for matters in (_is_interrupt, _is_defect):
        for leaf in leaves:
            if matters(leaf):
                return leaf
    return leaves[0]


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _leaves(part)
    else:
        yield error


def _is_interrupt(error: BaseException) -> bool:
    return isinstance(error, KeyboardInterrupt)


def _is_defect(error: BaseException) -> bool:
    return not isinstance(error, CallerError | OutsideError) and not _is_broken_pipe(error)


def _is_broken_pipe(error: BaseException) -> bool:
    return isinstance(error, OSError) and error.errno == errno.EPIPE


def _silence_stdout() -> None:
    """Let the interpreter's last flush go nowhere, since nobody reads it any more."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


def _tell(invocation: Invocation, name: str, message: str) -> None:
    if invocation.as_json:
        typer.echo(msgspec.json.encode({"error": name, "message": message}), err=True)
    else:
        from .presentation import printable  # noqa: PLC0415 - a command that goes well needs none of it

        typer.echo(f"omoide: {printable(message)}", err=True)
