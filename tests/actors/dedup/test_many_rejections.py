"""A turn is learned beside the loop where much was rejected: each rejection has to be read for each candidate."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from omoide.actors.dedup import actor, learning
from omoide.actors.dedup.actor import INLINE_RECORDS
from omoide.actors.dedup.corrections import Occasion
from omoide.actors.dedup.learning import Heard
from omoide.actors.dedup.ledger import Ledger
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime

START = 1_772_442_000.0


@pytest.mark.parametrize(("rejected", "beside_the_loop"), [(1, False), (INLINE_RECORDS + 1, True)])
async def test_a_turn_is_learned_beside_the_loop_where_much_was_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rejected: int, *, beside_the_loop: bool
) -> None:
    threads: list[int] = []

    def learn(ledger: Ledger, occasion: Occasion, heard: Heard) -> None:
        threads.append(threading.get_ident())
        learning.learn(ledger, occasion, heard)

    async with open_runtime(tmp_path, clock=VirtualClock(START)) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        for number in range(rejected):
            await yui.hear(f"I own the painting P{number}.")
        await yui.drain()
        for fact in await yui.facts():
            await yui.reject(fact.id)
        monkeypatch.setattr(actor, "learn", learn)
        await yui.hear("My sister Ingrid lives in Bergen.")
        await yui.drain()

    assert [one != threading.get_ident() for one in threads] == [beside_the_loop]
