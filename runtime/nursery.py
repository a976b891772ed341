"""A nursery for what runs beside a block, which leaves the block's own error as it is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio


@asynccontextmanager
async def ungrouped_nursery() -> AsyncIterator[trio.Nursery]:
    """Open a nursery that doesn't wrap what the block raises in an exception group.

    Whoever uses the block catches an error by its class then. What a task raises comes in a group, as usual.
    """
    failure: BaseException | None = None
    async with trio.open_nursery() as nursery:
        try:
            yield nursery
        except BaseException as error:  # noqa: BLE001 - raised again below, without the nursery's group around it
            failure = error
    if failure is not None:
        raise failure
