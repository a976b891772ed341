from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import trio

from omoide.protocols.cursors import Cursor
from omoide.protocols.errors import ErasedError, InvalidTextError, OmoideError
from omoide.protocols.settings import Settings, StorageSettings
from omoide.runtime.bus.commands import Received, carry_out
from omoide.runtime.bus.lanes import Lanes
from omoide.runtime.bus.names import word_of
from omoide.runtime.bus.status import Counts
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.store import tombstones
from omoide.tests.runtime.store.traces import traces

STREAM = "nats:S:yui"
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


@pytest.mark.parametrize("text", ["", "a" * 100_001])
async def test_words_that_are_refused_leave_no_empty_character_behind(tmp_path: Path, text: str) -> None:
    async with open_runtime(tmp_path, clock=VirtualClock(NOW)) as runtime:
        with pytest.raises(InvalidTextError):
            await carry_out(runtime, msgspec.structs.replace(hear(text, NOW), id="m1"))

        assert runtime.stored_characters() == ()


@pytest.fixture(params=["per-character", "shared"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path, storage=StorageSettings(layout=request.param))


async def turns(runtime: Runtime) -> list[str]:
    return [turn.text for turn in await (await runtime.character("yui", create=False)).turns(newest=9)]


async def test_a_command_from_before_an_erasure_doesnt_bring_the_character_back(settings: Settings) -> None:
    clock = VirtualClock(NOW)
    async with open_runtime(settings, clock=clock) as runtime:
        await carry_out(runtime, hear("Marcus lives in Bergen.", NOW - 5.0))
        await runtime.erase("yui", None)

        with pytest.raises(ErasedError):
            await carry_out(runtime, hear("Marcus lives in Bergen.", NOW - 5.0))

        assert runtime.stored_characters() == ()


async def test_a_command_from_after_an_erasure_begins_a_new_character(settings: Settings) -> None:
    clock = VirtualClock(NOW)
    async with open_runtime(settings, clock=clock) as runtime:
        await carry_out(runtime, hear("Marcus lives in Bergen.", NOW - 5.0))
        await runtime.erase("yui", None)
        clock.advance_to(NOW + 10.0)
        await carry_out(runtime, hear("I moved to Oslo.", NOW + 5.0))
        with pytest.raises(ErasedError):
            await carry_out(runtime, hear("Marcus is my brother.", NOW - 4.0))

        assert await turns(runtime) == ["I moved to Oslo."]


async def test_what_was_taken_in_before_an_erasure_is_known_by_its_place_where_the_bus_clock_is_ahead(
    settings: Settings,
) -> None:
    clock = VirtualClock(NOW)
    ahead = msgspec.structs.replace(
        hear("Marcus lives in Bergen.", NOW + 60.0), cursor=Cursor(source=STREAM, seq=7)
    )
    async with open_runtime(settings, clock=clock) as runtime:
        await carry_out(runtime, ahead)
        await runtime.erase("yui", None)
        clock.advance_to(NOW + 600.0)

        with pytest.raises(ErasedError):
            await carry_out(runtime, ahead)

        assert runtime.stored_characters() == ()


async def test_a_character_that_is_erased_twice_stays_erased_in_every_stream(settings: Settings) -> None:
    clock = VirtualClock(NOW)
    async with open_runtime(settings, clock=clock) as runtime:
        for number, source in enumerate(("nats:A:yui", "nats:B:yui")):
            clock.advance_to(NOW + 100.0 * number)
            one = hear("Hello.", clock.now())
            await carry_out(runtime, msgspec.structs.replace(one, cursor=Cursor(source=source, seq=7)))
            clock.advance_to(clock.now() + 1.0)
            await runtime.erase("yui", None)
        clock.advance_to(NOW + 999.0)

        late = msgspec.structs.replace(hear("Hello.", NOW + 999.0), cursor=Cursor(source="nats:A:yui", seq=7))
        assert await runtime.erased_since("yui", late.at, late.cursor) is not None


async def test_a_tombstone_that_was_planned_and_never_set_keeps_nothing_out(settings: Settings) -> None:
    """The process was killed before it erased."""
    async with open_runtime(settings, clock=VirtualClock(NOW)) as runtime:
        await carry_out(runtime, hear("Hello.", NOW - 5.0))
        tombstones.plan(settings.data_dir, "yui", tombstones.tombstone(NOW, ()))

        await carry_out(runtime, hear("I moved to Oslo.", NOW - 4.0))

        assert await turns(runtime) == ["Hello.", "I moved to Oslo."]


async def test_a_tombstone_that_was_planned_counts_once_the_character_is_gone(settings: Settings) -> None:
    """The process was killed after it erased; and a new character is begun before anybody looks."""
    tombstones.plan(settings.data_dir, "yui", tombstones.tombstone(NOW, ()))
    async with open_runtime(settings, clock=VirtualClock(NOW)) as runtime:
        await runtime.character("yui")

        with pytest.raises(ErasedError):
            await carry_out(runtime, hear("Hello.", NOW - 5.0))


async def test_where_an_erased_character_was_its_name_is_not_to_be_read(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, clock=VirtualClock(NOW)) as runtime:
        await runtime.character("marcus-the-bard")
        await runtime.erase("marcus-the-bard", None)

    assert traces(tmp_path, "marcus") == []


@pytest.mark.parametrize("command", ["hear", "say", "ban", "recall", "nonsense"])
async def test_no_command_to_an_erased_character_becomes_a_dead_letter_with_its_words(
    tmp_path: Path, command: str
) -> None:
    buried: list[object] = []
    answers: list[object] = []

    async def bury(received: Received, error: OmoideError) -> None:
        buried.append((received, error))

    async with open_runtime(tmp_path, clock=VirtualClock(NOW)) as runtime, trio.open_nursery() as nursery:
        await runtime.character("yui")
        await runtime.erase("yui", None)
        counts = Counts()
        lanes = Lanes(runtime, nursery, counts, lambda _, result: answers.append(result), bury)
        lanes.put(1, msgspec.structs.replace(hear("Marcus lives in Bergen.", NOW - 5.0), command=command))
        await lanes.until(runtime.settings.bus.in_flight)

    assert (buried, counts.erased, [type(one) for one in answers]) == ([], 1, [ErasedError])


async def test_nothing_is_done_that_stands_behind_what_gave_way(tmp_path: Path) -> None:
    """A restart goes on after what is done, and would miss the commands that are still to be fetched."""
    settings = Settings.model_validate(
        {"data_dir": tmp_path, "bus": {"backoff_min_s": 0.01, "backoff_max_s": 0.01}}
    )
    fetching = trio.Event()

    async def fetch(_: str, __: int) -> None:
        fetching.set()
        await trio.sleep_forever()

    async def bury(_: Received, __: OmoideError) -> None: ...

    async with open_runtime(settings) as owner, open_runtime(settings) as runtime, trio.open_nursery() as nursery:
        await owner.character("yui")
        lanes = Lanes(runtime, nursery, Counts(), lambda *_: None, bury, fetch=fetch)
        for seq in (1, 2, 3):
            lanes.put(seq, hear(f"line {seq}", NOW))
        await lanes.until(settings.bus.in_flight - 1)
        lanes.put(4, msgspec.structs.replace(hear("ok", NOW), word="mika"))
        await lanes.until(settings.bus.in_flight - 1)
        await owner.passivate("yui")
        await fetching.wait()

        assert (lanes.done, await turns(runtime)) == (1, ["line 1"])
        nursery.cancel_scope.cancel()


async def test_a_command_from_before_an_account_was_erased_is_refused(
    tmp_path: Path,
) -> None:
    """It comes again from a stream or a broker; the character lives on."""
    clock = VirtualClock(NOW)
    speaker = {"platform": "qq", "account": "1001", "label": "Kai"}
    body = msgspec.json.encode({"text": "I breed axolotls.", "speaker": speaker, "subject": "group:qq:77"})
    said = msgspec.structs.replace(hear("axolotls", NOW - 5.0), body=body)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        await carry_out(runtime, hear("I live in Osaka.", NOW - 9.0))
        await carry_out(runtime, msgspec.structs.replace(said, id="m1"))
        await (await runtime.character("yui")).erase(account="qq:1001")
        clock.advance_to(NOW + 60.0)

        with pytest.raises(ErasedError):
            await carry_out(runtime, msgspec.structs.replace(said, id="m2"))
        assert await turns(runtime) == ["I live in Osaka."]
