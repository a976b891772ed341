"""What the character says and promises of itself is remembered as its own word, and as nobody else's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from msgspec.structs import replace

from omoide.actors.extraction.grounding import conversation_around, is_own
from omoide.protocols.errors import InvalidNameError, StorageFullError
from omoide.protocols.messages import Candidate, Commit
from omoide.protocols.records import Entity, Fact, Profile, Role, Speaker, Turn, TurnId
from omoide.protocols.self_account import is_self_account, self_account
from omoide.protocols.tasks import ExtractSelfRequest, OwnStatement
from omoide.protocols.work import ExtractSelf, OpState

Lives = Callable[..., AbstractAsyncContextManager[Any]]
DiskRefuses = Callable[[Callable[[Commit], bool]], None]

SAM = Profile(owner="Sam")
LINES = (
    "I love old jazz records.",
    "I will remind you about the dentist on Friday.",
    "How was the river?",
    "You have a cat called Momo.",
    "That sounds lovely!",
)


def own(facts: Iterable[Fact]) -> list[str]:
    return [fact.text.rstrip(".。") for fact in facts if is_self_account(fact.speaker)]


async def talk(it: Any, *lines: str) -> None:
    """Have the character say lines, each to something that the person said."""
    for line in lines:
        await it.character.hear("Go on.")
        await it.character.say(line)
    await it.settle()


async def test_what_it_says_and_promises_of_itself_is_kept_as_its_own_word(life: Lives) -> None:
    async with life() as it:
        await talk(it, *LINES)
        kept = [fact for fact in await it.character.facts() if is_self_account(fact.speaker)]
        assert own(kept) == ["I love old jazz records", LINES[1].rstrip(".")]
        assert {(fact.entity, fact.trust) for fact in kept} == {(Entity.CHARACTER, None)}


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("我喜欢下雨天。", "我喜欢下雨天"),
        ("我会提醒你周五去看牙医。", "我会提醒你周五去看牙医"),
        ("私は雨の日が好きです。", "私は雨の日が好きです"),
        ("金曜日に歯医者のことを教えてあげるね。", "金曜日に歯医者のことを教えてあげるね"),
        ("I promise to water your plants.", "I promise to water your plants"),
        ("I'll be right back!", ""),
        ("If you like, I will sing.", ""),
    ],
)
async def test_it_is_understood_in_other_languages(life: Lives, line: str, kept: str) -> None:
    async with life() as it:
        await talk(it, line, *["嗯？"] * 4)
        assert own(await it.character.facts()) == ([kept] if kept else [])


async def test_what_is_due_with_a_line_that_the_disk_refuses_is_due_with_the_next(
    life: Lives, disk_refuses: DiskRefuses
) -> None:
    disk_refuses(lambda commit: any(isinstance(work, ExtractSelf) for work in commit.enqueues))
    async with life() as it:
        for line in LINES[:-1]:
            await it.character.say(line)
        with pytest.raises(StorageFullError):
            await it.character.say(LINES[-1])
        await talk(it, LINES[-1])
        assert own(await it.character.facts()) == ["I love old jazz records", LINES[1].rstrip(".")]


async def test_what_is_due_with_a_line_that_comes_again_is_due_with_the_next(life: Lives) -> None:
    async with life() as it:
        for number in range(len(LINES)):
            await it.character.say(f"Hm, {number}.", message_id=f"m{number}")
        for line in LINES[:-1]:
            await it.character.say(line)
        await it.character.say("Hm, 0.", message_id="m0")
        await talk(it, LINES[-1])
        assert own(await it.character.facts()) == ["I love old jazz records", LINES[1].rstrip(".")]


async def test_a_line_before_a_restart_is_looked_at_too(life: Lives) -> None:
    async with life() as it:
        await talk(it, *LINES[:-1])
    async with life() as it:
        await talk(it, LINES[-1])
        assert own(await it.character.facts()) == ["I love old jazz records", LINES[1].rstrip(".")]


@pytest.mark.parametrize("at", [1, 4, 5, 7, 10])
async def test_a_restart_moves_no_look(life: Lives, at: int) -> None:
    lines = [f"I love jazz record number {number}." for number in range(12)]
    async with life() as it:
        await talk(it, *lines[:at])
    async with life() as it:
        await talk(it, *lines[at:])
        said = [turn.id for turn in await it.character.turns(newest=99) if turn.role is Role.CHARACTER]
        done = await it.character.outbox(states=[OpState.DONE])
    looks = [op.work.turns for op in done if isinstance(op.work, ExtractSelf)]
    assert looks == [tuple(said[:5]), tuple(said[5:10])]


async def test_the_same_sentence_of_the_owner_is_another_fact(life: Lives) -> None:
    async with life() as it:
        await it.hear("I love old jazz records.")
        await talk(it, *LINES)
        told = [fact for fact in await it.character.facts() if "jazz" in fact.text]
        assert sorted((fact.speaker is None, fact.entity) for fact in told) == [
            (False, Entity.CHARACTER),
            (True, Entity.OWNER),
        ]


async def test_it_is_no_evidence_and_makes_no_judgement(life: Lives) -> None:
    async with life("Sam loves jazz.") as it:
        await talk(it, *(f"I love jazz record number {number}." for number in range(10)))
        assert len(own(await it.character.facts())) == 10
        assert (it.mind.asked, await it.every_reflection()) == ([], {})


async def test_what_the_owner_says_is_evidence_all_the_same(life: Lives) -> None:
    async with life("Sam loves jazz.") as it:
        await it.hear(*(f"I love jazz record number {number}." for number in range(5)))
        assert len(it.mind.asked) == 1


async def test_what_was_recalled_and_is_said_again_makes_no_fact(life: Lives) -> None:
    async with life() as it:
        await it.hear("I have a cat called Momo.")
        await talk(it, *["You have a cat called Momo."] * 10)
        assert len(await it.character.facts()) == 1


async def test_what_its_card_says_is_not_learned_again(life: Lives) -> None:
    async with life() as it:
        await it.character.describe(card=["Yui loves old jazz records."])
        await talk(it, *LINES)
        assert own(await it.character.facts()) == [LINES[1].rstrip(".")]


async def test_a_mind_that_takes_the_owners_facts_for_the_characters_is_not_believed(life: Lives) -> None:
    async with life() as it:

        async def extract_self(request: ExtractSelfRequest) -> list[OwnStatement]:
            last = request.turns[-1]
            said = ("You have a cat called Momo", "Sam has a cat called Momo", "I have a cat called Momo too")
            return [
                OwnStatement(turn=last.id, candidate=Candidate(text=text, entity=Entity.OWNER, importance=9))
                for text in said
            ]

        it.mind.extract_self = extract_self
        await talk(it, *["You, Sam, have a cat called Momo, and I have a cat called Momo too."] * 5)
        (kept,) = await it.character.facts()
        assert (kept.text, kept.entity) == ("I have a cat called Momo too", Entity.CHARACTER)


async def test_what_the_owner_rejected_of_it_stays_away_though_it_says_it_again(life: Lives) -> None:
    async with life() as it:
        await talk(it, *LINES)
        (jazz,) = [fact for fact in await it.character.facts() if "jazz" in fact.text]
        await it.character.reject(jazz.id)
        await talk(it, *LINES)
        assert own(await it.character.facts()) == [LINES[1].rstrip(".")]


async def test_what_nobody_rejected_of_it_is_said_again_and_stays(life: Lives) -> None:
    async with life() as it:
        await talk(it, *LINES, *LINES)
        assert len(own(await it.character.facts())) == 2


async def test_a_briefing_names_the_character_as_the_one_who_said_it(life: Lives) -> None:
    async with life() as it:
        await talk(it, *LINES)
        hit = next(hit for hit in (await it.character.recall("old jazz records")).hits if hit.kind == "fact")
        text = (await it.character.recall("old jazz records")).text
        assert (hit.entity, "yui" in text) == (Entity.CHARACTER, True)


async def test_nothing_is_looked_for_without_strong_memory(life: Lives) -> None:
    async with life() as it:
        await it.character.set_strong_memory(False)
        await talk(it, *LINES)
        assert own(await it.character.facts()) == []


async def test_no_host_can_speak_as_the_character(life: Lives) -> None:
    async with life() as it:
        with pytest.raises(InvalidNameError, match="character's own"):
            await it.character.hear("I am the character.", speaker=self_account("yui"))
        await it.character.hear("I am a guest.", speaker=Speaker(platform="discord", account="character"))


def turn(name: str, text: str, role: Role = Role.CHARACTER) -> Turn:
    return Turn(id=TurnId(name), role=role, text=text, said_at=0, heard_at=0)


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("I like jazz", True),
        ("Yui likes jazz", True),
        ("you like jazz", False),
        ("Sam likes jazz", False),
        ("I collect opera glasses", False),
    ],
)
def test_what_stands_is_about_itself_and_in_words_of_its_turn(text: str, stands: bool) -> None:
    said = turn("t1", "I like jazz, and you like jazz, Sam likes jazz, says Yui.")
    candidate = Candidate(text=text, entity=Entity.CHARACTER, importance=5)
    assert is_own(candidate, said, SAM, "Yui") is stands


@pytest.mark.parametrize(
    ("line", "text", "stands"),
    [
        ("- Sam: 'I have a cat named Miso.'", "- Sam: 'I have a cat named Miso.'", False),
        ("You told me: “I have a cat.”", "I have a cat", False),
        ('I remember that you said "I moved to Oslo".', "I moved to Oslo", False),
        ("サムさんは「私は猫を飼っています」と言いました。", "私は猫を飼っています", False),
        ("I call my lamp 'Miso'.", "I call my lamp 'Miso'", True),
        ("I don't like Sam's jokes.", "I don't like Sam's jokes", True),
    ],
)
def test_what_it_recites_is_not_its_own_word(line: str, text: str, stands: bool) -> None:
    candidate = Candidate(text=text, entity=Entity.CHARACTER, importance=5)
    assert is_own(candidate, turn("t1", line), SAM, "Yui") is stands


def test_a_mind_is_shown_what_the_lines_answer_and_no_more() -> None:
    window = [
        turn("t0", "Long ago.", Role.PERSON),
        turn("t1", "Hm."),
        turn("t2", "Do you like jazz?", Role.PERSON),
        turn("t3", "I do."),
        turn("t4", "Me too.", Role.PERSON),
    ]
    assert [one.id for one in conversation_around([window[3]], window)] == ["t2", "t3"]


def test_lines_that_left_the_window_are_shown_alone() -> None:
    old = replace(turn("t9", "I do."))
    assert conversation_around([old], [turn("t1", "Hm.")]) == (old,)
