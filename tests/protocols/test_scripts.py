"""Traditional and simplified Chinese compare as one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.scripts import simplified


@pytest.mark.parametrize(
    ("text", "folded"), [("我是護士", "我是护士"), ("頭髮", "头发"), ("臺北", "台北"), ("tea é", "tea é")]
)
def test_traditional_characters_become_simplified_ones(text: str, folded: str) -> None:
    assert simplified(text) == folded


@given(st.text(alphabet=st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF)))
def test_folding_keeps_the_length_and_is_done_once(text: str) -> None:
    once = simplified(text)
    assert (len(once), simplified(once)) == (len(text), once)
