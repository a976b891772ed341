"""Tokens are estimated the same everywhere, and rather too high than too low."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.prompt_tokens import estimated_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("tea", 1),
        ("I like tea.", 4),
        ("hospital", 2),
        ("我喜欢茶。", 5),
        ("お茶 tea", 3),
        ("чай", 2),
        ("🍵", 1),
    ],
)
def test_words_count_by_length_and_unspaced_characters_one_each(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


@given(st.text(max_size=60), st.text(max_size=60))
def test_texts_together_cost_what_they_cost_apart(one: str, other: str) -> None:
    assert estimated_tokens(f"{one} {other}") == estimated_tokens(one) + estimated_tokens(other)


@given(st.text(min_size=1, max_size=60))
def test_no_character_costs_more_than_a_token(text: str) -> None:
    assert estimated_tokens(text) <= len(text)
