"""Silence is no dispute: what was ignored is recalled, what was denied or said too often is not."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from omoide.actors.recall.memories import held_back, hit_of, takes_part
from omoide.actors.recall.ranking import Ranked
from omoide.protocols.evidence import DAY_S
from omoide.protocols.messages import MemoryKind, Reason, ScoreParts
from omoide.protocols.records import (
    Entity,
    Evidence,
    FactId,
    Mentions,
    Reflection,
    ReflectionId,
    ReflectionStatus,
)
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.settings import Settings

START = 1_772_442_000.0
SETTINGS = Settings(data_dir=Path("unused"))


def reflection(name: str = "a", text: str = "Sam loves running.", **changes: object) -> Reflection:
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
    )
    return replace(plain, **changes)


FOUND = Ranked(0, 1.0, ScoreParts(), Reason.WORDS)
DISPUTED = Evidence(disputation=1.0, disp_last_signal_at=START)
IGNORED = Evidence(reinforcement=-1.0, rein_last_signal_at=START)
OUTWEIGHED = Evidence(reinforcement=1.5, rein_last_signal_at=START, disputation=1.0, disp_last_signal_at=START)


@pytest.mark.parametrize(
    ("evidence", "held"), [(Evidence(), False), (IGNORED, False), (DISPUTED, True), (OUTWEIGHED, False)]
)
def test_a_reflection_is_held_back_by_dispute_and_not_by_silence(evidence: Evidence, held: bool) -> None:
    assert bool(held_back([reflection(evidence=evidence)], START, SETTINGS)) is held


def test_what_agreement_outweighed_is_held_back_once_that_has_faded() -> None:
    one = reflection(evidence=OUTWEIGHED)
    days = [bool(held_back([one], START + day * DAY_S, SETTINGS)) for day in (0, 30)]
    assert days == [False, True]


def test_what_was_brought_up_too_often_rests_for_its_cool_down() -> None:
    one = reflection(mentions=Mentions(suppressed_at=START))
    after = START + SETTINGS.mentions.cooldown_s
    assert [len(held_back([one], now, SETTINGS)) for now in (START, after)] == [1, 0]


def test_of_two_that_say_the_same_the_older_is_told_unless_it_is_disputed() -> None:
    older, newer = reflection("old"), reflection("new", "Sam loves running!", created_at=START + 1)
    assert held_back([newer, older], START, SETTINGS) == {"new"}
    assert held_back([newer, replace(older, evidence=DISPUTED)], START, SETTINGS) == {"old"}


def test_the_same_words_in_another_subject_are_another_memory() -> None:
    there = reflection("b", subject=Subject("group:qq:77"))
    assert held_back([reflection(), there], START, SETTINGS) == frozenset()


@pytest.mark.parametrize("status", list(ReflectionStatus))
def test_only_what_is_pending_or_confirmed_takes_part(status: ReflectionStatus) -> None:
    active = {ReflectionStatus.PENDING, ReflectionStatus.CONFIRMED}
    assert takes_part(reflection(status=status)) is (status in active)


def test_a_hit_on_a_reflection_tells_its_tier_of_now() -> None:
    one = reflection(evidence=Evidence(reinforcement=1.0, rein_last_signal_at=START))
    tiers = [hit_of(one, FOUND, (), START + day * DAY_S, SETTINGS).tier for day in (0, 1)]
    assert (tiers, hit_of(one, FOUND, (), START, SETTINGS).kind) == (
        ["confirmed", "pending"],
        MemoryKind.REFLECTION,
    )
