"""How an application gets to be listened to: Hypercorn in a nursery, and an address that can't be had."""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

import trio
from hypercorn.config import Config
from hypercorn.trio import serve
from starlette.types import ASGIApp

from ...protocols.errors import AddressError

_REASONS: Final = {
    errno.EADDRINUSE: "another program listens there",
    errno.EADDRNOTAVAIL: "it is no address of this machine",
    errno.EACCES: "listening there is not permitted",
}


async def start_listening(
    nursery: trio.Nursery, application: ASGIApp, config: Config, *, until: Callable[[], Awaitable[None]]
) -> str:
    """Serve an application in a nursery, and return its base URL once connections are accepted.

    Args:
        nursery: where it runs.
        application: what is served.
        config: where to listen, and for how long what.
        until: returns when the server is to stop.

    Raises:
        AddressError: if the address can't be listened at.
    """
    try:
        binds: list[str] = await nursery.start(
            lambda task_status: serve(
                application,  # type: ignore[arg-type] # Starlette's and Hypercorn's words for ASGI differ
                config,
                shutdown_trigger=until,
                task_status=task_status,
            )
        )
    except BaseException as error:
        refused = next((one for one in _leaves(error) if isinstance(one, OSError)), None)
        if refused is None:
            raise
        why = _REASONS.get(refused.errno or 0, refused.strerror)
        raise AddressError(
            f"{config.bind[0]} can't be listened at, since {why}: stop that program, or name another --port"
            if refused.errno == errno.EADDRINUSE
            else f"{config.bind[0]} can't be listened at, since {why}: name another --host or --port"
        ) from error
    return binds[0]


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _leaves(part)
    else:
        yield error
