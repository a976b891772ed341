"""A group whose commands are imported when they are asked for, so that help and completion come at once.

Loading a command loads the parts of the program that it needs, which takes most of a second for some.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup

Loaded: TypeAlias = TyperCommand | TyperGroup

PACKAGE: Final = "omoide.runtime.cli"


class Entry(NamedTuple):
    """A command that can be loaded: the module whose `mount` adds it, and the first sentence of its help."""

    module: str
    summary: str


class LazyGroup(TyperGroup):
    """A group of `entries`, in their order."""

    entries: ClassVar[Mapping[str, Entry]] = {}

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - what Typer gives to groups
        super().__init__(**attributes)
        self.commands: Any = _Commands(self.entries)

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - Typer's copy of Click has no name
        """Write the help text."""
        with self.commands.listing():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ANN401 - as above
        """Return what the beginning of a word may become."""
        with self.commands.listing():
            return list(super().shell_complete(ctx, incomplete))


class _Commands(MutableMapping[str, Loaded]):
    """The commands of a group by name, each loaded when it is first asked for."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = entries
        self._loaded: dict[str, Loaded] = {}
        self._listing = False

    @contextmanager
    def listing(self) -> Iterator[None]:
        """For the length of the block, return commands that tell their names and summaries alone."""
        self._listing = True
        try:
            yield
        finally:
            self._listing = False

    def __getitem__(self, name: str) -> Loaded:
        entry = self._entries[name]
        if self._listing:
            return TyperCommand(name, help=entry.summary)
        if name not in self._loaded:
            self._loaded.update(load(entry))
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __setitem__(self, name: str, command: Loaded) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]


def load(entry: Entry) -> dict[str, Loaded]:
    """Return the commands that a module adds, by name."""
    app = typer.Typer()
    importlib.import_module(entry.module, PACKAGE).mount(app)
    commands: dict[str, Any] = dict(typer.main.get_group(app).commands)
    return commands
