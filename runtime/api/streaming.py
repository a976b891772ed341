"""A character's changes as server-sent events, which end when the server stops."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import trio

from ...protocols.encoding import encoded
from ...protocols.errors import ActorDeadError
from ..changes import Changes

MEDIA_TYPE: Final = "text/event-stream"
HEARTBEAT_S: Final = 15.0
"""Silence after which a stream of changes says that it is alive, in seconds."""


async def server_sent(changes: Changes, closing: trio.Event) -> AsyncIterator[bytes]:
    """Yield changes as server-sent events until the server is closing or the runtime is closed.

    Args:
        changes: of a character.
        closing: set when the server stops.
    """
    while not closing.is_set():
        event = None
        with trio.move_on_after(HEARTBEAT_S):
            try:
                event = await _unless(closing, changes)
            except ActorDeadError:
                return
        if event is not None:
            yield event
        elif not closing.is_set():
            yield b": still here\n\n"


async def _unless(closing: trio.Event, changes: Changes) -> bytes | None:
    """Return the next change as a server-sent event, or None once the server is closing."""
    found: list[bytes] = []

    async def take() -> None:
        event = await anext(changes)
        data = encoded(event).decode()
        found.append(f"id: {event.seq}\nevent: {event.kind}\ndata: {data}\n\n".encode())
        nursery.cancel_scope.cancel()

    async def watch() -> None:
        await closing.wait()
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take)
        nursery.start_soon(watch)
    return found[0] if found else None
