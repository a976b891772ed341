from __future__ import annotations

import pytest
from typer.testing import CliRunner

from omoide.runtime.cli.application import app

COMMANDS = [
    (),
    ("demo",),
    ("chat",),
    ("replay",),
    ("recall",),
    ("briefing",),
    ("facts",),
    ("events",),
    ("outbox",),
    ("outbox", "list"),
    ("outbox", "retry"),
    ("outbox", "discard"),
    ("trust",),
    ("trust", "list"),
    ("trust", "show"),
    ("trust", "bind"),
    ("trust", "unbind"),
    ("trust", "merge"),
    ("characters",),
    ("export",),
    ("import",),
    ("status",),
    ("doctor",),
]


def helped(*command: str) -> str:
    done = CliRunner().invoke(app, [*command, "--help"], prog_name="omoide", env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself_with_an_example_that_fits_a_terminal(command: tuple[str, ...]) -> None:
    _, _, examples = helped(*command).partition("Examples:")

    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    assert any(line.startswith(("$ omoide " + " ".join(command)).strip()) for line in lines)
    assert all("omoide" in line and len(line) < 78 for line in lines)


@pytest.mark.parametrize(
    "command", [command for command in COMMANDS if command not in {(), ("outbox",), ("trust",)}], ids=" ".join
)
def test_every_command_takes_the_common_options(command: tuple[str, ...]) -> None:
    text = helped(*command)

    assert all(option in text for option in ("--data", "--config", "--json", "--verbose"))


def test_the_list_of_commands_is_whole() -> None:
    text = helped()

    assert all(command[0] in text for command in COMMANDS if command)
    assert "scenario" in text


def test_a_command_that_is_not_there_is_answered_with_a_guess() -> None:
    done = CliRunner().invoke(app, ["fact"], prog_name="omoide")

    assert done.exit_code == 2
    assert "facts" in done.output
