"""What the character brings up is counted, and left alone for a while once it was too often."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from omoide.actors.persona.mentioning import brought_up_by
from omoide.protocols.events import PersonaEntryAdded, ReflectionSynthesised
from omoide.protocols.messages import Commit
from omoide.protocols.records import (
    EntrySource,
    EntryStatus,
    Evidence,
    Mentions,
    PersonaEntry,
    Reflection,
    ReflectionStatus,
    Role,
)
from omoide.protocols.settings import MentionSettings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.store.doctor import examine
from omoide.tests.actors.briefing.samples import GROUP, NOW, a_reflection, a_turn, an_entry, texts

SETTINGS = MentionSettings()
RIVER = "Sam loves running along the river."
CHESS = "Sam plays chess on Sundays."
LINE = "Shall we go running along the river?"


def said(text: str, *, turn: str = "t1", **fields: Any) -> tuple[list[str], list[str]]:
    """Return the texts of the entries and the reflections that a line brought up, of one of each."""
    line = a_turn(text, role=Role.CHARACTER, turn=turn)
    found = brought_up_by(
        line,
        (an_entry(RIVER, **fields), an_entry(CHESS)),
        (a_reflection("Sam is afraid of the dentist."),),
        SETTINGS,
        names=["Sam", "yui"],
    )
    return [entry.text for entry in found.entries], [one.text for one in found.reflections]


def test_a_line_that_says_what_an_entry_says_brings_it_up_whatever_its_wording() -> None:
    assert said("You were RUNNING by the river again, Sam?") == ([RIVER], [])


def test_a_line_brings_confirmed_reflections_up() -> None:
    assert said("Are you still afraid of that dentist?") == ([], ["Sam is afraid of the dentist."])


@pytest.mark.parametrize("line", ["Good morning, Sam!", "Sam, what is for dinner?", "I love the rain."])
def test_a_line_about_something_else_brings_nothing_up(line: str) -> None:
    assert said(line) == ([], [])


@pytest.mark.parametrize(
    "fields",
    [
        {"source": EntrySource.CARD, "evidence": Evidence(protected=True)},
        {"status": EntryStatus.SUPERSEDED},
        {"subject": GROUP},
    ],
)
def test_what_is_protected_or_out_of_force_or_of_another_audience_is_not_counted(
    fields: dict[str, Any],
) -> None:
    assert said(LINE, **fields) == ([], [])


def test_a_pending_reflection_may_be_probed_without_being_counted() -> None:
    pending = a_reflection(RIVER, status=ReflectionStatus.PENDING)

    found = brought_up_by(a_turn(LINE, role=Role.CHARACTER), (), (pending,), SETTINGS, names=[])

    assert found.reflections == ()


def test_counting_a_line_again_changes_nothing() -> None:
    line = a_turn(LINE, role=Role.CHARACTER)
    (once,) = brought_up_by(line, (an_entry(RIVER),), (), SETTINGS, names=[]).entries

    assert brought_up_by(line, (once,), (), SETTINGS, names=[]).entries == ()


def test_a_line_from_the_future_counts_from_when_it_was_heard_of() -> None:
    line = replace(a_turn(LINE, role=Role.CHARACTER), said_at=NOW + 1e9, heard_at=NOW)

    (entry,) = brought_up_by(line, (an_entry(RIVER),), (), SETTINGS, names=[]).entries

    assert entry.mentions.recent[0].at == NOW


# --- the whole character ------------------------------------------------------------------------


async def believe(runtime: Runtime, *beliefs: PersonaEntry | Reflection) -> None:
    """Store beliefs as their owners would."""
    async with runtime.resident("yui") as resident:
        await resident.journal.commit(
            Commit(
                actor="persona",
                cause="test",
                changes=tuple(
                    PersonaEntryAdded(entry=one)
                    if isinstance(one, PersonaEntry)
                    else ReflectionSynthesised(reflection=one)
                    for one in beliefs
                ),
            )
        )


async def mentions(runtime: Runtime) -> Sequence[Mentions]:
    async with runtime.resident("yui") as resident:
        entries = await resident.journal.records(PersonaEntry)
        reflections = await resident.journal.records(Reflection)
        return [*(entry.mentions for entry in entries), *(one.mentions for one in reflections)]


async def test_the_third_mention_in_five_hours_hushes_a_belief_for_five_hours(tmp_path: Path) -> None:
    clock = VirtualClock(NOW)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await believe(runtime, an_entry(RIVER), a_reflection(CHESS))
        told = []
        for _ in range(3):
            await yui.say(LINE)
            await yui.say("Chess on Sunday?")
            await yui.settle()
            clock.advance_to(clock.now() + 600)
            told.append(texts((await yui.briefing()).quiet))

        clock.advance_to(clock.now() + 5 * 3_600)

        assert told == [[], [], [RIVER, CHESS]]
        assert (await yui.briefing()).quiet == ()
        settings = runtime.settings
    assert examine(settings, "yui").healthy


async def test_what_a_person_says_is_no_mention(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, clock=VirtualClock(NOW)) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await believe(runtime, an_entry(RIVER))
        for number in range(5):
            await yui.hear(f"I love running along the river, number {number}.")
        await yui.settle()

        assert set(await mentions(runtime)) == {Mentions()}


async def test_a_crash_anywhere_counts_a_line_once(tmp_path: Path) -> None:
    clock, failpoints = VirtualClock(NOW), ArmedFailpoints()
    async with open_runtime(tmp_path, clock=clock, failpoints=failpoints) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await believe(runtime, an_entry(RIVER), a_reflection(RIVER))
        for point in ("persona.received", "persona.before_commit", "persona.after_commit", "reflection.received"):
            failpoints.arm(point, Fault.CRASH)
        await yui.say(LINE)
        while (drained := await yui.drain()).next_at is not None:
            clock.advance_to(drained.next_at)

        assert [len(one.recent) for one in await mentions(runtime)] == [1, 1]
        assert drained.parked == 0
