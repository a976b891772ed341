"""One judgement from several facts, without a model."""

from __future__ import annotations

import pytest

from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, Profile, Role, Turn, TurnId
from omoide.runtime.models.offline.synthesis import synthesised

PROFILE = Profile(owner="Sam")


def facts(*texts: str, entity: Entity = Entity.OWNER) -> list[Fact]:
    return [
        fact_of(
            Turn(id=TurnId(f"turn_{at}"), role=Role.PERSON, text=text, said_at=float(at), heard_at=float(at)),
            Candidate(text=text, entity=entity, importance=5),
            now=0.0,
        )
        for at, text in enumerate(texts)
    ]


def test_what_three_facts_share_becomes_a_judgement_in_the_person_s_word() -> None:
    made = synthesised(facts("I love pottery.", "My pottery class is on Monday.", "I sold some pottery."), PROFILE)

    assert made is not None
    assert made.text == "Sam often talks about pottery."


@pytest.mark.parametrize(
    "texts",
    [
        ("And I love tea.", "And my sister came.", "And it rained in Rome."),
        ("I ran along the river.", "I bought running shoes.", "My cat sleeps."),
        ("My favourite fruit is the quince.", "My favourite town is Rome.", "My favourite cat is Mochi."),
    ],
    ids=["a stop word", "two only", "a word that says little"],
)
def test_what_facts_do_not_share_becomes_none(texts: tuple[str, ...]) -> None:
    assert synthesised(facts(*texts, entity=Entity.OTHER), PROFILE) is None


def test_the_order_of_the_facts_does_not_count() -> None:
    told = facts("I love pottery.", "My pottery class is on Monday.", "I sold some pottery.", "Tea calms me.")

    assert synthesised(told[::-1], PROFILE) == synthesised(told, PROFILE)
