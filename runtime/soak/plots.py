"""Plots of a run as SVG files: what happened over time. Needs the extra `soak`; without it there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from .measures import Sample

POINTS: Final = 240
"""Most points of a line: more make a file bigger and no plot clearer."""

_MIB: Final = 1 << 20

Line = tuple[str, Callable[[Sample], float]]


class Plot(NamedTuple):
    """One plot: its file, its title, what stands at its upright axis, and its lines."""

    file: str
    title: str
    unit: str
    lines: tuple[Line, ...]


PLOTS: Final = (
    Plot(
        "latency.svg",
        "Acknowledgements over time",
        "ms",
        (
            ("p50", lambda one: one.p50_ms),
            ("p95", lambda one: one.p95_ms),
            ("p99", lambda one: one.p99_ms),
        ),
    ),
    Plot(
        "memory.svg", "Memory of the process over time", "MiB", (("resident", lambda one: one.process.rss / _MIB),)
    ),
    Plot(
        "queues.svg",
        "Work that waits, over time",
        "pieces",
        (("outbox", lambda one: one.process.pending), ("longest mailbox", lambda one: one.process.mailbox)),
    ),
    Plot(
        "restarts.svg",
        "Processes so far, and open files, over time",
        "count",
        (("processes", lambda one: one.life), ("open files", lambda one: one.process.files)),
    ),
)


def draw(samples: Sequence[Sample], folder: Path) -> bool:
    """Write the plots into a folder, and return whether matplotlib is there to do it."""
    try:
        from matplotlib import rcParams  # noqa: PLC0415 - an extra
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        return False
    rcParams["svg.fonttype"] = "none"
    rcParams["svg.hashsalt"] = "omoide"
    for plot in PLOTS:
        figure: Any = Figure(figsize=(8, 2.6), layout="constrained")
        axes = figure.subplots()
        for name, value in plot.lines:
            points = thinned([(one.at, value(one)) for one in samples])
            axes.plot([at for at, _ in points], [height for _, height in points], label=name, linewidth=1)
        axes.set(xlabel="seconds", ylabel=plot.unit, title=plot.title)
        axes.set_ylim(bottom=0)
        axes.legend(loc="upper left", fontsize="small")
        figure.savefig(folder / plot.file, format="svg", metadata={"Date": None, "Creator": None})
    return True


def thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return at most `POINTS` points: of each stretch the highest, so that no peak is lost."""
    stretch = -(-len(points) // POINTS)
    return [
        max(points[start : start + stretch], key=lambda point: point[1])
        for start in range(0, len(points), max(1, stretch))
    ]
