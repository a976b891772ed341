"""A question and what answers it are found alike, however a word is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.recall import search_terms as search_terms_module
from omoide.actors.recall.search_terms import Meanings, search_terms
from omoide.protocols.tokens import terms


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("I went to Bergen", "did Sam go to Bergen"),
        ("we bought skis", "buy"),
        ("the bus goes to Oslo", "go"),
        ("two buses", "bus"),
        ("my kids", "children"),
        ("my mum", "mother"),
        ("my favourite colour", "favorite color"),
        ("the guitarists", "guitar"),
        ("I'm allergic", "allergies"),
        ("she is a photographer", "photography"),
        ("mi cumpleaños", "cumpleanos"),
    ],
)
def test_forms_of_a_word_that_no_suffix_tells_are_one_term(told: str, asked: str) -> None:
    assert set(search_terms(told)) & set(search_terms(asked))


@pytest.mark.parametrize(
    ("one", "other"), [("flower", "flow"), ("rose", "rise"), ("corner", "corn"), ("bus", "busy")]
)
def test_words_that_only_look_alike_stay_apart(one: str, other: str) -> None:
    assert not set(search_terms(one)) & set(search_terms(other))


@pytest.mark.parametrize(("one", "other"), [("кошку", "кошка"), ("Живёт", "живет"), ("café", "CAFE")])
def test_a_word_is_found_in_another_case_and_without_its_accents(one: str, other: str) -> None:
    assert search_terms(one) == search_terms(other)


def test_no_more_words_are_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_terms_module, "CACHED_WORDS", 3)
    meanings = Meanings()

    assert [meanings[f"word{number}"] for number in range(10)] == [(f"word{number}",) for number in range(10)]
    assert len(meanings) <= 3


@given(st.lists(st.sampled_from(["the", "are", "who", "dogs", "I'm", "running", "'tis", "3.5", "猫が", "yui"])))
def test_where_no_form_of_a_word_is_listed_these_are_the_terms_of_any_comparison(words: list[str]) -> None:
    text = " ".join(words)

    assert search_terms(text, leave_out=frozenset({"yui"})) == terms(text, leave_out=frozenset({"yui"}))
