"""A judgement that isn't made of its facts' words is not believed."""

import pytest

from omoide.actors.reflection.grounding import rests_on_facts
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, Profile, Role, Turn, TurnId

SAM = Profile(owner="Sam")


def facts(*texts: str) -> list[Fact]:
    turn = Turn(id=TurnId("t"), role=Role.PERSON, text=" ".join(texts), said_at=0, heard_at=0)
    return [fact_of(turn, Candidate(text=text, entity=Entity.OWNER, importance=6), 0) for text in texts]


RUNNING = facts("I went running along the river.", "Running by the river clears my head.")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Sam loves running along the river.", RUNNING),
        ("The owner often talks about running.", RUNNING),
        ("山姆常常在河边跑步", facts("我今天早上在河边跑步", "跑步让我很放松")),
        ("サムはランニングが好き", facts("朝のランニングは最高", "新しいランニングシューズを買った")),
    ],
)
def test_a_judgement_in_the_words_of_its_facts_stands(text: str, known: list[Fact]) -> None:
    assert rests_on_facts(text, known, SAM, "yui")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Sam is a vegan from Lisbon.", RUNNING),
        ("Sam Sam Sam.", RUNNING),
        ("...", RUNNING),
        ("山姆害怕蜘蛛", facts("我今天早上在河边跑步")),
        ("Sam loves running along the river.", []),
    ],
)
def test_an_invented_one_does_not_and_neither_does_a_name_alone(text: str, known: list[Fact]) -> None:
    assert not rests_on_facts(text, known, SAM, "yui")
