"""Questions that share no word with what answers them, and rows that only look alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.actors.recall.implied import implied_terms, kinds_of
from omoide.actors.recall.search_terms import search_terms
from omoide.runtime.host import open_runtime


@pytest.mark.parametrize(
    ("told", "asked", "found"),
    [
        ("I moved to Osaka last week.", "where does Sam live", "Osaka"),
        ("My sister relocated to Bergen.", "where does my sister live", "Bergen"),
        ("我搬到大阪了。", "我住在哪里", "大阪"),
        ("大阪に引っ越しました。", "どこに住んでいる？", "大阪"),
        ("我养了一只橘猫。", "猫", "橘猫"),
        ("白い犬を飼っています。", "犬", "白い犬"),
        ("We adopted two kittens.", "which pets do we have", "kittens"),
        ("She has played the violin for years.", "what instrument does she know", "violin"),
        ("I spent June in Lisbon.", "which cities have I been to", "Lisbon"),
    ],
)
async def test_a_question_finds_what_tells_it_in_other_words(
    told: str, asked: str, found: str, tmp_path: Path
) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear(told)
        await yui.hear("I bought a green umbrella.")
        await yui.settle()

        hits = (await yui.recall(asked)).hits

    assert hits
    assert found in hits[0].text


@pytest.mark.parametrize(
    ("asks", "answers", "question"),
    [
        ("Do you have any pets?", "Luna and Oliver, two of them!", "pets"),
        ("你平时有什么爱好？", "当然是攀岩，每周都去。", "我的爱好"),
        ("好きな食べ物はありますか。", "たこ焼き、それに尽きる！", "好きな食べ物"),
    ],
)
async def test_an_answer_is_found_by_what_the_character_asked(
    asks: str, answers: str, question: str, tmp_path: Path
) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.say(asks)
        await yui.hear(answers)
        await yui.settle()

        hits = (await yui.recall(question)).hits

    assert hits
    assert hits[0].text in answers


async def test_an_answer_is_not_found_by_a_question_of_a_banned_topic(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.say("How was the regatta?")
        await yui.hear("Wet and cold, all day long!")
        await yui.hear("Never mention the regatta again.")
        await yui.settle()

        found = await yui.recall("regatta", said="")

    assert found.hits == ()


async def test_a_lone_character_finds_nothing_of_another_subject(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("我养了一只橘猫。")
        await yui.settle()

        found = await yui.recall("猫", subjects=["group:qq:77"])

    assert found.hits == ()


@pytest.mark.parametrize("text", ["I moved the couch.", "I moved on.", "I was moved by the film.", "我搬了沙发。"])
def test_a_move_that_is_no_home_implies_no_home(text: str) -> None:
    assert implied_terms(text) == ()


@pytest.mark.parametrize("text", ["I MOVED to Osaka.", "I relocated to Oslo.", "I moved to Köln.", "我搬到大阪。"])
def test_a_move_to_a_place_implies_that_it_is_home(text: str) -> None:
    assert implied_terms(text) != ()


def test_a_word_is_of_the_kinds_of_what_it_is_a_kind_of_too() -> None:
    assert set(search_terms("dog pet animal")) <= set(kinds_of(search_terms("two puppies")))


def test_a_kind_tells_of_none_of_its_words() -> None:
    assert set(search_terms("dog cat")).isdisjoint(kinds_of(search_terms("two pets")))
