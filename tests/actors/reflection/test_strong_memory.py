"""The switch of strong memory: what moves beliefs while it is on, what while it is off, and what never stops."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from omoide.protocols.errors import InvalidRequestError
from omoide.protocols.evidence import Signal
from omoide.protocols.records import Reflection, ReflectionStatus
from omoide.protocols.settings import Settings
from omoide.runtime.host import open_runtime

Lives = Callable[..., AbstractAsyncContextManager[Any]]

TEA = "Sam likes green tea."
TEAS = (
    "I drink green tea every morning.",
    "My green tea comes from Uji.",
    "I bought a pot for green tea.",
    "I spilled green tea on the carpet.",
    "I read a book about green tea.",
)


async def the_one(it: Any) -> Reflection:
    (one,) = (await it.every_reflection()).values()
    reflection: Reflection = one
    return reflection


@pytest.mark.parametrize(("on", "reinforcement"), [(True, 0.5), (False, 0.0)])
async def test_facts_that_agree_move_a_belief_only_while_it_is_on(
    life: Lives, on: bool, reinforcement: float
) -> None:
    async with life(TEA) as it:
        await it.character.set_strong_memory(on)
        await it.hear(*TEAS)
        seed = (await the_one(it)).evidence.reinforcement
        await it.hear("I like green tea.")
        assert (await the_one(it)).evidence.reinforcement - seed == pytest.approx(reinforcement)


@pytest.mark.parametrize("on", [True, False])
async def test_answers_to_what_was_brought_up_count_either_way(life: Lives, on: bool) -> None:
    async with life(TEA) as it:
        await it.character.set_strong_memory(on)
        await it.hear(*TEAS)
        it.mind.reads(Signal.CONFIRMED)
        await it.character.say("You like green tea.", surfaced=["green tea"])
        await it.hear("Yes.")
        assert (await the_one(it)).evidence.reinforcement >= 1.0


async def test_off_a_belief_is_confirmed_after_a_week_and_lasting_after_another(life: Lives) -> None:
    async with life(TEA) as it:
        await it.character.set_strong_memory(False)
        await it.hear(*TEAS)
        seen = []
        for _ in range(16):
            await it.wait(days=1)
            seen.append((await the_one(it)).status)
        assert [seen.index(ReflectionStatus.CONFIRMED), seen.index(ReflectionStatus.PROMOTED)] == [7, 14]
        assert TEA in [entry.text for entry in await it.character.persona()]


async def test_on_age_alone_confirms_nothing(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        await it.wait(days=40)
        assert (await the_one(it)).status is ReflectionStatus.PENDING


async def test_switching_it_off_late_promotes_nothing_in_a_rush(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        await it.wait(days=40)
        await it.character.set_strong_memory(False)
        await it.wait(days=6)
        early = (await the_one(it)).status
        await it.wait(days=2)
        assert (early, (await the_one(it)).status) == (ReflectionStatus.PENDING, ReflectionStatus.CONFIRMED)


async def test_switching_it_off_again_doesnt_begin_the_week_anew(life: Lives) -> None:
    async with life() as it:
        first = await it.character.set_strong_memory(False)
        await it.wait(days=3)
        again = await it.character.set_strong_memory(False)
        assert (first, [event.kind for event in await it.character.events()].count("profile_set")) == (again, 2)


async def test_on_again_the_score_decides_again(life: Lives) -> None:
    async with life(TEA) as it:
        await it.character.set_strong_memory(False)
        await it.hear(*TEAS)
        await it.wait(days=5)
        await it.character.set_strong_memory(True)
        await it.wait(days=40)
        assert (await the_one(it)).status is ReflectionStatus.PENDING


async def test_a_denial_is_kept_also_while_it_is_off(life: Lives) -> None:
    async with life(TEA) as it:
        await it.character.set_strong_memory(False)
        await it.hear(*TEAS)
        believed = (await it.character.briefing()).text
        await it.hear("I don't like green tea.")
        denied = await the_one(it)
        assert (TEA in believed, TEA in (await it.character.briefing()).text) == (True, False)
        assert denied.evidence.reinforcement == pytest.approx(0.0)


@pytest.mark.parametrize(("on", "disputation"), [(True, 1.0), (False, 0.0)])
async def test_an_unwelcome_topic_is_disputed_only_while_it_is_on(
    life: Lives, on: bool, disputation: float
) -> None:
    async with life(TEA) as it:
        await it.character.set_strong_memory(on)
        await it.hear(*TEAS)
        await it.character.say("You like green tea.", surfaced=["green tea"])
        await it.hear("Enough about green tea, it's annoying.")
        assert (await the_one(it)).evidence.disputation == disputation


async def test_describing_the_character_leaves_the_switch_as_it_is(life: Lives) -> None:
    async with life() as it:
        off = await it.character.set_strong_memory(False)
        assert (await it.character.describe(owner="Kim")).weak_since == off.weak_since


async def test_only_true_and_false_switch_it(life: Lives) -> None:
    async with life() as it:
        with pytest.raises(InvalidRequestError, match="True or False"):
            await it.character.set_strong_memory("off")


async def test_the_setting_is_for_new_characters_and_the_switch_outlives_a_restart(tmp_path: Path) -> None:
    weak, strong = (Settings(data_dir=tmp_path, strong_memory=on) for on in (False, True))
    found = []
    async with open_runtime(strong) as runtime:
        await (await runtime.character("yui", owner="Sam")).hear("Hello.")
    async with open_runtime(weak) as runtime:
        found += [(await (await runtime.character(name)).status()).strong_memory for name in ("yui", "mio")]
    async with open_runtime(strong) as runtime:
        found.append((await (await runtime.character("mio")).status()).strong_memory)
    assert found == [True, False, False]
