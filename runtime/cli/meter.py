"""A progress bar for people at a terminal, and nothing at all for anybody else."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Self

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from .invocation import Invocation
from .presentation import printable


class _RateColumn(ProgressColumn):
    """How many steps are made in a second."""

    def render(self, task: Task) -> Text:
        """Return the rate of a task."""
        return Text("" if task.speed is None else f"{task.speed:,.0f}/s", style="dim")


class _CountColumn(ProgressColumn):
    """How many steps are made, and of how many."""

    def render(self, task: Task) -> Text:
        """Return the count of a task; nothing where it has no steps."""
        if task.total is not None:
            return Text(f"{task.completed:,.0f}/{task.total:,.0f}", style="progress.download")
        return Text(f"{task.completed:,.0f}" if task.completed else "", style="progress.download")


class Meter:
    """Shows on stderr how far something is, for the length of a `with` block.

    Args:
        invocation: whose output it is.
        what: what goes on, as text of any origin.
        total: steps to make; None where nobody knows.
    """

    def __init__(self, invocation: Invocation, what: str, total: int | None) -> None:
        self._progress: Progress | None = None
        self._stack = ExitStack()
        if invocation.err.is_terminal and not invocation.as_json:
            self._progress = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                _CountColumn(),
                _RateColumn(),
                TimeRemainingColumn(),
                console=invocation.err,
                transient=total is None,
            )
            self._task = self._progress.add_task(printable(what), total=total)

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._stack.enter_context(self._progress)
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    @property
    def is_shown(self) -> bool:
        """Whether anybody sees it."""
        return self._progress is not None

    def describe(self, what: str) -> None:
        """Say anew what goes on."""
        if self._progress is not None:
            self._progress.update(self._task, description=printable(what))

    def reach(self, done: int, total: int) -> None:
        """Say how far it is, and how far it will go."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total)

    def advance(self) -> None:
        """Count one step."""
        if self._progress is not None:
            self._progress.advance(self._task)
