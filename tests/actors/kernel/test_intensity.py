"""The sliding window of restarts, beside a slow and obvious count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.kernel import Intensity
from omoide.actors.kernel.intensity import RestartWindow


@given(
    gaps=st.lists(st.floats(0, 30), max_size=60),
    intensity=st.builds(Intensity, st.integers(0, 8), st.floats(0.1, 60)),
)
def test_a_restart_is_one_too_many_when_the_window_that_ends_with_it_holds_more_than_allowed(
    gaps: list[float], intensity: Intensity
) -> None:
    window = RestartWindow(intensity)
    now, times = 0.0, []
    for gap in gaps:
        now += gap
        times.append(now)
        recent = [time for time in times if time > now - intensity.within_s]
        assert window.exceeded_by(now) == (len(recent) > intensity.max_restarts)


def test_the_window_slides_so_that_two_bursts_on_both_sides_of_a_minute_count_together() -> None:
    window = RestartWindow(Intensity(max_restarts=5, within_s=60))
    assert not any(window.exceeded_by(now) for now in (57, 58, 59, 61, 62))
    assert window.exceeded_by(63)


def test_slow_restarts_never_exceed() -> None:
    window = RestartWindow(Intensity(max_restarts=5, within_s=60))
    assert not any(window.exceeded_by(float(now)) for now in range(0, 6_000, 13))


def test_a_cleared_window_counts_from_nothing() -> None:
    window = RestartWindow(Intensity(max_restarts=1, within_s=60))
    window.exceeded_by(0)
    window.clear()
    assert not window.exceeded_by(1)
