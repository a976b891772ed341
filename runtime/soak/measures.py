"""What a run was like: latencies, memory, queues and restarts over time, and whether they are flat. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from .protocol import Measured

FLAT_SAMPLES: Final = 40
"""Samples of one process from which it is judged whether it grows."""

GROWTH_SHARE: Final = 0.25
"""Largest share by which memory may grow from the first third of a process's life to its last."""

GROWTH_BYTES: Final = 48 << 20
"""Growth of memory below which nothing is said: an allocator's caches are no leak."""

GROWTH_FILES: Final = 24
"""The same for open files: those of characters that are in memory come and go."""


class Sample(Struct, frozen=True, kw_only=True):
    """One look at the process. `at` is seconds since the start; latencies are those since the last look, in ms.

    `life` counts the processes, so that growth is judged within one.
    """

    at: float
    life: int
    steps: int
    heard: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    process: Measured


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share lies, by the nearest rank; 0 for none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def growth(samples: Sequence[Sample]) -> list[str]:
    """Return what grows without end in a process: memory or open files, by its lives' first and last thirds."""
    problems = []
    for life in sorted({sample.life for sample in samples}):
        mine = [sample.process for sample in samples if sample.life == life]
        if len(mine) < FLAT_SAMPLES:
            continue
        third = len(mine) // 3
        early, late = mine[third : 2 * third], mine[-third:]
        for name, allowed, unit in (("rss", GROWTH_BYTES, "bytes"), ("files", GROWTH_FILES, "files")):
            before = statistics.median(getattr(one, name) for one in early)
            after = statistics.median(getattr(one, name) for one in late)
            if after - before > max(allowed, GROWTH_SHARE * before):
                problems.append(f"process {life} grew from {before:,.0f} to {after:,.0f} {unit}")
    return problems
