"""P1: when `hear()` has returned, the turn and the work that it implies are on disk.

Real processes, killed with SIGKILL hundreds of times at random moments. Afterwards every acknowledged
turn is there, each once, and every statement is one fact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from omoide.protocols.settings import Settings
from omoide.protocols.statements import statement_key

ROUNDS = {"per-character": 200, "shared": 60}


@pytest.mark.kill
async def test_random_kills_lose_no_acknowledged_turn_and_double_no_fact(
    settings: Settings,
    talk: Callable[..., dict[str, Any]],
    remember: Callable[[Settings], Any],
) -> None:
    killed = talk(settings, kill="random", rounds=ROUNDS[settings.storage.layout], seed=7)

    memory = await remember(settings)

    said_at = [turn.said_at for turn in memory.turns]
    stated = {statement_key(turn.text) for turn in memory.turns}
    assert killed["kills"] == ROUNDS[settings.storage.layout]
    assert set(killed["acknowledged"]) <= set(said_at)
    assert len(said_at) == len(set(said_at))
    assert sorted(fact.key for fact in memory.facts) == sorted(stated)
    assert (memory.parked, memory.sound) == (0, True)
