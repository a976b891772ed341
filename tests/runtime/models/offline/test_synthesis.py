"""Offline, a judgement is a count: what the person keeps talking about."""

from random import Random

import pytest

from omoide.actors.reflection.grounding import rests_on_facts
from omoide.protocols.facts import fact_of
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, Profile, Role, Turn, TurnId
from omoide.runtime.models.offline.synthesis import synthesised

RUNS = (
    "I went running along the river.",
    "Running clears my head.",
    "I bought running shoes.",
    "My boss is on holiday.",
    "I have a cat named Miso.",
)


def facts(*texts: str, entity: Entity = Entity.OWNER) -> list[Fact]:
    turn = Turn(id=TurnId("t"), role=Role.PERSON, text="x", said_at=0, heard_at=0)
    return [fact_of(turn, Candidate(text=text, entity=entity, importance=6), 0) for text in texts]


@pytest.mark.parametrize(
    ("locale", "texts", "judgement"),
    [
        ("en", RUNS, "Sam often talks about running."),
        ("de", RUNS, "Sam often talks about running."),
        ("zh-CN", ("我今天去河边跑步", "跑步让我放松", "我买了跑步鞋", "我家有猫"), "Sam常常提到跑步。"),
        (
            "ja",
            ("朝のランニングは最高", "ランニングが好き", "ランニングシューズを買った"),
            "Samはよくランニングの話をする。",
        ),
        (
            "en",
            ("Mochiを飼っています。", "Mochiが好きです。", "Mochiは元気です。"),
            "Sam often talks about mochi.",
        ),
    ],
)
def test_a_topic_that_three_facts_share_is_one(locale: str, texts: tuple[str, ...], judgement: str) -> None:
    made = synthesised(facts(*texts), Profile(owner="Sam", locale=locale))
    assert made is not None
    assert made.text == judgement


@pytest.mark.parametrize(
    "texts",
    [
        RUNS[:2],
        ("I keep bees.", "I drink tea.", "My car is red.", "I moved to Oslo.", "My sister sings."),
        ("I like tea.", "I like rain.", "I like my job.", "I like cats."),
        ("Sam is tall.", "Sam is here.", "Sam is glad."),
        ("我喜欢茶", "我喜欢雨", "我喜欢猫"),
        (),
    ],
)
def test_facts_that_share_no_topic_make_nothing(texts: tuple[str, ...]) -> None:
    assert synthesised(facts(*texts), Profile(owner="Sam")) is None


def test_a_piece_of_a_contraction_is_no_topic() -> None:
    said = facts(
        "I don't eat meat.", "I don't smoke.", "It isn't far.", "He isn’t in.", "I don’t ski, she isn't in."
    )
    assert synthesised(said, Profile(owner="Sam")) is None


def test_a_topic_of_others_is_not_said_of_the_owner() -> None:
    made = synthesised(facts(*RUNS, entity=Entity.OTHER), Profile(owner="Sam"))
    assert made is not None
    assert (made.text, made.entity) == ("Running often comes up.", Entity.OTHER)


def test_the_order_of_the_facts_does_not_matter() -> None:
    some = facts(*RUNS, "A river runs here.", "The river is high.", "River, river.")
    found = set()
    for seed in range(20):
        Random(seed).shuffle(some)
        made = synthesised(some, Profile(owner="Sam"))
        found.add(made and made.text)
    assert len(found) == 1


@pytest.mark.parametrize("owner", ["Sam", ""])
@pytest.mark.parametrize("locale", ["en", "zh", "ja"])
def test_what_it_makes_rests_on_its_facts(owner: str, locale: str) -> None:
    profile = Profile(owner=owner, locale=locale)
    made = synthesised(facts(*RUNS), profile)
    assert made is not None
    assert rests_on_facts(made.text, facts(*RUNS), profile, "yui")
