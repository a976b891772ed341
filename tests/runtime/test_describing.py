"""What a host says about a character, part by part."""

from __future__ import annotations

from pathlib import Path

import trio

from omoide.runtime.host import open_runtime


async def test_parts_that_are_described_at_the_same_time_all_stay(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam", locale="en")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(yui.set_member_memory, False)
            nursery.start_soon(lambda: yui.describe(owner="Kim"))
            nursery.start_soon(lambda: yui.describe(locale="de"))

        profile = await yui.describe()
        assert (profile.owner, profile.locale, profile.member_memory) == ("Kim", "de", False)


async def test_a_card_can_be_emptied(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam", card=["Yui loves rain."])

        profile = await yui.describe(card=[])

        assert (profile.owner, profile.card) == ("Sam", ())
