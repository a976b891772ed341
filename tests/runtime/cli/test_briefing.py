"""What `omoide briefing` shows."""

from __future__ import annotations

import pytest

from omoide.tests.runtime.cli.command_line import Omoide


@pytest.fixture
def talked(omoide: Omoide) -> Omoide:
    omoide("chat", "yui", stdin=b"I'm allergic to peanuts.\nThe vet of the cat is Doctor Weiss.\n")
    return omoide


def test_a_briefing_is_shown_as_a_prompt_would_hold_it(talked: Omoide) -> None:
    lines = talked("briefing", "yui").out.splitlines()

    assert (lines[0], lines[-1]) == ("<memory>", "</memory>")
    assert any("I'm allergic to peanuts." in line for line in lines)


def test_a_cue_says_what_is_missing(talked: Omoide) -> None:
    assert "Without embeddings for now" in talked("briefing", "yui", "--cue", "back from the vet").out


def test_a_briefing_for_a_group_shows_nothing_private(talked: Omoide) -> None:
    assert "peanuts" not in talked("briefing", "yui", "--as", "group:qq:77").out


def test_a_briefing_is_one_json_document(talked: Omoide) -> None:
    (told,) = talked("briefing", "yui", "--json").documents

    assert "peanuts" in told["text"]
    assert [entry["text"] for entry in told["known"]] == ["I'm allergic to peanuts."]


def test_a_subject_that_is_none_is_named(talked: Omoide) -> None:
    assert "unknown subject 'everyone'" in talked("briefing", "yui", "--as", "everyone", code=2).err


def test_no_memory_commands_the_terminal(omoide: Omoide) -> None:
    omoide("chat", "yui", stdin="I'm allergic to \u202epeanuts\u2066.\n".encode())

    assert not set("\x1b\u202e\u2066") & set(omoide("briefing", "yui").out)
