"""Lists of topics, on one line or one topic a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.directives.lists import joined_lists
from omoide.actors.directives.wishes import Ban, find_wishes


def bans(text: str) -> list[str]:
    return [wish.term for wish in find_wishes(text) if isinstance(wish, Ban) and not wish.bare]


@pytest.mark.parametrize(
    ("said", "topics"),
    [
        ("Never mention: Petra, my knee, rent", ["Petra", "my knee", "rent"]),
        ("Never mention Petra / my knee / rent", ["Petra", "my knee", "rent"]),
        ("Please don't talk about:\n- Petra\n- my knee\n- rent", ["Petra", "my knee", "rent"]),
        ("Don't bring up:\n1. Petra\n2) my knee\nI live in Leeds.", ["Petra", "my knee"]),
        ("Off limits: Petra, my knee", ["Petra", "my knee"]),
        ("Topics I don't want to hear about:\n* Petra\n* rent", ["Petra", "rent"]),
        ("不要提：\n- 周敏\n- 膝盖\n- 房租", ["周敏", "膝盖", "房租"]),
        ("不要提：周敏、膝盖，房租", ["周敏", "膝盖", "房租"]),
        ("NGワード：周敏、ひざ", ["周敏", "ひざ"]),
        ("Temas prohibidos: mi rodilla, Petra", ["mi rodilla", "Petra"]),
        ("Tabuthemen: mein Knie, Petra", ["mein Knie", "Petra"]),
    ],
)
def test_every_item_is_a_topic(said: str, topics: list[str]) -> None:
    assert bans(said) == topics


@pytest.mark.parametrize("said", ["Never mention AC/DC again", "Don't talk about 24/7 shifts"])
def test_a_stroke_inside_a_name_parts_nothing(said: str) -> None:
    assert len(bans(said)) == 1


def test_a_statement_behind_the_list_is_no_item() -> None:
    assert bans("Never mention: Petra, my knee, I moved to Leeds") == ["Petra", "my knee"]


def test_lines_without_a_colon_stay_lines() -> None:
    text = "Things I like\n- tea\n- rain"
    assert joined_lists(text) == text


@given(st.lists(st.sampled_from(["a:", "\n", "- b", "c", " ", "1. d", "。", "："]), max_size=14).map("".join))
def test_joining_loses_no_word_and_doing_it_again_changes_nothing(text: str) -> None:
    joined = joined_lists(text)
    letters = [char for char in joined if char.isalpha()]
    assert letters == [char for char in text if char.isalpha()]
