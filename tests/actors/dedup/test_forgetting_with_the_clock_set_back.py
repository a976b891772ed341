"""What was said while the clock was ahead can be forgotten and rejected once it is right again."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime

START = 1_772_442_000.0
GROUP = "group:qq:77"


async def known(folder: Path, said: str, then: str, *, clock_s: float) -> list[str]:
    """Return what is known an hour after something was said, and something else once the clock was moved."""
    async with open_runtime(folder, clock=VirtualClock(START)) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear(said)
        await yui.drain()
    clock = VirtualClock(START + clock_s)
    async with open_runtime(folder, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear(then)
        await yui.drain()
        clock.advance_to(START + 3_600.0)
        await yui.drain()
        return [fact.text for fact in await yui.facts()]


@pytest.mark.parametrize("clock_s", [600.0, -600.0])
async def test_a_wish_to_forget_holds(tmp_path: Path, clock_s: float) -> None:
    said, wish = "My sister Ingrid lives in Bergen.", "Forget what I said about Ingrid."
    assert await known(tmp_path, said, wish, clock_s=clock_s) == []


@pytest.mark.parametrize("clock_s", [600.0, -600.0])
async def test_a_choice_holds_where_else_the_person_said_it(tmp_path: Path, clock_s: float) -> None:
    clock = VirtualClock(START - 1_000.0)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I have a parrot.")
        await yui.drain()
        (fact,) = await yui.facts()
        clock.advance_to(START)
        await yui.hear("I have a parrot.", subject=GROUP)
        await yui.drain()
    async with open_runtime(tmp_path, clock=VirtualClock(START + clock_s)) as runtime:
        yui = await runtime.character("yui")
        await yui.reject(fact.id)

        assert await yui.facts() == ()
