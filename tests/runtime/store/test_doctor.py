"""The doctor finds every damage, and nothing in a sound journal."""

# ruff: noqa: S608 - tables and columns come from the tables below

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from omoide.protocols.errors import UnknownCharacterError
from omoide.protocols.events import ProfileSet
from omoide.protocols.messages import Commit
from omoide.protocols.records import Profile
from omoide.protocols.settings import Settings
from omoide.protocols.work import op_id
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import examine, open_store, paths
from omoide.runtime.store.paths import place_of
from omoide.tests.runtime.store.samples import a_fact, failed, heard, learned, settings_in, work

EVENT_COLUMNS = (
    "character",
    "seq",
    "at",
    "actor",
    "cause",
    "kind",
    "subject",
    "record_ids",
    "payload",
    "digest",
    "chain",
)
OP = op_id(work("t1"))


async def write_journal(settings: Settings) -> None:
    async with open_store(settings, VirtualClock(1_000.0), Unarmed()) as store:
        await (await store.open("rin", create=True)).commit(heard("t1"))
        journal = await store.open("yui", create=True)
        await journal.commit(Commit(actor="host", cause="c", changes=(ProfileSet(profile=Profile(owner="Sam")),)))
        await journal.commit(heard("t1", key="m1"))
        await journal.commit(learned(OP, a_fact("f1"), a_fact("f2", "Ingrid is a nurse")))
        await journal.commit(learned(op_id(work("t1")), a_fact("never")))
        await journal.commit(
            Commit(actor="dedup", cause="c", changes=learned(OP, a_fact("f1", turns=("t1", "t2"))).changes)
        )
        await journal.commit(heard("t2"))
        await journal.commit(failed(op_id(work("t2")), "poisoned", parks=True))


@contextmanager
def opened(settings: Settings) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(place_of(settings, "yui").database, isolation_level=None)) as connection:
        yield connection


def number_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT id FROM characters WHERE name = 'yui'").fetchone()[0])


def flips(value: Any) -> Iterator[Any]:
    """Values that differ from this one in one bit of one byte, first to last (of numbers: one other)."""
    if isinstance(value, int):
        yield value + 1000
    elif isinstance(value, float):
        yield value + 2**-20
    else:
        raw = value.encode() if isinstance(value, str) else value
        if not raw:
            yield "x"
            return
        for at in {*range(0, len(raw), max(1, len(raw) // 6)), len(raw) - 1}:
            flipped = raw[:at] + bytes([raw[at] ^ 0x01]) + raw[at + 1 :]
            yield flipped.decode() if isinstance(value, str) else flipped


async def test_a_sound_journal_is_healthy_and_counted(settings: Settings) -> None:
    await write_journal(settings)

    report = examine(settings, "yui")

    assert report.findings == ()
    assert report.healthy
    assert (report.events, report.erased, report.first_broken) == (6, 0, None)
    assert report.rows == {
        "turns": 2,
        "facts": 2,
        "profiles": 1,
        "rejections": 0,
        "reflections": 0,
        "persona": 0,
        "memos": 0,
        "directives": 0,
        "erasures": 0,
        "people": 0,
    }
    assert report.ops == {"pending": 0, "done": 1, "parked": 1, "discarded": 0}


async def test_a_journal_is_examined_while_it_is_owned(settings: Settings) -> None:
    async with open_store(settings, VirtualClock(1_000.0), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        await journal.commit(heard("t1"))

        assert examine(settings, "yui").healthy
        assert not (await journal.commit(heard("t2"))).repeated


def test_an_unknown_character_is_named(settings: Settings) -> None:
    with pytest.raises(UnknownCharacterError, match="nobody"):
        examine(settings, "nobody")


@pytest.mark.parametrize("column", EVENT_COLUMNS)
async def test_a_flipped_byte_in_any_column_of_any_event_is_found(tmp_path: Path, column: str) -> None:
    settings = settings_in(tmp_path)
    await write_journal(settings)
    unfound = []
    with opened(settings) as connection:
        number = number_of(connection)
        events = connection.execute(
            f"SELECT seq, {column} FROM events WHERE character = ? ORDER BY seq", (number,)
        ).fetchall()
        for seq, value in events:
            for flipped in flips(value):
                connection.execute(
                    f"UPDATE events SET {column} = ? WHERE character = ? AND seq = ?", (flipped, number, seq)
                )
                if (broken := examine(settings, "yui").first_broken) != seq:
                    unfound.append((seq, flipped, broken))
                where = (
                    flipped if column == "character" else number,
                    flipped if column == "seq" else seq,
                )
                connection.execute(
                    f"UPDATE events SET {column} = ? WHERE character = ? AND seq = ?", (value, *where)
                )

    assert unfound == []
    assert examine(settings, "yui").healthy


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("turns", "id"),
        ("turns", "seq"),
        ("turns", "subject"),
        ("turns", "body"),
        ("facts", "id"),
        ("facts", "status"),
        ("facts", "body"),
        ("profiles", "body"),
    ],
)
async def test_a_flipped_byte_in_a_view_is_found(tmp_path: Path, table: str, column: str) -> None:
    settings = settings_in(tmp_path)
    await write_journal(settings)
    with opened(settings) as connection:
        key, value = connection.execute(f"SELECT character, {column} FROM {table} LIMIT 1").fetchone()
        unfound = []
        for flipped in flips(value):
            connection.execute("BEGIN")
            connection.execute(
                f"UPDATE {table} SET {column} = ? WHERE character = ? AND {column} = ?", (flipped, key, value)
            )
            connection.execute("COMMIT")
            if not any(finding.part == "views" for finding in examine(settings, "yui").findings):
                unfound.append(flipped)
            connection.execute(
                f"UPDATE {table} SET {column} = ? WHERE character = ? AND {column} = ?", (value, key, flipped)
            )

    assert unfound == []


@pytest.mark.parametrize(
    ("damage", "part", "says"),
    [
        ("DELETE FROM events WHERE character = :n AND seq = 3", "chain", "event 3 is missing"),
        ("DELETE FROM events WHERE character = :n AND seq = 6", "chain", "the tail is missing"),
        ("UPDATE characters SET head_chain = x'00' WHERE id = :n", "chain", "not the end of the log"),
        ("UPDATE characters SET head_seq = 5 WHERE id = :n", "chain", "not the end of the log"),
        ("DELETE FROM turns WHERE character = :n AND id = 't1'", "views", "t1 was stored by an event"),
        ("INSERT INTO turns VALUES (:n, 9, 't9', 'private', x'7b7d')", "views", "t9 is in the view, but no event"),
        ("UPDATE outbox SET state = 'lost' WHERE character = :n AND seq = 1", "outbox", "no op can be 'lost'"),
        ("UPDATE outbox SET work = x'7b7d' WHERE character = :n AND seq = 1", "outbox", "can not be read"),
        ("UPDATE outbox SET error = '' WHERE character = :n AND seq = 2", "outbox", "parked without an error"),
        ("DELETE FROM outbox WHERE character = :n AND seq = 1", "outbox", "op 1 is missing"),
        ("INSERT INTO turns VALUES (99, 1, 't', 'private', x'7b7d')", "rows", "isn't in the file"),
    ],
)
async def test_damage_is_told_in_words(settings: Settings, damage: str, part: str, says: str) -> None:
    await write_journal(settings)
    with opened(settings) as connection:
        connection.execute(damage, {"n": number_of(connection)} if ":n" in damage else {})

    findings = examine(settings, "yui").findings

    assert any(finding.part == part and says in finding.message for finding in findings), findings


async def test_an_erased_payload_leaves_the_chain_whole(settings: Settings) -> None:
    await write_journal(settings)
    with opened(settings) as connection:
        number = number_of(connection)
        connection.execute("UPDATE events SET payload = NULL WHERE character = ? AND seq = 6", (number,))
        connection.execute("DELETE FROM turns WHERE character = ? AND id = 't2'", (number,))

    report = examine(settings, "yui")

    assert report.findings == ()
    assert report.erased == 1


async def test_a_flipped_byte_in_the_file_itself_is_found(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    await write_journal(settings)
    database = place_of(settings, "yui").database
    sound = database.read_bytes()
    start = sound.index(b'{"kind":"fact_added"')
    unfound = []
    for at in range(start, start + 300, 7):
        database.write_bytes(sound[:at] + bytes([sound[at] ^ 0x20]) + sound[at + 1 :])
        if examine(settings, "yui").healthy:
            unfound.append(at - start)
    database.write_bytes(sound)

    assert unfound == []


async def test_a_record_that_an_older_program_wrote_without_later_fields_is_sound(settings: Settings) -> None:
    await write_journal(settings)
    place = paths.place_of(settings, "yui")
    with closing(sqlite3.connect(place.database)) as connection, connection:
        shortened = connection.execute(
            "UPDATE facts SET body = CAST(replace(CAST(body AS TEXT), ?, '') AS BLOB)",
            (',"status":"active","status_at":null,"reason":""',),
        ).rowcount
        (text,) = connection.execute("SELECT CAST(body AS TEXT) FROM facts LIMIT 1").fetchone()

    assert shortened
    assert "status_at" not in text
    assert examine(settings, "yui").findings == ()
