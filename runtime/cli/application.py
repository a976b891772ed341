"""The `omoide` command: which commands there are, and the options that may stand before them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final

import typer

from ... import __version__
from .command import ConfigOption, DataOption, JsonOption, VerboseOption, epilog
from .invocation import Invocation
from .lazy import Entry, LazyGroup

COMMANDS: Final[Mapping[str, Entry]] = {
    "demo": Entry(
        ".demo.command",
        "Replay a conversation, kill the process in the middle, go on, and ask what is remembered.",
    ),
    "chat": Entry(".chat", "Tell a character things, and see what it remembers about them."),
    "hear": Entry(".talking", "Let a character hear something."),
    "say": Entry(".talking", "Store what the character itself said."),
    "gate": Entry(".talking", "Judge what a character is about to say."),
    "replay": Entry(".replay", "Let a character hear a transcript."),
    "recall": Entry(
        ".recall", "Show what a character remembers about QUERY or of a time, best first, and what matched."
    ),
    "briefing": Entry(
        ".briefing",
        "Show what a character should have in mind for its next line, as a model's prompt would hold it.",
    ),
    "offers": Entry(
        ".offers",
        "Draw memories that a character may bring up of its own accord; nothing banned or just mentioned.",
    ),
    "turns": Entry(".turns", "List the newest turns, oldest first; of all subjects unless --as names some."),
    "facts": Entry(
        ".facts", "List the facts in force, in order of storing; of all subjects unless --as names some."
    ),
    "reflections": Entry(
        ".reflections",
        "List the reflections that take part, in order of storing, with what their evidence makes of them now.",
    ),
    "persona": Entry(".persona", "List what a character lastingly knows: its card, and what proved stable."),
    "profile": Entry(".persona", "Show what you said about a character: its owner, language and card."),
    "explain": Entry(
        ".explain", "Explain a memory: what it rests on, all that happened to it, and what holds it back."
    ),
    "reject": Entry(
        ".decisions", "Reject a memory: it is retracted, and what it says doesn't come back until it is affirmed."
    ),
    "affirm": Entry(
        ".decisions",
        "Affirm a memory that was denied or overtaken: what held it back is lifted, and it is recalled again.",
    ),
    "directives": Entry(
        ".directives", "Show what must not be mentioned (`omoide directives NAME`), add to it or remove from it."
    ),
    "trust": Entry(".trust", "Show whom the characters believe, and say which accounts are one person."),
    "bus": Entry(".bus", "Serve the characters on a message bus."),
    "subjects": Entry(
        ".subjects",
        "Show whose memories there are (`omoide subjects NAME`), who may read what, and what was put away.",
    ),
    "strong-memory": Entry(".strong_memory", "Show whether a character has strong memory, or switch it."),
    "events": Entry(".events", "List the entries of a character's journal, oldest first."),
    "outbox": Entry(".outbox", "Show background work (`omoide outbox NAME`), retry or discard it."),
    "settle": Entry(".settle", "Do a character's background work until none is left."),
    "characters": Entry(".characters", "List the characters of the data folder."),
    "export": Entry(".export", "Write everything about a character into a folder, as readable JSON with digests."),
    "import": Entry(".import_", "Make a character of an export."),
    "erase": Entry(
        ".erase",
        "Erase something for good: records, what rests on them, words in the journal, and their bytes on disk.",
    ),
    "serve": Entry(
        ".serve", "Serve the characters over HTTP until interrupted, then finish what is under way and close."
    ),
    "token": Entry(
        ".serve",
        "Make a token for the HTTP server: its table for the tokens file to stdout, the token itself to stderr.",
    ),
    "mcp": Entry(".mcp", "Give a model tools over a character's memory, by the Model Context Protocol."),
    "models": Entry(
        ".models", "Try out the language models that the settings name; list, choose and check embedding models."
    ),
    "status": Entry(
        ".status",
        "Show how much each character holds, whether background work waits or is parked, and how the models do.",
    ),
    "doctor": Entry(
        ".doctor", "Verify every event and the hash chain, and compare the views with a fresh fold of the events."
    ),
    "scenario": Entry("..scenario.command", "Play conversations with expectations."),
    "soak": Entry(
        "..soak.command", "Talk to characters while everything around them fails, and hold them to their promises."
    ),
}
"""Every command, and where it is; a test holds the summaries to what the commands say of themselves."""


class _Commands(LazyGroup):
    entries: ClassVar[Mapping[str, Entry]] = COMMANDS


app = typer.Typer(
    name="omoide",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=epilog(
        (
            "omoide demo",
            "omoide chat yui",
            'omoide recall yui "the birthday present"',
            "omoide --data ./memories facts yui --json",
        )
    ),
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - Typer calls it with the flag
    if wanted:
        typer.echo(f"omoide {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    ctx: typer.Context,
    *,
    data: DataOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
    verbose: VerboseOption = False,
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """Long-term memory for characters: what they heard is kept, found again, and survives any crash.

    Every option below may also stand after the command's name.
    """
    ctx.obj = Invocation()
    ctx.obj.tell(data_dir=data, config=config, as_json=json, verbose=verbose)
