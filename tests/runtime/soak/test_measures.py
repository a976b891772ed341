"""A process that grows is told from one that doesn't, within one life; plots and percentiles keep their peaks."""

from __future__ import annotations

from collections.abc import Sequence

from omoide.runtime.soak.measures import Sample, growth, quantile
from omoide.runtime.soak.plots import POINTS, thinned
from omoide.runtime.soak.protocol import Measured

MIB = 1 << 20


def samples(rss: Sequence[int], files: Sequence[int] | None = None, life: int = 1) -> list[Sample]:
    return [
        Sample(
            at=float(at),
            life=life,
            steps=at,
            heard=1,
            p50_ms=1.0,
            p95_ms=1.0,
            p99_ms=1.0,
            process=Measured(
                rss=size,
                files=20 if files is None else files[at],
                threads=5,
                now=0.0,
                resident=1,
                pending=0,
                mailbox=0,
                mailbox_bound=1_000,
                restarts=0,
                dead_letters=0,
            ),
        )
        for at, size in enumerate(rss)
    ]


def test_memory_that_wanders_around_a_level_is_flat() -> None:
    assert growth(samples([100 * MIB + at % 7 * MIB for at in range(300)])) == []


def test_memory_that_grows_all_the_time_is_told() -> None:
    (problem,) = growth(samples([100 * MIB + at * MIB for at in range(300)]))
    assert "bytes" in problem


def test_files_that_are_never_closed_are_told() -> None:
    (problem,) = growth(samples([MIB] * 300, [20 + at for at in range(300)]))
    assert "files" in problem


def test_a_new_process_that_is_bigger_is_no_growth() -> None:
    assert growth(samples([100 * MIB] * 100) + samples([300 * MIB] * 100, life=2)) == []


def test_a_quantile_is_a_value_that_was_measured() -> None:
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([3.0, 1.0, 2.0], 0.99) == 3.0
    assert quantile([], 0.5) == 0.0


def test_a_thinned_line_is_short_and_keeps_its_peak() -> None:
    points = [(float(at), 99.0 if at == 1_234 else 1.0) for at in range(5_000)]

    line = thinned(points)

    assert len(line) <= POINTS
    assert max(height for _, height in line) == 99.0
