"""P7: every change has an event, views equal the fold of the events, and the log verifies as a hash chain."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from omoide.protocols.events import FactAdded, FactRepeated, TurnHeard
from omoide.protocols.records import FactId, TurnId
from omoide.protocols.settings import Settings
from omoide.runtime.host import open_runtime
from omoide.runtime.store.doctor import examine

SAID = [
    "I keep bees on the roof.",
    "My sister Ingrid lives in Bergen.",
    "i keep BEES on the roof",
    "我对花生过敏。",
]


@pytest.fixture
async def settings(tmp_path: Path) -> Settings:
    """A folder in which a conversation has been learned."""
    settings = Settings(data_dir=tmp_path)
    async with open_runtime(settings) as runtime:
        character = await runtime.character("yui", owner="Sam")
        for text in SAID:
            await character.hear(text)
            await character.say("I see.")
        await character.settle()
    return settings


def database_of(settings: Settings) -> Path:
    (database,) = settings.data_dir.rglob("memory.db")
    return database


async def test_the_facts_are_what_their_events_add_up_to(settings: Settings) -> None:
    async with open_runtime(settings) as runtime:
        character = await runtime.character("yui", create=False)
        folded = {
            event.change.fact.id: event.change.fact
            for event in await character.events()
            if isinstance(event.change, FactAdded | FactRepeated)
        }

        stored = {fact.id: fact for fact in await character.facts()}

    assert len(stored) == 3
    assert folded == stored


async def test_why_a_fact_is_there_and_since_when_is_answered_by_its_events(settings: Settings) -> None:
    async with open_runtime(settings) as runtime:
        character = await runtime.character("yui", create=False)
        (bees,) = [fact for fact in await character.facts() if "bees" in fact.text]
        events = await character.events()

    heard: dict[TurnId, float] = {
        event.change.turn.id: event.at for event in events if isinstance(event.change, TurnHeard)
    }
    history = [event for event in events if bees.id in map(FactId, event.record_ids)]
    assert [event.kind for event in history] == ["fact_added", "fact_repeated"]
    assert all(source.turn in heard for source in bees.sources)


async def test_an_untouched_journal_is_healthy(settings: Settings) -> None:
    report = examine(settings, "yui")

    assert (report.healthy, report.events) == (True, 13)


async def test_the_doctor_finds_a_flipped_byte_in_the_payload_of_any_event(settings: Settings) -> None:
    database = database_of(settings)
    whole = database.read_bytes()
    with closing(sqlite3.connect(database)) as connection:
        events = connection.execute("SELECT seq, payload FROM events ORDER BY seq").fetchall()
    unnoticed = []
    for seq, payload in events:
        flipped = bytearray(payload)
        flipped[len(flipped) // 2] ^= 0x01
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("UPDATE events SET payload = ? WHERE seq = ?", (bytes(flipped), seq))
        if examine(settings, "yui").first_broken != seq:
            unnoticed.append(seq)
        database.write_bytes(whole)

    assert unnoticed == []


async def test_the_doctor_finds_a_fact_that_no_event_tells_of(settings: Settings) -> None:
    with closing(sqlite3.connect(database_of(settings))) as connection, connection:
        connection.execute("UPDATE facts SET body = CAST(replace(body, 'Bergen', 'Tromso') AS BLOB)")

    assert not examine(settings, "yui").healthy


async def test_the_doctor_finds_that_the_newest_event_is_gone(settings: Settings) -> None:
    with closing(sqlite3.connect(database_of(settings))) as connection, connection:
        connection.execute("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)")

    assert not examine(settings, "yui").healthy
