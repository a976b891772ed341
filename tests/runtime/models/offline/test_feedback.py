"""Offline, an answer is read where its words leave no doubt."""

import time

import pytest

from omoide.protocols.evidence import Signal
from omoide.protocols.records import Entity, Evidence, FactId, Profile, Reflection, ReflectionId
from omoide.protocols.scopes import PRIVATE
from omoide.runtime.models.offline.feedback import judged


def reflection(text: str, name: str = "ref_1") -> Reflection:
    return Reflection(
        id=ReflectionId(name),
        text=text,
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=(FactId("fact_0"),),
        importance=6,
        evidence=Evidence(),
        created_at=0,
        status_at=0,
        age_anchor_at=0,
        next_eligible_at=0,
    )


RIVER = "Sam loves running along the river."


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        ("No I don't, I only do it for my knee.", RIVER),
        ("No.", RIVER),
        ("Not really!", RIVER),
        ("That's wrong.", RIVER),
        ("I hate running.", RIVER),
        ("I don't love running along the river.", RIVER),
        ("No, that's not true. I'm not mad about rye, my wife is.", "Sam is mad about rye bread."),
        ("I'm not mad about rye.", "Sam is mad about rye bread."),
        ("haha no, not at all", RIVER),
        ("Nah, I'm really not.", "Sam is mad about rye bread."),
        ("不是。", "Sam喜欢跑步"),
        ("我不喜欢跑步", "Sam喜欢跑步"),
        ("いいえ。", "Samは走るのが好き"),
        ("走るのは好きじゃない", "Samは走るのが好き"),
    ],
)
def test_a_denial_denies(said: str, believed: str) -> None:
    assert [one.signal for one in judged(said, [reflection(believed)], Profile(owner="Sam"))] == [Signal.DENIED]


def test_a_long_laugh_is_read_in_no_time() -> None:
    started = time.process_time()
    judged("ha" * 400 + "?!x", [reflection(RIVER)], Profile(owner="Sam"))
    judged("yes " + "haha " * 300 + "x", [reflection(RIVER)], Profile(owner="Sam"))
    assert time.process_time() - started < 0.2


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        ("Yes!", RIVER),
        ("Exactly.", RIVER),
        ("Yes, I really do!", RIVER),
        ("haha yeah totally", RIVER),
        ("Oh definitely, for sure!", RIVER),
        ("haha yeah I am", "Sam is mad about rye bread."),
        ("嗯，真的", "Sam喜欢跑步"),
        ("そうそう", "Samは走るのが好き"),
        ("I love running along the river.", RIVER),
        ("对啊", "Sam喜欢跑步"),
        ("我喜欢跑步", "Sam喜欢跑步"),
        ("うん、そうだよ", "Samは走るのが好き"),
    ],
)
def test_an_affirmation_confirms(said: str, believed: str) -> None:
    assert [one.signal for one in judged(said, [reflection(believed)], Profile(owner="Sam"))] == [Signal.CONFIRMED]


@pytest.mark.parametrize(
    "said",
    [
        "What is for dinner?",
        "No?",
        "Stop, I'm dying of laughter!",
        "No, I'm going to bed.",
        "I have a cat.",
        "haha",
        "oh well...",
        "I don't like the rain.",
        "If I loved running, I would tell you.",
        "吃什么？",
        "",
    ],
)
def test_anything_else_tells_nothing(said: str) -> None:
    assert judged(said, [reflection(RIVER)], Profile(owner="Sam")) == ()


def test_a_bare_answer_to_two_things_tells_nothing_of_either() -> None:
    two = [reflection(RIVER), reflection("Sam drinks green tea.", "ref_2")]
    assert judged("No.", two, Profile(owner="Sam")) == ()


def test_a_statement_tells_of_the_one_that_it_is_about() -> None:
    two = [reflection(RIVER), reflection("Sam drinks green tea.", "ref_2")]
    found = judged("I don't drink green tea.", two, Profile(owner="Sam"))
    assert [(one.reflection, one.signal) for one in found] == [("ref_2", Signal.DENIED)]
