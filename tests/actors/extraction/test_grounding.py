"""A fact must rest on words of its own turn."""

from __future__ import annotations

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
