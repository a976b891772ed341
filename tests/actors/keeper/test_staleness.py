"""What nobody added to for 90 days is put away as a whole, comes back as it was, and takes new memories."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from omoide.actors.keeper.staleness import archived, is_stale, restored
from omoide.protocols.events import record_of
from omoide.protocols.evidence import DAY_S
from omoide.protocols.records import (
    Entity,
    EntryId,
    EntrySource,
    EntryStatus,
    Evidence,
    FactId,
    PersonaEntry,
    Reflection,
    ReflectionId,
    ReflectionStatus,
    Speaker,
)
from omoide.protocols.scopes import Subject
from omoide.protocols.settings import ScopeSettings, Settings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime
from omoide.runtime.store import examine

START = 1_772_442_000.0
GROUP = Subject("group:qq:77")
ALICE = Speaker(platform="qq", account="1001", label="Alice")

Hosts = Callable[..., AbstractAsyncContextManager[tuple[Character, VirtualClock]]]


@pytest.fixture
def host(tmp_path: Path) -> Hosts:
    @asynccontextmanager
    async def opened(**scopes: object) -> AsyncIterator[tuple[Character, VirtualClock]]:
        clock = VirtualClock(START)
        settings = Settings.model_validate({"data_dir": tmp_path, "scopes": scopes})
        async with open_runtime(settings, clock=clock) as runtime:
            yui = await runtime.character("yui", owner="Sam")
            await yui.hear("I keep bees on the roof.")
            await yui.hear("The harbour has a red lantern.", speaker=ALICE, subject=GROUP)
            await yui.settle()
            yield yui, clock

    return opened


async def later(character: Character, clock: VirtualClock, days: float) -> None:
    clock.advance_to(clock.now() + days * DAY_S)
    while (drained := await character.drain()).next_at is not None:
        clock.advance_to(drained.next_at)


async def found(character: Character) -> list[str]:
    hits = (await character.recall("harbour lantern", subjects=[GROUP])).hits
    return [hit.text for hit in hits]


@pytest.mark.parametrize(
    ("subject", "age_d", "stale"),
    [
        (GROUP, 90.0, False),
        (GROUP, 90.001, True),
        ("participant:qq:1", 400.0, True),
        ("member:qq:77:1", 400.0, True),
        ("private", 400.0, False),
        (GROUP, -1.0, False),
        (GROUP, None, False),
    ],
)
def test_a_subject_is_stale_after_more_than_90_days_and_private_memory_never(
    subject: str, age_d: float | None, stale: bool
) -> None:
    last = None if age_d is None else START - age_d * DAY_S

    assert is_stale(Subject(subject), last, START, ScopeSettings()) is stale


async def test_a_group_that_nobody_added_to_is_put_away_and_private_memory_is_not(
    host: Hosts, tmp_path: Path
) -> None:
    async with host() as (yui, clock):
        await later(yui, clock, 89)
        assert await found(yui) == ["The harbour has a red lantern."]

        await later(yui, clock, 2)

        assert await found(yui) == []
        assert "lantern" not in str((await yui.briefing(subjects=[GROUP], cue="harbour lantern")).associated)
        assert [fact.text for fact in await yui.facts()] == ["I keep bees on the roof."]
        (told,) = await yui.explain("lantern")
        assert (told.status, told.history[-1].kind) == ("archived", "fact_archived")
    assert examine(Settings(data_dir=tmp_path), "yui").healthy


async def test_restored_it_is_as_it_was_and_is_not_put_away_at_once_again(host: Hosts) -> None:
    async with host() as (yui, clock):
        await later(yui, clock, 91)

        assert (await yui.restore_subject(GROUP)).rows == 1
        await later(yui, clock, 1)

        assert await found(yui) == ["The harbour has a red lantern."]
        assert (await yui.restore_subject(GROUP)).rows == 0


async def test_what_is_added_later_stands_and_the_old_stays_away(host: Hosts) -> None:
    async with host() as (yui, clock):
        await later(yui, clock, 91)
        await yui.hear("The harbour has a green lantern.", speaker=ALICE, subject=GROUP)
        await later(yui, clock, 1)

        assert await found(yui) == ["The harbour has a green lantern."]


async def test_an_addition_that_came_meanwhile_keeps_all_of_it(host: Hosts) -> None:
    async with host() as (yui, clock):
        await later(yui, clock, 80)
        await yui.hear("The harbour has a green lantern.", speaker=ALICE, subject=GROUP)
        await later(yui, clock, 11)

        assert len(await found(yui)) == 2


@pytest.mark.parametrize("mode", ["dry-run", "off"])
async def test_a_dry_run_tells_and_leaves_it_and_so_does_the_switch(host: Hosts, mode: str) -> None:
    async with host(stale=mode) as (yui, clock):
        await later(yui, clock, 91)

        assert await found(yui) == ["The harbour has a red lantern."]
        assert [(one.subject, one.last_write) for one in await yui.stale_subjects()] == [(GROUP, START)]


async def test_what_was_denied_while_it_was_away_does_not_come_back(host: Hosts) -> None:
    async with host() as (yui, clock):
        await yui.hear("I like tea.", speaker=ALICE, subject=GROUP)
        await later(yui, clock, 91)
        await yui.hear("I don't like tea.", speaker=ALICE, subject=GROUP)
        await later(yui, clock, 1)

        await yui.restore_subject(GROUP)

        assert "I like tea." not in [fact.text for fact in await yui.facts(subjects=[GROUP])]


@pytest.mark.parametrize("status", [ReflectionStatus.PENDING, ReflectionStatus.CONFIRMED])
def test_reflections_and_persona_entries_are_put_away_and_come_back_in_the_status_that_they_had(
    status: ReflectionStatus,
) -> None:
    reflection = Reflection(
        id=ReflectionId("ref_1"),
        text="The group loves the harbour.",
        entity=Entity.OTHER,
        subject=GROUP,
        sources=(FactId("fact_1"),),
        importance=5,
        evidence=Evidence(),
        created_at=1.0,
        status=status,
        status_at=1.0,
        age_anchor_at=1.0,
        next_eligible_at=1.0,
    )
    entry = PersonaEntry(
        id=EntryId("entry_1"),
        text="The group meets at the harbour.",
        entity=Entity.OTHER,
        subject=GROUP,
        source=EntrySource.REFLECTION,
        importance=5,
        evidence=Evidence(),
        created_at=1.0,
        status_at=1.0,
    )

    away = [record_of(change) for change in archived((reflection, entry), 5.0)]
    back = [record_of(change) for change in restored(away, 9.0)]  # type: ignore[arg-type]

    assert [one.status for one in away] == [ReflectionStatus.ARCHIVED, EntryStatus.ARCHIVED]  # type: ignore[union-attr]
    assert [one.status for one in back] == [status, EntryStatus.ACTIVE]  # type: ignore[union-attr]
