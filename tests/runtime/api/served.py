"""A real server on a free port of this machine, and clients of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import trio

from omoide.protocols.settings import ServerSettings, Settings
from omoide.runtime.api.capability import Capability, hash_of
from omoide.runtime.api.serve import serve


def write_tokens(path: Path, capabilities: Sequence[Capability]) -> Path:
    """Write a tokens file; the token of each is its name."""
    tables = [
        "\n".join(
            [
                "[[token]]",
                f'name = "{one.name}"',
                f'sha256 = "{hash_of(one.name)}"',
                f"characters = {list(one.characters)}",
                f"subjects = {list(one.subjects)}",
                f"accounts = {list(one.accounts)}",
                f"everything = {str(one.everything).lower()}",
            ]
        )
        for one in capabilities
    ]
    path.write_text("\n".join(tables))
    return path


class Served:
    """A running server: where it is, and how to stop it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.url = ""
        self.stopping = trio.Event()
        self.stopped = trio.Event()
        self.listening = trio.Event()

    def listen(self, url: str) -> None:
        self.url = url
        self.listening.set()

    def client(self, token: str | None = None) -> httpx.AsyncClient:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=10)


@asynccontextmanager
async def serving(folder: Path, **server: object) -> AsyncIterator[Served]:
    settings = Settings(data_dir=folder, server=ServerSettings.model_validate({"port": 0, **server}))
    served = Served(settings)

    async def run() -> None:
        await serve(settings, stop=served.stopping.wait, on_listening=served.listen)
        served.stopped.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await served.listening.wait()
        yield served
        served.stopping.set()
        with trio.fail_after(20):
            await served.stopped.wait()
