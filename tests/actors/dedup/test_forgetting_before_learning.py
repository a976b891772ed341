"""A wish to forget holds for what is learned only after it, because a mind failed before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from omoide.actors.dedup.talk import TURNS_READ
from omoide.protocols.errors import ModelError, ModelUnavailableError
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine


class Failing(OfflineEngine):
    """Fails at every statement until it is mended."""

    def __init__(self, error: ModelError) -> None:
        super().__init__()
        self.error: ModelError | None = error

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        if self.error is not None:
            raise self.error
        return await super().extract(request)


@pytest.mark.parametrize("error", [ModelError("broken off"), ModelUnavailableError("away", 1_772_442_060.0)])
@pytest.mark.parametrize(
    ("wish", "kept"),
    [("Forget what I said about Ingrid.", ["My cat is called Miso."]), ("Hm.", None)],
)
async def test_what_is_learned_late_is_held_to_the_wishes_since(
    tmp_path: Path, error: ModelError, wish: str, kept: list[str] | None
) -> None:
    clock, mind = VirtualClock(1_772_442_000.0), Failing(error)
    async with open_runtime(tmp_path, clock=clock, model=mind) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("My sister Ingrid lives in Bergen. My cat is called Miso.")
        await yui.drain()
        clock.advance_to(clock.now() + 0.5)
        await yui.hear(wish)
        await yui.drain()
        mind.error = None
        clock.advance_to(clock.now() + 3_600.0)
        await yui.drain()

        facts = [fact.text for fact in await yui.facts()]
    assert facts == (kept or ["My sister Ingrid lives in Bergen.", "My cat is called Miso."])


class FailingAtFirst(Failing):
    """Fails at what tells of Ingrid until it is mended."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        if "Ingrid" in request.turn.text:
            return await super().extract(request)
        return ()


async def test_a_wish_holds_though_much_was_said_after_it_before_its_topic_is_learned(tmp_path: Path) -> None:
    clock, mind = VirtualClock(1_772_442_000.0), FailingAtFirst(ModelError("broken off"))
    async with open_runtime(tmp_path, clock=clock, model=mind) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("My sister Ingrid lives in Bergen.")
        await yui.drain()
        clock.advance_to(clock.now() + 0.5)
        await yui.hear("Forget what I said about my sister.")
        for number in range(2 * TURNS_READ):
            await yui.say(f"Hm, {number}.")
        mind.error = None
        clock.advance_to(clock.now() + 3_600.0)
        await yui.drain()

        assert await yui.facts() == ()
