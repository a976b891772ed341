"""The signals role on real journals: who may move what is believed, and by which words."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from omoide.protocols.errors import InvalidRequestError, ModelError
from omoide.protocols.evidence import Signal
from omoide.protocols.records import Speaker
from omoide.protocols.scopes import PRIVATE

Lives = Callable[..., AbstractAsyncContextManager[Any]]

TEA = "Sam likes green tea."
TEAS = (
    "I drink green tea every morning.",
    "My green tea comes from Uji.",
    "I bought a pot for green tea.",
    "I spilled green tea on the carpet.",
    "I read a book about green tea.",
)


async def test_the_mind_is_not_asked_where_nothing_was_brought_up(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        await it.hear("How are you?")
        assert it.mind.shown == []


async def test_it_is_asked_once_for_the_words_that_come_next(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        await it.character.say("Green tea again?", surfaced=["green tea"])
        await it.hear("Hm.", "What is for dinner?")
        assert it.mind.shown == [(TEA,)]


async def test_a_member_of_a_group_answers_nothing_for_the_owner(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        it.mind.reads(Signal.DENIED)
        await it.character.say("Green tea again?", surfaced=["green tea"])
        bob = Speaker(platform="qq", account="1002")
        await it.character.hear("No, never.", speaker=bob, subject="group:qq:88")
        await it.character.hear("No, never.", speaker=bob, subject=PRIVATE)
        await it.settle()
        assert (it.mind.shown, TEA in await it.recalled("green tea")) == ([], True)


async def test_what_the_character_itself_says_moves_nothing(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        (before,) = await it.character.reflections()
        await it.character.say("You like green tea. You like green tea!")
        await it.settle()
        (after,) = await it.character.reflections()
        assert after.evidence == before.evidence


async def test_a_later_fact_that_agrees_reinforces(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        await it.hear("I like green tea a lot.")
        (one,) = await it.character.reflections()
        assert one.evidence.fact_reinforcements == 1


async def test_a_later_fact_that_contradicts_disputes_and_takes_it_out_of_recall(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        await it.hear("I don't like green tea.")
        assert TEA not in await it.recalled("green tea")


async def test_an_answer_whose_reading_fails_is_read_again_and_counted_once(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        await it.character.say("Green tea again?", surfaced=["green tea"])
        calls = []

        def fail_once(_: object) -> list[Any]:
            calls.append(1)
            it.mind.reads(Signal.IGNORED)
            raise ModelError("no usable answer")

        it.mind.reading = fail_once
        await it.hear("Hm.")
        (one,) = await it.character.reflections()
        assert (len(calls), one.evidence.reinforcement) == (1, -0.2)


@pytest.mark.parametrize("named", [["x"] * 17, [""], ["x" * 5_000], "green tea", [7], ["\ud800"]])
async def test_names_of_what_was_brought_up_that_can_be_none_are_refused(life: Lives, named: Any) -> None:
    async with life() as it:
        with pytest.raises(InvalidRequestError, match="surfaced"):
            await it.character.say("Green tea again?", surfaced=named)


async def test_a_name_that_names_nothing_is_counted_and_costs_nothing(
    life: Lives, caplog: pytest.LogCaptureFixture
) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        await it.character.say("Sailing?", surfaced=["sailing"])
        await it.hear("Hm.")
        assert "reflection.unknown_surfaced" in [record.message for record in caplog.records]
        assert it.mind.shown == []
