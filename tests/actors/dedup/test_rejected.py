"""Beliefs that say what a person rejected are held back, however well they are supported."""

from __future__ import annotations

from msgspec.structs import replace

from omoide.actors.dedup.rejected import RejectedValues
from omoide.protocols.records import (
    Entity,
    Evidence,
    FactId,
    Reflection,
    ReflectionId,
    Rejection,
    RejectionId,
)
from omoide.protocols.rejections import identified, lifted
from omoide.protocols.scopes import PRIVATE, Subject

REJECTION = identified(
    Rejection(
        id=RejectionId(""),
        text="Sam loves running along the river.",
        entity=Entity.OWNER,
        subject=PRIVATE,
        disputation=1.0,
        disputed_at=10.0,
        cause="turn_1",
        created_at=10.0,
        names=("Sam",),
    )
)


def belief(text: str, *, subject: Subject = PRIVATE) -> Reflection:
    return Reflection(
        id=ReflectionId("ref_1"),
        text=text,
        entity=Entity.OWNER,
        subject=subject,
        sources=(FactId("fact_1"),),
        importance=5,
        evidence=Evidence(reinforcement=9.0, rein_last_signal_at=20.0),
        created_at=0.0,
        status_at=0.0,
        age_anchor_at=0.0,
        next_eligible_at=0.0,
    )


def rejected_values() -> RejectedValues:
    values = RejectedValues("Sam")
    values.take(REJECTION)
    return values


def test_a_belief_that_says_the_rejected_value_is_held_back_though_its_score_is_high() -> None:
    assert rejected_values().says(belief("Sam really loves running along the river!"))


def test_another_belief_is_not() -> None:
    assert not rejected_values().says(belief("Sam loves pottery."))


def test_a_belief_of_another_subject_is_not() -> None:
    group = Subject("group:qq:77")

    assert not rejected_values().says(belief("Sam loves running along the river.", subject=group))


def test_a_belief_is_free_again_once_the_rejection_is_lifted() -> None:
    values = rejected_values()
    one = belief("Sam loves running along the river.")
    assert values.says(one)

    values.take(lifted(REJECTION, 30.0, "turn_2"))

    assert not values.says(one)


def test_an_answer_is_given_anew_when_the_belief_is_reworded() -> None:
    values = rejected_values()
    one = belief("Sam loves running along the river.")
    assert values.says(one)

    assert not values.says(replace(one, text="Sam loves pottery."))
