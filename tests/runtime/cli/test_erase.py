"""`omoide erase`, as people and programs use it."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.tests.runtime.cli.command_line import Omoide
from omoide.tests.runtime.store.traces import traces

LINES = '{"id":"1","text":"My sister Ingrid lives in Bergen."}\n{"id":"2","text":"I drink my coffee black."}\n'


@pytest.fixture
def yui(omoide: Omoide, tmp_path: Path) -> Omoide:
    talk = tmp_path / "talk.jsonl"
    talk.write_text(LINES)
    omoide("replay", "yui", str(talk))
    talk.unlink()
    return omoide


def told(omoide: Omoide) -> list[str]:
    return [fact["text"] for fact in omoide("facts", "yui", "--json").documents]


def test_a_look_beforehand_tells_what_would_go_and_changes_nothing(yui: Omoide) -> None:
    ended = yui("erase", "yui", "--words", "Ingrid", "--dry-run")

    assert "would be erased, by words" in ended.out
    assert "1 fact, 1 turn" in ended.out
    assert len(told(yui)) == 2


def test_a_memory_is_erased_down_to_its_bytes(yui: Omoide) -> None:
    fact = next(one for one in yui("facts", "yui", "--json").documents if "coffee" in one["text"])

    (report,) = yui("erase", "yui", "--memory", fact["id"], "--yes", "--json").documents

    assert (report["removed"], report["scrubbed"]) == ({"fact": 1, "turn": 1}, True)
    assert told(yui) == ["My sister Ingrid lives in Bergen."]
    assert traces(yui.data, "coffee") == []
    yui("doctor", "yui")
    assert "memory_erased" in yui("events", "yui").out


def test_where_nobody_can_be_asked_nothing_is_erased_without_yes(yui: Omoide) -> None:
    ended = yui("erase", "yui", "--character", code=2)

    assert "say --yes" in ended.err
    assert len(told(yui)) == 2


def test_a_whole_character_is_erased(yui: Omoide) -> None:
    ended = yui("erase", "yui", "--character", "--yes")

    assert "yui: erased, the whole character" in ended.out
    assert yui("characters", "--json").documents == []
    assert traces(yui.data, "Ingrid", "coffee") == []


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("--character", "--words", "x"), "--character is everything"),
        ((), "0 things to erase are named"),
        (("--words", "x", "--subject", "private"), "2 things to erase are named"),
        (("--memory", "fact_none"), "nothing is stored under 'fact_none'"),
        (("--words", "axolotl"), "nothing that is remembered holds these words"),
        (("--account", "nobody"), "an account is written <platform>:<account>"),
        (("--subject", "group:qq"), "lacks its group id"),
    ],
)
def test_what_can_not_be_erased_is_refused(yui: Omoide, arguments: tuple[str, ...], what: str) -> None:
    ended = yui("erase", "yui", *arguments, "--yes", code=2)

    assert what in ended.err
    assert len(told(yui)) == 2


def test_who_misspells_the_name_is_told_who_there_is(yui: Omoide) -> None:
    assert "but yui" in yui("erase", "yuki", "--character", "--yes", code=2).err
