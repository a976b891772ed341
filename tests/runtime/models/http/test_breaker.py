"""A server that fails is left alone for longer and longer, and one request finds out that it is back."""

from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.settings import ProviderSettings
from omoide.runtime.models.http.breaker import Breaker

SETTINGS = ProviderSettings(
    base_url="http://h/v1", fast="m", breaker_failures=3, breaker_min_s=30, breaker_max_s=100
)


def opened() -> Breaker:
    breaker = Breaker(SETTINGS)
    for _ in range(3):
        breaker.failed(0)
    return breaker


def test_failures_in_a_row_open_it_and_a_success_between_them_does_not() -> None:
    breaker = Breaker(SETTINGS)
    breaker.failed(0)
    breaker.failed(0)
    breaker.succeeded()
    breaker.failed(0)
    breaker.failed(0)
    assert breaker.admits(0)
    breaker.failed(0)
    assert not breaker.admits(29.9)


def test_after_the_wait_one_request_may_try() -> None:
    breaker = opened()
    assert [breaker.admits(30), breaker.admits(30)] == [True, False]


def test_the_wait_doubles_up_to_its_bound_and_is_short_again_after_a_success() -> None:
    breaker, now, waits = opened(), 0.0, []
    for _ in range(4):
        assert breaker.retry_at is not None
        waits.append(breaker.retry_at - now)
        now = breaker.retry_at
        assert breaker.admits(now)
        breaker.failed(now)
    assert waits == [30, 60, 100, 100]
    breaker.succeeded()
    for _ in range(3):
        breaker.failed(now)
    assert breaker.retry_at == now + 30


def test_a_trial_that_tells_nothing_lets_another_one_try() -> None:
    breaker = opened()
    assert breaker.admits(30)
    breaker.released()
    assert breaker.admits(30)


def test_a_clock_that_was_set_back_leaves_no_server_alone_for_longer_than_the_longest_wait() -> None:
    breaker = opened()
    assert not breaker.admits(-69)
    assert breaker.admits(-71)


@given(st.lists(st.tuples(st.sampled_from(["ask", "fail", "succeed", "release"]), st.floats(0, 500))))
def test_whatever_happens_it_admits_again_after_the_longest_wait(steps: list[tuple[str, float]]) -> None:
    breaker, now = Breaker(SETTINGS), 0.0
    for step, passed in steps:
        now += passed
        match step:
            case "ask":
                breaker.admits(now)
            case "fail":
                breaker.failed(now)
            case "succeed":
                breaker.succeeded()
            case _:
                breaker.released()
    breaker.released()
    assert breaker.admits(now + 100)
