"""The character card and the protected entries that it becomes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.persona.card import card_changes, with_card
from omoide.protocols.events import PersonaEntryAdded
from omoide.protocols.records import EntrySource, EntryStatus, PersonaEntry
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime
from omoide.runtime.store.doctor import examine

START = 1_772_442_000.0
LINES = st.lists(st.sampled_from(["loves rain", "is a librarian", "is shy", "hums"]), max_size=6)


def in_force(entries: Iterable[PersonaEntry]) -> list[str]:
    return [entry.text for entry in entries if entry.status is EntryStatus.ACTIVE]


@given(st.lists(LINES, min_size=1, max_size=5))
def test_after_any_history_exactly_the_lines_of_the_last_card_are_in_force(cards: list[list[str]]) -> None:
    known: tuple[PersonaEntry, ...] = ()
    for now, card in enumerate(cards):
        known = with_card(card, known, float(now))

    assert set(in_force(known)) == set(cards[-1])


@given(LINES, LINES)
def test_the_same_card_again_changes_nothing(before: list[str], card: list[str]) -> None:
    known = with_card(card, with_card(before, (), 1.0), 2.0)

    assert card_changes(card, known, 3.0) == ()


def test_a_line_that_comes_back_is_the_entry_that_it_was() -> None:
    (first,) = with_card(["loves rain"], (), 1.0)
    gone = with_card([], [first], 2.0)

    (again,) = with_card(["loves rain"], gone, 3.0)

    assert (again.id, again.created_at, again.status) == (first.id, 1.0, EntryStatus.ACTIVE)


def test_a_changed_card_leaves_entries_of_other_sources_alone() -> None:
    (entry,) = with_card(["Sam and Yui are friends"], (), 1.0)
    promoted = replace(entry, source=EntrySource.REFLECTION)

    assert card_changes([], [promoted], 2.0) == ()


async def test_the_card_of_the_profile_becomes_protected_entries(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", card=["Yui is a librarian.", "Yui loves rain."])

        await yui.settle()

        added = [e.change.entry for e in await yui.events() if isinstance(e.change, PersonaEntryAdded)]
        assert [(entry.text, entry.evidence.protected) for entry in added] == [
            ("Yui is a librarian.", True),
            ("Yui loves rain.", True),
        ]


async def test_a_card_holds_before_its_entries_are_stored(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", card=["Yui loves rain."])

        await yui.describe(card=["Yui hates rain."])

        assert [entry.text for entry in await yui.persona()] == ["Yui hates rain."]


async def test_a_line_that_left_the_card_is_superseded_and_kept_in_the_log(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", card=["Yui is a librarian.", "Yui loves rain."])
        await yui.settle()
        await yui.describe(card=["Yui loves rain."])

        await yui.settle()

        assert [entry.text for entry in await yui.persona()] == ["Yui loves rain."]
        assert [event.kind for event in await yui.events()][-1] == "persona_entry_changed"


async def test_opening_a_character_with_the_card_it_has_stores_nothing(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", card=["Yui loves rain."])
        await yui.settle()
        before = await yui.events()

        await runtime.character("yui", card=["Yui loves rain."])
        await yui.settle()

        assert await yui.events() == before


async def test_a_card_that_goes_back_and_forth_ends_as_it_was_set_last(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", card=["Yui loves rain."])
        await yui.describe(card=["Yui hates rain."])
        await yui.settle()
        await yui.describe(card=["Yui loves rain."])

        await yui.settle()

        assert [entry.text for entry in await yui.persona()] == ["Yui loves rain."]


async def test_a_crash_before_and_after_the_commit_leaves_each_line_once(tmp_path: Path) -> None:
    failpoints, clock = ArmedFailpoints(), VirtualClock(START)
    async with open_runtime(tmp_path, failpoints=failpoints, clock=clock) as runtime:
        failpoints.arm("persona.before_commit", Fault.CRASH)
        failpoints.arm("persona.after_commit", Fault.CRASH)
        yui = await runtime.character("yui", card=["Yui loves rain."])
        while (drained := await yui.drain()).next_at is not None:
            clock.advance_to(drained.next_at)

        assert [entry.text for entry in await yui.persona()] == ["Yui loves rain."]
        settings = runtime.settings
    assert examine(settings, "yui").healthy
