"""P7: after ten thousand random operations and dozens of kills, every view is what the events add up to."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import pytest

from omoide.protocols.erasure import Erasure
from omoide.protocols.events import AnyChange, AnyRecord, Event, record_of
from omoide.protocols.memos import ConversationMemo
from omoide.protocols.people import Person
from omoide.protocols.ports import Journal
from omoide.protocols.records import (
    Directive,
    FactStatus,
    PersonaEntry,
    Profile,
    Reflection,
    Rejection,
)
from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.host import open_runtime
from omoide.runtime.store import examine, open_store
from omoide.tests.promises.wanderer import CHARACTERS, Wanderer

WANDERER = Path(__file__).with_name("wanderer.py")

OPERATIONS = 10_000

ELSEWHERE = frozenset(
    {
        *("fact_reduced", "trust_moved", "accounts_linked", "fact_contested"),
        *("memo_dropped", "fact_archived", "directive_dropped"),
    }
)
"""Kinds of events that the wandering needn't meet: of the pool of accounts, and of rare coincidences."""

Folded = dict[tuple[str, str], AnyRecord]


class Wandered:
    """A folder in which characters have wandered."""

    def __init__(self, data_dir: Path, result: dict[str, Any]) -> None:
        self.settings = Settings.model_validate({"data_dir": data_dir, "storage": {"layout": "shared"}})
        self.kills: int = result["kills"]
        self.done = Counter[str](result["done"])
        self.clock: float = result["clock"]


def place_of(record: AnyRecord) -> tuple[str, str]:
    return type(record).__name__, "" if isinstance(record, Profile) else record.id


def fold(events: Iterable[Event]) -> Folded:
    """Return the newest state of every record that events tell of: written here anew, without the store's fold."""
    records = (record_of(event.change) for event in events if event.change is not None)
    return {place_of(record): record for record in records}


async def views_of(journal: Journal) -> Folded:
    """Return every record of every view, as its typed reader returns it."""
    found: list[AnyRecord] = [await journal.profile()]
    found += await journal.turns(newest=1_000_000)
    found += await journal.facts(statuses=tuple(FactStatus))
    found += await journal.records(Rejection)
    found += await journal.records(Reflection)
    found += await journal.records(PersonaEntry)
    found += await journal.records(Directive)
    found += await journal.records(ConversationMemo)
    found += await journal.records(Erasure)
    found += await journal.records(Person)
    assert len({place_of(record) for record in found}) == len(found)
    return {place_of(record): record for record in found}


@pytest.fixture(scope="module")
def wandered(tmp_path_factory: pytest.TempPathFactory) -> Wandered:
    """Ten thousand operations of the characters of one file, in lives that end by a kill."""
    root = tmp_path_factory.mktemp("wanderers")
    (root / "exports").mkdir()
    job = {
        "data_dir": str(root / "data"),
        "layout": "shared",
        "exports": str(root / "exports"),
        "operations": OPERATIONS,
        "longest_life": 400,
        "seed": 11,
    }
    done = subprocess.run(
        [sys.executable, WANDERER], input=json.dumps(job), capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return Wandered(root / "data", json.loads(done.stdout))


@pytest.mark.kill
def test_the_wandering_does_and_meets_everything(wandered: Wandered) -> None:
    assert wandered.done.total() >= OPERATIONS
    assert wandered.kills >= 10
    assert len(wandered.done) == 15


async def look(settings: Settings, name: str, clock: VirtualClock) -> tuple[tuple[Event, ...], Folded]:
    """Return the events and the views of a character that nobody wakes, so that nothing moves in between."""
    async with open_store(settings, clock, Unarmed()) as store:
        journal = await store.open(name, create=False)
        return await journal.events(), await views_of(journal)


@pytest.mark.kill
async def test_every_view_is_the_fold_of_the_events_as_the_last_kill_left_them(wandered: Wandered) -> None:
    for name in CHARACTERS:
        events, stored = await look(wandered.settings, name, VirtualClock(wandered.clock))

        assert stored == fold(events)
        assert examine(wandered.settings, name).findings == ()


@pytest.mark.kill
async def test_every_view_is_the_fold_of_the_events_once_all_work_is_done(wandered: Wandered) -> None:
    kinds: set[str] = set()
    clock = VirtualClock(wandered.clock)
    for name in CHARACTERS:
        async with open_runtime(wandered.settings, clock=clock, model=Wanderer()) as runtime:
            assert (await (await runtime.character(name, create=False)).settle()).parked == 0
        events, stored = await look(wandered.settings, name, clock)
        kinds |= {event.kind for event in events}

        assert stored == fold(events)
        assert examine(wandered.settings, name).findings == ()
    assert {change.__struct_config__.tag for change in get_args(AnyChange)} - kinds <= ELSEWHERE


@pytest.mark.kill
async def test_an_export_of_it_is_imported_as_the_same_views(wandered: Wandered, tmp_path: Path) -> None:
    clock = VirtualClock(wandered.clock)
    async with open_store(wandered.settings, clock, Unarmed()) as store:
        await store.export("yui 0", tmp_path / "yui")
        await store.import_(tmp_path / "yui", "yui again")

    events, stored = await look(wandered.settings, "yui 0", clock)
    imported_events, imported = await look(wandered.settings, "yui again", clock)
    assert [event.change for event in imported_events] == [event.change for event in events]
    assert imported == stored
