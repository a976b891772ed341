"""A character is exported whole, as anybody can read it, or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
import subprocess
import sys
import tracemalloc
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.errors import (
    CorruptStorageError,
    InvalidRequestError,
    StorageReadOnlyError,
    UnknownCharacterError,
)
from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import chain, exported, open_store
from omoide.runtime.store.exported import EventLine, OpLine
from omoide.runtime.store.paths import place_of
from omoide.runtime.store.schema import MIGRATIONS
from omoide.runtime.store.views import VIEWS
from omoide.tests.runtime.store.moved import export_to, import_from, stored, write_journal
from omoide.tests.runtime.store.samples import heard, settings_in

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=12,
)
TEXTS = st.text(st.characters(codec="utf-8"))
TIMES = st.floats(allow_nan=False, allow_infinity=False)


@given(TIMES, TEXTS, TEXTS, st.lists(TEXTS, max_size=3), JSON, st.binary(min_size=32, max_size=32))
def test_an_event_comes_out_of_its_line_byte_for_byte(
    at: float, actor: str, cause: str, ids: list[str], payload: Any, link: bytes
) -> None:
    stored_payload, stored_ids = msgspec.json.encode(payload), msgspec.json.encode(ids)
    line = msgspec.json.encode(
        EventLine(
            seq=1,
            at=at,
            actor=actor,
            cause=cause,
            kind="k",
            subject="s",
            record_ids=msgspec.Raw(stored_ids),
            payload=msgspec.Raw(stored_payload),
            digest=chain.digest_of(stored_payload).hex(),
            chain=link.hex(),
        )
    )

    read = msgspec.json.decode(line, type=EventLine)

    assert b"\n" not in line
    assert (bytes(read.payload), bytes(read.record_ids)) == (stored_payload, stored_ids)
    assert (read.at.hex(), read.actor, read.cause, read.chain) == (at.hex(), actor, cause, link.hex())


@given(JSON, TIMES, TEXTS)
def test_an_op_comes_out_of_its_line_byte_for_byte(work: Any, at: float, error: str) -> None:
    stored_work = msgspec.json.encode(work)
    line = msgspec.json.encode(
        OpLine(
            seq=1,
            id="op",
            work=msgspec.Raw(stored_work),
            cause="c",
            state="pending",
            attempts=0,
            not_before=at,
            enqueued_at=at,
            error=error,
        )
    )

    read = msgspec.json.decode(line, type=OpLine)

    assert b"\n" not in line
    assert (bytes(read.work), read.not_before.hex(), read.error) == (stored_work, at.hex(), error)


async def test_every_file_is_what_the_manifest_says(settings: Settings, tmp_path: Path) -> None:
    await write_journal(settings)

    report = export_to(settings, tmp_path / "x")

    manifest = json.loads((tmp_path / "x" / "manifest.json").read_bytes())
    contents = {path.name: path.read_bytes() for path in (tmp_path / "x").iterdir() if path.name in exported.FILES}
    assert manifest["files"] == {
        name: {
            "rows": len(json.loads(raw)) if name.endswith(".json") else raw.count(b"\n"),
            "bytes": len(raw),
            "sha256": hashlib.sha256(raw).hexdigest(),
        }
        for name, raw in contents.items()
    }
    assert (manifest["format"], manifest["character"], manifest["exported_at"]) == (1, "yui", 2_000.0)
    assert manifest["head"] == {"seq": report.events, "chain": report.chain}


async def test_anybody_can_read_and_check_the_events(settings: Settings, tmp_path: Path) -> None:
    await write_journal(settings)
    export_to(settings, tmp_path / "x")

    text = (tmp_path / "x" / "events.ndjson").read_text(encoding="utf-8")

    link = hashlib.sha256(b"omoide journal of yui").digest()
    for line in text.removesuffix("\n").split("\n"):
        event = json.loads(line)
        payload = line[line.index('"payload":') + 10 : line.rindex(',"digest":')]
        header = [event[name] for name in ("seq", "at", "actor", "cause", "kind", "subject", "record_ids")]
        header[1], header[6] = header[1].hex(), json.dumps(header[6], separators=(",", ":"), ensure_ascii=False)
        encoded = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
        link = hashlib.sha256(link + bytes.fromhex(event["digest"]) + encoded).digest()
        assert hashlib.sha256(payload.encode()).hexdigest() == event["digest"]
        assert link.hex() == event["chain"]
    assert "我对花生过敏" in text


def test_the_reference_names_every_file() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "export-format.md").read_text()

    assert [name for name in exported.FILES if f"`{name}`" not in page] == []


async def test_only_its_owner_can_look_into_an_export(settings: Settings, tmp_path: Path) -> None:
    await write_journal(settings)
    before = os.umask(0)
    try:
        export_to(settings, tmp_path / "x")
    finally:
        os.umask(before)

    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "x").iterdir()}

    assert (stat.S_IMODE((tmp_path / "x").stat().st_mode), modes) == (0o700, {0o600})


async def test_a_character_is_exported_as_it_was_committed_while_it_is_owned(
    settings: Settings, tmp_path: Path
) -> None:
    async with open_store(settings, VirtualClock(1_000.0), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        await journal.commit(heard("t1"))
        report = export_to(settings, tmp_path / "x")
        await journal.commit(heard("t2"))

    assert report.events == 1


async def test_what_is_committed_meanwhile_is_not_in_the_export(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omoide.runtime.store.exported.ROWS_A_STEP", 1)
    async with open_store(settings, VirtualClock(1_000.0), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        await journal.commit_all([heard("t1", key="m1"), heard("t2", key="m2")])

        def commit(done: int, _total: int) -> None:
            trio.from_thread.run(journal.commit, heard(f"late{done}", key=f"late{done}"))

        report = await store.export("yui", tmp_path / "x", watch=commit)

        assert journal.last_seq > report.events == 2
        assert (report.rows["turns"], report.keys, report.ops["pending"]) == (2, 2, 2)


async def test_an_export_changes_nothing_where_it_reads(settings: Settings, tmp_path: Path) -> None:
    await write_journal(settings)
    before = stored(settings)

    export_to(settings, tmp_path / "x")

    assert stored(settings) == before


def test_an_unknown_character_is_named_and_nothing_is_made(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(UnknownCharacterError, match="nobody"):
        export_to(settings, tmp_path / "x", "nobody")

    assert list(tmp_path.iterdir()) == []


async def test_an_empty_folder_is_taken_and_one_with_something_in_it_is_not(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "data")
    await write_journal(settings)
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary.txt").write_text("mine")

    export_to(settings, tmp_path / "empty")
    with pytest.raises(InvalidRequestError, match="full is not empty"):
        export_to(settings, tmp_path / "full")
    with pytest.raises(InvalidRequestError, match="empty is not empty"):
        export_to(settings, tmp_path / "empty")
    with pytest.raises(InvalidRequestError, match=r"diary\.txt is a file"):
        export_to(settings, tmp_path / "full" / "diary.txt")

    assert [path.name for path in (tmp_path / "full").iterdir()] == ["diary.txt"]


async def test_the_folders_above_are_made(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "data")
    await write_journal(settings)

    export_to(settings, tmp_path / "backups" / "today" / "yui")

    assert (tmp_path / "backups" / "today" / "yui" / "manifest.json").exists()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user may write anywhere")
async def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "data")
    await write_journal(settings)
    (tmp_path / "closed").mkdir(mode=0o500)

    with pytest.raises(StorageReadOnlyError, match="name a folder elsewhere"):
        export_to(settings, tmp_path / "closed" / "x")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE events SET payload = x'7b7d' WHERE character = :n AND seq = 2", "event 2"),
        ("UPDATE events SET payload = x'7b0a7d' WHERE character = :n AND seq = 2", "line 2"),
        ("DELETE FROM events WHERE character = :n AND seq = 3", "event 3 is missing"),
        ("UPDATE turns SET body = x'7b7d' WHERE character = :n AND id = 't1'", r"turns\.json line 2"),
        ("UPDATE outbox SET state = 'lost' WHERE character = :n AND seq = 1", "no op can be 'lost'"),
    ],
)
async def test_a_damaged_journal_is_not_exported(
    settings: Settings, tmp_path: Path, damage: str, says: str
) -> None:
    await write_journal(settings)
    with closing(sqlite3.connect(place_of(settings, "yui").database, isolation_level=None)) as connection:
        (number,) = connection.execute("SELECT id FROM characters WHERE name = 'yui'").fetchone()
        connection.execute(damage, {"n": number})

    with pytest.raises(CorruptStorageError, match=says):
        export_to(settings, tmp_path / "x")

    assert [path.name for path in tmp_path.iterdir()] == ["data"]


async def test_a_file_of_an_older_program_is_exported_without_the_views_that_it_lacks(
    settings: Settings, tmp_path: Path
) -> None:
    async with open_store(settings, VirtualClock(1_000.0), Unarmed()) as store:
        await (await store.open("yui", create=True)).commit(heard("t1"))
    database = place_of(settings, "yui").database
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        for view in VIEWS:
            if not any(f"CREATE TABLE {view.table}" in statement for statement in MIGRATIONS[0].statements):
                connection.execute(f"DROP TABLE {view.table}")
        connection.execute("PRAGMA user_version = 1")

    export_to(settings, tmp_path / "x")
    import_from(settings_in(tmp_path / "there"), tmp_path / "x")

    assert not (tmp_path / "x" / "rejections.json").exists()
    assert stored(settings_in(tmp_path / "there"))["turns"]


def test_memory_does_not_grow_with_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omoide.runtime.store.exported.ROWS_A_STEP", 32)
    text = "My sister Ingrid lives in Bergen. " * 60
    peaks = []
    for turns in (200, 1_000):
        settings, export = settings_in(tmp_path / f"{turns}"), tmp_path / f"x{turns}"

        async def write(settings: Settings = settings, turns: int = turns) -> None:
            async with open_store(settings, VirtualClock(1_000.0), Unarmed()) as store:
                journal = await store.open("yui", create=True)
                await journal.commit_all([heard(f"t{at}", key=f"m{at}", text=text) for at in range(turns)])

        trio.run(write)
        tracemalloc.start()
        export_to(settings, export)
        import_from(settings, export, "mio")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    size = (tmp_path / "x1000" / "events.ndjson").stat().st_size
    assert size > 2_000_000
    assert peaks[1] < min(size / 2, 1.5 * peaks[0]), peaks


EXPORTER = """
import sys
from pathlib import Path
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.store import exported
from omoide.tests.runtime.store.moved import export_to
from omoide.tests.runtime.store.samples import settings_in
folder, layout, point = sys.argv[1:]
points = ArmedFailpoints()
points.arm(point, Fault.KILL)
seen = []
def watch(done, total):
    seen.append(done)
    if point == "watch." + str(len(seen)):
        points.arm("now", Fault.KILL)
        points.reach("now")
exported.ROWS_A_STEP = 1
export_to(settings_in(Path(folder) / "data", layout), Path(folder) / "x", failpoints=points, watch=watch)
"""

POINTS = {
    "watch.1": False,
    "watch.9": False,
    "export.written": False,
    "watch.30": False,
    "export.before_rename": False,
    "export.after_rename": True,
}


@pytest.mark.kill
@pytest.mark.parametrize(("point", "is_there"), POINTS.items())
async def test_a_killed_export_leaves_nothing_that_looks_whole(tmp_path: Path, point: str, is_there: bool) -> None:
    settings = settings_in(tmp_path / "data")
    await write_journal(settings)

    killed = subprocess.run(
        [sys.executable, "-c", EXPORTER, tmp_path, "per-character", point], capture_output=True, check=False
    )

    assert killed.returncode == -9, killed.stderr
    assert (tmp_path / "x").exists() == is_there
    if is_there:
        import_from(settings_in(tmp_path / "there"), tmp_path / "x")
        assert stored(settings_in(tmp_path / "there")) == stored(settings)
    else:
        export_to(settings, tmp_path / "x")
