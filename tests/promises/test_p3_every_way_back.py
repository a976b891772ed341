"""P3: what was denied comes back by none of the ways that values take back into memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.protocols.ports import Synthesis
from omoide.protocols.records import Entity
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime
from omoide.tests.promises.denier import (
    ALICE,
    DAY_S,
    GROUP,
    HUSHI,
    KANGOSHI,
    NURSE,
    START,
    VALUES,
    Scripted,
    Talk,
    Value,
    talking,
)

REWORDINGS = {
    "en": (NURSE, ("Sam's profession is nursing", "Nurse Sam loves tea", "Sam lives in Ulm and works as a nurse")),
    "zh": (HUSHI, ("阿明的職業是護士", "护士阿明喜欢喝茶", "阿明住在成都，是护士")),
    "ja": (KANGOSHI, ("健太の職業は看護師です", "看護師健太はお茶が好き")),
}


@pytest.mark.parametrize("language", REWORDINGS)
@pytest.mark.parametrize("denied", [True, False])
async def test_a_models_rewording_of_a_later_turn_brings_back_only_what_nobody_denied(
    language: str, tmp_path: Path, *, denied: bool
) -> None:
    value, texts = REWORDINGS[language]
    async with talking(tmp_path, value.owner) as talk:
        if denied:
            await talk.hear(value.said)
            await talk.hear(value.denied)
        for number, text in enumerate(texts):
            await talk.hear(f"{text}? {value.owner} {number}", makes=(text,))
        believed = {fact.text for fact in await talk.character.facts()}
    assert believed.isdisjoint(texts) is denied


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("denied", [True, False])
async def test_a_character_that_was_exported_and_imported_believes_only_what_nobody_denied(
    value: Value, tmp_path: Path, *, denied: bool
) -> None:
    async with talking(tmp_path / "first", value.owner) as talk:
        await talk.hear(value.said)
        if denied:
            await talk.hear(value.denied)
        await talk.runtime.export("yui", tmp_path / "exported")
    clock, model = VirtualClock(START + 30 * DAY_S), Scripted()
    settings = Settings(data_dir=tmp_path / "second")
    async with open_runtime(settings, clock=clock, model=model) as runtime:
        await runtime.import_(tmp_path / "exported")
        talk = Talk(runtime, await runtime.character("yui", create=False), clock, model)
        assert await talk.comes_back(value) is not denied
        await talk.hear(value.by_others[0], speaker=ALICE)
        assert await talk.comes_back(value) is not denied


@pytest.mark.parametrize("denied", [True, False])
async def test_a_judgement_that_is_made_again_of_later_facts_says_only_what_nobody_denied(
    tmp_path: Path, *, denied: bool
) -> None:
    async with talking(tmp_path) as talk:

        async def judge(_: object) -> Synthesis:
            return Synthesis(text="Sam loves working as a nurse.", entity=Entity.OWNER)

        talk.model.synthesise = judge  # type: ignore[method-assign, assignment]
        if denied:
            await talk.hear(NURSE.said)
            await talk.hear("No, that's wrong, I don't love working as a nurse. I don't work as a nurse.")
        for thing in ("ward", "night shift", "uniform", "syringe", "stethoscope", "bandage", "clinic"):
            await talk.hear(f"I saw a {thing} of the nurse at the hospital today.")
        listed = {one.text for one in await talk.character.reflections()}
        briefing = (await talk.character.briefing()).text
    assert ("Sam loves working as a nurse." in listed and "loves working as a nurse" in briefing) is not denied


@pytest.mark.parametrize("denied", [True, False])
async def test_a_judgement_that_left_memory_long_ago_is_made_again_only_where_nobody_denied_it(
    tmp_path: Path, *, denied: bool
) -> None:
    judgement = "Sam loves tea from Uji."
    async with talking(tmp_path) as talk:

        async def judge(_: object) -> Synthesis:
            return Synthesis(text=judgement, entity=Entity.OWNER)

        talk.model.synthesise = judge  # type: ignore[method-assign, assignment]
        for thing in ("pot", "cup", "whisk", "bowl", "spoon"):
            await talk.hear(f"I bought a {thing} for tea from Uji.")
        await talk.say("So you love tea from Uji?", surfaced=[judgement])
        await talk.hear("No, that's wrong, I don't love tea from Uji." if denied else "What is for dinner?")
        for _ in range(60):
            talk.clock.advance_to(talk.clock.now() + DAY_S)
            await talk.settle()
        gone = [one.text for one in await talk.character.reflections()]
        for thing in ("scoop", "tin", "kettle", "tray", "strainer", "cloth"):
            await talk.hear(f"I bought a {thing} for tea from Uji.")
        recalled = await talk.recalled("does Sam love tea from Uji")
        briefing = (await talk.character.briefing()).text

    assert gone == []
    assert (judgement in recalled, judgement in briefing) == (not denied, not denied)


@pytest.mark.parametrize(
    "said", ["I WORK AS A NURSE!!", "ｉ ｗｏｒｋ ａｓ ａ ｎｕｒｓｅ", "I  work\u200b as a nurse"]
)
async def test_another_case_width_or_hidden_character_is_the_same_value(said: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.")
        await talk.hear("I don't work as a nurse.")
        await talk.hear(f"So? {said[:3]}", makes=(said,))
        assert not await talk.comes_back(NURSE)


@pytest.mark.parametrize(("here", "there"), [(GROUP, PRIVATE), (PRIVATE, GROUP)])
async def test_what_is_denied_in_one_place_is_denied_where_else_the_person_said_it(
    here: str, there: str, tmp_path: Path
) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.", subject=there)
        await talk.hear("I collect stamps.", subject=there)
        await talk.hear("I'm not a nurse, they found the morphine.", subject=here)
        assert not await talk.comes_back(NURSE, there)
        assert "I collect stamps." in await talk.recalled("stamps", there)
        told = [one for one in await talk.rejections() if one.subject == there]
    assert [(one.text, one.denial) for one in told] == [("I work as a nurse.", "")]


async def test_another_members_own_value_is_left_where_somebody_else_denies_theirs(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.", speaker=ALICE, subject=GROUP)
        await talk.hear("I don't work as a nurse.", subject=PRIVATE)
        assert "I work as a nurse." in await talk.recalled("nurse", GROUP)


async def test_a_self_correction_leaves_the_second_value_alone(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I live in Porto, no wait, Braga.")
        await talk.hear("我表姐叫小云，不对，小雨。")
        texts = [fact.text for fact in await talk.character.facts()]
    assert texts == ["I live in Braga.", "我表姐叫小雨。"]


async def test_that_is_wrong_to_two_things_at_once_rejects_neither(tmp_path: Path) -> None:
    """Which of them is wrong nobody knows, and a true one that was rejected would be silent for good."""
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.")
        await talk.hear("I have a goat.")
        await talk.say("You work as a nurse. You have a goat.")
        await talk.hear("That's wrong.")
        assert {fact.text for fact in await talk.character.facts()} == {"I work as a nurse.", "I have a goat."}


@pytest.mark.parametrize("denied", [True, False])
async def test_what_is_taken_out_of_the_archive_is_only_what_nobody_denied_meanwhile(
    tmp_path: Path, *, denied: bool
) -> None:
    async with talking(tmp_path) as talk:
        await talk.hear("I work as a nurse.", subject=GROUP, speaker=ALICE)
        for _ in range(100):
            talk.clock.advance_to(talk.clock.now() + DAY_S)
            await talk.settle()
        archived = await talk.character.facts()
        if denied:
            await talk.hear("I don't work as a nurse.", subject=GROUP, speaker=ALICE)
        await talk.character.restore_subject(GROUP)
        await talk.settle()
        recalled = await talk.recalled("who works as a nurse", GROUP)

    assert archived == ()
    assert ("I work as a nurse." in recalled) is not denied
