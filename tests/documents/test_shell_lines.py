"""The shell lines of every page are typed, in order, and end as the page says; a few, by name, are not."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from omoide.runtime.cli.application import app
from omoide.runtime.cli.group import ListByDefault
from omoide.tests.documents.pages import BLOCKS, PAGES, ROOT, Block
from omoide.tests.documents.shell import ALTERED, NOT_TYPED, SERVERS, Shell

PAGES_WITH_LINES = sorted({block.page for block in BLOCKS if block.language == "sh"})
SPOKEN = 'omoide hear yui "My sister Ingrid lives in Bergen. Marcus lives there too."'

GIVEN = {
    "README.md": ('echo \'{"text": "My sister Ingrid lives in Bergen."}\' > conversation.jsonl',),
    "docs/how-to/erase.md": (
        SPOKEN,
        'omoide hear yui "Marcus owes me a kettle."',
        'omoide hear yui "I drink my coffee black." --speaker qq:1001 --subject group:qq:77',
        'omoide hear yui "I like the rain." --speaker qq:1002 --subject group:qq:77',
    ),
    "docs/how-to/move-a-character.md": (SPOKEN,),
    "docs/how-to/never-mention-that-again.md": (SPOKEN,),
    "docs/how-to/recall.md": (SPOKEN,),
}
"""What a page takes for granted before its first line."""

TYPED_IN = {
    "docs/tutorial/first-character.md": {
        ".venv/bin/omoide chat": "My sister Ingrid lives in Bergen.\nWhere does my sister live?\n"
    }
}
"""What a person types into a program, by the page and the line that starts it."""

PARKED = """
import trio
from omoide import Settings, open_runtime
from omoide.protocols.errors import ModelError

class Broken:
    async def extract(self, request):
        raise ModelError("the model is out of order")

async def main():
    async with open_runtime(Settings(data_dir="data", outbox={"attempts": 1}), model=Broken()) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("The kettle is new.")
        await yui.hear("The cups are old.")
        await yui.settle()

trio.run(main)
"""
"""Two pieces of work are parked, for the page that is about them."""


def lines_of(block: Block) -> list[tuple[str, int]]:
    """Return the lines of a block and the exit codes that they are said to end with."""
    said = []
    for line in block.text.splitlines():
        typed, _, comment = line.partition("   #")
        code = re.search(r"exit code (\d+)", comment)
        said.append((typed.strip(), int(code[1]) if code else 0))
    return said


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    opened = Shell(tmp_path)
    yield opened
    opened.close()


def prepare(shell: Shell, page: str, blocks: list[Block]) -> None:
    for block in blocks:
        if block.title:
            (shell.folder / block.title).parent.mkdir(exist_ok=True)
            (shell.folder / block.title).write_text(block.text)
        elif block.language == "python" and any("--data memories" in other.text for other in blocks):
            assert shell.run(sys.executable, "-c", block.text).returncode == 0
    for line in GIVEN.get(page, ()):
        assert shell.type(line) == 0, shell.printed
    if page.endswith("find-out-what-went-wrong.md"):
        assert shell.run(sys.executable, "-c", PARKED).returncode == 0


@pytest.mark.kill
@pytest.mark.parametrize("page", PAGES_WITH_LINES)
def test_the_lines_of_a_page_end_as_it_says(page: str, shell: Shell) -> None:
    blocks = [block for block in BLOCKS if block.page == page]
    prepare(shell, page, blocks)
    wrong = []
    for block in (block for block in blocks if block.language == "sh"):
        for line, code in lines_of(block):
            if line.startswith(tuple(NOT_TYPED)):
                continue
            typed_in = next((text for start, text in TYPED_IN.get(page, {}).items() if line.startswith(start)), "")
            if (ended := shell.type(line, typed_in)) != code:
                wrong.append(f"{line} ended with {ended}: {shell.printed}")
        if block.shows not in shell.printed:
            wrong.append(f"{block.place} shows what isn't printed: {shell.printed}")

    assert wrong == []


def test_every_exception_is_for_a_line_that_a_page_has() -> None:
    lines = [line for block in BLOCKS if block.language == "sh" for line, _ in lines_of(block)]

    unused = [
        start for start in (*NOT_TYPED, *ALTERED, *SERVERS) if not any(line.startswith(start) for line in lines)
    ]

    assert unused == []
    assert {*GIVEN, *TYPED_IN} <= set(PAGES_WITH_LINES)


def test_every_extra_that_a_page_installs_exists() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

    named = {extra for page in PAGES for extra in re.findall(r"pip install 'omoide\[(\w+)\]'", page.read_text())}

    assert named <= set(extras)
    assert len(named) > 5


CHAIN_BEGINS_WITH = "journal of NAME"
"""The words after `omoide` that are hashed into a chain of events (export-format.md), and no command."""

NAMED = sorted(
    {words for page in PAGES for words in re.findall(r"`omoide ([^`\n]+)`", page.read_text())}
    - {CHAIN_BEGINS_WITH}
)


@pytest.mark.parametrize("words", NAMED)
def test_a_command_that_a_sentence_names_is_there_with_its_options(words: str) -> None:
    command: Any = typer.main.get_command(app)
    given = shlex.split(words)
    while isinstance(command, TyperGroup) and given and given[0] in command.commands:
        command = command.commands[given.pop(0)]
    if isinstance(command, ListByDefault):
        command = command.commands["list"]
    takes = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}

    assert [word for word in given if word.startswith("--") and word not in {*takes, "--help"}] == []
    assert not isinstance(command, TyperGroup) or not given or given[0].startswith("--")
