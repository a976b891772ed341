"""What became of the scenarios, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec
from rich.console import Console
from rich.text import Text

from .player import Performance, Verdict

_STYLES: Final = {Verdict.PASSED: "green", Verdict.FAILED: "bold red", Verdict.SKIPPED: "yellow"}


def summary(performances: Sequence[Performance]) -> str:
    """Return the closing line: `N passed, N failed`, and `, N skipped` where any was."""
    counts = Counter(performance.verdict for performance in performances)
    line = f"{counts[Verdict.PASSED]} passed, {counts[Verdict.FAILED]} failed"
    return f"{line}, {counts[Verdict.SKIPPED]} skipped" if counts[Verdict.SKIPPED] else line


def print_report(performances: Sequence[Performance], console: Console) -> None:
    """Print a line a failed expectation, why scenarios were skipped, and the closing line."""
    for performance in performances:
        for failure in performance.failures:
            _print(console, f"{performance.file}: {failure}", Verdict.FAILED)
        if performance.log:
            console.print(Text(performance.log, style="dim"), soft_wrap=True)
        if performance.reason:
            _print(console, f"{performance.file}: skipped: {performance.reason}", Verdict.SKIPPED)
        for note in performance.notes:
            _print(console, f"{performance.file}: note: {note}", Verdict.SKIPPED)
        if performance.folder:
            console.print(Text(f"{performance.file}: kept in {performance.folder}"), soft_wrap=True)
    failed = any(performance.verdict is Verdict.FAILED for performance in performances)
    _print(console, summary(performances), Verdict.FAILED if failed else Verdict.PASSED)


def to_json(performances: Sequence[Performance]) -> str:
    """Return the report as one JSON object: the counts, and every scenario with its failures."""
    counts = Counter(performance.verdict for performance in performances)
    report = {
        **{verdict.value: counts[verdict] for verdict in Verdict},
        "scenarios": list(performances),
    }
    # In ASCII, so that a file's name with a lone surrogate in it is no obstacle.
    return json.dumps(msgspec.to_builtins(report), indent=2)


def _print(console: Console, line: str, verdict: Verdict) -> None:
    console.print(Text(line, style=_STYLES[verdict]), soft_wrap=True)
