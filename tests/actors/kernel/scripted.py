"""Actors that do as they are told, for the tests of actors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import trio
import trio.testing

from omoide.actors.kernel import Actor, Terminated

if TYPE_CHECKING:
    from collections.abc import Callable


class Scripted(Actor):
    """Does what the message says: a callable is called with the actor, an exception is raised, the rest echoed."""

    def __init__(
        self, on_start: Callable[[], None] = lambda: None, on_stop: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__()
        self._starting = on_start
        self._stopping = on_stop

    async def on_start(self) -> None:
        self._starting()

    async def on_stop(self) -> None:
        self._stopping()

    async def receive(self, message: Any) -> Any:
        if isinstance(message, BaseException):
            raise message
        if callable(message):
            return await message(self)
        return message


class OnlyText(Actor):
    accepts: ClassVar[tuple[type, ...]] = (str,)

    async def receive(self, message: str) -> str:
        return message.upper()


class Watcher(Actor):
    accepts: ClassVar[tuple[type, ...]] = (Terminated,)

    def __init__(self, told: list[Terminated]) -> None:
        super().__init__()
        self._told = told

    async def receive(self, message: Terminated) -> None:
        self._told.append(message)


def fail(error: Exception) -> Callable[[], None]:
    def hook() -> None:
        raise error

    return hook


async def fault(_actor: Actor) -> None:
    raise ZeroDivisionError("a bug")


async def sleep_for_ever(_actor: Actor) -> None:
    await trio.sleep_forever()
