from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from omoide.runtime.bus.commands import Received, carry_out
from omoide.runtime.bus.names import word_of
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime

NOW = 1_772_442_000.0


def hear(text: str, at: float) -> Received:
    body = msgspec.json.encode({"text": text})
    return Received(subject="omoide.cmd.yui.hear", word=word_of("yui"), command="hear", body=body, id=text, at=at)


@pytest.mark.parametrize(("got", "said"), [(NOW - 5.0, NOW - 5.0), (NOW + 3_600.0, NOW)])
async def test_what_a_bus_brings_was_said_when_it_got_it_and_never_later_than_now(
    tmp_path: Path, got: float, said: float
) -> None:
    async with open_runtime(tmp_path, clock=VirtualClock(NOW)) as runtime:
        await carry_out(runtime, hear("Hello.", got))

        (turn,) = await (await runtime.character("yui")).turns(newest=1)
    assert turn.said_at == said


async def test_a_ban_from_a_bus_whose_clock_is_ahead_is_lifted_by_who_speaks_after_it(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, clock=VirtualClock(NOW)) as runtime:
        await carry_out(runtime, hear("Never mention Marcus again.", NOW + 3_600.0))
        yui = await runtime.character("yui")
        before = [directive.term for directive in await yui.directives()]
        await yui.hear("You can talk about Marcus again.")

        assert (before, await yui.directives()) == (["Marcus"], ())
