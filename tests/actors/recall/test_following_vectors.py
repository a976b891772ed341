"""Recall takes in vectors some at a time, and compares with all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.actors.recall import actor
from omoide.protocols.settings import Settings
from omoide.runtime.host import open_runtime
from omoide.tests.embedders import WordEmbedder


@pytest.mark.parametrize("at_once", [1, 3, 100])
async def test_a_character_that_is_opened_again_has_the_vectors_of_all_its_memories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(actor, "VECTORS_AT_ONCE", at_once)
    settings = Settings(data_dir=tmp_path)
    async with open_runtime(settings, embedder=WordEmbedder()) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        for number in range(3):
            await yui.hear(f"I own boat number {number}.")
        await yui.settle()

    async with open_runtime(settings, embedder=WordEmbedder()) as runtime:
        found = await (await runtime.character("yui")).recall("boat")

    assert (len(found.hits), found.degraded) == (3, ())
