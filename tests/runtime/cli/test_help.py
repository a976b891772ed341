"""Every command explains itself, takes what all take, is found by its beginning, and comes at once."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from omoide.runtime.cli.application import COMMANDS, app
from omoide.runtime.cli.lazy import load
from omoide.tests.runtime.cli.command_line import Omoide
from omoide.tests.runtime.cli.walking import command_lines, groups

LINES = command_lines(app)
GROUPS = groups(app)
HEAVY = ("numpy", "trio", "pydantic", "httpx", "starlette", "mcp", "rank_bm25")
"""What a list of commands has no need of."""


def helped(*command: str) -> str:
    done = CliRunner().invoke(app, [*command, "--help"], prog_name="omoide", env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("command", LINES, ids=" ".join)
def test_every_command_explains_itself_with_an_example_that_fits_a_terminal(command: tuple[str, ...]) -> None:
    _, _, examples = helped(*command).partition("Examples:")

    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    assert any(f"omoide {' '.join(command)}".strip() in line for line in lines)
    assert all("omoide" in line and len(line) < 78 for line in lines)


@pytest.mark.parametrize("command", [line for line in LINES if line not in GROUPS], ids=" ".join)
def test_every_command_takes_the_common_options(command: tuple[str, ...]) -> None:
    text = helped(*command)

    assert all(option in text for option in ("--data", "--config", "--json", "--verbose"))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_it_says_of_itself(name: str) -> None:
    command = load(COMMANDS[name])[name]

    told = re.match(r".*?[.](?=\s|$)", " ".join((command.help or "").split()))

    assert told is not None
    assert COMMANDS[name].summary == told.group()


def test_a_module_adds_no_command_that_the_list_lacks() -> None:
    added = {name for entry in set(COMMANDS.values()) for name in load(entry)}

    assert added == set(COMMANDS)


def test_the_list_of_commands_is_whole() -> None:
    text = helped()

    assert [name for name in COMMANDS if name not in text] == []


def test_a_command_that_is_not_there_is_answered_with_a_guess() -> None:
    done = CliRunner().invoke(app, ["fact"], prog_name="omoide")

    assert (done.exit_code, "facts" in done.output) == (2, True)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []], ids=" ".join)
def test_what_only_lists_commands_loads_nothing_that_takes_long(arguments: list[str], omoide: Omoide) -> None:
    program = (
        "import sys; from omoide.runtime.cli import main; sys.argv[1:] = sys.argv[2:]\n"
        "try: main()\n"
        f"except SystemExit: print(*(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, "-", *arguments],
        env=omoide.environ(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stderr.split() == []


def test_commands_that_only_look_load_no_character_and_no_arithmetic(omoide: Omoide) -> None:
    names = ("characters", "status", "facts", "turns", "events", "outbox", "directives", "subjects", "profile")
    program = (
        "import sys\n"
        "from omoide.runtime.cli.application import COMMANDS\n"
        "from omoide.runtime.cli.lazy import load\n"
        f"for name in {names}: load(COMMANDS[name])\n"
        "heavy = ('omoide.runtime.host', 'omoide.actors.recall.actor', 'numpy')\n"
        "print(*(name for name in heavy if name in sys.modules))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], env=omoide.environ(), capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == []


def completed(omoide: Omoide, words: str) -> list[str]:
    """Return what Bash would offer after these words."""
    environ = {"_OMOIDE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        omoide.line(), env=omoide.environ(**environ), capture_output=True, text=True, check=False
    )
    return done.stdout.split()


def test_the_shell_completes_commands_verbs_and_options(omoide: Omoide) -> None:
    assert completed(omoide, "omoide re") == ["replay", "recall", "reflections", "reject"]
    assert completed(omoide, "omoide outbox re") == ["retry"]
    assert completed(omoide, "omoide recall --li") == ["--limit"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_completion_is_printed(shell: str) -> None:
    done = CliRunner().invoke(
        app, ["--show-completion"], prog_name="omoide", env={"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    )
    if done.exit_code:  # then it takes the shell's name
        done = CliRunner().invoke(app, ["--show-completion", shell], prog_name="omoide", env={**os.environ})

    assert "_OMOIDE_COMPLETE" in done.output
