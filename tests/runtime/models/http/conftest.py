"""A server for each test, and a mind at it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from omoide.runtime.clock import VirtualClock
from omoide.runtime.models.choice import Minds, open_minds
from omoide.runtime.soak.provider import Server, serving
from omoide.tests.runtime.models.http.life import START, settings_of


class Stage:
    """Minds, the clock that they go by, and the folder where their use is counted."""

    def __init__(self, minds: Minds, clock: VirtualClock, data_dir: Path) -> None:
        self.minds = minds
        self.clock = clock
        self.data_dir = data_dir
        self.mind = minds.remote("local", "Yui")


Stages = Callable[..., AbstractAsyncContextManager[Stage]]


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that misbehaves on order."""
    with serving() as it:
        yield it


@pytest.fixture
def stage(tmp_path: Path, server: Server) -> Stages:
    """Open minds at the server: `async with stage(attempts=2) as it`."""

    @asynccontextmanager
    async def open_stage(
        *, models: dict[str, Any] | None = None, environ: dict[str, str] | None = None, **provider: Any
    ) -> AsyncIterator[Stage]:
        clock = VirtualClock(START)
        settings = settings_of(tmp_path, provider.pop("base_url", server.base_url), models, **provider)
        async with open_minds(settings.models, tmp_path, clock, environ=environ or {}) as minds:
            yield Stage(minds, clock, tmp_path)

    return open_stage
