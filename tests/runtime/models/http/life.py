"""A character whose mind is at a provider, on a clock that moves to whatever waits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from omoide.protocols.settings import Settings
from omoide.protocols.work import OpState, OutboxOp
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.soak.provider import Server

START = 1_772_442_000.0
"""Monday 2 March 2026, 09:00 UTC."""

QUICK: dict[str, Any] = {
    "fast": "tiny",
    "backoff_min_s": 0.01,
    "backoff_max_s": 0.05,
    "backoff_jitter_s": 0.01,
    "read_timeout_s": 0.4,
    "task_timeout_s": 1.5,
}
"""A provider that is given up on in no time."""


def settings_of(data_dir: Path, base_url: str, models: dict[str, Any] | None = None, **provider: Any) -> Settings:
    """Return settings by which every character thinks at one provider, `local`."""
    return Settings.model_validate(
        {
            "data_dir": data_dir,
            "models": {
                "use": "local",
                "providers": {"local": {"base_url": base_url, **QUICK, **provider}},
                **(models or {}),
            },
        }
    )


class Life:
    """A character, its clock and its runtime."""

    def __init__(self, runtime: Runtime, character: Character, clock: VirtualClock) -> None:
        self.runtime = runtime
        self.character = character
        self.clock = clock

    async def hear(self, *texts: str) -> None:
        """Hear texts and do the work that they imply."""
        for text in texts:
            await self.character.hear(text)
        await self.settle()

    async def settle(self, *, rounds: int = 100) -> None:
        """Do all work, moving the clock to what waits, for so many moves at most."""
        for _ in range(rounds):
            drained = await self.character.drain()
            if drained.next_at is None:
                return
            self.clock.advance_to(drained.next_at)

    async def facts(self) -> list[str]:
        """Return the texts of the facts in force."""
        return [fact.text for fact in await self.character.facts()]

    async def work(self, *states: OpState) -> tuple[OutboxOp, ...]:
        """Return the work in these states."""
        return await self.character.outbox(states=states)


@asynccontextmanager
async def living(
    data_dir: Path,
    server: Server,
    *,
    models: dict[str, Any] | None = None,
    start: float = START,
    **provider: Any,
) -> AsyncIterator[Life]:
    """Open the character yui, whose mind is at the server."""
    clock = VirtualClock(start)
    settings = settings_of(data_dir, server.base_url, models, **provider)
    async with open_runtime(settings, clock=clock) as runtime:
        yield Life(runtime, await runtime.character("yui", owner="Sam"), clock)
