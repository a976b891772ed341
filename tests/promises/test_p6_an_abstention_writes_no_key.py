"""P6: `None` trust is an abstention and no number: nothing that is stored, moved or answered has a key for it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from omoide import open_runtime
from omoide.protocols.encoding import encoded
from omoide.protocols.records import Speaker
from omoide.protocols.settings import Settings
from omoide.runtime.store import apply, examine, paths, views
from omoide.tests.runtime.api.served import serving
from omoide.tests.runtime.cli.command_line import Omoide

GROUP = "group:qq:77"
ALICE = {"platform": "qq", "account": "1001", "label": "Alice"}


async def written(folder: Path, trust: float | None) -> str:
    """Return all that the journal and an export hold of one who is trusted so far, and all that Python tells."""
    settings = Settings(data_dir=folder / "data")
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I breed axolotls.", subject=GROUP, speaker=Speaker(**ALICE), trust=trust)
        await yui.drain()
        recalled = await yui.recall("axolotls", subjects=[GROUP])
        assert {hit.trust for hit in recalled.hits} == {trust}
        await runtime.export("yui", folder / "set")
    with closing(sqlite3.connect(paths.place_of(settings, "yui").database)) as connection:
        stored = [
            bytes(body).decode()
            for query in ("SELECT body FROM turns", "SELECT body FROM facts", "SELECT payload FROM events")
            for (body,) in connection.execute(query)
        ]
    exported = [path.read_text(encoding="utf-8") for path in sorted((folder / "set").iterdir())]
    return "\n".join([*stored, *exported, encoded(recalled).decode()])


async def test_who_abstains_writes_no_key_anywhere(tmp_path: Path) -> None:
    abstained = await written(tmp_path / "abstains", None)
    trusted = await written(tmp_path / "trusts", 0.5)

    assert "axolotls" in abstained
    assert '"trust"' not in abstained
    assert '"band"' not in abstained
    assert trusted.count('"trust":0.5') >= 8
    assert '"band":"medium"' in trusted


@pytest.mark.parametrize(("trust", "told"), [(None, []), ("normal", [0.5])])
async def test_no_answer_over_http_has_a_key_for_an_abstention(
    tmp_path: Path, trust: str | None, told: list[float]
) -> None:
    async with serving(tmp_path / "data") as served, served.client() as client:
        one = "/v1/characters/yui"
        said = {"text": "I breed axolotls.", "subject": GROUP, "speaker": ALICE}
        heard = await client.post(f"{one}/hear", json=said if trust is None else {**said, "trust": trust})
        assert heard.status_code == 200
        found = await client.post(f"{one}/recall", json={"query": "axolotls", "subjects": [GROUP]})
        turns = await client.get(f"{one}/turns", params={"subject": GROUP})

    (hit, *_), (turn,) = found.json()["hits"], turns.json()["items"]
    assert [hit[key] for key in ("trust",) if key in hit] == told
    assert [turn[key] for key in ("trust",) if key in turn] == told


def test_no_line_of_the_command_has_a_key_for_an_abstention(omoide: Omoide) -> None:
    omoide("chat", "yui", stdin=b"I breed axolotls.\n")

    (found,) = omoide("recall", "yui", "axolotls", "--json").documents
    (fact,) = omoide("facts", "yui", "--json").documents

    assert found["hits"]
    assert "trust" not in json.dumps([found, fact])


def test_a_journal_in_which_an_older_program_wrote_nulls_reads_verifies_and_moves(
    omoide: Omoide, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        for module in (apply, views):
            older.setattr(module, "encoded", msgspec.json.encode)
        omoide("chat", "yui", stdin=b"I breed axolotls.\n")
    settings = Settings(data_dir=omoide.data)
    with closing(sqlite3.connect(paths.place_of(settings, "yui").database)) as connection:
        (payload,) = connection.execute("SELECT payload FROM events WHERE kind = 'fact_added'").fetchone()
    assert b'"trust":null' in payload

    omoide("export", "yui", str(omoide.data / "set"))
    omoide("import", str(omoide.data / "set"), "--as", "mio")

    assert examine(settings, "yui").findings == ()
    assert examine(settings, "mio").findings == ()
    assert "trust" not in omoide("facts", "mio", "--json").out
    assert "axolotls" in omoide("recall", "mio", "axolotls").out


@pytest.fixture
def omoide(tmp_path: Path) -> Omoide:
    """The command over a data folder that isn't there yet."""
    return Omoide(tmp_path / "data")
