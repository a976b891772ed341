"""Which event loop, if any, the current thread is running. It knows nothing of actors."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING

import trio

from ...protocols.errors import WouldDeadlockError

if TYPE_CHECKING:
    from typing import Final

__all__ = ["LoopKind", "loop_kind", "refuse_to_block"]


class LoopKind(StrEnum):
    """The two event loops that may await an actor."""

    TRIO = "trio"
    ASYNCIO = "asyncio"


_WOULD_DEADLOCK: Final = "%s would block the %s loop that this thread is running, and with it its own answer; %s"


def loop_kind() -> LoopKind | None:
    """Return the loop that runs in this thread, or None if the thread may block.

    Trio is asked first: in guest mode both run in one thread, and a Trio task must wait in Trio's way.
    """
    if trio.lowlevel.in_trio_task():
        return LoopKind.TRIO
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return LoopKind.TRIO if trio.lowlevel.in_trio_run() else None
    return LoopKind.ASYNCIO


def refuse_to_block(call: str, instead: str) -> None:
    """Raise if this thread runs an event loop; do nothing otherwise.

    Args:
        call: the blocking call, for the message.
        instead: what the caller should do, for the message.

    Raises:
        WouldDeadlockError: the thread runs a Trio or an asyncio loop.
    """
    kind = loop_kind()
    if kind is not None:
        raise WouldDeadlockError(_WOULD_DEADLOCK % (call, kind, instead))
