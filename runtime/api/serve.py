"""The server: opens the runtime, listens, and stops in order."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Awaitable, Callable

import trio
from hypercorn.config import Config

from ...protocols.errors import SettingsError
from ...protocols.settings import ServerSettings, Settings
from ..host import Runtime, open_runtime
from .app import Door
from .capability import read_tokens
from .listening import start_listening

logger = logging.getLogger(__name__)


async def serve(
    settings: Settings,
    *,
    stop: Callable[[], Awaitable[None]],
    on_listening: Callable[[str], None],
    beside: Callable[[Runtime, Callable[[], None]], Awaitable[None]] | None = None,
) -> None:
    """Serve a data folder's characters over HTTP until `stop` returns; then finish what is under way and close.

    Args:
        settings: where the characters are, where to listen, and who may call.
        stop: returns when the server is to stop.
        on_listening: called with the base URL once connections are accepted.
        beside: serves the same runtime another way for as long, such as on a message bus.

    Raises:
        SettingsError: if the address can be reached from other machines and no tokens are set, or the tokens
            can't be read.
        StorageError: if the data folder can't be opened.
        AddressError: if the address can't be listened at.
    """
    server = settings.server
    tokens = None if server.tokens_file is None else read_tokens(server.tokens_file)
    if tokens is None and not _is_loopback(server.host):
        raise SettingsError(
            f"server.host {server.host!r} can be reached from other machines: make a token with "
            "`omoide token NAME`, and name its file as server.tokens_file"
        )
    async with open_runtime(settings) as runtime, trio.open_nursery() as nursery:
        door = Door(runtime, tokens, server)
        others = trio.CancelScope()

        async def stopping() -> None:
            await stop()
            door.close()
            others.cancel()

        async def run_beside() -> None:
            with others:
                if beside is not None:
                    await beside(runtime, _nothing)

        address = await start_listening(nursery, door.application(), _config(server), until=stopping)
        nursery.start_soon(run_beside)
        logger.info("http.listening")
        on_listening(address)


def _nothing() -> None:
    """Do nothing: the address tells already that the server is there."""


def _config(server: ServerSettings) -> Config:
    config = Config()
    host = f"[{server.host}]" if ":" in server.host else server.host
    config.bind = [f"{host}:{server.port}"]
    config.graceful_timeout = server.shutdown_s
    config.keep_alive_timeout = server.idle_s
    config.accesslog = None
    config.errorlog = None
    config.include_server_header = False
    return config


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
