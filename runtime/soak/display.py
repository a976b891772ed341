"""What a person sees while a soak runs: a table on a terminal that is rewritten; elsewhere nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.table import Table

from .measures import quantile
from .run import Run, Watch, unwatched

_MIB = 1 << 20


@contextmanager
def shown(console: Console) -> Iterator[Watch]:
    """Yield what is to be called with the run now and then; it shows nothing where nobody looks."""
    if not console.is_terminal:
        yield unwatched
        return
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield lambda run: live.update(table(run), refresh=True)


def table(run: Run) -> Table:
    """Return the state of a run as a table."""
    grid = Table(box=None, show_header=False, pad_edge=False)
    last = run.samples[-1] if run.samples else None
    rows = [
        ("steps", f"{len(run.steps):,}"),
        ("faults", ", ".join(f"{name} {count}" for name, count in sorted(run.faults.items())) or "none"),
        ("checks", f"{run.checks:,}"),
        ("violations", str(len(run.violations))),
        ("hear p50 / p99", f"{quantile(run.hears_ms, 0.5):.1f} / {quantile(run.hears_ms, 0.99):.1f} ms"),
    ]
    if last is not None:
        rows += [
            ("running for", f"{last.at:,.0f} s"),
            ("processes", f"{last.life}"),
            ("memory", f"{last.process.rss / _MIB:,.1f} MiB"),
            ("open files", f"{last.process.files}"),
            ("work that waits", f"{last.process.pending:,}"),
            ("characters in memory", f"{last.process.resident}"),
        ]
    for name, value in rows:
        grid.add_row(name, value)
    return grid
