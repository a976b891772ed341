"""Two counters, two clocks: what signals add, how they fade, and what tier follows."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pydantic import ValidationError

from omoide.protocols.evidence import (
    DAY_S,
    DISPUTING,
    Signal,
    Tier,
    apply_signal,
    archive_due,
    effective_disputation,
    effective_reinforcement,
    inheriting,
    is_disputed,
    marked_day,
    merged,
    score,
    seeded,
    tier,
    tier_of,
    weight,
)
from omoide.protocols.records import Evidence
from omoide.protocols.settings import EvidenceSettings

SETTINGS = EvidenceSettings()
START = 1_772_442_000.0  # 2026-03-02T09:00:00Z

REINFORCING = [signal for signal in Signal if signal not in DISPUTING]
COUNTERS = st.floats(min_value=0, max_value=50)
CLOCKS = st.none() | st.floats(min_value=START - 4e7, max_value=START + 4e7)
TIMES = st.floats(min_value=START - 4e7, max_value=START + 4e8)
EVIDENCE = st.builds(
    Evidence,
    reinforcement=st.floats(min_value=-5, max_value=50),
    disputation=COUNTERS,
    rein_last_signal_at=CLOCKS,
    disp_last_signal_at=CLOCKS,
    sub_zero_days=st.integers(min_value=0, max_value=20),
    fact_reinforcements=st.integers(min_value=0, max_value=5),
    protected=st.booleans(),
)


def days(count: float) -> float:
    return START + count * DAY_S


def of(reinforcement: float = 0, disputation: float = 0, *, at: float | None = START) -> Evidence:
    return Evidence(
        reinforcement=reinforcement, disputation=disputation, rein_last_signal_at=at, disp_last_signal_at=at
    )


def after(signals: list[tuple[Signal, float]], start: Evidence = Evidence()) -> Evidence:  # noqa: B008
    for signal, at in signals:
        start = apply_signal(start, signal, at, SETTINGS)
    return start


# --- the description's worked checks -------------------------------------------------------------


def test_two_for_and_one_against_is_one_today_and_a_ninth_in_a_month() -> None:
    evidence = of(2, 1)
    assert score(evidence, START, SETTINGS) == 1.0
    assert score(evidence, days(30), SETTINGS) == pytest.approx(0.109, abs=5e-4)


def test_a_confirmation_of_two_months_ago_yields_to_an_objection_of_today() -> None:
    evidence = after([(Signal.CONFIRMED, START), (Signal.DENIED, days(60))])
    assert score(evidence, days(60), SETTINGS) == pytest.approx(-0.75)


def test_five_times_ignored_is_negative_and_not_disputed() -> None:
    evidence = after([(Signal.IGNORED, START)] * 5)
    assert score(evidence, START, SETTINGS) == pytest.approx(-1.0)
    assert not is_disputed(evidence, START, SETTINGS)


def test_an_objection_does_not_renew_old_agreement() -> None:
    evidence = apply_signal(of(3), Signal.DENIED, days(30), SETTINGS)
    assert score(evidence, days(30), SETTINGS) == pytest.approx(0.5)


def test_a_signal_adds_to_what_is_left_of_its_side() -> None:
    evidence = apply_signal(of(2), Signal.CONFIRMED, days(30), SETTINGS)
    assert evidence.reinforcement == pytest.approx(2.0)
    assert score(evidence, days(60), SETTINGS) == pytest.approx(1.0)


# --- weights and tiers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("signal", "added"),
    [
        (Signal.FACT_REINFORCES, 0.5),
        (Signal.FACT_NEGATES, -1.0),
        (Signal.CONFIRMED, 1.0),
        (Signal.DENIED, -1.0),
        (Signal.IGNORED, -0.2),
        (Signal.KEYWORD_REBUTS, -1.0),
    ],
)
def test_each_origin_has_its_weight(signal: Signal, added: float) -> None:
    assert score(after([(signal, START)]), START, SETTINGS) == pytest.approx(added)
    assert abs(weight(signal, SETTINGS)) == abs(added)


def test_facts_that_agree_count_double_from_the_third_on() -> None:
    totals = [score(after([(Signal.FACT_REINFORCES, START)] * count), START, SETTINGS) for count in range(1, 5)]
    assert totals == [0.5, 1.0, 2.0, 3.0]


def test_a_confirmation_does_not_count_towards_the_bonus() -> None:
    evidence = after([(Signal.CONFIRMED, START)] * 3 + [(Signal.FACT_REINFORCES, START)])
    assert (evidence.reinforcement, evidence.fact_reinforcements) == (3.5, 1)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.inf, Tier.PROMOTED),
        (2.0, Tier.PROMOTED),
        (1.9999, Tier.CONFIRMED),
        (1.0, Tier.CONFIRMED),
        (0.9999, Tier.PENDING),
        (0.0, Tier.PENDING),
        (-1.9999, Tier.PENDING),
        (-2.0, Tier.ARCHIVE_CANDIDATE),
    ],
)
def test_a_threshold_belongs_to_the_tier_that_it_opens(value: float, expected: Tier) -> None:
    assert tier_of(value, SETTINGS) is expected


@pytest.mark.parametrize(("importance", "seed"), [(10, 0.8), (9, 0.6), (8, 0.4), (7, 0.2), (6, 0.0), (1, 0.0)])
def test_importance_seeds_a_reflection(importance: int, seed: float) -> None:
    assert score(seeded(importance, START, SETTINGS), START, SETTINGS) == seed


def test_a_seed_fades_like_any_agreement() -> None:
    assert score(seeded(10, START, SETTINGS), days(30), SETTINGS) == pytest.approx(0.4)


def test_thresholds_out_of_order_are_refused() -> None:
    with pytest.raises(ValidationError, match="must be below promoted_score"):
        EvidenceSettings(confirmed_score=2.0)


# --- invariants -----------------------------------------------------------------------------------


@given(EVIDENCE, TIMES, TIMES)
def test_what_is_left_only_shrinks_with_time(evidence: Evidence, one: float, other: float) -> None:
    sooner, later = sorted((one, other))
    for effective in (effective_reinforcement, effective_disputation):
        assert abs(effective(evidence, later, SETTINGS)) <= abs(effective(evidence, sooner, SETTINGS))


@given(EVIDENCE, TIMES, st.sampled_from(Signal))
def test_a_signal_leaves_the_other_side_bit_for_bit(evidence: Evidence, now: float, signal: Signal) -> None:
    changed = apply_signal(evidence, signal, now, SETTINGS)
    if signal in DISPUTING:
        assert (
            replace(changed, disputation=evidence.disputation, disp_last_signal_at=evidence.disp_last_signal_at)
            == evidence
        )
    else:
        assert (
            replace(
                changed,
                reinforcement=evidence.reinforcement,
                rein_last_signal_at=evidence.rein_last_signal_at,
                fact_reinforcements=evidence.fact_reinforcements,
            )
            == evidence
        )


@given(EVIDENCE, TIMES, TIMES, st.sampled_from(sorted(DISPUTING)), st.sampled_from(REINFORCING))
def test_signals_on_different_sides_may_come_in_any_order(
    evidence: Evidence, one: float, other: float, against: Signal, in_favour: Signal
) -> None:
    first = after([(against, one), (in_favour, other)], evidence)
    assert first == after([(in_favour, other), (against, one)], evidence)


@given(st.lists(st.sampled_from(REINFORCING), max_size=8), st.randoms(use_true_random=False))
def test_signals_of_one_moment_may_come_in_any_order(signals: list[Signal], random: object) -> None:
    shuffled = sorted(signals, key=lambda _: random.random())  # type: ignore[attr-defined]
    one = after([(signal, START) for signal in signals])
    other = after([(signal, START) for signal in shuffled])
    assert one.reinforcement == pytest.approx(other.reinforcement)


@given(EVIDENCE.filter(lambda one: not one.protected), TIMES, st.sampled_from(Signal), TIMES)
def test_a_clock_that_was_set_back_amplifies_nothing(
    evidence: Evidence, now: float, signal: Signal, read_at: float
) -> None:
    changed = apply_signal(evidence, signal, now, SETTINGS)
    bonus = SETTINGS.combo_bonus if signal is Signal.FACT_REINFORCES else 0.0
    most = abs(evidence.reinforcement) + abs(evidence.disputation) + abs(weight(signal, SETTINGS)) + bonus
    assert abs(score(changed, read_at, SETTINGS)) <= most + 1e-9


@given(EVIDENCE)
def test_the_end_of_time_leaves_a_finite_score(evidence: Evidence) -> None:
    assert math.isfinite(score(replace(evidence, protected=False), 1e18, SETTINGS))


@given(TIMES, st.lists(st.sampled_from(Signal), max_size=6))
def test_a_protected_belief_takes_no_signal_and_has_no_negative_day(now: float, signals: list[Signal]) -> None:
    card = Evidence(protected=True)
    assert after([(signal, now) for signal in signals], card) == card
    assert marked_day(card, now, SETTINGS) == card
    assert score(card, now, SETTINGS) == math.inf


# --- joining ---------------------------------------------------------------------------------------


def test_a_merge_takes_the_larger_of_each_side_and_never_the_sum() -> None:
    result = merged(of(1, 2), of(1.5, 0.5), START, SETTINGS)
    assert (result.reinforcement, result.disputation) == (1.5, 2)


def test_a_merge_prefers_fresh_agreement_to_a_larger_one_that_faded() -> None:
    result = merged(of(1, at=days(90)), of(3), days(90), SETTINGS)
    assert (result.reinforcement, result.rein_last_signal_at) == (1, days(90))


@given(EVIDENCE, EVIDENCE, TIMES)
def test_a_merge_leaves_each_side_the_larger_of_the_two(one: Evidence, other: Evidence, now: float) -> None:
    one = replace(one, protected=False)
    result = merged(one, other, now, SETTINGS)
    for effective in (effective_reinforcement, effective_disputation):
        assert effective(result, now, SETTINGS) == max(
            effective(one, now, SETTINGS), effective(other, now, SETTINGS)
        )


@given(EVIDENCE, TIMES)
def test_a_merge_with_itself_changes_nothing(evidence: Evidence, now: float) -> None:
    assert merged(evidence, evidence, now, SETTINGS) == evidence


@given(EVIDENCE, EVIDENCE, TIMES)
def test_a_merge_moves_neither_protection_nor_negative_days(one: Evidence, other: Evidence, now: float) -> None:
    result = merged(one, other, now, SETTINGS)
    assert (result.protected, result.sub_zero_days) == (one.protected, one.sub_zero_days)


def test_a_rejected_value_starts_with_the_dispute_and_the_clock_of_its_rejection() -> None:
    fresh = seeded(10, days(40), SETTINGS)
    result = inheriting(fresh, 1.0, START, days(40), SETTINGS)
    assert (result.disputation, result.disp_last_signal_at) == (1.0, START)
    assert result.reinforcement == fresh.reinforcement
    assert is_disputed(result, days(40), SETTINGS)


def test_an_inherited_dispute_never_softens_a_fresher_one() -> None:
    evidence = of(0, 2, at=days(40))
    assert inheriting(evidence, 1.0, START, days(40), SETTINGS) == evidence


# --- negative days ----------------------------------------------------------------------------------


def test_a_negative_day_is_counted_once() -> None:
    once = marked_day(of(0, 1), START, SETTINGS)
    assert (once.sub_zero_days, once.sub_zero_last_day) == (1, "2026-03-02")
    assert marked_day(once, START + 3_600, SETTINGS) == once


def test_days_are_those_of_utc() -> None:
    late = marked_day(of(0, 1), 1_772_495_999.0, SETTINGS)  # 2026-03-02T23:59:59Z
    assert marked_day(late, 1_772_496_000.0, SETTINGS).sub_zero_days == 2


def test_a_recovered_score_resets_no_day() -> None:
    bad = marked_day(of(0, 1), START, SETTINGS)
    good = apply_signal(apply_signal(bad, Signal.CONFIRMED, START, SETTINGS), Signal.CONFIRMED, START, SETTINGS)
    assert marked_day(good, days(1), SETTINGS).sub_zero_days == 1


def test_a_score_of_zero_is_no_negative_day() -> None:
    assert marked_day(of(1, 1), START, SETTINGS).sub_zero_days == 0


def test_a_clock_that_was_set_back_counts_no_day_twice() -> None:
    counted = marked_day(marked_day(of(0, 9), START, SETTINGS), days(1), SETTINGS)
    assert marked_day(counted, START, SETTINGS) == counted


def test_the_fourteenth_negative_day_is_due_for_the_archive() -> None:
    evidence, due = of(0, 9), []
    for day in range(15):
        evidence = marked_day(evidence, days(day), SETTINGS)
        due.append(archive_due(evidence, SETTINGS))
    assert due.index(True) == 13


def test_the_tier_fades_with_the_score() -> None:
    evidence = of(2)
    assert [tier(evidence, days(day), SETTINGS) for day in (0, 1, 30, 31)] == [
        Tier.PROMOTED,
        Tier.CONFIRMED,
        Tier.CONFIRMED,
        Tier.PENDING,
    ]
