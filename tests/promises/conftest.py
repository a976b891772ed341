"""What the promise suites share: listeners in processes of their own, and a look at what they left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from omoide.protocols.events import Event
from omoide.protocols.records import Fact, Turn
from omoide.protocols.settings import ReflectionSettings, Settings, StorageSettings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime
from omoide.runtime.store.doctor import examine
from omoide.tests.promises.axolotls import START

TALKER = Path(__file__).with_name("talker.py")


class Remembered:
    """What is stored about a character once the work that was left behind is done."""

    def __init__(
        self,
        turns: tuple[Turn, ...],
        facts: tuple[Fact, ...],
        events: tuple[Event, ...],
        *,
        parked: int,
        healthy: bool,
    ) -> None:
        self.turns = turns
        self.facts = facts
        self.events = Counter((event.kind, *event.record_ids[:1]) for event in events)
        self.parked = parked
        self.healthy = healthy

    def timeless(self) -> tuple[Counter[tuple[str, ...]], list[Turn], list[Fact]]:
        """Return what happened how often, and turns and facts without the times at which they were stored."""
        return (
            self.events,
            sorted((replace(turn, heard_at=0.0) for turn in self.turns), key=lambda turn: turn.id),
            sorted((replace(fact, created_at=0.0) for fact in self.facts), key=lambda fact: fact.id),
        )


@pytest.fixture(scope="session")
def talk() -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    """Run `talker.py` with a list of jobs and return the list of their results."""

    def run(jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        done = subprocess.run(
            [sys.executable, TALKER],
            input=json.dumps(jobs),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        results: list[dict[str, Any]] = json.loads(done.stdout)
        return results

    return run


@pytest.fixture
def remember() -> Callable[[str, str], Any]:
    """Open a folder again, let the work that was left behind finish, and return what is stored."""

    async def look(data_dir: str, layout: str) -> Remembered:
        settings = Settings.model_validate({"data_dir": data_dir, "storage": {"layout": layout}})
        async with open_runtime(settings) as runtime:
            character = await runtime.character("yui", create=False)
            drained = await character.settle()
            turns = await character.turns(newest=1_000_000)
            facts = await character.facts()
            events = await character.events()
        return Remembered(turns, facts, events, parked=drained.parked, healthy=examine(settings, "yui").healthy)

    return look


@pytest.fixture(params=["per-character", "shared"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return Settings(
        data_dir=tmp_path / "data",
        storage=StorageSettings(layout=request.param),
        reflections=ReflectionSettings(min_facts=2, min_importance=1),
    )


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(START)
