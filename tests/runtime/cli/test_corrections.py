"""Memories are explained, rejected and affirmed from the command line, by id or by words."""

from __future__ import annotations

import pytest

from omoide.tests.runtime.cli.command_line import Omoide

TALK = "I work as a nurse.\nI grow tomatoes.\nI grow roses.\n"


@pytest.fixture
def talked(omoide: Omoide) -> Omoide:
    omoide("chat", "yui", stdin=TALK.encode())
    return omoide


def facts(omoide: Omoide) -> list[str]:
    return [fact["text"] for fact in omoide("facts", "yui", "--json").documents]


def test_what_is_rejected_by_words_is_no_fact_any_more_and_says_so(talked: Omoide) -> None:
    ended = talked("reject", "yui", "as a nurse")

    assert (ended.code, "retracted" in ended.out) == (0, True)
    assert facts(talked) == ["I grow tomatoes.", "I grow roses."]


def test_what_is_affirmed_by_its_rejections_id_is_a_fact_again(talked: Omoide) -> None:
    changed = talked("reject", "yui", "as a nurse", "--json").documents
    (rejection,) = [one["id"] for one in changed if one["kind"] == "rejection"]

    talked("affirm", "yui", rejection)

    assert "I work as a nurse." in facts(talked)


def test_an_explanation_tells_what_happened(talked: Omoide) -> None:
    talked("reject", "yui", "as a nurse")

    ended = talked("explain", "yui", "as a nurse")

    for part in ("retracted since", "rests on turn_", "fact_added by dedup", "held back by rej_"):
        assert part in ended.out


def test_words_that_several_memories_have_are_refused_with_their_ids(talked: Omoide) -> None:
    ended = talked("reject", "yui", "I grow", code=2)

    assert ("2 memories match 'I grow'" in ended.err, ended.err.count("fact_")) == (True, 2)
    assert len(facts(talked)) == 3


@pytest.mark.parametrize("verb", ["explain", "reject", "affirm"])
def test_what_nobody_remembers_is_told_of(talked: Omoide, verb: str) -> None:
    assert "'zebra'" in talked(verb, "yui", "zebra", code=2).err
