"""`omoide erase`: what a person wants gone for good, and a look beforehand at what that is."""

from __future__ import annotations

import sys
from typing import Annotated

import msgspec
import trio
import typer

from ...protocols.erasure import Target
from ...protocols.errors import InvalidRequestError, UnknownCharacterError
from ..erasable import target_of
from ..host import open_runtime
from ..store import ErasureReport, preview
from .access import who_is_there
from .command import NameArgument, command
from .failure import decisive
from .invocation import Invocation
from .presentation import counted, printable


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "erase",
        examples=(
            "omoide erase yui --memory fact_1f2e3d4c5b6a --dry-run",
            "omoide erase yui --words Marcus",
            "omoide erase yui --account qq:1001 --yes",
            "omoide erase yui --subject group:qq:77",
            "omoide erase yui --character",
        ),
    )(erase)


def erase(  # noqa: PLR0913 - one option each
    invocation: Invocation,
    name: NameArgument,
    *,
    subject: Annotated[
        str | None, typer.Option("--subject", metavar="SUBJECT", help="All of a subject, such as group:qq:77.")
    ] = None,
    account: Annotated[
        str | None,
        typer.Option("--account", metavar="PLATFORM:ACCOUNT", help="All that an account said, anywhere."),
    ] = None,
    memory: Annotated[
        str | None, typer.Option("--memory", metavar="ID", help="One memory, with the words it was learned from.")
    ] = None,
    words: Annotated[
        str | None, typer.Option("--words", metavar="WORDS", help="Everything in which these words occur.")
    ] = None,
    character: Annotated[bool, typer.Option("--character", help="The whole character.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False,
) -> None:
    """Erase something for good: records, what rests on them, words in the journal, and their bytes on disk.

    What would go is told first, and you are asked. The journal keeps that something was erased, with
    ids and counts; its chain still verifies. What was said before and arrives late isn't taken in again;
    what is said from now on is. An account goes from the pool of accounts too. Exports that you made before
    are your own copies: delete them yourself.
    """
    if character and any(value is not None for value in (subject, account, memory, words)):
        raise InvalidRequestError("--character is everything: name it alone")
    target = None if character else target_of(subject=subject, account=account, memory=memory, words=words)
    invocation.after_interrupt = "all of it was erased or nothing; `omoide events NAME` tells which"
    try:
        ahead = preview(invocation.settings, name, target)
        if dry_run:
            _show(invocation, ahead)
            return
        if not yes:
            _ask(invocation, ahead)
        _show(invocation, trio.run(_erased, invocation, name, target))
    except BaseException as error:
        if isinstance(cause := decisive(error), UnknownCharacterError):
            raise UnknownCharacterError(who_is_there(invocation, name)) from cause
        raise


async def _erased(invocation: Invocation, name: str, target: Target | None) -> ErasureReport:
    async with open_runtime(invocation.settings) as runtime:
        return await runtime.erase(name, target)


def _ask(invocation: Invocation, ahead: ErasureReport) -> None:
    """Have the person confirm what would go.

    Raises:
        InvalidRequestError: if nobody can be asked, or the answer isn't yes.
    """
    if invocation.as_json or not sys.stdin.isatty():
        raise InvalidRequestError(
            "nobody can be asked here, so nothing was erased: look with --dry-run, then say --yes"
        )
    _print(invocation, ahead)
    if not typer.confirm("Erase this for good?", err=True):
        raise InvalidRequestError("nothing was erased")


def _show(invocation: Invocation, report: ErasureReport) -> None:
    if invocation.as_json:
        invocation.emit(msgspec.to_builtins(report))
    else:
        _print(invocation, report)


def _print(invocation: Invocation, report: ErasureReport) -> None:
    name = printable(report.character)
    whole = "the whole character" if report.kind == "character" else f"by {report.kind}"
    happened = "would be erased" if report.dry_run else "erased"
    invocation.line(f"{name}: {happened}, {whole}", style="yellow" if report.dry_run else "green")
    gone = ", ".join(f"{count:,} {kind}" for kind, count in report.removed.items())
    invocation.line(f"  records  {gone or 'none'}")
    if report.changed:
        invocation.line(f"  changed  {counted(report.changed, 'record')} that rested on them and stays")
    invocation.line(f"  journal  {counted(report.payloads, 'event')} without what was in it")
    invocation.line(f"  outbox   {counted(report.ops, 'piece')} of work")
    if report.from_pool:
        invocation.line("  trust    the account, in the pool that all characters share")
    if report.files:
        invocation.line(f"  files    {counted(report.files, 'file')} deleted")
    for kept in report.kept:
        invocation.line(f"  kept     {kept}")
    if not report.dry_run and not report.scrubbed:
        invocation.line(
            "  Somebody is reading an older state; the last bytes go when the character is next opened or closed.",
            style="yellow",
        )
