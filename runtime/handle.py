"""How a host's handle on a character reaches the character's roles."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from ..protocols.messages import Reply, Request

if TYPE_CHECKING:
    from .host import Runtime
    from .residents import Resident


class Handle:
    """Base of a handle on one character: its name, and a way to ask its roles.

    Args:
        runtime: where the character lives.
        name: its canonical name.
    """

    def __init__(self, runtime: Runtime, name: str) -> None:
        self.name = name
        self._runtime = runtime

    def resident(self) -> AbstractAsyncContextManager[Resident]:
        """Return a block that holds the character in memory."""
        return self._runtime.resident(self.name)

    async def _ask(self, role: str, request: Request[Reply]) -> Reply:
        return await self._await_reply(role, request, self._runtime.settings.actors.reply_timeout_s)

    async def _await_reply(self, role: str, request: Request[Reply], timeout_s: float | None) -> Reply:
        async with self.resident() as resident:
            reply: Reply = await resident.roles[role].aask(request, timeout_s=timeout_s)
            return reply
