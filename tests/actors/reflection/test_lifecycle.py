"""A reflection goes only where the table lets it, and goes there when it is due."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.reflection.lifecycle import (
    ACTIVE,
    TRANSITIONS,
    Step,
    attempted,
    block_due,
    confirmation_due,
    is_outdated,
    promotion_due,
    stepped,
    sweep_due,
)
from omoide.protocols.errors import IllegalTransitionError
from omoide.protocols.evidence import DAY_S
from omoide.protocols.records import (
    Entity,
    EntryId,
    Evidence,
    FactId,
    Reflection,
    ReflectionId,
    ReflectionStatus,
    TemporalScope,
)
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.settings import EvidenceSettings, ReflectionSettings

SETTINGS = ReflectionSettings()
WEIGHTS = EvidenceSettings()
START = 1_772_442_000.0
GROUP = Subject("group:qq:77")
ENTRY = EntryId("prom_1")
INTO_PERSONA = (Step.PROMOTE, Step.MERGE)


def reflection(
    status: ReflectionStatus = ReflectionStatus.PENDING,
    evidence: Evidence = Evidence(),  # noqa: B008
    subject: Subject = PRIVATE,
) -> Reflection:
    return Reflection(
        id=ReflectionId("ref_0"),
        text="Sam loves running.",
        entity=Entity.OWNER,
        subject=subject,
        sources=(FactId("fact_0"),),
        importance=6,
        evidence=evidence,
        created_at=START,
        status=status,
        status_at=START,
        age_anchor_at=START,
        next_eligible_at=START,
    )


def with_score(value: float, status: ReflectionStatus = ReflectionStatus.PENDING) -> Reflection:
    side = Evidence(reinforcement=max(value, 0.0), disputation=max(-value, 0.0))
    return reflection(status, side)


def is_confirmed(one: Reflection, day: float = 0, *, weak_since: float | None = None) -> bool:
    return confirmation_due(one, START + day * DAY_S, SETTINGS, WEIGHTS, weak_since=weak_since)


def is_promoted(one: Reflection, day: float = 0, *, weak_since: float | None = None) -> bool:
    return promotion_due(one, START + day * DAY_S, SETTINGS, WEIGHTS, weak_since=weak_since)


@pytest.mark.parametrize(("status", "step"), list(product(ReflectionStatus, Step)))
def test_a_step_is_in_the_table_or_is_refused(status: ReflectionStatus, step: Step) -> None:
    one = reflection(status)
    entry = ENTRY if step in INTO_PERSONA else None
    expected = TRANSITIONS[status].get(step)
    if expected is None:
        with pytest.raises(IllegalTransitionError, match=status):
            stepped(one, step, START, absorbed_into=entry)
    else:
        assert stepped(one, step, START, absorbed_into=entry).status is expected


def test_every_status_has_its_row() -> None:
    assert set(TRANSITIONS) == set(ReflectionStatus)


@pytest.mark.parametrize("step", INTO_PERSONA)
def test_what_enters_the_persona_names_its_entry(step: Step) -> None:
    with pytest.raises(IllegalTransitionError, match="names the persona entry"):
        stepped(reflection(ReflectionStatus.CONFIRMED), step, START)


def test_a_denied_reflection_comes_back_by_affirmation_alone() -> None:
    assert set(TRANSITIONS[ReflectionStatus.DENIED]) == {Step.AFFIRM}


@given(st.lists(st.sampled_from(Step), max_size=12))
def test_no_way_of_steps_revives_what_was_denied_without_affirmation(steps: list[Step]) -> None:
    one = reflection()
    for step in steps:
        was = one.status
        try:
            one = stepped(one, step, START, absorbed_into=ENTRY if step in INTO_PERSONA else None)
        except IllegalTransitionError:
            assert one.status is was
        if was is ReflectionStatus.DENIED and step is not Step.AFFIRM:
            assert one.status is ReflectionStatus.DENIED


def test_a_score_of_one_confirms() -> None:
    assert [is_confirmed(with_score(value)) for value in (0.99, 1.0)] == [False, True]


def test_a_score_of_two_promotes_what_is_confirmed() -> None:
    found = [is_promoted(with_score(value, ReflectionStatus.CONFIRMED)) for value in (1.99, 2.0)]
    assert found == [False, True]
    assert not is_promoted(with_score(2.0))


def test_age_decides_nothing_while_strong_memory_is_on() -> None:
    assert not is_confirmed(reflection(), 99)
    assert not is_promoted(reflection(ReflectionStatus.CONFIRMED), 99)


def test_age_confirms_after_a_week_and_promotes_a_week_later_without_strong_memory() -> None:
    one = reflection()
    assert [is_confirmed(one, day, weak_since=START) for day in (6.99, 7)] == [False, True]
    one = stepped(one, Step.CONFIRM, START + 7 * DAY_S)
    assert [is_promoted(one, day, weak_since=START) for day in (7, 13.99, 14)] == [False, False, True]


def test_age_decides_in_groups_even_with_strong_memory() -> None:
    assert is_confirmed(reflection(subject=GROUP), 7)


def test_age_never_confirms_what_was_disputed() -> None:
    one = reflection(evidence=Evidence(disputation=1.0, disp_last_signal_at=START))
    assert not is_confirmed(one, 99, weak_since=START)
    assert not is_promoted(replace(one, status=ReflectionStatus.CONFIRMED), 99, weak_since=START)


def test_switching_strong_memory_off_promotes_nothing_in_a_rush() -> None:
    old, switched = reflection(ReflectionStatus.CONFIRMED), START + 100 * DAY_S
    assert is_promoted(old, 100, weak_since=START)
    assert not is_promoted(old, 106.99, weak_since=switched)
    assert not is_confirmed(reflection(), 106.99, weak_since=switched)
    assert is_promoted(old, 107, weak_since=switched)


def test_switching_strong_memory_off_delays_nothing_in_groups() -> None:
    assert is_confirmed(reflection(subject=GROUP), 7, weak_since=START + 6 * DAY_S)


def test_attempts_to_promote_are_half_an_hour_apart() -> None:
    one = attempted(with_score(3.0, ReflectionStatus.CONFIRMED), START)
    found = [promotion_due(one, START + wait, SETTINGS, WEIGHTS, weak_since=None) for wait in (0, 1_799, 1_800)]
    assert found == [False, False, True]


def test_five_failed_attempts_block() -> None:
    one = with_score(3.0, ReflectionStatus.CONFIRMED)
    for attempt in range(5):
        assert not block_due(one, SETTINGS)
        one = attempted(one, START + attempt * 1_800)
    assert block_due(one, SETTINGS)
    assert not is_promoted(one, 99)
    blocked = stepped(one, Step.BLOCK, START)
    assert stepped(blocked, Step.UNBLOCK, START).promote_attempts == 0


@pytest.mark.parametrize("status", ReflectionStatus)
def test_only_what_may_be_archived_is_swept(status: ReflectionStatus) -> None:
    one = reflection(status, Evidence(sub_zero_days=14))
    assert sweep_due(one, WEIGHTS) is (status in {*ACTIVE, ReflectionStatus.PROMOTE_BLOCKED})
    assert not sweep_due(replace(one, evidence=Evidence(sub_zero_days=13)), WEIGHTS)


@pytest.mark.parametrize(
    ("scope", "days", "outdated"),
    [
        (TemporalScope.PATTERN, 999, False),
        (TemporalScope.STATE, 6.9, False),
        (TemporalScope.STATE, 7, True),
        (TemporalScope.EPISODE, 2.9, False),
        (TemporalScope.EPISODE, 3, True),
    ],
)
def test_a_state_and_an_episode_become_past(scope: TemporalScope, days: float, *, outdated: bool) -> None:
    one = replace(reflection(), temporal_scope=scope, event_at=START - DAY_S)
    assert is_outdated(one, START + (days - 1) * DAY_S, SETTINGS) is outdated
