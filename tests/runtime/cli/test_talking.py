"""One turn from a shell: when it was said, and what a model that calls a tool gets."""

from __future__ import annotations

import json

import pytest

from omoide.tests.runtime.cli.command_line import Omoide


@pytest.mark.parametrize("at", ["2026-03-02T19:30:00+01:00", "1772476200"])
def test_what_is_heard_and_said_has_the_time_that_is_given(at: str, omoide: Omoide) -> None:
    omoide("hear", "yui", "I moved to Oslo.", "--at", at)
    omoide("say", "yui", "How lovely!", "--at", at)

    turns = omoide("turns", "yui", "--json").documents

    assert [turn["said_at"] for turn in turns] == [1772476200.0, 1772476200.0]


@pytest.mark.parametrize("verb", ["hear", "say"])
def test_a_dash_that_means_standard_input_elsewhere_is_not_stored_as_words(verb: str, omoide: Omoide) -> None:
    omoide("hear", "yui", "I moved to Oslo.")

    refused = omoide(verb, "yui", "-", code=2, stdin=b"I like plums.\n")

    assert "omoide replay NAME -" in refused.err
    assert len(omoide("turns", "yui", "--json").documents) == 1


@pytest.mark.parametrize("at", ["yesterday", "2026-03-02T19:30:00"])
def test_a_time_that_says_no_moment_is_refused(at: str, omoide: Omoide) -> None:
    ended = omoide("hear", "yui", "I moved to Oslo.", "--at", at, code=2)

    assert f"at is '{at}'" in ended.err


def test_a_call_of_the_recall_tool_is_answered_by_its_query_alone(omoide: Omoide) -> None:
    omoide("hear", "yui", "I moved to Oslo.")
    omoide("hear", "yui", "The Oslo trip is secret.", "--speaker", "qq:1", "--subject", "group:qq:77")
    call = json.dumps({"query": "Oslo", "subjects": ["group:qq:77"], "limit": 9})

    answered = omoide("recall", "yui", call, "--tool-call")

    assert "I moved to Oslo." in answered.out
    assert "secret" not in answered.out


@pytest.mark.parametrize("arguments", [("no JSON",), ('{"query": "Oslo"}', "--limit", "1")])
def test_a_call_that_no_model_makes_is_refused(arguments: tuple[str, ...], omoide: Omoide) -> None:
    omoide("hear", "yui", "I moved to Oslo.")

    omoide("recall", "yui", *arguments, "--tool-call", code=2)


def test_what_is_not_to_be_mentioned_is_recalled_where_the_person_named_it(omoide: Omoide) -> None:
    omoide("hear", "yui", "Marcus lives in Oslo.")
    omoide("hear", "yui", "Please never mention Marcus.")

    unasked = omoide("recall", "yui", "Oslo", "--said", "What about Oslo?").out
    asked = omoide("recall", "yui", "Oslo", "--said", "Where does Marcus live?").out

    assert ("Marcus lives" in unasked, "Marcus lives" in asked) == (False, True)
