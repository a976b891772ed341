"""What counts as a text at the door."""

from __future__ import annotations

import pytest

from omoide.protocols.errors import InvalidTextError
from omoide.protocols.text import MAX_MARKS, check_text


@pytest.mark.parametrize("text", ["a\tb\r\nc", "Zalgo" + "\u0301\u0316" * 8, "क्षत्रिय", "❤️\u200d🔥"])
def test_tabs_line_ends_marks_and_signs_are_taken(text: str) -> None:
    assert check_text(text, max_chars=100)


def test_as_many_marks_as_a_stream_may_have_are_taken_and_no_more() -> None:
    text = "e" + "\u0316" * MAX_MARKS
    assert check_text(text, max_chars=100) == text

    with pytest.raises(InvalidTextError, match="marks on one letter at character 31"):
        check_text(text + "\u0301", max_chars=100)


def test_a_text_is_composed() -> None:
    assert check_text(" e\u0301 ", max_chars=100) == "\u00e9"


@pytest.mark.parametrize("code", [*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0)])
def test_every_other_control_character_is_refused(code: int) -> None:
    with pytest.raises(InvalidTextError, match=rf"U\+{code:04X} at character 1"):
        check_text(f"a{chr(code)}b", max_chars=100)
