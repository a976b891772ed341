from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio

from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints
from omoide.runtime.store import JournalStore, SqliteJournal, open_store
from omoide.tests.runtime.store.moved import export_to, write_journal
from omoide.tests.runtime.store.samples import Layout, settings_in


@pytest.fixture(params=["per-character", "shared"])
def layout(request: pytest.FixtureRequest) -> Layout:
    chosen: Layout = request.param
    return chosen


@pytest.fixture
def settings(tmp_path: Path, layout: Layout) -> Settings:
    return settings_in(tmp_path / "data", layout)


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(1_000.0)


@pytest.fixture
def failpoints() -> ArmedFailpoints:
    return ArmedFailpoints()


@pytest.fixture
async def store(
    settings: Settings, clock: VirtualClock, failpoints: ArmedFailpoints
) -> AsyncIterator[JournalStore]:
    async with open_store(settings, clock, failpoints) as opened:
        yield opened


@pytest.fixture
async def journal(store: JournalStore) -> SqliteJournal:
    return await store.open("yui", create=True)


@pytest.fixture
def export(settings: Settings, tmp_path: Path) -> Path:
    trio.run(write_journal, settings)
    export_to(settings, tmp_path / "x")
    return tmp_path / "x"


@pytest.fixture
def there(tmp_path: Path, layout: Layout) -> Settings:
    return settings_in(tmp_path / "there", layout)
