"""A server that runs for the length of a test, and a client of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from omoide.tests.runtime.api.served import Served, serving
from omoide.tests.runtime.cli.command_line import Omoide


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(tmp_path / "data") as running:
        yield running


@pytest.fixture
async def client(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    async with served.client() as client:
        yield client


@pytest.fixture
def omoide(tmp_path: Path) -> Omoide:
    """The command over a data folder that isn't there yet."""
    return Omoide(tmp_path / "data")
