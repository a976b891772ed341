"""`omoide chat`: talk to a character, and see what it remembers while you talk."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from functools import partial

import trio
import typer

from ...protocols.errors import CallerError
from ...protocols.messages import Hit, MemoryKind, Receipt
from ...protocols.records import Fact
from ...protocols.text import check_text
from ..character import Character
from ..host import open_runtime
from ..loop_thread import LoopThread
from .command import NameArgument, command
from .invocation import Invocation
from .presentation import ago, counted, printable, short_id, teller_name

SHOWN_HITS = 3
"""Memories that are shown about each line; /recall shows more."""

WAIT_S = 1.0
"""Longest wait for what was just said to be worked out, so that the next line can be answered from it."""

_COMMANDS = "/recall WORDS  /facts  /status  /help  /quit"


def mount(app: typer.Typer) -> None:
    """Add the command to `app`."""
    command(
        app,
        "chat",
        examples=("omoide chat yui", 'echo "My cat is called Mochi." | omoide chat yui --json'),
    )(chat)


def chat(invocation: Invocation, name: NameArgument) -> None:
    """Tell a character things, and see what it remembers about them.

    It listens and remembers; it doesn't talk, since no language model is connected. What you type is
    heard, and before that the memories that match it are shown. Lines that begin with a slash are
    commands: /recall WORDS, /facts, /status, /help, /quit.

    JSON output has one object for every line.
    """
    loop = LoopThread(open_runtime(invocation.settings))
    try:
        character = loop.call(partial(loop.start().character, name))
        _Chat(invocation, loop, character).run()
    finally:
        loop.stop()


class _Chat:
    def __init__(self, invocation: Invocation, loop: LoopThread, character: Character) -> None:
        self._invocation = invocation
        self._loop = loop
        self._character = character

    def run(self) -> None:
        if not self._invocation.as_json:
            self._line(f"{printable(self._character.name)} listens and remembers.", "bold")
            self._line(f"It doesn't talk: no language model is connected.  {_COMMANDS}", "dim")
        for typed in _typed_lines(interactive=self._invocation.out.is_terminal):
            if not typed.strip():
                continue
            try:
                if not self._take(typed.strip()):
                    break
            except CallerError as error:
                if self._invocation.as_json:
                    self._invocation.emit({"error": type(error).__name__, "message": str(error)})
                else:
                    self._line(printable(str(error)), "yellow")
        self._say_goodbye()

    def _take(self, typed: str) -> bool:
        """Take one line, and return whether the chat goes on."""
        match typed.partition(" "):
            case ("/quit" | "/exit", _, _):
                return False
            case ("/recall", _, query):
                self._recall(query)
            case ("/facts", _, _):
                self._facts(self._loop.call(self._character.facts))
            case ("/status", _, _):
                self._status()
            case ("/help", _, _):
                self._show({"commands": _COMMANDS}, [_COMMANDS])
            case (word, _, _) if word.startswith("/"):
                raise CallerError(f"there is no {word}: {_COMMANDS}")
            case _:
                self._hear(typed)
        return True

    def _hear(self, typed: str) -> None:
        limits = self._invocation.settings.limits
        check_text(typed, max_chars=limits.text_chars, setting="limits.text_chars")
        recalled, receipt = self._loop.call(partial(_recall_and_hear, self._character, typed, limits.query_chars))
        lines = [f"remembers: {self._describe(hit)}" for hit in recalled]
        state = "heard before" if receipt.repeated else "heard"
        self._show({"recalled": recalled, "receipt": receipt}, [*lines, f"{state} ({short_id(receipt.turn)})"])

    def _recall(self, query: str) -> None:
        found = self._loop.call(partial(self._character.recall, query))
        lines = [self._describe(hit) for hit in found.hits] or ["nothing comes to mind"]
        self._show({"recalled": found.hits}, lines)

    def _facts(self, facts: Sequence[Fact]) -> None:
        lines = [f"{short_id(fact.id)}  {printable(fact.text)}" for fact in facts] or ["no facts yet"]
        self._show({"facts": facts}, lines)

    def _status(self) -> None:
        status = self._loop.call(self._character.status)
        counts = status.counts
        lines = [
            f"{counted(counts.turns, 'turn')}, {counted(counts.facts, 'fact')}, {counted(counts.events, 'event')}",
            f"{counted(counts.pending, 'piece')} of work pending, {counts.parked} parked",
            *(f"degraded: {role}" for role in status.degraded),
        ]
        self._show({"status": status}, lines)

    def _say_goodbye(self) -> None:
        if not self._invocation.as_json:
            counts = self._loop.call(self._character.status).counts
            waits = (
                f"; {counted(counts.pending, 'piece')} of work left for the next start" if counts.pending else ""
            )
            self._line(f"Kept: {counted(counts.turns, 'turn')}, {counted(counts.facts, 'fact')}{waits}.", "dim")

    def _describe(self, hit: Hit) -> str:
        when = ago(hit.last_said_at, self._invocation.now)
        by = "you" if hit.kind is not MemoryKind.REFLECTION and hit.speaker is None else teller_name(hit)
        return printable(f"{hit.text}  ({by}, {when}; matched {' '.join(hit.matched) or hit.reason.value})")

    def _show(self, document: dict[str, object], lines: Sequence[str]) -> None:
        if self._invocation.as_json:
            self._invocation.emit(document)
        else:
            for line in lines:
                self._line(f"  {line}", "cyan")

    def _line(self, text: str, style: str) -> None:
        self._invocation.line(text, style=style)


async def _recall_and_hear(character: Character, typed: str, query_chars: int) -> tuple[tuple[Hit, ...], Receipt]:
    recalled = await character.recall(typed[:query_chars], limit=SHOWN_HITS)
    receipt = await character.hear(typed)
    with trio.move_on_after(WAIT_S):
        await character.drain()
    return recalled.hits, receipt


def _typed_lines(*, interactive: bool) -> Iterator[str]:
    """Yield what is typed, until the end of input."""
    if not (interactive and sys.stdin.isatty()):
        # What isn't Unicode is refused line by line, with the reason, and the rest goes on.
        getattr(sys.stdin, "reconfigure", lambda **_: None)(errors="surrogateescape")
        yield from sys.stdin
        return
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401, PLC0415 - importing it is what gives `input` a history and line editing
    while True:
        try:
            yield input("you> ")
        except EOFError:
            typer.echo()
            return
