"""Every command there is, found by walking through the program."""

from __future__ import annotations

from collections.abc import Iterator

import typer
from typer.core import TyperGroup


def command_lines(app: typer.Typer) -> list[tuple[str, ...]]:
    """Return the words of every command and group that is shown, the program itself first."""
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    return [(), *_below(root, ())]


def groups(app: typer.Typer) -> list[tuple[str, ...]]:
    """Return the words of every group, the program itself first."""
    lines = command_lines(app)
    return [
        line for line in lines if any(other[: len(line)] == line and len(other) > len(line) for other in lines)
    ]


def _below(group: TyperGroup, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    context = typer.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if command.hidden:
            continue
        yield (*words, name)
        if isinstance(command, TyperGroup):
            yield from _below(command, (*words, name))
