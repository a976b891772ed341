"""The cache of vectors in the journal's file."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest
from msgspec.structs import replace

from omoide.protocols.events import FactAdded, FactRetracted, TurnHeard, ValueRejected
from omoide.protocols.messages import Commit
from omoide.protocols.records import Entity, FactStatus, Rejection, RejectionId
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings
from omoide.protocols.vectors import Space, Vector, VectorCounts, digest_of, packed
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import SqliteJournal, export_character, open_reader, open_store
from omoide.runtime.store.doctor import examine
from omoide.runtime.store.paths import place_of
from omoide.tests.runtime.store.samples import a_fact, a_turn

SMALL = Space("small", 3)
OTHER = Space("other", 3)


def a_vector(record: str, *components: float, space: Space = SMALL, passage: str = "x") -> Vector:
    return Vector(
        record=record,
        space=space,
        digest=digest_of(passage),
        components=packed(np.array(components or (1.0, 0.0, 0.0), dtype=np.float32)),
    )


def storing(*vectors: Vector) -> Commit:
    return Commit(actor="embedding", cause="op", vectors=vectors)


async def hold_facts(journal: SqliteJournal, *ids: str) -> None:
    changes = tuple(FactAdded(fact=a_fact(each)) for each in ids)
    await journal.commit(Commit(actor="dedup", cause="t1", changes=changes))


async def test_a_vector_that_was_stored_is_read_back_with_length_1(journal: SqliteJournal) -> None:
    await hold_facts(journal, "f1")
    await journal.commit(storing(a_vector("f1", 3.0, 0.0, 4.0)))
    found = await journal.vectors(SMALL)
    assert found.records == ("f1",)
    assert np.allclose(found.matrix, [[0.6, 0.0, 0.8]], atol=1e-3)


async def test_vectors_of_two_spaces_are_never_read_together(journal: SqliteJournal) -> None:
    await hold_facts(journal, "f1", "f2")
    await journal.commit(storing(a_vector("f1"), a_vector("f2", space=OTHER)))
    assert (await journal.vectors(SMALL)).records == ("f1",)
    assert (await journal.vectors(Space("small", 4))).records == ()


async def test_a_record_has_one_vector_the_newest(journal: SqliteJournal) -> None:
    await hold_facts(journal, "f1")
    await journal.commit(storing(a_vector("f1")))
    await journal.commit(storing(a_vector("f1", space=OTHER)))
    assert (await journal.vectors(SMALL)).records == ()
    assert (await journal.vectors(OTHER)).records == ("f1",)


async def test_reading_after_a_seq_finds_what_came_later(journal: SqliteJournal) -> None:
    await hold_facts(journal, "f1", "f2")
    await journal.commit(storing(a_vector("f1")))
    before = (await journal.vectors(SMALL)).seq
    assert journal.vector_seq == before
    await journal.commit(storing(a_vector("f2")))
    assert journal.vector_seq > before
    assert (await journal.vectors(SMALL, after=before)).records == ("f2",)


async def test_vectors_that_are_read_some_at_a_time_are_all_read_once(journal: SqliteJournal) -> None:
    await hold_facts(journal, "f1", "f2", "f3")
    await journal.commit(storing(a_vector("f1"), a_vector("f2", space=OTHER), a_vector("f3")))
    first = await journal.vectors(SMALL, limit=1)
    rest = await journal.vectors(SMALL, after=first.seq, limit=2)
    assert (first.records, rest.records, rest.seq) == (("f1",), ("f3",), journal.vector_seq)


async def test_the_vector_of_what_is_not_stored_is_not_kept(journal: SqliteJournal) -> None:
    await hold_facts(journal, "f1")
    await journal.commit(storing(a_vector("f1"), a_vector("erased")))
    assert (await journal.vectors(SMALL)).records == ("f1",)


async def test_no_event_tells_of_a_vector(journal: SqliteJournal) -> None:
    await hold_facts(journal, "f1")
    before = journal.last_seq
    await journal.commit(storing(a_vector("f1")))
    assert journal.last_seq == before


async def test_rejections_are_embedded_first_and_what_takes_no_part_not_at_all(journal: SqliteJournal) -> None:
    rejection = Rejection(
        id=RejectionId("r1"),
        text="Ingrid lives in Oslo",
        entity=Entity.OTHER,
        subject=PRIVATE,
        disputation=1.0,
        disputed_at=1.0,
        cause="t2",
        created_at=1.0,
    )
    gone = a_fact("f2")
    await journal.commit(
        Commit(
            actor="scribe",
            cause="t1",
            changes=(
                TurnHeard(turn=a_turn("t1")),
                FactAdded(fact=a_fact("f1")),
                FactAdded(fact=gone),
                FactRetracted(fact=replace(gone, status=FactStatus.RETRACTED)),
                ValueRejected(rejection=rejection),
            ),
        )
    )
    seq, found = await journal.unembedded(SMALL, limit=10)
    assert [record.id for record in found] == ["r1", "f1", "t1"]
    assert seq == journal.last_seq
    assert await journal.vector_counts(SMALL) == VectorCounts(done=0, pending=3)
    await journal.commit(storing(a_vector("f1"), a_vector("t1", space=OTHER)))
    assert [record.id for record in (await journal.unembedded(SMALL, limit=10))[1]] == ["r1", "t1"]
    assert [record.id for record in (await journal.unembedded(SMALL, limit=1))[1]] == ["r1"]
    assert await journal.vector_counts(SMALL) == VectorCounts(done=1, pending=2)


async def test_a_reworded_record_is_known_to_need_another_vector(journal: SqliteJournal) -> None:
    await hold_facts(journal, "f1", "f2")
    await journal.commit(storing(a_vector("f1", passage="as it is"), a_vector("f2", passage="as it was")))
    assert await journal.embedded(SMALL, [("f1", "as it is"), ("f2", "as it is"), ("f3", "new")]) == {"f1"}


async def test_a_program_that_only_reads_sees_the_vectors(settings: Settings) -> None:
    async with open_store(settings, VirtualClock(1.0), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        await hold_facts(journal, "f1")
        await journal.commit(storing(a_vector("f1")))
    async with open_reader(settings, "yui") as reader:
        assert reader.vector_seq == 1
        assert (await reader.vectors_of(SMALL, ["f1", "f2"])).records == ("f1",)


async def test_an_export_holds_no_vectors_and_what_is_imported_waits_for_new_ones(settings: Settings) -> None:
    async with open_store(settings, VirtualClock(1.0), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        await hold_facts(journal, "f1")
        await journal.commit(storing(a_vector("f1")))
        folder = settings.data_dir.parent / "set"
        export_character(settings, "yui", folder, now=1.0, failpoints=Unarmed())
        await store.import_(folder, "rin")
    async with open_reader(settings, "rin") as reader:
        assert await reader.vector_counts(SMALL) == VectorCounts(done=0, pending=1)
    assert examine(settings, "rin").healthy


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vectors SET components = x'00'",
        "UPDATE vectors SET id = 'nobody'",
    ],
)
async def test_the_doctor_finds_a_vector_that_would_be_compared_wrongly(settings: Settings, damage: str) -> None:
    async with open_store(settings, VirtualClock(1.0), Unarmed()) as store:
        journal = await store.open("yui", create=True)
        await hold_facts(journal, "f1")
        await journal.commit(storing(a_vector("f1")))
    assert examine(settings, "yui").healthy
    with closing(sqlite3.connect(place_of(settings, "yui").database)) as connection:
        connection.execute(damage)
        connection.commit()
    assert [found.part for found in examine(settings, "yui").findings] == ["vectors"]
