"""A choice in the interface comes after all that was heard before it, wherever the clock stood meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from omoide.actors.dedup.talk import TURNS_READ
from omoide.protocols.errors import ModelError
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine

START = 1_772_442_000.0
BACK_S = 600.0


class Failing(OfflineEngine):
    """Fails at every statement while it is told to."""

    fails = False

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        if self.fails:
            raise ModelError("broken off")
        return await super().extract(request)


async def known(folder: Path, affirmed: str, *, then: int = 0) -> list[str]:
    """Return what is known of a fact that was affirmed, and then rejected before that was learned.

    Args:
        folder: where the character is.
        affirmed: the words.
        then: lines of the character between the two.
    """
    mind = Failing()
    async with open_runtime(folder, clock=VirtualClock(START), model=mind) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I have a parrot.")
        await yui.drain()
        (fact,) = await yui.facts()
        mind.fails = True
        await yui.hear(affirmed)
        await yui.drain()
    back = VirtualClock(START - BACK_S)
    async with open_runtime(folder, clock=back, model=mind) as runtime:
        yui = await runtime.character("yui")
        for number in range(then):
            await yui.say(f"Hm, {number}.")
        await yui.reject(fact.id)
        mind.fails = False
        back.advance_to(back.now() + 3 * BACK_S)
        await yui.drain()
        return [one.text for one in await yui.facts()]


async def test_what_was_affirmed_before_a_rejection_does_not_undo_it(tmp_path: Path) -> None:
    assert await known(tmp_path, "I do have a parrot after all.") == []


async def test_nor_does_it_where_much_was_said_since(tmp_path: Path) -> None:
    assert await known(tmp_path, "I do have a parrot after all.", then=TURNS_READ) == []


async def test_nor_does_what_was_said_in_passing(tmp_path: Path) -> None:
    assert await known(tmp_path, "I have a parrot.") == []


async def test_a_choice_can_be_taken_back_by_another(tmp_path: Path) -> None:
    clock = VirtualClock(START)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I have a parrot.")
        await yui.drain()
        (fact,) = await yui.facts()
    async with open_runtime(tmp_path, clock=VirtualClock(START - BACK_S)) as runtime:
        yui = await runtime.character("yui")
        await yui.reject(fact.id)
        await yui.affirm(fact.id)

        assert [one.text for one in await yui.facts()] == ["I have a parrot."]
