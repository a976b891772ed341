"""Each character has its own minute after midnight, once a UTC day."""

from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.keeper.periods import SPREAD_S, day_of, next_sweep_at
from omoide.protocols.evidence import DAY_S

TIMES = st.floats(0, 4_000_000_000)


def test_the_day_is_that_of_utc() -> None:
    assert [day_of(at) for at in (1_772_495_999, 1_772_496_000)] == ["2026-03-02", "2026-03-03"]


@given(TIMES, st.text())
def test_the_next_look_is_within_a_day_and_soon_after_midnight(now: float, name: str) -> None:
    at = next_sweep_at(now, name)
    assert now < at <= now + DAY_S
    assert at % DAY_S <= SPREAD_S


@given(TIMES, st.text())
def test_looks_are_one_day_apart(now: float, name: str) -> None:
    at = next_sweep_at(now, name)
    assert abs(next_sweep_at(at, name) - at - DAY_S) < 1e-3
