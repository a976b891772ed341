"""What one person's statement is to another's: the same, the opposite, or nothing that can be said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.relation import Relation, relation

OPPOSITES = [
    ("The club meets on Friday.", "The club doesn't meet on Friday."),
    ("The club never meets on Friday.", "The club meets on Friday."),
    ("The bakery is closed on Mondays.", "The bakery is not closed on Mondays."),
    ("Bob works as a nurse.", "Bob doesn't work as a nurse."),
    ("Bob lives in Osaka.", "Bob does not live in Osaka."),
    ("面包店是安全的。", "面包店不是安全的。"),
    ("会议室有投影仪。", "会议室没有投影仪。"),
    ("小林是护士。", "小林不是护士。"),
    ("会議は金曜日です。", "会議は金曜日ではありません。"),
    ("林さんは看護師です。", "林さんは看護師ではありません。"),
]

NEITHER = [
    ("I like tea.", "I like tea."),
    ("I like tea.", "I don't like tea."),
    ("Our club is open.", "Our club is open."),
    ("You are a nurse.", "You are not a nurse."),
    ("喜欢茶。", "不喜欢茶。"),
    ("我是护士。", "我不是护士。"),
    ("私は看護師です。", "私は看護師ではありません。"),
    ("If it rains the club is open.", "If it rains the club is not open."),
    ("Bob said the club is open.", "Bob said the club is not open."),
    ("The club is probably open.", "The club is probably not open."),
    ("The club is sometimes open.", "The club is not sometimes open."),
    ("Most members are nurses.", "Most members are not nurses."),
    ("Is the club open?", "The club is open."),
    ("The club is open today.", "The club is not open today."),
    ("The red door is open.", "The blue door is not open."),
    ("The club is open.", "The shop is not open."),
    ("Bob is not not a nurse.", "Bob is a nurse."),
    ("The club is open. Bob is a nurse.", "The club is not open. Bob is a nurse."),
    ("如果下雨俱乐部是开着的。", "如果下雨俱乐部不是开着的。"),
    ("听说小林是护士。", "听说小林不是护士。"),
    ("小林可能是护士。", "小林可能不是护士。"),
    ("不会游泳的小林是护士。", "会游泳的小林是护士。"),
    ("林さんは看護師かもしれません。", "林さんは看護師ではないかもしれません。"),
]


@pytest.mark.parametrize(("one", "other"), OPPOSITES)
def test_a_plain_statement_and_its_negation_are_opposites_whichever_comes_first(one: str, other: str) -> None:
    assert relation(one, other) is relation(other, one) is Relation.OPPOSITE


@pytest.mark.parametrize("text", [text for pair in OPPOSITES for text in pair])
def test_a_plain_statement_is_the_same_as_itself_in_another_writing(text: str) -> None:
    assert relation(text, f"  {text.upper().rstrip('.。')} ！") is Relation.SAME


@pytest.mark.parametrize(("one", "other"), NEITHER)
def test_what_is_not_plain_or_not_of_a_third_party_is_neither(one: str, other: str) -> None:
    assert relation(one, other) is None


@given(one=st.text(max_size=400), other=st.text(max_size=400))
def test_any_two_texts_relate_the_same_way_both_ways_and_never_as_opposites_of_themselves(
    one: str, other: str
) -> None:
    assert relation(one, other) is relation(other, one)
    assert relation(one, one) is not Relation.OPPOSITE
