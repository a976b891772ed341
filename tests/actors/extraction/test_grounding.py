"""A fact must rest on words of its own turn."""

from __future__ import annotations

import time

import pytest

from omoide.actors.extraction.grounding import rests_on
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Profile, Role, Turn, TurnId

PROFILE = Profile(owner="Sam")


def turn(text: str) -> Turn:
    return Turn(id=TurnId("turn_1"), role=Role.PERSON, text=text, said_at=0.0, heard_at=0.0)


def candidate(text: str) -> Candidate:
    return Candidate(text=text, entity=Entity.OWNER, importance=5)


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        ("I am allergic to peanuts.", "I am allergic to peanuts."),
        ("I am allergic to peanuts.", "Sam has an allergy to peanuts."),
        ("my sister ingrid lives in bergen", "Sam's sister Ingrid lives in Bergen."),
        ("我对花生过敏", "Sam对花生过敏"),
        ("ピーナッツアレルギーなんだ", "Samはピーナッツアレルギー"),
    ],
)
def test_a_rewording_of_what_was_said_rests_on_it(said: str, stated: str) -> None:
    assert rests_on(candidate(stated), turn(said), PROFILE, "yui")


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        ("I am allergic to peanuts.", "Sam is 32."),
        ("I am allergic to peanuts.", "Sam has a cat called Miso."),
        ("我对花生过敏", "Sam is allergic to peanuts."),
        ("What is for dinner?", "Sam lives in Kyoto with two cats."),
        ("Good morning!", "Sam"),
    ],
)
def test_what_nobody_said_does_not(said: str, stated: str) -> None:
    assert not rests_on(candidate(stated), turn(said), PROFILE, "yui")


def test_many_statements_of_a_long_turn_are_held_to_its_words_at_the_cost_of_a_few() -> None:
    """Each of them took the terms of the whole turn anew, some 30 ms a statement."""
    words = " ".join(f"My friend number {at} lives in Town{at}." for at in range(1_500))

    def spent(count: int) -> float:
        said = turn(f"{words} {count}")
        before = time.thread_time()
        for at in range(count):
            rests_on(candidate(f"Friend {at} lives in Town{at}"), said, PROFILE, "Mika")
        return time.thread_time() - before

    assert min(map(spent, (200, 201, 202))) < 30 * min(map(spent, (1, 2, 3)))
