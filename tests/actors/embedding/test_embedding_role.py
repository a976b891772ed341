"""Whatever is remembered gets its vector in the background, whatever goes wrong meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from random import Random

import pytest
import trio

from omoide.actors.bulkhead import Bulkhead
from omoide.actors.embedding import actor
from omoide.actors.embedding.query import query_vector
from omoide.actors.role import Surroundings
from omoide.protocols.ports import Journal
from omoide.protocols.settings import EmbeddingSettings, Settings
from omoide.protocols.vectors import Space, VectorCounts
from omoide.protocols.work import EmbedRecords, OpState
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import Runtime, open_runtime
from omoide.tests.embedders import WordEmbedder

START = 1_772_442_000.0


class Stage:
    """A character with an embedding model."""

    def __init__(
        self, runtime: Runtime, character: Character, clock: VirtualClock, failpoints: ArmedFailpoints
    ) -> None:
        self.runtime = runtime
        self.character = character
        self.clock = clock
        self.failpoints = failpoints

    async def settle(self) -> None:
        """Do all work, moving the clock to what waits."""
        while (drained := await self.character.drain()).next_at is not None:
            self.clock.advance_to(drained.next_at)

    @asynccontextmanager
    async def journal(self) -> AsyncIterator[Journal]:
        async with self.runtime.resident(self.character.name) as resident:
            yield resident.journal

    async def counts(self, embedder: WordEmbedder) -> VectorCounts:
        async with self.journal() as journal:
            return await journal.vector_counts(Space(embedder.id, embedder.dimension))

    async def embedded(self, embedder: WordEmbedder) -> set[str]:
        async with self.journal() as journal:
            return set((await journal.vectors(Space(embedder.id, embedder.dimension))).records)

    async def work(self, *states: OpState) -> list[str]:
        return [op.error for op in await self.character.outbox(states=states) if isinstance(op.work, EmbedRecords)]


Stages = Callable[..., AbstractAsyncContextManager[Stage]]


@pytest.fixture
def stage(tmp_path: Path) -> Stages:
    """Open a character in this test's folder with an embedding model: `async with stage(embedder) as it`."""

    @asynccontextmanager
    async def play(embedder: WordEmbedder | None, batch: int = 32) -> AsyncIterator[Stage]:
        clock, failpoints = VirtualClock(START), ArmedFailpoints()
        tree = Settings(data_dir=tmp_path, embeddings=EmbeddingSettings(batch=batch))
        async with open_runtime(tree, clock=clock, failpoints=failpoints, embedder=embedder) as runtime:
            yield Stage(runtime, await runtime.character("yui", owner="Sam"), clock, failpoints)

    return play


async def test_a_turn_and_what_it_states_are_embedded(stage: Stages) -> None:
    embedder = WordEmbedder()
    async with stage(embedder) as it:
        receipt = await it.character.hear("I work as a nurse.")
        await it.settle()
        (fact,) = await it.character.facts()
        assert await it.embedded(embedder) == {receipt.turn, fact.id}
        assert "Sam: I work as a nurse." in embedder.passages
        assert await it.counts(embedder) == VectorCounts(done=2, pending=0)


async def test_hearing_and_saying_wait_for_no_model(stage: Stages) -> None:
    embedder = WordEmbedder()
    embedder.blocked = True
    async with stage(embedder) as it:
        with trio.fail_after(5):
            await it.character.hear("I work as a nurse.")
            await it.character.say("Which hospital?")
        assert len(await it.character.turns(newest=9)) == 2


async def test_closing_waits_for_no_model(stage: Stages) -> None:
    embedder = WordEmbedder()
    embedder.blocked = True
    with trio.fail_after(5):
        async with stage(embedder) as it:
            await it.character.hear("I work as a nurse.")
            while not embedder.kept_waiting:
                await trio.lowlevel.checkpoint()

    assert "I work as a nurse." in embedder.kept_waiting


async def test_what_is_said_again_is_embedded_once(stage: Stages) -> None:
    embedder = WordEmbedder()
    async with stage(embedder) as it:
        for _ in range(3):
            await it.character.hear("I work as a nurse.")
            await it.settle()
        (fact,) = await it.character.facts()
        assert embedder.passages.count(fact.text) == 1


async def test_a_backlog_is_worked_off_in_batches(stage: Stages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actor, "SCANNED", 7)
    embedder = WordEmbedder()
    async with stage(None) as it:
        for number in range(20):
            await it.character.hear(f"I own boat number {number}.")
        await it.settle()
    async with stage(embedder, batch=4) as it:
        await it.settle()
        counts = await it.counts(embedder)
        assert counts.done >= 40
        assert counts.pending == 0
        assert max(embedder.batches) == 4


async def test_vectors_of_two_models_are_never_held_together(stage: Stages) -> None:
    small, large = WordEmbedder("small", 384), WordEmbedder("large", 768)
    async with stage(small) as it:
        for number in range(100):
            await it.character.hear(f"I own boat number {number}.")
        await it.settle()
        had = await it.counts(small)
        assert had.done >= 200
        assert had.pending == 0
    async with stage(large) as it:
        async with it.journal() as journal:
            found = await journal.vectors(Space("large", 768))
            assert found.matrix.shape[1] == 768
        await it.settle()
        assert await it.counts(large) == had
        assert await it.embedded(small) == set()
    async with stage(small) as it:
        await it.settle()
        assert await it.counts(small) == had


async def test_a_broken_model_parks_one_op_and_a_repaired_one_takes_it_up(stage: Stages) -> None:
    embedder = WordEmbedder()
    embedder.failure = "model.onnx is damaged"
    async with stage(embedder) as it:
        await it.character.hear("I work as a nurse.")
        await it.settle()
        await it.character.hear("I live in Kyoto.")
        await it.settle()
        assert await it.work(OpState.PARKED) == ["ModelError: model.onnx is damaged"]
        assert await it.counts(embedder) == VectorCounts(done=0, pending=4)
        assert [hit.text for hit in (await it.character.recall("nurse")).hits]
    embedder.failure = ""
    async with stage(embedder) as it:
        await it.settle()
        assert await it.work(OpState.PARKED, OpState.PENDING) == []
        assert await it.counts(embedder) == VectorCounts(done=4, pending=0)


async def test_work_of_a_model_that_is_gone_is_settled_by_the_one_that_came(stage: Stages) -> None:
    broken, other = WordEmbedder("broken"), WordEmbedder("other")
    broken.failure = "gone"
    async with stage(broken) as it:
        await it.character.hear("I work as a nurse.")
        await it.settle()
    async with stage(other) as it:
        await it.settle()
        assert await it.work(OpState.PARKED, OpState.PENDING) == []
        assert await it.counts(other) == VectorCounts(done=2, pending=0)


async def test_embedding_goes_on_after_somebody_discarded_its_work(stage: Stages) -> None:
    embedder = WordEmbedder()
    embedder.failure = "not now"
    async with stage(embedder) as it:
        await it.character.hear("I work as a nurse.")
        await it.character.drain()
        (op,) = [op for op in await it.character.outbox() if isinstance(op.work, EmbedRecords)]
        await it.character.discard(op.id)
        embedder.failure = ""
        await it.settle()
        assert await it.counts(embedder) == VectorCounts(done=2, pending=0)


@pytest.mark.parametrize("point", ["embedding.embedded", "embedding.before_commit", "embedding.after_commit"])
async def test_a_crash_anywhere_leaves_what_one_run_leaves(stage: Stages, point: str) -> None:
    embedder = WordEmbedder()
    async with stage(embedder) as it:
        it.failpoints.arm(point, Fault.CRASH)
        await it.character.hear("I work as a nurse.")
        await it.settle()
        await trio.sleep(0.3)  # a role that crashed is back after its backoff
        await it.settle()
        assert await it.counts(embedder) == VectorCounts(done=2, pending=0)


async def test_a_persona_entry_is_embedded(stage: Stages) -> None:
    embedder = WordEmbedder()
    async with stage(embedder) as it:
        await it.character.describe(card=["I am a lighthouse keeper."])
        await it.settle()
        (entry,) = [entry for entry in await it.character.persona() if "lighthouse" in entry.text]
        assert entry.id in await it.embedded(embedder)


async def test_a_reworded_fact_is_embedded_anew(stage: Stages) -> None:
    embedder = WordEmbedder()
    async with stage(embedder) as it:
        await it.character.hear("I work as a nurse.", said_at=START - 10)
        await it.settle()
        await it.character.hear("i work as a nurse!", said_at=START - 20)  # what was said first words the fact
        await it.settle()
        (fact,) = await it.character.facts()
        assert embedder.passages[-1] == fact.text
        assert embedder.passages.count(fact.text) == 1


async def test_no_model_makes_no_work(stage: Stages) -> None:
    async with stage(None) as it:
        await it.character.hear("I work as a nurse.")
        await it.settle()
        assert await it.work(*OpState) == []


async def test_a_query_gets_its_vector_or_none_in_time(stage: Stages) -> None:
    embedder = WordEmbedder()
    async with stage(embedder) as it, it.journal() as journal:
        world = surroundings(it, journal, embedder)
        vector = await query_vector(world, "nurse")
        assert vector is not None
        assert vector.shape == (embedder.dimension,)
        embedder.failure = "died"
        assert await query_vector(world, "nurse") is None
        embedder.blocked = True
        with trio.fail_after(2):
            assert await query_vector(world, "nurse") is None
        assert await query_vector(surroundings(it, journal, None), "nurse") is None


def surroundings(it: Stage, journal: Journal, embedder: WordEmbedder | None) -> Surroundings:
    return Surroundings(
        character="yui",
        journal=journal,
        clock=it.clock,
        model=it.runtime.minds.mind_of("yui"),
        settings=it.runtime.settings,
        failpoints=it.failpoints,
        random=Random(0),
        new_id=lambda: "0" * 32,
        pool=it.runtime._pool,
        bulkhead=Bulkhead(1),
        embedder=embedder,
    )
