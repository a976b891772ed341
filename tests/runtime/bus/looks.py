"""What tests of NATS look at: what was heard, and what became dead letters."""

from __future__ import annotations

from typing import Any

from omoide.runtime.host import Runtime
from omoide.tests.runtime.bus.servers import Sender, until


async def texts(runtime: Runtime, name: str = "yui") -> list[str]:
    if name not in runtime.stored_characters():
        return []
    return [turn.text for turn in await (await runtime.character(name)).turns(newest=10_000)]


async def dead(sender: Sender, count: int = 1) -> list[Any]:
    async def enough() -> list[Any]:
        found = await sender.stored("dead")
        return found if len(found) >= count else []

    return list(await until(enough))


async def is_ready(runtime: Runtime) -> bool:
    return any(bus.connected for bus in (await runtime.status()).buses)
