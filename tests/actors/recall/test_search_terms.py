"""A question and what answers it are found alike, however a word is written."""

from __future__ import annotations

import pytest

from omoide.actors.recall.search_terms import search_terms


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("I went to Bergen", "did Sam go to Bergen"),
        ("we bought skis", "buy"),
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
