"""What the character may bring up of its own accord, and that nobody hears the same again and again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from omoide.protocols.errors import InvalidRequestError
from omoide.protocols.evidence import Signal
from omoide.protocols.messages import MemoryKind

Lives = Callable[..., AbstractAsyncContextManager[Any]]

TEA = "Sam likes green tea."
TEAS = (
    "I drink green tea every morning.",
    "My green tea comes from Uji.",
    "I bought a pot for green tea.",
    "I spilled green tea on the carpet.",
    "I read a book about green tea.",
)
HOUR = 1 / 24


async def texts(it: Any, **options: Any) -> list[str]:
    return [one.text for one in await it.character.offers(**options)]


async def believing(it: Any) -> None:
    """Let a reflection be made and its cool-down pass."""
    await it.hear(*TEAS)
    await it.wait(days=HOUR)


async def test_a_pending_reflection_is_offered_once_its_cool_down_is_over(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        at_once = await texts(it, limit=9)
        await it.wait(days=HOUR)
        later = await it.character.offers(limit=9)
        assert (at_once, MemoryKind.REFLECTION in {one.kind for one in later}) == ([], True)
        assert {one.text for one in later} == {TEA, *TEAS}


async def test_no_more_than_asked_for_are_offered_and_being_offered_changes_nothing(life: Lives) -> None:
    async with life(TEA) as it:
        await believing(it)
        before = len(await it.character.events())
        counts = [len(await it.character.offers()), len(await it.character.offers(limit=1))]
        assert (counts, len(await it.character.events())) == ([3, 1], before)


async def test_what_was_said_is_not_offered_again_for_hours_whatever_the_wording(life: Lives) -> None:
    async with life(TEA) as it:
        await believing(it)
        (one,) = [one for one in await it.character.offers(limit=9) if one.kind is MemoryKind.REFLECTION]
        await it.character.say("So, what about that hot drink of yours?", surfaced=[one.id])
        await it.wait(days=2 * HOUR)
        soon = await texts(it, limit=9)
        await it.wait(days=4 * HOUR)
        assert (TEA in soon, TEA in await texts(it, limit=9)) == (False, True)


async def test_the_answer_to_what_was_offered_and_said_is_judged(life: Lives) -> None:
    async with life(TEA) as it:
        await believing(it)
        (one,) = [one for one in await it.character.offers(limit=9) if one.kind is MemoryKind.REFLECTION]
        it.mind.reads(Signal.CONFIRMED)
        await it.character.say(one.text, surfaced=[one.id])
        await it.hear("Yes.")
        (reflection,) = await it.character.reflections()
        assert reflection.status == "confirmed"


@pytest.mark.parametrize("kind", ["reflection", "fact"])
async def test_ten_chances_in_a_row_bring_a_topic_up_at_most_once(life: Lives, kind: str) -> None:
    async with life(*([TEA] if kind == "reflection" else [])) as it:
        await it.hear(*(TEAS if kind == "reflection" else TEAS[:1]))
        await it.wait(days=HOUR)
        said = []
        for number in range(10):
            for one in await it.character.offers(limit=1):
                line = f"Thinking of you, number {number}: {one.text}"
                await it.character.say(line, surfaced=[one.id])
                said.append(one.text)
            await it.wait(days=HOUR / 4)
        assert len(said) == len(set(said)) >= 1
        assert said.count(TEA if kind == "reflection" else TEAS[0]) <= 1


async def test_a_banned_topic_is_not_offered_until_it_is_lifted(life: Lives) -> None:
    async with life(TEA) as it:
        await believing(it)
        directive = await it.character.add_directive("green tea")
        banned = await texts(it, limit=9)
        await it.character.remove_directive(directive.id)
        assert (banned, TEA in await texts(it, limit=9)) == ([], True)


async def test_what_was_rejected_is_not_offered(life: Lives) -> None:
    async with life(TEA) as it:
        await believing(it)
        await it.character.reject(await it.character.meant(TEAS[1], affirms=False))
        await it.character.reject(await it.character.meant(TEA, affirms=False))
        await it.settle()
        assert {TEA, TEAS[1]}.isdisjoint(await texts(it, limit=9))
        assert TEAS[0] in await texts(it, limit=9)


async def test_another_place_is_offered_nothing_of_it(life: Lives) -> None:
    async with life(TEA) as it:
        await believing(it)
        assert await texts(it, subject="group:qq:77", limit=9) == []


@pytest.mark.parametrize("limit", [-1, True, "3"])
async def test_a_limit_is_a_whole_number(life: Lives, limit: object) -> None:
    async with life() as it:
        with pytest.raises(InvalidRequestError, match="whole number"):
            await it.character.offers(limit=limit)
