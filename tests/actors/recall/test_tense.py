"""A text that tells how things were is seen by its markers, looked for twice: quickly, then closely."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.recall.tense import _ASKS_BACK, _ASKS_FORMER, _WAS, Asked, asked_tense, tells_past


@given(st.from_regex(_WAS))
def test_what_the_close_look_finds_the_quick_one_does_not_miss(text: str) -> None:
    assert tells_past(text)


@given(st.one_of(st.from_regex(_ASKS_BACK), st.from_regex(_ASKS_FORMER)).filter(str.isascii))
def test_a_question_for_what_was_is_none_for_what_is(question: str) -> None:
    assert asked_tense(question) is not Asked.PRESENT


WORDS = sorted(set(re.findall("[a-z]{2,}", f"{_WAS.pattern} {_ASKS_BACK.pattern} {_ASKS_FORMER.pattern}")))


@pytest.mark.parametrize("word", WORDS)
def test_a_word_means_alone_what_the_close_look_finds_in_it(word: str) -> None:
    asks_back = bool(_ASKS_BACK.search(word) or _ASKS_FORMER.search(word))

    assert tells_past(word) is bool(_WAS.search(word))
    assert (asked_tense(word) is not Asked.PRESENT) is asks_back
