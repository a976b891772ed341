"""What the promise suites share: listeners in processes of their own, and a look at what they left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from omoide.protocols.records import Fact, Turn
from omoide.protocols.settings import Settings
from omoide.runtime.host import open_runtime
from omoide.runtime.store.doctor import examine

TALKER = Path(__file__).with_name("talker.py")

Talk = Callable[..., dict[str, Any]]


class Remembered:
    """What is stored about a character once the work that was left behind is done."""

    def __init__(self, turns: tuple[Turn, ...], facts: tuple[Fact, ...], *, parked: int, sound: bool) -> None:
        self.turns = turns
        self.facts = facts
        self.parked = parked
        self.sound = sound

    def timeless(self) -> tuple[list[Turn], list[Fact]]:
        """Return turns and facts without the times at which this machine happened to store them."""
        return (
            sorted((replace(turn, heard_at=0.0) for turn in self.turns), key=lambda turn: turn.id),
            sorted((replace(fact, created_at=0.0) for fact in self.facts), key=lambda fact: fact.id),
        )


@pytest.fixture(params=["per-character", "shared"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return settings_in(tmp_path / "data", request.param)


def settings_in(folder: Path, layout: str) -> Settings:
    return Settings.model_validate({"data_dir": folder, "storage": {"layout": layout}})


@pytest.fixture
def talk() -> Talk:
    """Run `talker.py` with one request and return its result."""

    def run(settings: Settings, **request: Any) -> dict[str, Any]:
        request |= {"data_dir": str(settings.data_dir), "layout": settings.storage.layout}
        done = subprocess.run(
            [sys.executable, TALKER, json.dumps(request)],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    return run


@pytest.fixture
def remember() -> Callable[[Settings], Any]:
    """Open a folder again, let the work that was left behind finish, and return what is stored."""

    async def look(settings: Settings) -> Remembered:
        async with open_runtime(settings) as runtime:
            character = await runtime.character("yui", create=False)
            drained = await character.settle()
            turns = await character.turns(newest=1_000_000)
            facts = await character.facts()
        report = await examine(settings, "yui")
        return Remembered(turns, facts, parked=drained.parked, sound=report.ok)

    return look
