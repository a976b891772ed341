"""The briefing of a whole character, over a real journal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from omoide.actors.briefing import memory
from omoide.actors.compaction import heeding
from omoide.protocols.errors import ActorCrashedError, InvalidSubjectError, InvalidTextError
from omoide.protocols.messages import Briefing, Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity, Role, Speaker
from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine
from omoide.runtime.store.doctor import examine

START = 1_772_442_000.0
ALICE = Speaker(platform="qq", account="1001", label="Alice")


def texts(briefing: Briefing, part: str) -> list[str]:
    return [entry.text for entry in getattr(briefing, part)]


class Parrot(OfflineEngine):
    """A mind that takes every turn for one statement without importance."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        return [Candidate(text=request.turn.text, entity=Entity.OWNER, importance=3)]


async def test_a_fresh_character_has_a_briefing_with_its_card_at_once(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", card=["Yui is a librarian.", "Yui loves rain."])

        briefing = await yui.briefing()

        assert texts(briefing, "persona") == ["Yui is a librarian.", "Yui loves rain."]
        assert (briefing.degraded, briefing.left_out) == ((), 0)


async def test_a_card_line_that_was_removed_is_gone_at_once(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", card=["Yui is a librarian.", "Yui loves rain."])
        await yui.settle()
        await yui.briefing()
        await yui.describe(card=["Yui loves rain."])

        assert texts(await yui.briefing(), "persona") == ["Yui loves rain."]


async def test_what_matters_about_a_person_is_told_without_being_asked_for(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I'm allergic to peanuts.")
        await yui.settle()

        assert texts(await yui.briefing(), "known") == ["I'm allergic to peanuts."]


async def test_a_cue_adds_what_recall_finds_for_it(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, model=Parrot()) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("The vet of the cat is Doctor Weiss.")
        for number in range(24):
            await yui.hear(f"Lunch number {number} was soup.")
        await yui.settle()

        without, briefing = await yui.briefing(), await yui.briefing(cue="I'm back from the vet.")

        assert texts(without, "associated") == []
        assert texts(briefing, "associated") == ["The vet of the cat is Doctor Weiss."]
        assert briefing.degraded == ("embeddings",)


async def test_a_cue_finds_nothing_that_the_caller_may_not_read(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, model=Parrot()) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("The vet of the cat is Doctor Weiss.")
        await yui.settle()

        briefing = await yui.briefing(subjects=["group:qq:77"], cue="Who is the vet of the cat?")

        assert "Weiss" not in briefing.text


async def test_a_group_briefing_holds_what_the_group_said_and_nothing_private(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I'm allergic to peanuts.")
        await yui.hear("I'm allergic to shrimps.", speaker=ALICE, subject="group:qq:77")
        await yui.settle()

        private, group = await yui.briefing(), await yui.briefing(subjects=["group:qq:77"])

        assert ("peanuts" in private.text, "shrimps" in private.text) == (True, False)
        assert ("peanuts" in group.text, "shrimps" in group.text) == (False, True)


@pytest.mark.parametrize("subjects", [[], ["everything"], ["group:qq"], ["private"] * 9 + ["group:a:b"] * 9])
async def test_subjects_are_read_as_recall_reads_them(tmp_path: Path, subjects: list[str]) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        if subjects[:1] == ["private"]:
            assert (await yui.briefing(subjects=subjects)).degraded == ()
            return

        with pytest.raises(InvalidSubjectError):
            await yui.briefing(subjects=subjects)


@pytest.mark.parametrize("cue", ["a\ud800b", "a\x00b", 7, "x" * 70_000])
async def test_a_cue_that_is_no_text_is_refused(tmp_path: Path, cue: str) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")

        with pytest.raises(InvalidTextError):
            await yui.briefing(cue=cue)


@pytest.mark.parametrize("cue", ["", "  \n", "?!", "vet " * 10_000])
async def test_any_other_cue_is_taken(tmp_path: Path, cue: str) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")

        assert (await yui.briefing(cue=cue)).associated == ()


async def test_being_briefed_leaves_no_trace(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", card=["Yui loves rain."])
        await yui.hear("I'm allergic to peanuts.")
        await yui.settle()
        before = (await yui.events(), await yui.outbox())

        for _ in range(20):
            await yui.briefing(cue="Is there anything with peanuts?")

        assert (await yui.events(), await yui.outbox()) == before


async def test_what_was_briefed_and_said_is_not_learned_again(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I have a cat named Miso.")
        await yui.settle()
        for _ in range(20):
            await yui.say((await yui.briefing(cue="the cat")).text[:2_000])
            await yui.settle()

        assert [fact.text for fact in await yui.facts()] == ["I have a cat named Miso."]


async def test_the_gap_since_the_last_conversation_is_told(tmp_path: Path) -> None:
    clock = VirtualClock(START)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("Good night!")
        clock.advance_to(START + 3 * 86_400)
        await yui.hear("Good morning!")

        briefing = await yui.briefing()

        assert briefing.last_talk_at == START
        assert "The last conversation ended 3 days ago." in briefing.text


async def test_the_last_turns_are_those_of_the_subjects_and_no_more_than_set(tmp_path: Path) -> None:
    tree = Settings.model_validate({"data_dir": tmp_path, "render": {"recent_turns": 2}})
    async with open_runtime(tree) as runtime:
        yui = await runtime.character("yui")
        for number in range(4):
            await yui.hear(f"Line {number}.")
        await yui.say("Mhm.")
        await yui.hear("Elsewhere.", subject="group:qq:77", speaker=ALICE)

        recent = (await yui.briefing()).recent

        assert [(turn.role, turn.text) for turn in recent] == [(Role.PERSON, "Line 3."), (Role.CHARACTER, "Mhm.")]


async def test_without_recall_a_briefing_comes_all_the_same_and_says_so(tmp_path: Path) -> None:
    failpoints = ArmedFailpoints()
    async with open_runtime(tmp_path, failpoints=failpoints) as runtime:
        yui = await runtime.character("yui", card=["Yui loves rain."])
        failpoints.arm("recall.caught_up", Fault.CRASH)

        briefing = await yui.briefing(cue="rain?")

        assert (texts(briefing, "persona"), briefing.degraded) == (["Yui loves rain."], ("embeddings", "recall"))


async def test_a_crash_of_the_role_is_told_and_the_next_briefing_is_whole(tmp_path: Path) -> None:
    failpoints = ArmedFailpoints()
    async with open_runtime(tmp_path, failpoints=failpoints) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I'm allergic to peanuts.")
        await yui.settle()
        whole = await yui.briefing()
        failpoints.arm("briefing.caught_up", Fault.CRASH)

        with pytest.raises(ActorCrashedError):
            await yui.briefing()

        assert texts(await yui.briefing(), "known") == texts(whole, "known")


async def test_a_briefing_after_a_restart_is_the_one_before_it(tmp_path: Path) -> None:
    clock = VirtualClock(START)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam", card=["Yui loves rain."])
        await yui.hear("I'm allergic to peanuts.")
        await yui.briefing()
        await yui.hear("I'm a nurse at Saint Mary's.")
        await yui.settle()
        before = await yui.briefing(cue="peanuts")

    async with open_runtime(tmp_path, clock=clock) as runtime:
        after = await (await runtime.character("yui")).briefing(cue="peanuts")
        settings = runtime.settings

    assert after == before
    assert examine(settings, "yui").healthy


async def test_a_banned_topic_is_in_no_briefing_until_the_person_raises_it(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("My brother Marcus lives in Oslo.")
        await yui.hear("I'm allergic to peanuts.")
        await yui.settle()
        await yui.hear("Please stop mentioning Marcus.")

        assert "Marcus" not in (await yui.briefing()).text
        assert "Marcus" not in (await yui.briefing(cue="Please don't mention Marcus any more!")).text
        assert "peanuts" in (await yui.briefing()).text
        assert "Oslo" in (await yui.briefing(cue="How is Marcus?")).text


@pytest.mark.parametrize(
    ("said", "corrected", "gone"),
    [
        ("My favourite colour is green.", "My favourite colour isn't green, it's blue.", "colour is green"),
        ("I live in Kyoto.", "I moved to Osaka.", "live in Kyoto"),
        ("I am vegetarian.", "Actually, I'm not vegetarian.", "I am vegetarian"),
    ],
)
async def test_the_last_turns_do_not_quote_what_was_corrected_since(
    tmp_path: Path, said: str, corrected: str, gone: str
) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear(said)
        await yui.settle()
        before = (await yui.briefing()).text
        await yui.hear(corrected)
        await yui.settle()

        after = (await yui.briefing()).text

        assert (gone in before, gone in after, corrected in after) == (True, False, True)


async def test_what_was_corrected_before_a_restart_is_not_quoted_after_it(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I live in Kyoto.")
        await yui.settle()
        await yui.hear("I moved to Osaka.")
        await yui.settle()

    async with open_runtime(tmp_path) as runtime:
        text = (await (await runtime.character("yui")).briefing()).text

    assert ("live in Kyoto" in text, "moved to Osaka" in text) == (False, True)


async def test_what_was_said_is_held_against_what_was_rejected_once_until_more_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def rejected_in(text: str, *given: Any, **named: Any) -> bool:
        read.append(text)
        return heeding.rejected_in(text, *given, **named)

    monkeypatch.setattr(memory, "rejected_in", rejected_in)
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        for text in ("I like tea.", "I live in Bergen."):
            await yui.hear(text)
        await yui.settle()
        (tea, bergen) = await yui.facts()
        await yui.reject(tea.id)
        first = await yui.briefing()
        assert len(read) == 2
        assert (await yui.briefing()).text == first.text
        assert len(read) == 2

        await yui.reject(bergen.id)

        assert "Bergen" not in (await yui.briefing()).text
        assert len(read) == 4
