from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from omoide.runtime.cli.invocation import Invocation
from omoide.runtime.cli.presentation import ago, date, printable, short_id, show


def shown(text: str, *, terminal: bool) -> str:
    invocation = Invocation()
    file = io.StringIO()
    invocation.out = Console(
        file=file, force_terminal=terminal, color_system=None, width=60, highlight=False, emoji=False, markup=False
    )
    show(invocation, ("id", "text"), [("1", text)], empty="nothing")
    return file.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_markup_in_a_memory_is_printed_and_not_interpreted(terminal: bool) -> None:
    assert "[bold]x[/] :smile:" in shown("[bold]x[/] :smile:", terminal=terminal)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminals_commands_in_a_memory_are_shown_and_not_sent(terminal: bool) -> None:
    output = shown("\x1b[31mred\x1b]0;title\x07\u202egnp", terminal=terminal)

    assert "\\x1b[31mred\\x1b]0;title\\x07\\u202egnp" in output
    assert "\x1b[31m" not in output


def test_elsewhere_than_on_a_terminal_a_long_memory_stays_on_one_line() -> None:
    assert shown("word " * 100, terminal=False).splitlines() == ["id\ttext", "1\t" + "word " * 100]


@given(st.text())
def test_what_is_printed_holds_no_control_character_and_no_line_break(text: str) -> None:
    output = printable(text)

    assert not [char for char in output if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}]


@given(st.text(st.characters(categories=["L", "N", "P", "S", "M"])))
def test_what_people_write_is_printed_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_a_joined_emoji_stays_one() -> None:
    assert printable("👩‍🚀") == "👩‍🚀"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "now"),
        (-3, "now"),
        (42, "42 seconds ago"),
        (60, "1 minute ago"),
        (7_300, "2 hours ago"),
        (86_400, "1 day ago"),
        (8 * 86_400, "1 week ago"),
        (800 * 86_400, "2 years ago"),
        (-120, "in 2 minutes"),
    ],
)
def test_a_time_is_told_by_how_long_ago_it_was(seconds: float, said: str) -> None:
    assert ago(1_000_000_000.0 - seconds, 1_000_000_000.0) == said


def test_a_date_beyond_the_calendar_is_told_in_seconds() -> None:
    assert date(1e300) == "1e+300 s"


def test_a_short_id_keeps_its_kind() -> None:
    assert short_id("fact_0123456789abcdef") == "fact_01234567"
