"""What people type to see, add and remove what must not be mentioned."""

from __future__ import annotations

import pytest

from omoide.tests.runtime.cli.command_line import Omoide


@pytest.fixture
def forbidden(omoide: Omoide) -> Omoide:
    omoide("chat", "yui", stdin=b"Please stop mentioning Marcus.\n")
    return omoide


def terms(omoide: Omoide, *options: str) -> list[str]:
    return [one["term"] for one in omoide("directives", "yui", "--json", *options).documents]


def test_what_was_said_in_a_chat_is_listed(forbidden: Omoide) -> None:
    assert "holds\t1×\tnow\tlifted\teverywhere\tMarcus" in forbidden("directives", "yui").out
    assert terms(forbidden) == ["Marcus"]


def test_a_topic_is_added_with_other_names_of_it(forbidden: Omoide) -> None:
    forbidden("directives", "add", "yui", "Dana", "--alias", "my ex", "--alias", "Dany")

    assert "Dana, my ex, Dany" in forbidden("directives", "list", "yui").out


@pytest.mark.parametrize("name", ["MARCUS", "directive_910c"])
def test_a_topic_is_removed_by_its_term_or_the_beginning_of_its_id(forbidden: Omoide, name: str) -> None:
    forbidden("directives", "remove", "yui", name)

    assert (terms(forbidden), terms(forbidden, "--all")) == ([], ["Marcus"])
    assert "Nothing is off limits" in forbidden("directives", "yui").out


def test_removing_what_is_not_there_says_how_to_see_what_is(forbidden: Omoide) -> None:
    assert "omoide directives list" in forbidden("directives", "remove", "yui", "nobody", code=2).err


@pytest.mark.parametrize("term", ["this", "x", "?!", "a" * 41])
def test_what_can_not_be_a_topic_is_refused(forbidden: Omoide, term: str) -> None:
    assert forbidden("directives", "add", "yui", term, code=2).err
    assert terms(forbidden) == ["Marcus"]


def test_a_beginning_of_several_ids_is_refused(forbidden: Omoide) -> None:
    forbidden("directives", "add", "yui", "Dana")

    assert "2 directives begin with" in forbidden("directives", "remove", "yui", "directive_", code=2).err


def test_status_counts_directives_and_never_names_them(forbidden: Omoide) -> None:
    (status,) = forbidden("status", "--json").documents

    assert status["characters"][0]["directives"] == 1
    assert "Marcus" not in forbidden("status").out
