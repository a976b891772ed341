"""A signal, a day, a rejection and its lifting move evidence and status together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.reflection.answers import affirmed_again, brought_up, held_back, signalled, swept, told_once
from omoide.protocols.evidence import DAY_S, Signal, is_disputed
from omoide.protocols.records import (
    Entity,
    Evidence,
    FactId,
    Reflection,
    ReflectionId,
    ReflectionStatus,
    Rejection,
    RejectionId,
    TurnId,
)
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import EvidenceSettings, ReflectionSettings

SETTINGS = ReflectionSettings()
WEIGHTS = EvidenceSettings()
START = 1_772_442_000.0


def reflection(text: str = "Sam loves running.", name: str = "ref_1", **changes: object) -> Reflection:
    plain = Reflection(
        id=ReflectionId(name),
        text=text,
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=(FactId("fact_0"),),
        importance=6,
        evidence=Evidence(),
        created_at=START,
        status_at=START,
        age_anchor_at=START,
        next_eligible_at=START,
        awaiting=TurnId("turn_1"),
    )
    return replace(plain, **changes)


def after(signal: Signal, one: Reflection | None = None) -> Reflection:
    return signalled(one or reflection(), signal, START, SETTINGS, WEIGHTS, reason="turn_2", weak_since=None)


def test_a_confirmation_confirms_at_once() -> None:
    moved = after(Signal.CONFIRMED)
    assert (moved.evidence.reinforcement, moved.status) == (1.0, ReflectionStatus.CONFIRMED)


def test_a_denial_disputes_and_denies_with_the_turn_as_its_reason() -> None:
    moved = after(Signal.DENIED)
    assert (moved.evidence.disputation, moved.status, moved.reason) == (1.0, ReflectionStatus.DENIED, "turn_2")


def test_being_passed_over_takes_a_little_agreement_and_disputes_nothing() -> None:
    moved = after(Signal.IGNORED)
    assert (moved.evidence.reinforcement, moved.evidence.disputation, moved.status) == (
        -0.2,
        0.0,
        ReflectionStatus.PENDING,
    )


def test_a_rebuttal_of_bringing_it_up_disputes_without_denying() -> None:
    moved = after(Signal.KEYWORD_REBUTS)
    assert (moved.evidence.disputation, moved.status) == (1.0, ReflectionStatus.PENDING)


@pytest.mark.parametrize("signal", list(Signal))
def test_an_answer_is_waited_for_once(signal: Signal) -> None:
    assert after(signal).awaiting is None


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("ref_1", ["ref_1"]),
        ("RUNNING", ["ref_1"]),
        ("along the river", ["ref_2"]),
        ("sailing", []),
        ("  ", []),
    ],
)
def test_a_reflection_is_named_by_its_id_or_by_words_of_it_and_the_shortest_is_meant(
    name: str, found: list[str]
) -> None:
    some = [reflection("Sam loves running along the river.", "ref_2"), reflection()]
    raised = brought_up([name], some, TurnId("turn_9"), START, SETTINGS)
    assert [one.id for one in raised] == found


def test_what_was_brought_up_cools_down_and_waits_for_an_answer() -> None:
    (raised,) = brought_up(["ref_1", "running"], [reflection()], TurnId("turn_9"), START, SETTINGS)
    assert (raised.awaiting, raised.next_eligible_at) == ("turn_9", START + SETTINGS.cooldown_s)


def test_a_twin_is_archived_at_once_and_names_the_one_that_it_repeats() -> None:
    twin = told_once(reflection("Sam loves running!", "ref_2"), [reflection()], START)
    assert (twin.status, "ref_1" in twin.reason) == (ReflectionStatus.ARCHIVED, True)


@pytest.mark.parametrize(
    "new",
    [
        reflection("Sam loves sailing.", "ref_2"),
        reflection(name="ref_2", entity=Entity.OTHER),
        reflection(),
    ],
)
def test_another_judgement_and_a_retry_of_the_same_one_are_no_twins(new: Reflection) -> None:
    assert told_once(new, [reflection()], START) == new


def test_fourteen_negative_days_archive_and_thirteen_do_not() -> None:
    one = reflection(evidence=Evidence(reinforcement=-1.0))
    days = []
    for day in range(14):
        one = swept(one, START + day * DAY_S, SETTINGS, WEIGHTS, weak_since=None)
        days.append(one.status)
    assert days == [ReflectionStatus.PENDING] * 13 + [ReflectionStatus.ARCHIVED]


@given(st.floats(-3, 3), st.floats(0, 3), st.integers(0, 400), st.sampled_from(ReflectionStatus))
def test_looking_again_on_the_same_day_changes_nothing_more(
    agreed: float, disputed: float, age: int, status: ReflectionStatus
) -> None:
    now = START + age * DAY_S
    evidence = Evidence(
        reinforcement=agreed, disputation=disputed, rein_last_signal_at=START, disp_last_signal_at=START
    )
    once = swept(reflection(evidence=evidence, status=status), now, SETTINGS, WEIGHTS, weak_since=None)
    assert swept(once, now, SETTINGS, WEIGHTS, weak_since=None) == once


def test_a_rejected_value_starts_disputed_with_the_clock_of_the_rejection() -> None:
    rejection = Rejection(
        id=RejectionId("rej_1"),
        text="Sam loves running.",
        entity=Entity.OWNER,
        subject=PRIVATE,
        disputation=1.0,
        disputed_at=START - 90 * DAY_S,
        cause="turn_1",
        created_at=START,
    )
    held = held_back(reflection(evidence=Evidence(reinforcement=0.4)), [rejection], START, WEIGHTS)
    assert (held.evidence.disp_last_signal_at, is_disputed(held.evidence, START, WEIGHTS)) == (
        START - 90 * DAY_S,
        True,
    )


def test_an_affirmation_brings_back_what_was_denied_and_takes_the_dispute_back() -> None:
    denied = after(Signal.DENIED)
    back = affirmed_again(denied, START + 1, SETTINGS, WEIGHTS, reason="turn_3", weak_since=None)
    assert (back.status, back.evidence.disputation) == (ReflectionStatus.CONFIRMED, 0.0)


@pytest.mark.parametrize("status", [ReflectionStatus.PROMOTED, ReflectionStatus.ARCHIVED])
def test_an_affirmation_wakes_nothing_else(status: ReflectionStatus) -> None:
    one = reflection(status=status)
    assert affirmed_again(one, START, SETTINGS, WEIGHTS, reason="turn_3", weak_since=None) == one
