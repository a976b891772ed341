"""`omoide hear`, `say` and `gate`: one turn of a conversation from a shell, and what may be said in it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ...actors.directives.gates import Verdict
from ...protocols.errors import InvalidRequestError
from ...protocols.messages import Receipt, Utterance
from ...protocols.records import Role
from ...protocols.scopes import PRIVATE, parse_subject
from .access import check_words, use
from .command import NameArgument, command
from .invocation import Invocation
from .lines import STANDARD_INPUT, open_lines, read_lines
from .presentation import counted, printable, short_id
from .speaker import SpeakerOption, parse_speaker
from .transcript import moment_of

if TYPE_CHECKING:
    from ..character import Character

EXIT_HELD_BACK: Final = 3
"""What is about to be said must not be, or not so."""

TextArgument = Annotated[str, typer.Argument(metavar="TEXT", help="The words.")]
PlaceOption = Annotated[str, typer.Option("--subject", metavar="SUBJECT", help="Where it is said.")]
IdOption = Annotated[
    str | None,
    typer.Option("--id", metavar="ID", help="Your id of the message; the same again is the same turn."),
]

AtOption = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="TIME",
        help="When it was said: ISO 8601 with a zone, or seconds since the epoch; else now.",
    ),
]


def mount(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    command(
        app,
        "hear",
        examples=(
            'omoide hear yui "My sister Ingrid lives in Bergen."',
            'omoide hear yui "Hi all." --speaker qq:1001 --subject group:qq:77',
            'omoide hear yui "I moved to Oslo." --at 2026-03-02T19:30:00+01:00',
        ),
    )(hear)
    command(
        app,
        "say",
        examples=('omoide say yui "How is Ingrid?"', 'omoide say yui "Still rowing?" --surfaced ref_1f2e3d4c'),
    )(say)
    command(
        app,
        "gate",
        examples=(
            'omoide gate yui "How is Marcus?" --unprompted',
            'omoide gate yui "Marcus is fine." --said "How is Marcus?"',
            "my-model | omoide gate yui -",
        ),
    )(gate)


def hear(
    invocation: Invocation,
    name: NameArgument,
    text: TextArgument,
    *,
    speaker: SpeakerOption = None,
    subject: PlaceOption = PRIVATE,
    trust: Annotated[
        str | None,
        typer.Option(metavar="TIER|0..1", help="How far you trust the speaker; without, memory abstains."),
    ] = None,
    at: AtOption = None,
    message_id: IdOption = None,
) -> None:
    """Let a character hear something. It ends once the words can't be lost any more, and what is due is done.

    A character that isn't there yet comes into being. JSON output is the receipt.
    """
    _refuse_dash(text)
    said_at = moment_of(_number_or_text(at))

    utterance = Utterance(
        text=text,
        speaker=parse_speaker(speaker),
        subject=parse_subject(subject),
        trust=_number_or_text(trust),
        said_at=said_at,
        id=message_id,
    )
    check_words(invocation, utterance, Role.PERSON)

    async def act(character: Character) -> Receipt:
        receipt = await character.hear(
            utterance.text,
            speaker=utterance.speaker,
            subject=utterance.subject,
            trust=utterance.trust,
            said_at=utterance.said_at,
            message_id=utterance.id,
        )
        await character.drain()
        return receipt

    _show(invocation, use(invocation, name, act, create=True), "heard")


def say(
    invocation: Invocation,
    name: NameArgument,
    text: TextArgument,
    *,
    subject: PlaceOption = PRIVATE,
    surfaced: Annotated[
        list[str] | None,
        typer.Option(metavar="ID|WORDS", help="A reflection that the words bring up; can be repeated."),
    ] = None,
    at: AtOption = None,
    message_id: IdOption = None,
) -> None:
    """Store what the character itself said. JSON output is the receipt."""
    _refuse_dash(text)
    said_at = moment_of(_number_or_text(at))

    async def act(character: Character) -> Receipt:
        return await character.say(
            text, subject=subject, surfaced=surfaced or (), said_at=said_at, message_id=message_id
        )

    _show(invocation, use(invocation, name, act), "said")


def _refuse_dash(text: str) -> None:
    """Refuse `-`: who writes it means what a pipe holds, and would find a dash among the memories."""
    if text == STANDARD_INPUT:
        raise InvalidRequestError(
            "TEXT is the words themselves, and - isn't read from standard input: pipe lines into "
            "`omoide chat NAME`, or a transcript into `omoide replay NAME -`"
        )


def gate(
    invocation: Invocation,
    name: NameArgument,
    draft: Annotated[
        str, typer.Argument(metavar="DRAFT", help="What would be said; - lets through what stdin may say.")
    ],
    *,
    unprompted: Annotated[
        bool, typer.Option("--unprompted", help="The character speaks of its own accord.")
    ] = False,
    subject: PlaceOption = PRIVATE,
    said: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The person's words of this turn; else the newest heard.")
    ] = None,
) -> None:
    """Judge what a character is about to say. Exit code 3 means that it must not be said, or not so.

    With - as the draft, whole sentences of standard input come out as soon as they may be spoken. JSON output is
    the verdict.
    """

    async def judge(character: Character) -> Verdict:
        return await character.gate(draft, unprompted=unprompted, subject=subject, said=said)

    async def filtered(character: Character) -> int:
        stream = character.gate_stream(unprompted=unprompted, subject=subject, said=said)
        async with aclosing(_chunks(open_lines(STANDARD_INPUT))) as chunks:
            async for sentence in stream.over(chunks):
                typer.echo(sentence, nl=False)
        return len(stream.dropped)

    if draft == STANDARD_INPUT:
        dropped = use(invocation, name, filtered)
        if dropped:
            invocation.note(f"Held back: {counted(dropped, 'sentence')}.", style="yellow")
            raise typer.Exit(EXIT_HELD_BACK)
        return
    verdict = use(invocation, name, judge)
    if invocation.as_json:
        invocation.emit(verdict)
    else:
        held = ", ".join(repr(printable(draft[span.start : span.end])) for span in verdict.spans)
        why = ", ".join(reason.value for reason in verdict.reasons)
        invocation.line(" ".join(filter(None, (verdict.verdict, why and f"({why})", held))))
    if verdict.verdict != "allow":
        raise typer.Exit(EXIT_HELD_BACK)


async def _chunks(descriptor: int) -> AsyncGenerator[str]:
    async with aclosing(read_lines(descriptor)) as lines:
        async for line in lines:
            yield line.decode(errors="replace") + "\n"


def _show(invocation: Invocation, receipt: Receipt, done: str) -> None:
    if invocation.as_json:
        invocation.emit(receipt)
        return
    again = " before, and not again" if receipt.repeated else ""
    invocation.line(f"{done}{again}, on disk as {short_id(receipt.turn)}", style="green")
    for note in receipt.notes:
        invocation.line(printable(note))


def _number_or_text(given: str | None) -> float | str | None:
    """Return a number where it is one: a trust or the name of a tier, seconds or the words for a time."""
    try:
        return None if given is None else float(given)
    except ValueError:
        return given
