"""Facts join as a semilattice, so that replays and the order of arrival leave no trace."""

import itertools
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import reduce
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.errors import DefectError
from omoide.protocols.facts import fact_of, join_fact, stands_since, with_status
from omoide.protocols.messages import Candidate
from omoide.protocols.records import SOURCES_KEPT, Entity, Fact, FactStatus, Role, Speaker, Turn, TurnId
from omoide.protocols.scopes import Subject
from omoide.protocols.statements import fact_id, statement_key

GROUP = Subject("group:qq:7")
WORDINGS = ("I like tea", "i like tea!", "I really like tea.")


def a_turn(
    turn: str = "t1",
    *,
    said_at: float = 10.0,
    trust: float | None = 0.5,
    label: str = "Mei",
    text: str = "I like tea",
) -> Turn:
    speaker = Speaker(platform="qq", account="1", label=label)
    return Turn(
        id=TurnId(turn),
        role=Role.PERSON,
        text=text,
        subject=GROUP,
        speaker=speaker,
        trust=trust,
        said_at=said_at,
        heard_at=said_at + 1,
    )


def a_fact(
    turn: str = "t1", *, said_at: float = 10.0, text: str = "I like tea", importance: int = 6, now: float = 20.0
) -> Fact:
    candidate = Candidate(text=text, entity=Entity.OWNER, importance=importance)
    return fact_of(a_turn(turn, said_at=said_at, text=text), candidate, now)


@st.composite
def stated(draw: st.DrawFn) -> Fact:
    turn = a_turn(
        draw(st.sampled_from([f"t{number}" for number in range(30)])),
        said_at=float(draw(st.integers(0, 12))),
        trust=draw(st.sampled_from([None, 0.0, 0.5, 1.0])),
        label=draw(st.sampled_from(["", "Mei", "mei"])),
    )
    candidate = Candidate(
        text=draw(st.sampled_from(WORDINGS)),
        entity=draw(st.sampled_from(Entity)),
        importance=draw(st.integers(1, 10)),
    )
    fact = fact_of(turn, candidate, float(draw(st.integers(0, 9))))
    if draw(st.booleans()):
        return fact
    return with_status(
        fact,
        draw(st.sampled_from(FactStatus)),
        float(draw(st.integers(0, 12))),
        draw(st.sampled_from(["", "denied in t1", "denied in t2"])),
    )


def joined(facts: list[Fact]) -> Fact:
    return reduce(join_fact, facts[1:], join_fact(None, facts[0]))


STATES = st.lists(stated(), min_size=1, max_size=40).map(joined)


@given(STATES)
def test_a_state_joined_with_itself_is_itself(state: Fact) -> None:
    assert join_fact(state, state) == state


@given(STATES, STATES)
def test_either_of_two_states_may_come_first(one: Fact, other: Fact) -> None:
    assert join_fact(one, other) == join_fact(other, one)


@given(STATES, STATES, STATES)
def test_states_may_be_joined_in_any_grouping(one: Fact, two: Fact, three: Fact) -> None:
    assert join_fact(join_fact(one, two), three) == join_fact(one, join_fact(two, three))


@given(st.lists(stated(), min_size=1, max_size=30), st.randoms(use_true_random=False), st.data())
def test_order_and_replays_of_arrival_leave_no_trace(
    facts: list[Fact], order: Random, data: st.DataObject
) -> None:
    again = facts + data.draw(st.lists(st.sampled_from(facts), max_size=10))
    order.shuffle(again)
    assert joined(again) == joined(facts)


@given(STATES)
def test_a_state_keeps_the_least_sources_in_order_and_one_a_turn(state: Fact) -> None:
    places = [(source.said_at, source.turn) for source in state.sources]
    assert places == sorted(places)
    assert len({source.turn for source in state.sources}) == len(places) <= SOURCES_KEPT


@given(STATES)
def test_wording_and_trust_are_those_of_the_first_source(state: Fact) -> None:
    first = state.sources[0]
    assert state.speaker is not None
    found = (state.text, state.entity, state.said_at, state.trust, state.speaker.label)
    assert found == (first.text, first.entity, first.said_at, first.trust, first.label)


@given(STATES, STATES)
def test_the_status_of_a_join_is_the_one_that_was_entered_last(one: Fact, other: Fact) -> None:
    entered = [state for state in (one, other) if state.status_at is not None]
    state = join_fact(one, other)
    latest = max((each.status_at for each in entered if each.status_at is not None), default=None)
    assert state.status_at == latest
    assert state.status in {each.status for each in entered or [one] if each.status_at == latest}


@given(STATES, st.integers(0, 20))
def test_what_is_merely_stated_again_leaves_a_retraction_as_it_is(state: Fact, said_at: int) -> None:
    retracted = with_status(state, FactStatus.RETRACTED, 12.0, "denied in t9")
    after = join_fact(retracted, a_fact("t99", said_at=float(said_at)))
    assert (after.status, after.status_at, after.reason) == (FactStatus.RETRACTED, 12.0, "denied in t9")


def test_a_fact_that_was_restored_is_spoken_for_since_then() -> None:
    fact = a_fact(said_at=10.0)
    assert stands_since(fact) == 10.0
    assert stands_since(with_status(fact, FactStatus.ACTIVE, 15.0, "affirmed")) == 15.0


def test_a_fact_said_more_often_than_sources_are_kept_keeps_its_extremes() -> None:
    said = [
        a_fact(f"t{at:02}", said_at=float(at), importance=9 if at == 30 else 5, now=40.0 - at) for at in range(31)
    ]
    state = joined(said)
    assert (len(state.sources), state.importance, state.last_said_at, state.created_at) == (
        SOURCES_KEPT,
        9,
        30.0,
        10.0,
    )


def test_an_earlier_saying_heard_later_gives_its_words() -> None:
    state = joined([a_fact("t2", said_at=50.0, text="I really like tea"), a_fact("t1", said_at=40.0)])
    assert (state.text, state.said_at, state.last_said_at) == ("I like tea", 40.0, 50.0)


def test_all_orders_of_three_sayings_end_alike() -> None:
    said = [a_fact("t1", text=WORDINGS[1]), a_fact("t1", text=WORDINGS[0]), a_fact("t2", said_at=9.0)]
    assert len({joined(list(order)) for order in itertools.permutations(said)}) == 1


def test_two_different_facts_refuse_to_be_joined() -> None:
    with pytest.raises(DefectError, match="two"):
        join_fact(a_fact(), a_fact(text="I like coffee"))


def test_a_fact_takes_speaker_trust_and_subject_from_its_turn() -> None:
    turn = a_turn(trust=None)
    fact = fact_of(turn, Candidate(text="I like tea.", entity=Entity.OTHER, importance=6), 20.0)
    assert (fact.speaker, fact.trust, fact.subject, fact.said_at) == (turn.speaker, None, GROUP, 10.0)


def test_a_fact_id_follows_from_subject_account_and_form_and_not_from_the_label() -> None:
    fact = fact_of(a_turn(label="anyone"), Candidate(text="I'm here", entity=Entity.OTHER, importance=5), 20.0)
    assert fact.id == fact_id(GROUP, "qq:1", statement_key("I am here"))


def told(text: str, said_at: float, turn: str = "t1", zone: tzinfo = UTC) -> Fact:
    turn_of = a_turn(turn, said_at=said_at, text=text)
    return fact_of(turn_of, Candidate(text=text, entity=Entity.OWNER, importance=6), 0.0, zone)


def test_a_fact_holds_the_days_that_its_words_name() -> None:
    fact = told("I fell ill yesterday", datetime(2026, 3, 11, 15, tzinfo=UTC).timestamp())
    assert fact.event_from == datetime(2026, 3, 10, tzinfo=UTC).timestamp()
    assert fact.event_until == datetime(2026, 3, 10, 23, 59, 59, tzinfo=UTC).timestamp()


def test_a_fact_that_names_no_time_holds_none() -> None:
    fact = told("I like tea", 1.0)
    assert (fact.event_from, fact.event_until) == (None, None)


def test_yesterday_is_the_speakers_own() -> None:
    tokyo = timezone(timedelta(hours=9))
    fact = told("昨日転んだ", datetime(2026, 3, 10, 23, tzinfo=UTC).timestamp(), zone=tokyo)
    assert fact.event_from == datetime(2026, 3, 10, tzinfo=tokyo).timestamp()


def test_of_two_sayings_the_earlier_one_tells_when_it_happened() -> None:
    first, later = told("I ran yesterday", 1_000_000.0), told("I ran yesterday", 9_000_000.0, turn="t2")
    assert join_fact(later, first).event_from == first.event_from == join_fact(first, later).event_from


@pytest.mark.parametrize("said_at", [-1e18, 1e18, float("inf")])
def test_a_saying_at_a_time_that_no_calendar_has_names_no_day(said_at: float) -> None:
    assert told("I ran yesterday", said_at).event_from is None
