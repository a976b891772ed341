"""New facts speak for what they say again, and against what they deny."""

import pytest

from omoide.actors.signals.facts import facts_as_signals
from omoide.protocols.evidence import Signal
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import (
    Entity,
    Evidence,
    Fact,
    FactId,
    Reflection,
    ReflectionId,
    Role,
    Speaker,
    Turn,
    TurnId,
)
from omoide.protocols.scopes import PRIVATE


def fact(text: str, entity: Entity = Entity.OWNER, speaker: Speaker | None = None) -> Fact:
    turn = Turn(id=TurnId("t"), role=Role.PERSON, text=text, speaker=speaker, said_at=0, heard_at=0)
    return fact_of(turn, Candidate(text=text, entity=entity, importance=6), 0)


def belief(text: str, *sources: str) -> Reflection:
    return Reflection(
        id=ReflectionId("ref_1"),
        text=text,
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=tuple(FactId(one) for one in sources),
        importance=6,
        evidence=Evidence(),
        created_at=0,
        status_at=0,
        age_anchor_at=0,
        next_eligible_at=0,
    )


@pytest.mark.parametrize(
    ("said", "believed", "signals"),
    [
        ("I love running along the river.", "Sam loves running.", [Signal.FACT_REINFORCES]),
        ("I don't like running.", "Sam likes running along the river.", [Signal.FACT_NEGATES]),
        ("I like sailing.", "Sam likes running.", []),
        ("我不喜欢跑步", "山姆喜欢跑步", [Signal.FACT_NEGATES]),
        ("走るのは好きじゃない", "サムは走るのが好き", [Signal.FACT_NEGATES]),
        ("My brother doesn't like running.", "Sam likes running.", []),
    ],
)
def test_a_fact_counts_where_it_says_the_same_or_the_opposite(
    said: str, believed: str, signals: list[Signal]
) -> None:
    found, _ = facts_as_signals([fact(said)], [belief(believed)], ("Sam", "山姆", "サム"))
    assert [one.signal for one in found] == signals


@pytest.mark.parametrize(
    "one",
    [
        fact("I love running.", entity=Entity.OTHER),
        fact("I love running.", speaker=Speaker(platform="qq", account="1")),
    ],
)
def test_what_somebody_else_says_of_themselves_counts_for_nothing(one: Fact) -> None:
    assert facts_as_signals([one], [belief("Sam loves running.")], ("Sam",))[0] == ()


def test_a_fact_does_not_speak_for_the_reflection_that_was_made_of_it() -> None:
    one = fact("I love running.")
    assert facts_as_signals([one], [belief("Sam loves running.", one.id)], ("Sam",))[0] == ()
