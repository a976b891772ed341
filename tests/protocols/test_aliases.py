"""A name that somebody gave to one of theirs stands for them."""

import pytest

from omoide.protocols.clauses.aliases import by_kinship, names_given


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ("My brother is called Tom.", {"Tom": "my brother"}),
        ("My cat's name is Mia.", {"Mia": "my cat"}),
        ("我弟弟叫小明。", {"小明": "我弟弟"}),
        ("弟の名前は健太です。", {"健太": "弟"}),
        ("Mein Hund heißt Rex.", {"Rex": "mein hund"}),
        ("My brother is a vegetarian.", {}),
        ("I am called Tom.", {}),
    ],
)
def test_a_name_is_of_whom_it_was_given_to(said: str, given: dict[str, str]) -> None:
    assert names_given([said]) == given


def test_a_name_of_two_stands_for_neither() -> None:
    assert names_given(["My brother is called Tom.", "My dog is called Tom."]) == {}


def test_who_is_named_is_told_of_as_whose_they_are() -> None:
    given = names_given(["My brother is called Tom.", "我弟弟叫小明。"])
    said = ("Tom isn't a vegetarian.", "小明不吃素。", "Tomorrow it rains.")
    assert [by_kinship(one, given) for one in said] == [
        "my brother isn't a vegetarian.",
        "我弟弟不吃素。",
        "Tomorrow it rains.",
    ]
