"""A text that tells how things were is seen by its markers, looked for twice: quickly, then closely."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.recall.tense import _WAS, tells_past


@given(st.from_regex(_WAS))
def test_what_the_close_look_finds_the_quick_one_does_not_miss(text: str) -> None:
    assert tells_past(text)
