"""Waiting for another process, up to a limit that counts the time in which this one could wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import repeat
from typing import Final, TypeVar

import trio

Result = TypeVar("Result")

_TRY_S: Final = 1.0
"""What a stop of this process counts for at most, in seconds."""


async def patiently(wait: Callable[[], Awaitable[Result]], limit_s: int) -> Result:
    """Return what a wait comes to.

    Both processes of a foreground job are stopped by Ctrl-Z, and a debugger or a busy machine does as much. The
    clock goes on meanwhile, and at their return the other one hadn't a moment for what it is waited for.

    Args:
        wait: can be cancelled and called again; nothing is lost by it.
        limit_s: longest wait, in seconds.

    Raises:
        trio.TooSlowError: if it takes longer.
    """
    for _ in repeat(None, limit_s):
        with trio.move_on_after(_TRY_S):
            return await wait()
    raise trio.TooSlowError
