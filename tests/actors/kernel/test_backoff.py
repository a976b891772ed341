"""The wait before a restart: its bounds, its growth, its jitter."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.kernel import Backoff
from omoide.protocols.errors import CallerError

RNG = random.Random(3)


@st.composite
def backoffs(draw: st.DrawFn) -> Backoff:
    min_s = draw(st.floats(0, 100))
    return Backoff(
        min_s=min_s,
        max_s=draw(st.floats(min_s, 1_000)),
        factor=draw(st.floats(1, 10)),
        jitter=draw(st.floats(0, 1)),
    )


@given(backoff=backoffs(), attempt=st.integers(0, 10_000), seed=st.integers())
def test_a_wait_is_never_longer_than_the_longest_nor_shorter_than_jitter_allows(
    backoff: Backoff, attempt: int, seed: int
) -> None:
    delay = backoff.delay_s(attempt, random.Random(seed))
    assert backoff.min_s * (1 - backoff.jitter) <= delay <= backoff.max_s


@given(backoff=backoffs(), attempt=st.integers(0, 200), seed=st.integers())
def test_without_jitter_a_later_wait_is_never_shorter(backoff: Backoff, attempt: int, seed: int) -> None:
    plain = Backoff(min_s=backoff.min_s, max_s=backoff.max_s, factor=backoff.factor, jitter=0)
    rng = random.Random(seed)
    assert plain.delay_s(attempt, rng) <= plain.delay_s(attempt + 1, rng)


@pytest.mark.parametrize(("attempt", "expected"), [(0, 0.1), (1, 0.2), (3, 0.8), (8, 25.6), (9, 30.0), (99, 30.0)])
def test_waits_double_from_a_tenth_of_a_second_to_half_a_minute(attempt: int, expected: float) -> None:
    assert Backoff(jitter=0).delay_s(attempt, RNG) == pytest.approx(expected)


def test_the_same_seed_gives_the_same_wait() -> None:
    waits = [Backoff().delay_s(2, random.Random(5)) for _ in range(2)]
    assert waits[0] == waits[1]


def test_jitter_spreads_restarts() -> None:
    assert len({Backoff().delay_s(2, RNG) for _ in range(20)}) > 1


@pytest.mark.parametrize(
    "wrong", [{"min_s": 2.0, "max_s": 1.0}, {"factor": 0.5}, {"jitter": 1.5}, {"min_s": -1.0}]
)
def test_a_backoff_that_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(CallerError, match="no backoff"):
        Backoff(**wrong)
