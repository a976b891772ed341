"""How a host's handle on a character reaches the character's roles."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from msgspec import ValidationError, convert
from msgspec.structs import asdict

from ..actors.precedence import answering
from ..protocols.errors import InvalidRequestError
from ..protocols.messages import Reply, Request
from ..protocols.text import check_unicode

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

    async def _answer(self, role: str, request: Request[Reply]) -> Reply:
        """Ask a role for what somebody in a conversation waits for: background work gives way to it."""
        with answering():
            return await self._ask(role, request)

    async def _await_reply(self, role: str, request: Request[Reply], timeout_s: float | None) -> Reply:
        check_request(request)
        async with self.resident() as resident:
            reply: Reply = await resident.roles[role].aask(request, timeout_s=timeout_s)
            return reply


def check_request(request: Request[Reply]) -> None:
    """Hold the fields of a request to their types: what a host hands over must not crash the role that reads it.

    Raises:
        InvalidRequestError: if one has another type; nothing was asked.
    """
    try:
        convert(asdict(request), type(request))
    except ValidationError as error:
        wrong, _, field = str(error).partition(" - at `$.")
        raise InvalidRequestError(f"{field.rstrip('`')}: {wrong[:1].lower()}{wrong[1:]}") from error


def text_of(name: str, value: object) -> str:
    """Return what names a record: an id, the beginning of one, or words.

    Raises:
        InvalidRequestError: if it is no text.
        InvalidTextError: if it holds a lone surrogate.
    """
    if not isinstance(value, str):
        raise InvalidRequestError(f"{name} is a text, got {value!r:.60}")
    check_unicode(value, name)
    return value


def texts_of(name: str, value: object) -> tuple[str, ...]:
    """Return a list of texts as a tuple.

    Raises:
        InvalidRequestError: if it is no list, or one text that would be taken for a list of its characters.
    """
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidRequestError(f"{name} is a list of texts, got {value!r:.60}")
    return tuple(value)
