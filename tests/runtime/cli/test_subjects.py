"""What people type to see whose memories a character holds and who may read what, and to bring memories back."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.tests.runtime.cli.command_line import Omoide

GROUP = "group:matrix:!kitchen:home.org"
BOB = '{"platform":"matrix","account":"@bob:home.org"}'
LINES = f"""\
{{"id":"1","text":"I like trains.","subject":"{GROUP}","speaker":{BOB}}}
{{"id":"2","text":"I live in Osaka."}}
"""


@pytest.fixture
def yui(omoide: Omoide, tmp_path: Path) -> Omoide:
    talk = tmp_path / "talk.jsonl"
    talk.write_text(LINES)
    omoide("replay", "yui", str(talk))
    return omoide


def test_they_are_listed_with_what_is_known_of_each(yui: Omoide) -> None:
    found = yui("subjects", "yui", "--json").documents

    assert [(one["subject"], one["facts"], one["archived"]) for one in found] == [(GROUP, 1, 0), ("private", 1, 0)]
    assert GROUP in yui("subjects", "yui").out


def test_what_a_turn_may_read_is_what_recall_takes(yui: Omoide) -> None:
    (found,) = yui("subjects", "for", "yui", GROUP, "--speaker", "matrix:@alice:home.org", "--json").documents

    assert found == [
        GROUP,
        "member:matrix:!kitchen%3Ahome.org:@alice:home.org",
        "member:matrix:!kitchen%3Ahome.org:@bob:home.org",
    ]
    asked = [option for subject in found for option in ("--as", subject)]
    (recalled,) = yui("recall", "yui", "trains", *asked, "--json").documents
    assert [hit["text"] for hit in recalled["hits"]][:1] == ["I like trains."]


def test_without_member_memory_the_group_stands_alone(yui: Omoide) -> None:
    assert "is on" in yui("subjects", "members", "yui").out
    assert "is off" in yui("subjects", "members", "yui", "off").out

    assert yui("subjects", "for", "yui", GROUP).out.splitlines() == [GROUP]


def test_a_blank_place_is_refused_and_not_private(yui: Omoide) -> None:
    assert "subject" in yui("subjects", "for", "yui", " ", code=2).err


def test_nothing_is_put_away_that_was_just_said_and_restoring_brings_nothing_back(yui: Omoide) -> None:
    assert yui("subjects", "stale", "yui", "--json").documents == []
    assert "0 records" in yui("subjects", "restore", "yui", GROUP).out
