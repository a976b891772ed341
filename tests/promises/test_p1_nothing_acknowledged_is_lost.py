"""P1: when `hear()` has returned, the turn and the work that it implies are on disk.

Real processes, killed with SIGKILL hundreds of times at random moments. Afterwards every acknowledged
turn is there, each once, and every statement is one fact.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omoide.protocols.statements import statement_key


@pytest.mark.kill
@pytest.mark.parametrize(("layout", "rounds"), [("per-character", 200), ("shared", 60)])
async def test_random_kills_lose_no_acknowledged_turn_and_double_no_fact(
    tmp_path: Path,
    layout: str,
    rounds: int,
    talk: Callable[..., Any],
    remember: Callable[..., Any],
) -> None:
    (killed,) = talk([{"data_dir": str(tmp_path), "layout": layout, "rounds": rounds, "seed": 7}])

    memory = await remember(str(tmp_path), layout)

    said_at = [turn.said_at for turn in memory.turns]
    stated = {statement_key(turn.text) for turn in memory.turns}
    assert killed["kills"] == rounds
    assert len(killed["acknowledged"]) > rounds
    assert set(killed["acknowledged"]) <= set(said_at)
    assert len(said_at) == len(set(said_at))
    assert sorted(fact.key for fact in memory.facts) == sorted(stated)
    assert (memory.parked, memory.healthy) == (0, True)
