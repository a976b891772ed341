"""What becomes of a directive over time."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.directives.bounds import bound, is_active
from omoide.actors.directives.lifecycle import delete, lift, lifted_by, restate
from omoide.actors.directives.wishes import Ban, Lift
from omoide.protocols.records import Directive, DirectivePolicy, DirectiveStatus, TurnId
from omoide.protocols.settings import DirectiveSettings

DAY = 86_400.0
PERMANENT = DirectiveSettings()
TTL = DirectiveSettings(policy="ttl")
TURN = TurnId("turn_1")


def ban(term: str, *, bare: bool = False, locale: str = "en") -> Ban:
    return Ban(term=term, bare=bare, locale=locale)


def said(term: str, now: float = 0.0, settings: DirectiveSettings = PERMANENT) -> Directive:
    return restate(None, ban(term), TURN, now, settings)


def test_a_new_directive_holds_without_an_end() -> None:
    directive = said("Marcus", 5.0)
    assert (directive.hits, directive.first_said_at, directive.expires_at) == (1, 5.0, None)
    assert is_active(directive, 1e12)


def test_one_key_has_one_id() -> None:
    assert said("Marcus").id == said("ＭＡＲＣＵＳ").id != said("Dana").id


def test_restating_counts_and_keeps_the_beginning() -> None:
    again = restate(said("Marcus", 5.0), ban("marcus"), TurnId("turn_2"), 9.0, PERMANENT)
    assert (again.hits, again.first_said_at, again.last_said_at, again.turn) == (2, 5.0, 9.0, "turn_2")


@pytest.mark.parametrize("end", [lift, delete])
def test_a_topic_that_is_banned_again_comes_back_with_its_count(
    end: Callable[[Directive, float], Directive],
) -> None:
    gone: Directive = end(said("Marcus"), 1.0)
    assert not is_active(gone, 1.0)
    back = restate(gone, ban("Marcus"), TURN, 2.0, PERMANENT)
    assert (is_active(back, 3.0), back.hits, back.status) == (True, 2, DirectiveStatus.ACTIVE)


@pytest.mark.parametrize(("hits", "days"), [(1, 3), (2, 6), (9, 27), (10, 30), (50, 30)])
def test_under_ttl_each_hit_adds_three_days_up_to_thirty(hits: int, days: int) -> None:
    directive = said("Marcus", 0.0, TTL)
    for _ in range(hits - 1):
        directive = restate(directive, ban("Marcus"), TURN, 0.0, TTL)
    assert directive.expires_at == days * DAY


def test_under_ttl_a_directive_lapses_at_its_time() -> None:
    directive = said("Marcus", 0.0, TTL)
    assert (is_active(directive, 3 * DAY - 1), is_active(directive, 3 * DAY)) == (True, False)


def test_under_ttl_a_lapsed_directive_resumes_its_count() -> None:
    back = restate(said("Marcus", 0.0, TTL), ban("Marcus"), TURN, 10 * DAY, TTL)
    assert (back.hits, back.expires_at) == (2, 16 * DAY)


def test_a_permanent_restatement_ends_a_time_limit() -> None:
    back = restate(said("Marcus", 0.0, TTL), ban("Marcus"), TURN, 1.0, PERMANENT)
    assert (back.policy, back.expires_at) == (DirectivePolicy.PERMANENT, None)


def test_a_clock_that_was_set_back_takes_no_time_off() -> None:
    back = restate(said("Marcus", 100.0, TTL), ban("Marcus"), TURN, 50.0, TTL)
    assert back.last_said_at == 100.0


def test_a_ban_of_another_key_is_refused() -> None:
    with pytest.raises(ValueError, match="another key"):
        restate(said("Marcus"), ban("Dana"), TURN, 1.0, PERMANENT)


@pytest.mark.parametrize(
    ("banned", "allowed", "locale"),
    [
        ("Marcus", "marcus", "en"),
        ("the exams", "my exam", "en"),
        ("my ex", "your ex", "en"),
        ("前女友", "我的前女友", "zh"),
        ("разводе", "развод", "ru"),
    ],
)
def test_a_lift_in_other_words_lifts(banned: str, allowed: str, locale: str) -> None:
    directive = restate(None, ban(banned, locale=locale), TURN, 0.0, PERMANENT)
    assert lifted_by([directive], Lift(term=allowed, bare=False, locale=locale), 1.0) == (directive,)


@pytest.mark.parametrize("allowed", ["Marcus's birthday", "Dana", "Mark"])
def test_a_lift_of_something_else_lifts_nothing(allowed: str) -> None:
    assert lifted_by([said("Marcus")], Lift(term=allowed, bare=False, locale="en"), 1.0) == ()


def test_a_lift_of_everything_lifts_what_is_in_force() -> None:
    active, gone = said("Marcus"), lift(said("Dana"), 5.0)
    assert lifted_by([active, gone], Lift(term=None, bare=False, locale="en"), 1.0) == (active,)


def test_a_bare_directive_is_lifted_by_its_words() -> None:
    directive = restate(None, ban("it", bare=True), TURN, 0.0, PERMANENT)
    assert lifted_by([directive], Lift(term="it", bare=True, locale="en"), 1.0) == (directive,)


def test_at_the_bound_the_oldest_lapsed_go_first() -> None:
    old, newer, active = lift(said("a1", 1.0), 5.0), lift(said("b2", 2.0), 5.0), said("c3", 0.0)
    result = bound([newer, active, old], 9.0, 2)
    assert (result.kept, result.lapsed_removed, result.over) == ((newer, active), (old,), 0)


def test_within_the_bound_nothing_goes() -> None:
    stored = [lift(said("a1"), 5.0), said("b2")]
    assert bound(stored, 9.0, 60) == bound(stored, 9.0, 60)
    assert bound(stored, 9.0, 60).kept == tuple(stored)


def test_one_in_force_never_goes_and_the_person_is_told() -> None:
    stored = [said(f"topic{number}") for number in range(5)]
    result = bound(stored, 9.0, 3)
    assert (len(result.kept), result.over) == (5, 2)
    assert "5 directives are in force" in result.warning
    assert "topic" not in result.warning


@given(st.lists(st.tuples(st.floats(0, 100), st.booleans()), max_size=20), st.integers(1, 10))
def test_bounding_loses_no_active_directive_and_nothing_in_silence(
    states: list[tuple[float, bool]], max_stored: int
) -> None:
    stored = [
        said(f"t{number}", at) if active else lift(said(f"t{number}", at), at)
        for number, (at, active) in enumerate(states)
    ]
    result = bound(stored, 200.0, max_stored)
    assert {entry.id for entry in result.kept} | {entry.id for entry in result.lapsed_removed} == {
        entry.id for entry in stored
    }
    assert all(not is_active(entry, 200.0) for entry in result.lapsed_removed)
    assert len(result.kept) <= max_stored or all(is_active(entry, 200.0) for entry in result.kept)


@pytest.mark.parametrize("end", [lift, delete])
def test_what_was_said_before_it_ended_and_is_heard_later_brings_nothing_back(
    end: Callable[[Directive, float], Directive],
) -> None:
    late = restate(end(said("Petra"), 5.0), ban("Petra"), TURN, 4.0, PERMANENT)
    assert (is_active(late, 9.0), late.hits, late.first_said_at) == (False, 2, 0.0)


def test_what_is_said_at_the_moment_in_which_it_was_lifted_counts_as_said_later() -> None:
    assert is_active(restate(lift(said("Petra"), 5.0), ban("Petra"), TURN, 5.0, PERMANENT), 9.0)


def test_a_lift_that_was_said_before_the_ban_lifts_nothing() -> None:
    newer = said("Petra", 7.0)
    wish = Lift(term="Petra", bare=False, locale="en")
    assert lifted_by([newer], wish, 6.0) == ()
    assert lifted_by([newer], wish, 7.0) == (newer,)


def test_names_that_are_given_with_a_ban_add_up() -> None:
    first = restate(None, Ban(term="my boss", bare=False, locale="en", aliases=("Karen",)), TURN, 0.0, PERMANENT)
    again = Ban(term="my boss", bare=False, locale="en", aliases=("KAREN", "Kay", "My boss"))
    assert restate(first, again, TURN, 1.0, PERMANENT).aliases == ("KAREN", "Kay")


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=8), st.randoms())
def test_in_any_order_of_hearing_what_was_said_last_holds(said_at: list[tuple[bool, int]], order: Random) -> None:
    moments = {at: bans for bans, at in said_at}
    heard = list(moments.items())
    order.shuffle(heard)
    directive: Directive | None = None
    for at, bans in heard:
        if bans:
            directive = restate(directive, ban("Petra"), TURN, float(at), PERMANENT)
        elif directive and lifted_by([directive], Lift(term="Petra", bare=False, locale="en"), float(at)):
            directive = lift(directive, float(at))
    last = max(moments)
    if moments[last]:
        assert directive is not None
        assert is_active(directive, 99.0)
