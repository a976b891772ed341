"""`omoide replay`: a transcript, heard from its first line to its last, as often as it takes."""

from __future__ import annotations

import os
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any, Final

import trio
import typer
from msgspec import Struct
from msgspec.structs import replace

from ...protocols.errors import CallerError, InvalidRequestError, ParkedWorkError
from ...protocols.messages import Receipt, Utterance
from ...protocols.records import Role
from ...protocols.scopes import parse_subject
from .access import check_words, within
from .command import NameArgument, command
from .invocation import Invocation
from .lines import STANDARD_INPUT, count_lines, open_lines, read_lines
from .meter import Meter
from .presentation import counted, printable
from .transcript import Spoken, parse_line
from .waiting import tell_what_waits

if TYPE_CHECKING:
    from ..character import Character
    from ..host import Runtime

_LOOK_EVERY_S: Final = 0.25
"""How often the work that is left is counted for people who watch."""


class Replayed(Struct, frozen=True, kw_only=True):
    """What became of a transcript. `settled` says that no background work was left, `parked` how much is stuck."""

    new: int = 0
    known: int = 0
    skipped: int = 0
    settled: bool = False
    parked: int = 0


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "replay",
        examples=(
            "omoide replay yui conversation.jsonl",
            "export-chat | omoide replay yui - --skip-bad",
            "omoide replay yui conversation.jsonl --json --no-settle",
        ),
    )(replay)


def replay(
    invocation: Invocation,
    name: NameArgument,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Transcript (JSONL, one turn a line); - is standard input.")
    ],
    *,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Go on after a bad line, and count it.")] = False,
    settle: Annotated[
        bool, typer.Option("--settle/--no-settle", help="Wait at the end until background work is done.")
    ] = True,
    rate: Annotated[float | None, typer.Option(metavar="N", min=0.01, help="At most N turns a second.")] = None,
) -> None:
    """Let a character hear a transcript.

    Can be interrupted and run again at will: a line that was heard before changes nothing. The same
    line is the one of the same id or, without an id, of the same content at the same place.

    Exit code 0: every line is stored. 1: bad lines were skipped, work is parked, or the disk refused.
    2: a bad line stopped the replay. JSON output has one object a line: a receipt for every turn as
    it is acknowledged, then a summary. docs/reference/transcript.md describes the lines.
    """
    invocation.after_interrupt = (
        "nothing that was acknowledged is lost; run the same command again to go on"
        if file != STANDARD_INPUT
        else "nothing that was acknowledged is lost; send the same input again to go on"
    )
    descriptor = open_lines(file)
    try:
        task = _Replay(invocation, file, descriptor, skip_bad=skip_bad, rate=rate)
        done = within(invocation, name, lambda runtime: task.run(runtime, name, settle=settle))
    finally:
        os.close(descriptor)
    _tell(invocation, done, name)
    if done.parked:
        raise ParkedWorkError(
            f"{counted(done.parked, 'piece')} of work of {name} parked: `omoide outbox {name}` shows which and why"
        )
    if done.skipped:
        raise typer.Exit(1)


class _Replay:
    def __init__(
        self, invocation: Invocation, file: str, descriptor: int, *, skip_bad: bool, rate: float | None
    ) -> None:
        self._invocation = invocation
        self._file = "standard input" if file == STANDARD_INPUT else file
        self._path = file
        self._descriptor = descriptor
        self._skip_bad = skip_bad
        self._rate = rate
        self._done = Replayed()

    async def run(self, runtime: Runtime, name: str, *, settle: bool) -> Replayed:
        character = await self._hear_all(runtime, name)
        if character is None or not settle:
            return replace(self._done, settled=settle)
        with Meter(self._invocation, "Working it out", None) as meter:
            async with trio.open_nursery() as nursery:
                if meter.is_shown:
                    nursery.start_soon(_watch, character, meter)
                nursery.start_soon(tell_what_waits, self._invocation, character)
                drained = await character.settle()
                nursery.cancel_scope.cancel()
        return replace(self._done, settled=True, parked=drained.parked)

    async def _hear_all(self, runtime: Runtime, name: str) -> Character | None:
        """Return the character, begun with the first line that can be taken, or None where there is none."""
        character: Character | None = None
        with Meter(self._invocation, f"Replaying to {name}", count_lines(self._path)) as meter:
            number = 0
            async with aclosing(read_lines(self._descriptor)) as lines:
                async for raw in lines:
                    number += 1
                    spoken = self._parsed(raw, number, begins=character is None)
                    if spoken is not None:
                        character = character or await runtime.character(name, create=True)
                        await self._take(character, spoken, number)
                    meter.advance()
                    if self._rate is not None:
                        await trio.sleep(1 / self._rate)
        return character

    def _parsed(self, raw: bytes, number: int, *, begins: bool) -> Spoken | None:
        try:
            spoken = parse_line(raw, number)
            if spoken is not None and begins:
                check_words(self._invocation, _utterance(spoken), spoken.role)
        except CallerError as error:
            self._refuse(error, number)
            return None
        return spoken

    async def _take(self, character: Character, spoken: Spoken, number: int) -> None:
        try:
            receipt = await hear(character, spoken)
        except CallerError as error:
            self._refuse(error, number)
            return
        self._count(new=not receipt.repeated, known=receipt.repeated)
        if self._invocation.as_json:
            self._invocation.emit({"line": number, "receipt": receipt})

    def _refuse(self, error: CallerError, number: int) -> None:
        where = f"{self._file}, line {number}"
        if not self._skip_bad:
            raise InvalidRequestError(f"{where}: {error}; --skip-bad goes on without such lines") from error
        self._count(skipped=True)
        if self._invocation.as_json:
            self._invocation.emit({"line": number, "skipped": str(error)})
        else:
            self._invocation.note(f"skipped {printable(where)}: {printable(str(error))}", style="yellow")

    def _count(self, **what: bool) -> None:
        counted: dict[str, Any] = {name: getattr(self._done, name) + one for name, one in what.items()}
        self._done = replace(self._done, **counted)


async def _watch(character: Character, meter: Meter) -> None:
    while True:
        counts = (await character.status()).counts
        meter.describe(f"Working it out: {counted(counts.pending, 'piece')} of work left")
        await trio.sleep(_LOOK_EVERY_S)


async def hear(character: Character, spoken: Spoken) -> Receipt:
    """Let a character hear one turn of a transcript, or say it where it is its own.

    Raises:
        CallerError: if the turn can't be taken; the message says why.
        StorageError: if the disk refused.
    """
    if spoken.role is Role.CHARACTER:
        return await character.say(
            spoken.text, subject=spoken.subject, said_at=spoken.said_at, message_id=spoken.message_id
        )
    return await character.hear(
        spoken.text,
        speaker=spoken.speaker,
        subject=spoken.subject,
        said_at=spoken.said_at,
        message_id=spoken.message_id,
    )


def _utterance(spoken: Spoken) -> Utterance:
    return Utterance(
        text=spoken.text,
        speaker=spoken.speaker,
        subject=parse_subject(spoken.subject),
        said_at=spoken.said_at,
        id=spoken.message_id,
    )


def _tell(invocation: Invocation, done: Replayed, name: str) -> None:
    if invocation.as_json:
        invocation.emit({"summary": done})
        return
    parts = [f"{done.new} new", f"{done.known} known already"]
    if done.skipped:
        parts.append(f"{counted(done.skipped, 'bad line')} skipped")
    waits = "" if done.settled else " Background work goes on at the next start."
    invocation.line(
        f"{printable(name)}: {counted(done.new + done.known, 'turn')} acknowledged ({', '.join(parts)}).{waits}"
    )
