"""What erasing does with each table, and that no table, record or work is forgotten."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from omoide.protocols.erasure import EraseMemory, EraseSubject, EraseWords
from omoide.protocols.events import AnyRecord
from omoide.protocols.messages import Commit
from omoide.protocols.records import OpId
from omoide.protocols.scopes import Subject
from omoide.protocols.settings import Settings
from omoide.protocols.work import OpState
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import (
    JournalStore,
    SqliteJournal,
    examine,
    open_store,
    preview,
    schema,
    scrubbing,
    views,
)
from omoide.runtime.store.erasing import TREATMENTS
from omoide.tests.runtime.store.filled import Filler
from omoide.tests.runtime.store.samples import a_fact, heard, learned, settings_in
from omoide.tests.runtime.store.traces import traces

GROUP = Subject("group:qq:77")
ELSEWHERE = Subject("group:qq:78")


async def fill(journal: SqliteJournal, subject: Subject, marker: str) -> None:
    filler = Filler(subject, marker)
    for change in filler.changes():
        await journal.commit(Commit(actor="test", cause="test", changes=(change,)))
    await journal.commit(Commit(actor="test", cause="test", enqueues=tuple(filler.works())))


def test_every_table_has_a_treatment(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as connection:
        schema.migrate(connection)
        tables = {
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            if not name.startswith("sqlite_")
        }

    assert tables == set(TREATMENTS) == set(schema.TABLES)


def test_every_kind_of_record_has_a_view() -> None:
    assert set(views.HOME) == set(get_args(AnyRecord))
    assert set(views.HOME.values()) == set(views.VIEWS)


async def test_every_kind_of_record_and_work_is_erased_with_its_subject(
    settings: Settings, store: JournalStore, journal: SqliteJournal
) -> None:
    await fill(journal, GROUP, "Zanzibar")
    await fill(journal, ELSEWHERE, "Ulaanbaatar")
    await store.close_character("yui")

    report = await store.erase("yui", EraseSubject(GROUP))

    assert report.scrubbed
    assert traces(settings.data_dir, "Zanzibar") == []
    assert traces(settings.data_dir, "Ulaanbaatar label")
    reopened = await store.open("yui")
    left = await reopened.ops(states=tuple(OpState))
    assert {"Zanzibar" in str(op.work) for op in left} == {False}
    assert {op.state for op in left if op.id.startswith("op_erased")} == {OpState.DISCARDED}
    assert {"Ulaanbaatar" in str(op.work) for op in left} == {True, False}


async def test_every_kind_of_record_and_work_is_erased_by_the_words_in_it(
    settings: Settings, store: JournalStore, journal: SqliteJournal
) -> None:
    await fill(journal, GROUP, "Zanzibar")
    await store.close_character("yui")

    await store.erase("yui", EraseWords("ＺＡＮＺＩＢＡＲ"))

    assert traces(settings.data_dir, "Zanzibar") == []


async def test_the_views_are_what_the_events_say_after_erasing_a_fact(
    settings: Settings, store: JournalStore, journal: SqliteJournal
) -> None:
    for turn in ("t1", "t2"):
        await journal.commit(heard(turn, text=f"{turn}: my sister Ingrid lives in Bergen"))
    op = (await journal.ops(states=(OpState.PENDING,)))[0].id
    await journal.commit(
        learned(op, a_fact("fact_1", turns=("t1", "t2")), a_fact("fact_2", "I like tea", turns=("t1",)))
    )
    await store.close_character("yui")

    report = await store.erase("yui", EraseMemory("fact_1"))

    assert report.removed == {"fact": 1, "turn": 2}
    assert examine(settings, "yui").findings == ()
    reopened = await store.open("yui")
    assert [fact.id for fact in await reopened.facts()] == ["fact_2"]


async def test_a_fact_of_two_turns_rests_on_the_other_one_when_a_turn_is_erased(
    settings: Settings, store: JournalStore, journal: SqliteJournal
) -> None:
    for turn in ("t1", "t2"):
        await journal.commit(heard(turn))
    op = (await journal.ops(states=(OpState.PENDING,)))[0].id
    await journal.commit(
        learned(op, a_fact("fact_1", turns=("t1", "t2")), a_fact("fact_2", "I like tea", turns=("t1",)))
    )
    await store.close_character("yui")

    report = await store.erase("yui", EraseMemory("t1"))

    assert (report.removed, report.changed) == ({"fact": 1, "turn": 1}, 1)
    assert examine(settings, "yui").findings == ()
    (left,) = await (await store.open("yui")).facts()
    assert [source.turn for source in left.sources] == ["t2"]


async def test_words_that_only_a_former_state_held_go_and_the_record_keeps_its_place(
    settings: Settings, store: JournalStore, journal: SqliteJournal
) -> None:
    await journal.commit(heard("t1", text="nothing of that"))
    ops = [op.id for op in await journal.ops(states=(OpState.PENDING,))]
    await journal.commit(learned(ops[0], a_fact("fact_1", "I live in Zanzibar")))
    await journal.commit(learned(ops[0], a_fact("fact_0", "I like tea")))
    for text in ("I live in Oslo", "I live in Rome"):
        change = learned(ops[0], a_fact("fact_1", text), repeats=True).changes
        await journal.commit(Commit(actor="dedup", cause="t", changes=change))
    await store.close_character("yui")

    report = await store.erase("yui", EraseWords("zanzibar"))

    assert (report.removed, report.payloads) == ({}, 1)
    assert traces(settings.data_dir, "Zanzibar") == []
    assert examine(settings, "yui").findings == ()


async def test_pages_that_were_split_and_rows_that_grew_leave_no_byte(
    settings: Settings, store: JournalStore, journal: SqliteJournal
) -> None:
    """Zeroing what is deleted isn't enough: SQLite copies rows between pages and leaves the old copies behind."""
    random = Random(7)
    kept: dict[str, str] = {}
    for _ in range(60):
        commits = []
        for _ in range(20):
            grows = bool(kept) and random.random() < 0.5
            fact_id = random.choice(list(kept)) if grows else f"fact_{random.randrange(10**9)}"
            word = kept.setdefault(fact_id, random.choice(("Zanzibar ", "Bergen ")))
            subject = GROUP if word == "Zanzibar " else ELSEWHERE
            text = word * random.randint(1, 40 if random.random() < 0.9 else 900)
            change = learned(OpId(""), a_fact(fact_id, text, subject), repeats=grows).changes
            commits.append(Commit(actor="dedup", cause="t", changes=change))
        await journal.commit_all(commits)
    await store.close_character("yui")

    await store.erase("yui", EraseSubject(GROUP))

    assert traces(settings.data_dir, "Zanzibar", "zanzibar") == []
    assert traces(settings.data_dir, "Bergen")
    assert examine(settings, "yui").findings == ()


async def test_the_log_is_emptied_while_others_have_the_file_open(tmp_path: Path, clock: VirtualClock) -> None:
    settings = settings_in(tmp_path / "data", "shared")
    async with open_store(settings, clock, Unarmed()) as store:
        mio = await store.open("mio", create=True)
        yui = await store.open("yui", create=True)
        await mio.commit(heard("t1", text="I live in Bergen"))
        await yui.commit(heard("t1", text="I live in Zanzibar"))
        await store.close_character("yui")

        await store.erase("yui", EraseWords("zanzibar"))

        assert traces(settings.data_dir, "Zanzibar") == []
        await mio.commit(heard("t2"))
        assert len(await mio.turns(newest=9)) == 2


async def test_a_folder_without_an_erasure_is_never_rewritten(
    settings: Settings, store: JournalStore, journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    await journal.commit(heard("t1"))
    await store.close_character("yui")
    monkeypatch.setattr(scrubbing, "_emptied", None)  # whoever rewrites needs it

    await store.open("yui")

    assert preview(settings, "yui", EraseWords("hello")).removed == {"turn": 1}
