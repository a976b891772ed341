"""A reflection that is stable becomes lasting knowledge, once, and what a person rejects is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omoide.actors.persona.promotion import Promotion, promoted
from omoide.actors.reflection.lifecycle import Step
from omoide.protocols.events import PersonaEntryAdded, PersonaEntryChanged, ReflectionSynthesised
from omoide.protocols.messages import Commit
from omoide.protocols.records import (
    Entity,
    EntrySource,
    EntryStatus,
    Evidence,
    PersonaEntry,
    Reflection,
    ReflectionId,
    ReflectionStatus,
)
from omoide.protocols.settings import EvidenceSettings
from omoide.protocols.work import Promote
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.store.doctor import examine
from omoide.tests.actors.briefing.samples import GROUP, NOW, a_card_line, a_reflection, an_entry, texts

WEIGHTS = EvidenceSettings()
TEA = "Sam loves green tea."
STRONG = Evidence(reinforcement=3.0, rein_last_signal_at=NOW)


def decided(*entries: PersonaEntry, text: str = TEA, **fields: Any) -> Promotion:
    reflection = a_reflection(text, **{"evidence": STRONG, **fields})
    return promoted(reflection, entries, (), NOW, WEIGHTS, names=["Sam"])


def test_what_nothing_speaks_against_becomes_an_entry_with_its_evidence_and_lineage() -> None:
    promotion = decided()

    assert promotion.step is Step.PROMOTE
    assert isinstance(promotion.change, PersonaEntryAdded)
    entry = promotion.change.entry
    assert (entry.text, entry.evidence, entry.lineage) == (TEA, STRONG, (f"ref_{TEA}",))
    assert promotion.absorbed_into == entry.id


@pytest.mark.parametrize("known", ["Sam loves green tea!", "Sam loves tea that is green, green tea.", TEA])
def test_what_an_entry_says_already_is_merged_or_new_but_never_denied(known: str) -> None:
    assert decided(an_entry(known)).step in {Step.MERGE, Step.PROMOTE}


def test_what_is_merged_keeps_the_larger_evidence_and_both_lineages() -> None:
    entry = an_entry(
        "Sam loves green tea!", evidence=Evidence(reinforcement=2.0, rein_last_signal_at=NOW), lineage=("ref_old",)
    )

    promotion = decided(entry)

    assert (promotion.step, promotion.absorbed_into) == (Step.MERGE, entry.id)
    assert isinstance(promotion.change, PersonaEntryChanged)
    joined = promotion.change.entry
    assert (joined.text, joined.evidence.reinforcement) == (entry.text, 3.0)
    assert joined.lineage == ("ref_old", f"ref_{TEA}")


def test_merging_the_same_reflection_again_changes_nothing() -> None:
    merged = an_entry(TEA, lineage=(f"ref_{TEA}",))

    assert decided(merged).change is None


def test_what_contradicts_the_card_is_denied() -> None:
    line = a_card_line("Yui is a librarian.")

    promotion = decided(line, text="Yui is not a librarian.", entity=Entity.CHARACTER)

    assert (promotion.step, promotion.change) == (Step.DENY, None)
    assert line.id in promotion.reason


def test_what_the_card_says_is_merged_into_it_without_changing_it() -> None:
    promotion = decided(a_card_line(TEA))

    assert (promotion.step, promotion.change) == (Step.MERGE, None)


def test_what_contradicts_another_entry_waits() -> None:
    assert decided(an_entry("Sam doesn't love green tea.")).step is None


@pytest.mark.parametrize(
    "fields", [{"subject": GROUP}, {"entity": Entity.CHARACTER}, {"status": EntryStatus.SUPERSEDED}]
)
def test_entries_of_another_subject_or_person_or_out_of_force_are_not_merged_into(fields: dict[str, Any]) -> None:
    assert decided(an_entry(TEA, **fields)).step is Step.PROMOTE


# --- the whole character ------------------------------------------------------------------------


async def due(runtime: Runtime, *reflections: Reflection) -> None:
    """Store reflections whose promotion is due, with the work that it is."""
    async with runtime.resident("yui") as resident:
        await resident.journal.commit(
            Commit(
                actor="reflection",
                cause="test",
                changes=tuple(ReflectionSynthesised(reflection=one) for one in reflections),
                enqueues=tuple(Promote(reflection=ReflectionId(one.id), at=NOW) for one in reflections),
            )
        )


async def reflections(runtime: Runtime) -> dict[str, ReflectionStatus]:
    async with runtime.resident("yui") as resident:
        return {one.text: one.status for one in await resident.journal.records(Reflection)}


async def test_a_promoted_reflection_is_told_once_and_as_lasting_knowledge(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, clock=VirtualClock(NOW)) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await due(runtime, a_reflection(TEA, evidence=STRONG))
        await yui.settle()

        briefing = await yui.briefing()

        assert (texts(briefing.persona), texts(briefing.certain)) == ([TEA], [])
        assert await reflections(runtime) == {TEA: ReflectionStatus.PROMOTED}
        settings = runtime.settings
    assert examine(settings, "yui").healthy


async def test_two_reflections_that_say_the_same_become_one_entry(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, clock=VirtualClock(NOW)) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await due(
            runtime, a_reflection(TEA, evidence=STRONG), a_reflection("Sam loves green tea!", evidence=STRONG)
        )
        await yui.settle()

        (entry,) = await yui.persona()
        assert entry.lineage == (f"ref_{TEA}", "ref_Sam loves green tea!")
        assert set((await reflections(runtime)).values()) == {ReflectionStatus.PROMOTED, ReflectionStatus.MERGED}


@pytest.mark.parametrize(
    "fields",
    [
        {"evidence": Evidence(reinforcement=1.9, rein_last_signal_at=NOW)},
        {"status": ReflectionStatus.PENDING, "evidence": STRONG},
        {"status": ReflectionStatus.DENIED, "evidence": STRONG},
    ],
)
async def test_what_is_not_due_any_more_is_not_promoted(tmp_path: Path, fields: dict[str, Any]) -> None:
    async with open_runtime(tmp_path, clock=VirtualClock(NOW)) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await due(runtime, a_reflection(TEA, **fields))
        drained = await yui.settle()

        assert (await yui.persona(), drained.parked) == ((), 0)


async def test_a_crash_anywhere_promotes_once(tmp_path: Path) -> None:
    clock, failpoints = VirtualClock(NOW), ArmedFailpoints()
    async with open_runtime(tmp_path, clock=clock, failpoints=failpoints) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        for point in ("persona.received", "persona.before_commit", "persona.after_commit", "reflection.received"):
            failpoints.arm(point, Fault.CRASH)
        await due(runtime, a_reflection(TEA, evidence=STRONG))
        while (drained := await yui.drain()).next_at is not None:
            clock.advance_to(drained.next_at)

        assert [entry.source for entry in await yui.persona()] == [EntrySource.REFLECTION]
        assert await reflections(runtime) == {TEA: ReflectionStatus.PROMOTED}


async def test_what_a_person_says_is_wrong_leaves_the_persona_until_they_affirm_it(tmp_path: Path) -> None:
    clock = VirtualClock(NOW)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I work as a nurse.")
        await due(
            runtime, a_reflection("Sam works as a nurse.", evidence=STRONG), a_reflection(TEA, evidence=STRONG)
        )
        await yui.settle()
        before = sorted(texts((await yui.briefing()).persona))
        clock.advance_to(NOW + 60)

        await yui.hear("No, that's wrong, I don't work as a nurse.")
        await yui.settle()
        rejected = texts((await yui.briefing()).persona)
        clock.advance_to(NOW + 40 * 86_400)
        await yui.settle()
        later = texts((await yui.briefing()).persona)

        assert (before, rejected, later) == ([TEA, "Sam works as a nurse."], [TEA], [TEA])


async def test_what_is_rejected_before_its_promotion_is_not_promoted(tmp_path: Path) -> None:
    clock = VirtualClock(NOW)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I work as a nurse.")
        await yui.settle()
        clock.advance_to(NOW + 60)
        await yui.hear("No, that's wrong, I don't work as a nurse.")
        await yui.settle()
        await due(runtime, a_reflection("Sam works as a nurse.", evidence=STRONG))
        await yui.settle()

        assert await yui.persona() == ()
