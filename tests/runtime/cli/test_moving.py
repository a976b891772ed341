"""`omoide export` and `omoide import`, as people and programs use them."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from omoide.tests.runtime.cli.command_line import Omoide

LINES = (
    '{"id":"1","text":"My sister Ingrid lives in Bergen."}\n'
    '{"id":"2","text":"I drink my coffee black."}\n'
    '{"id":"3","speaker":"character","text":"Noted."}\n'
)


@pytest.fixture
def there(tmp_path: Path) -> Omoide:
    return Omoide(tmp_path / "there")


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    path.write_text(LINES)
    return path


def test_a_character_moves_and_a_replay_doubles_nothing(
    omoide: Omoide, there: Omoide, talk: Path, tmp_path: Path
) -> None:
    omoide("replay", "yui", str(talk))
    before = omoide("facts", "yui", "--json").documents

    exported = omoide("export", "yui", str(tmp_path / "x"))
    imported = there("import", str(tmp_path / "x"))
    again = there("replay", "yui", str(talk), "--json")

    assert "yui: exported to" in exported.out
    assert "yui: imported from" in imported.out
    assert again.documents[-1]["summary"] == {"new": 0, "known": 3, "skipped": 0, "settled": True, "parked": 0}
    assert there("facts", "yui", "--json").documents == before
    there("doctor", "yui")


def test_a_character_is_imported_under_another_name(omoide: Omoide, talk: Path, tmp_path: Path) -> None:
    omoide("replay", "yui", str(talk))
    omoide("export", "yui", str(tmp_path / "x"))

    imported = omoide("import", str(tmp_path / "x"), "--as", "Dr. Mio/v2.. 猫")

    assert "where it was called yui" in imported.out
    assert [one["name"] for one in omoide("characters", "--json").documents] == ["Dr. Mio/v2.. 猫", "yui"]
    omoide("doctor")


def test_reports_for_programs_agree(omoide: Omoide, there: Omoide, talk: Path, tmp_path: Path) -> None:
    omoide("replay", "yui", str(talk))

    (exported,) = omoide("export", "yui", str(tmp_path / "x"), "--json").documents
    (imported,) = there("import", str(tmp_path / "x"), "--json").documents

    shared = ("character", "folder", "events", "chain", "erased", "rows", "ops", "keys")
    assert {name: exported[name] for name in shared} == {name: imported[name] for name in shared}


def test_what_is_wrong_is_told_with_an_exit_code(
    omoide: Omoide, there: Omoide, talk: Path, tmp_path: Path
) -> None:
    omoide("replay", "yui", str(talk))
    omoide("export", "yui", str(tmp_path / "x"))

    unknown = omoide("export", "nobody", str(tmp_path / "y"), code=2)
    taken = omoide("export", "yui", str(tmp_path / "x"), code=2)
    exists = omoide("import", str(tmp_path / "x"), code=2)
    nothing = omoide("import", str(tmp_path / "y"), code=2)
    (tmp_path / "x" / "turns.json").unlink()
    damaged = there("import", str(tmp_path / "x"), "--json", code=1)

    assert "there is no character 'nobody'" in unknown.err
    assert "is not empty" in taken.err
    assert "'yui' is stored here already" in exists.err
    assert "holds no manifest.json" in nothing.err
    assert "turns.json is missing" in json.loads(damaged.err)["message"]
    assert not there.data.exists()


def test_a_character_that_is_open_elsewhere_is_exported(omoide: Omoide, talk: Path, tmp_path: Path) -> None:
    omoide("replay", "yui", str(talk))
    with omoide.start("chat", "yui") as chat:
        assert chat.stdin is not None
        assert chat.stdout is not None
        chat.stdin.write(b"I keep bees behind the house.\n")
        chat.stdin.flush()
        chat.stdout.readline()
        exported = omoide("export", "yui", str(tmp_path / "x"), "--json")
        chat.send_signal(signal.SIGINT)
        chat.communicate(timeout=30)

    assert exported.documents[0]["rows"]["turns"] >= 3
