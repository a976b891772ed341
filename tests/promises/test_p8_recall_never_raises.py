"""P8: recall never waits for a model and never raises into a conversation; it finds less, and says so."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from omoide.protocols.errors import InvalidRequestError
from omoide.protocols.settings import EmbeddingSettings, Settings
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime
from omoide.tests.embedders import WordEmbedder

SAID = "I keep bees on the roof."


async def test_a_crash_of_recall_finds_nothing_says_so_and_is_over_with_the_next_call(tmp_path: Path) -> None:
    failpoints = ArmedFailpoints()
    async with open_runtime(tmp_path, failpoints=failpoints) as runtime:
        yui = await runtime.character("yui")
        await yui.hear(SAID)
        await yui.settle()
        failpoints.arm("recall.caught_up", Fault.CRASH)

        crashed = await yui.recall("bees")
        again = await yui.recall("bees")

        assert (crashed.hits, crashed.degraded) == ((), ("recall",))
        assert [hit.text for hit in again.hits] == [SAID]


async def test_a_rule_that_the_caller_broke_is_still_an_error(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        with pytest.raises(InvalidRequestError):
            await yui.recall("bees", limit=0)


async def test_without_a_model_words_answer_and_the_reply_says_what_is_missing(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        await yui.hear(SAID)
        await yui.settle()

        found = await yui.recall("bees")

        assert ([hit.text for hit in found.hits], found.degraded) == ([SAID], ("embeddings",))


@pytest.mark.parametrize("fault", ["fails", "hangs"])
async def test_a_model_that_dies_while_it_is_asked_costs_its_part_alone(tmp_path: Path, fault: str) -> None:
    embedder = WordEmbedder()
    settings = Settings(data_dir=tmp_path, embeddings=EmbeddingSettings(query_timeout_s=0.05))
    async with open_runtime(settings, embedder=embedder) as runtime:
        yui = await runtime.character("yui")
        await yui.hear(SAID)
        await yui.settle()
        well = await yui.recall("bees")
        embedder.failure, embedder.blocked = ("gone" if fault == "fails" else ""), fault == "hangs"
        begun = time.perf_counter()
        found = await yui.recall("bees")

        assert (well.degraded, well.hits[0].parts.meaning > 0) == ((), True)
        assert ([hit.text for hit in found.hits], found.degraded) == ([SAID], ("embeddings",))
        assert time.perf_counter() - begun < 5


async def test_a_time_that_cannot_be_read_finds_nothing_and_says_so(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        await yui.hear(SAID)
        await yui.settle()

        found = await yui.recall("bees", time="when pigs fly")

        assert (found.hits, found.degraded) == ((), ("time",))
