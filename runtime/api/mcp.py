"""How a model's program reaches the tools: over its pipes, or over HTTP on this machine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import trio
from hypercorn.config import Config

from ..character import Character
from .listening import start_listening
from .tools import Reach, memory_server

HOST: Final = "127.0.0.1"
PATH: Final = "/mcp"
GRACE_S: Final = 2.0
"""Time that calls under way get when the server stops, in seconds."""


async def serve_stdio(character: Character, reach: Reach) -> None:
    """Serve the tools over standard input and output until the input ends.

    Args:
        character: whose memory.
        reach: what of it.
    """
    await memory_server(character, reach).run_stdio_async()


async def serve_http(
    character: Character,
    reach: Reach,
    *,
    port: int,
    stop: Callable[[], Awaitable[object]],
    on_listening: Callable[[str], None],
) -> None:
    """Serve the tools at `/mcp` of this machine, by streamable HTTP, until `stop` returns.

    Args:
        character: whose memory.
        reach: what of it.
        port: to listen at; 0 takes a free one.
        stop: returns when the server is to stop.
        on_listening: called with the URL of the tools once connections are accepted.

    Raises:
        AddressError: if the port can't be listened at.
    """
    config = Config()
    config.bind = [f"{HOST}:{port}"]
    config.graceful_timeout = GRACE_S
    config.accesslog = config.errorlog = None
    application = memory_server(character, reach).streamable_http_app(streamable_http_path=PATH, host=HOST)

    async def stopping() -> None:
        await stop()

    async with trio.open_nursery() as nursery:
        address = await start_listening(nursery, application, config, until=stopping)
        on_listening(f"{address}{PATH}")
