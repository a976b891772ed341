"""Every change of tier has its moment, also between events, and the next one is known beforehand."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.protocols.evidence import DAY_S, Signal, Tier, apply_signal, score, tier
from omoide.protocols.records import Evidence
from omoide.protocols.settings import EvidenceSettings
from omoide.protocols.transitions import Transition, transitions

SETTINGS = EvidenceSettings()
START = 1_772_442_000.0


def days(count: float) -> float:
    return START + count * DAY_S


def history_of(*signals: tuple[float, Signal]) -> list[tuple[float, Evidence]]:
    evidence = Evidence()
    history = [(START, evidence)]
    for day, signal in signals:
        evidence = apply_signal(evidence, signal, days(day), SETTINGS)
        history.append((days(day), evidence))
    return history


def changes(found: tuple[Transition, ...]) -> list[tuple[Tier | None, Tier, int | None]]:
    return [(one.before, one.after, one.by) for one in found]


def test_a_belief_begins_with_its_first_event() -> None:
    found = transitions(history_of(), days(9), SETTINGS)
    assert found.past == (Transition(at=START, before=None, after=Tier.PENDING, by=0),)
    assert found.upcoming is None


def test_nothing_is_said_of_a_belief_without_history() -> None:
    assert transitions([], START, SETTINGS).past == ()


def test_a_confirmed_belief_fades_to_pending_at_a_known_moment() -> None:
    history = history_of((1, Signal.CONFIRMED), (1, Signal.FACT_REINFORCES))
    found = transitions(history, days(90), SETTINGS)
    assert changes(found.past)[-1] == (Tier.CONFIRMED, Tier.PENDING, None)
    assert found.past[-1].at == pytest.approx(days(1 + 30 * math.log2(1.5)), abs=1e-5)


def test_the_next_change_is_known_beforehand() -> None:
    history = history_of((1, Signal.CONFIRMED), (1, Signal.FACT_REINFORCES))
    found = transitions(history, days(2), SETTINGS)
    assert found.upcoming is not None
    assert found.upcoming.at == pytest.approx(days(1 + 30 * math.log2(1.5)), abs=1e-5)
    assert (found.upcoming.before, found.upcoming.after) == (Tier.CONFIRMED, Tier.PENDING)


def test_a_change_by_an_event_names_the_event() -> None:
    history = history_of((0, Signal.CONFIRMED), (3, Signal.CONFIRMED), (4, Signal.DENIED), (5, Signal.DENIED))
    assert changes(transitions(history, days(6), SETTINGS).past) == [
        (None, Tier.PENDING, 0),
        (Tier.PENDING, Tier.CONFIRMED, 1),
        (Tier.CONFIRMED, Tier.PENDING, None),
        (Tier.PENDING, Tier.CONFIRMED, 2),
        (Tier.CONFIRMED, Tier.PENDING, 3),
    ]


def test_faded_agreement_can_make_a_dispute_an_archive_candidate_and_time_undo_it() -> None:
    evidence = Evidence(reinforcement=2.0, disputation=3.5, rein_last_signal_at=START, disp_last_signal_at=START)
    found = transitions([(START, evidence)], days(2_000), SETTINGS)
    assert changes(found.past) == [
        (None, Tier.PENDING, 0),
        (Tier.PENDING, Tier.ARCHIVE_CANDIDATE, None),
        (Tier.ARCHIVE_CANDIDATE, Tier.PENDING, None),
    ]
    assert found.upcoming is None


def test_a_clock_that_lies_ahead_delays_the_fading() -> None:
    evidence = Evidence(reinforcement=2.0, rein_last_signal_at=days(100))
    found = transitions([(START, evidence)], days(101), SETTINGS)
    assert days(100) < found.past[1].at < days(100) + 1e-3
    assert found.upcoming is not None
    assert found.upcoming.at == pytest.approx(days(130), abs=1e-5)


def test_agreement_from_a_clock_ahead_first_outlives_its_dispute_and_then_fades() -> None:
    evidence = Evidence(
        reinforcement=2.0, disputation=1.2, rein_last_signal_at=days(400), disp_last_signal_at=START
    )
    assert changes(transitions([(START, evidence)], days(900), SETTINGS).past) == [
        (None, Tier.PENDING, 0),
        (Tier.PENDING, Tier.CONFIRMED, None),
        (Tier.CONFIRMED, Tier.PENDING, None),
    ]


def test_a_side_without_a_clock_never_fades() -> None:
    found = transitions([(START, Evidence(reinforcement=2.0))], days(9_999), SETTINGS)
    assert (len(found.past), found.upcoming) == (1, None)


def test_events_after_the_moment_are_not_told() -> None:
    history = history_of((1, Signal.CONFIRMED), (5, Signal.CONFIRMED))
    assert changes(transitions(history, days(1), SETTINGS).past)[-1] == (Tier.PENDING, Tier.CONFIRMED, 1)


def test_a_protected_belief_stays_promoted() -> None:
    found = transitions([(START, Evidence(protected=True))], days(999), SETTINGS)
    assert (changes(found.past), found.upcoming) == ([(None, Tier.PROMOTED, 0)], None)


SIDE = st.tuples(
    st.floats(min_value=0.01, max_value=8) | st.just(0.0),
    st.none() | st.floats(min_value=-400, max_value=400),
)
SNAPSHOTS = st.builds(
    lambda rein, disp, sign: Evidence(
        reinforcement=sign * rein[0],
        disputation=disp[0],
        rein_last_signal_at=None if rein[1] is None else days(rein[1]),
        disp_last_signal_at=None if disp[1] is None else days(disp[1]),
    ),
    SIDE,
    SIDE,
    st.sampled_from([1, 1, 1, -1]),
)
SIGNALS = st.lists(
    st.tuples(st.floats(min_value=0, max_value=400), st.sampled_from(Signal)), min_size=1, max_size=10
)
HISTORIES = st.one_of(
    st.lists(st.tuples(st.floats(min_value=0, max_value=400).map(days), SNAPSHOTS), min_size=1, max_size=5).map(
        lambda history: sorted(history, key=lambda one: one[0])
    ),
    SIGNALS.map(lambda signals: history_of(*sorted(signals, key=lambda one: one[0]))),
)


def evidence_at(history: list[tuple[float, Evidence]], at: float) -> Evidence | None:
    known = [evidence for moment, evidence in history if moment <= at]
    return known[-1] if known else None


def told_at(found: tuple[Transition, ...], at: float) -> Tier | None:
    known = [one.after for one in found if one.at <= at]
    return known[-1] if known else None


def is_near_a_threshold(evidence: Evidence, at: float) -> bool:
    thresholds = (SETTINGS.confirmed_score, SETTINGS.promoted_score, SETTINGS.archive_score)
    return any(abs(score(evidence, at, SETTINGS) - threshold) < 1e-9 for threshold in thresholds)


@settings(max_examples=100)
@given(HISTORIES)
def test_the_told_tiers_are_those_of_a_fine_grid(history: list[tuple[float, Evidence]]) -> None:
    found = transitions(history, days(1_500), SETTINGS).past
    grid = [days(day) for day in range(-4, 1_500)]
    for at in [*grid, *(moment for moment, _ in history)]:
        evidence = evidence_at(history, at)
        if evidence is None:
            assert told_at(found, at) is None
        elif not is_near_a_threshold(evidence, at):
            assert told_at(found, at) is tier(evidence, at, SETTINGS)


@given(HISTORIES)
def test_each_change_begins_where_the_last_one_ended(history: list[tuple[float, Evidence]]) -> None:
    found = transitions(history, days(1_500), SETTINGS).past
    assert [one.at for one in found] == sorted(one.at for one in found)
    assert all(one.after is two.before for one, two in pairwise(found))
    assert all(one.before is not one.after for one in found)


@given(HISTORIES)
def test_a_change_by_decay_is_exact_to_the_next_double(history: list[tuple[float, Evidence]]) -> None:
    for change in transitions(history, days(1_500), SETTINGS).past:
        if change.by is None:
            before = math.nextafter(change.at, -math.inf)
            evidence = evidence_at(history, before)
            assert evidence is not None
            assert tier(evidence, before, SETTINGS) is change.before
            assert tier(evidence, change.at, SETTINGS) is change.after


@given(HISTORIES, st.floats(min_value=0, max_value=600))
def test_what_was_to_come_is_what_came(history: list[tuple[float, Evidence]], day: float) -> None:
    known = [one for one in history if one[0] <= days(day)]
    coming = transitions(known, days(day), SETTINGS).upcoming
    later = [one for one in transitions(known, days(1e5), SETTINGS).past if one.at > days(day)]
    assert coming == (later[0] if later else None)


@given(HISTORIES, st.randoms(use_true_random=False))
def test_a_clock_that_was_set_back_leaves_one_line_of_time(
    history: list[tuple[float, Evidence]], random: object
) -> None:
    shuffled = sorted(history, key=lambda _: random.random())  # type: ignore[attr-defined]
    found = transitions(shuffled, days(2_000), SETTINGS).past
    assert [one.at for one in found] == sorted(one.at for one in found)
