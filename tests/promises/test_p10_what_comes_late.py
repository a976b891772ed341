"""P10: what is erased stays erased for work that was under way, after a crash, and for whoever reads meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
import trio.testing

from omoide import open_runtime
from omoide.protocols.erasure import EraseSubject
from omoide.protocols.errors import (
    ErasedError,
)
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.settings import ActorSettings, Settings
from omoide.protocols.work import OpState
from omoide.runtime.clock import VirtualClock
from omoide.runtime.models.offline import OfflineEngine
from omoide.runtime.store import examine, files, paths
from omoide.tests.promises.axolotls import ALICE, BOB, GROUP, START, WORDS, settle, talk, texts
from omoide.tests.runtime.store.traces import traces

# --- late work -----------------------------------------------------------------------------------


class SlowMind(OfflineEngine):
    """A mind that answers when it is told to, and then with what it was asked at first."""

    def __init__(self) -> None:
        self.asked = trio.Event()
        self.may_answer = trio.Event()

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        self.asked.set()
        await self.may_answer.wait()
        return await super().extract(request)


async def test_an_answer_that_comes_after_the_erasure_stores_nothing(
    settings: Settings, clock: VirtualClock
) -> None:
    mind = SlowMind()
    async with open_runtime(settings, clock=clock, model=mind) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I breed axolotls.", subject=GROUP, speaker=ALICE)
        await mind.asked.wait()

        await yui.erase(subject=GROUP)
        mind.may_answer.set()
        await settle(yui, clock)

        assert await texts(yui) == []
        assert traces(settings.data_dir, "axolotl") == []
        assert await yui.outbox(states=(OpState.PENDING, OpState.PARKED)) == ()


async def test_work_that_waited_brings_no_erased_fact_back_and_new_words_do(
    settings: Settings, clock: VirtualClock
) -> None:
    mind = SlowMind()
    mind.may_answer.set()
    async with open_runtime(settings, clock=clock, model=mind) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I breed axolotls.")
        await settle(yui, clock)
        (fact,) = await yui.facts()
        mind.may_answer = trio.Event()
        await yui.hear("I breed   AXOLOTLS!")

        await yui.erase(memory=fact.id)
        mind.may_answer.set()
        await settle(yui, clock)
        assert await texts(yui) == []

        await yui.hear("I breed axolotls.")
        await settle(yui, clock)
        assert [one.id for one in await yui.facts()] == [fact.id]
    assert examine(settings, "yui").findings == ()


async def test_what_was_said_before_the_cut_off_is_refused_and_what_is_said_after_is_heard(
    settings: Settings, clock: VirtualClock
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I breed axolotls.", subject=GROUP, speaker=ALICE, message_id="m1")
        await yui.erase(subject=GROUP)
        await yui.erase(account="qq:1002")

        with pytest.raises(ErasedError):
            await yui.hear("I breed axolotls.", subject=GROUP, speaker=ALICE, said_at=START - 60)
        with pytest.raises(ErasedError):
            await yui.say("Axolotls are fine.", subject=GROUP, said_at=START)
        with pytest.raises(ErasedError):
            await yui.hear("I like trains.", subject="group:qq:78", speaker=BOB, said_at=START - 60)
        await yui.hear("I live in Osaka.", said_at=START - 60)
        again = await yui.hear("I breed axolotls.", subject=GROUP, speaker=ALICE, message_id="m1")
        await settle(yui, clock)
        assert again.repeated
        assert await texts(yui) == ["I live in Osaka."]

        await yui.hear("I breed newts.", subject=GROUP, speaker=ALICE)
        await yui.hear("I paint.", subject=GROUP, speaker=BOB, said_at=START + 60)
        await settle(yui, clock)
        assert await texts(yui) == ["I live in Osaka.", "I breed newts.", "I paint."]


async def test_calls_that_come_while_something_is_erased_wait_for_it(
    settings: Settings, clock: VirtualClock
) -> None:
    heard: list[str] = []
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await talk(yui, clock)

        async def hear(number: int) -> None:
            receipt = await yui.hear(f"I own {number} hats.")
            heard.append(receipt.turn)

        async with trio.open_nursery() as nursery:
            for number in range(20):
                nursery.start_soon(hear, number)
            nursery.start_soon(lambda: yui.erase(subject=GROUP))
            for number in range(20, 40):
                nursery.start_soon(hear, number)

        stored = {turn.id for turn in await yui.turns(newest=99)}
        assert len(heard) == 40
        assert set(heard) <= stored
        assert traces(settings.data_dir, *WORDS) == []


async def test_a_stream_of_changes_goes_on_after_an_erasure(tmp_path: Path, clock: VirtualClock) -> None:
    kinds: list[str] = []
    settings = Settings(data_dir=tmp_path, actors=ActorSettings(shutdown_s=0.2))
    async with open_runtime(settings, clock=clock) as runtime, trio.open_nursery() as nursery:
        yui = await runtime.character("yui")
        await yui.hear("I breed axolotls.", subject=GROUP, speaker=ALICE)
        await settle(yui, clock)

        async def follow() -> None:
            async for event in yui.changes():
                kinds.append(event.kind)  # noqa: PERF401 - it never ends

        nursery.start_soon(follow)
        await trio.testing.wait_all_tasks_blocked(0.05)
        await yui.erase(subject=GROUP)
        await yui.hear("I live in Osaka.")
        await settle(yui, clock)
        await trio.testing.wait_all_tasks_blocked(0.05)
        nursery.cancel_scope.cancel()

    assert kinds == ["turn_heard", "fact_added", "memory_erased", "turn_heard", "fact_added"]


# --- crashes, readers, files ---------------------------------------------------------------------


@pytest.mark.parametrize("point", ["erase.before_commit", "erase.after_commit", "erase.scrubbed"])
async def test_a_kill_leaves_all_or_nothing_and_the_next_opening_finishes(
    settings: Settings, clock: VirtualClock, point: str
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        await talk(await runtime.character("yui"), clock)

    assert _killed(settings, point, GROUP)

    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui", create=False)
        facts = await yui.facts(subjects=[GROUP])
        turns = await yui.turns(subjects=[GROUP], newest=9)
        if point == "erase.before_commit":
            assert (len(facts), len(turns)) == (2, 4)
        else:
            assert (facts, turns) == ((), ())
            assert traces(settings.data_dir, *WORDS) == []
    assert examine(settings, "yui").findings == ()


@pytest.mark.parametrize("point", ["erase.before_rename", "erase.after_rename"])
async def test_a_kill_leaves_all_of_a_character_or_nothing(
    tmp_path: Path, clock: VirtualClock, point: str
) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    async with open_runtime(settings, clock=clock) as runtime:
        await talk(await runtime.character("yui"), clock)

    assert _killed(settings, point, "")

    async with open_runtime(settings, clock=clock) as runtime:
        if point == "erase.before_rename":
            assert await texts(await runtime.character("yui", create=False))
        else:
            assert runtime.stored_characters() == ()
            assert traces(settings.data_dir, *WORDS) == []


def _killed(settings: Settings, point: str, subject: str) -> bool:
    job = {"settings": settings.model_dump(mode="json"), "kill": point, "subject": subject}
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("eraser.py")],
        input=json.dumps([job]),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    (killed,) = json.loads(done.stdout)
    return bool(killed)


async def test_bytes_that_a_reader_holds_go_when_the_character_is_next_closed(
    settings: Settings, clock: VirtualClock
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await talk(yui, clock)
        place = paths.place_of(settings, "yui")
        reader = files.connect_reader(place, settings.evidence)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM turns").fetchone()

        report = await yui.erase(subject=GROUP)

        assert not report.scrubbed
        assert [found.part for found in examine(settings, "yui").findings] == ["file"]
        assert await texts(yui) == ["I live in Osaka."]
        reader.close()
    assert traces(settings.data_dir, *WORDS) == []


async def test_what_crashes_left_in_the_data_folder_goes_with_it(settings: Settings, clock: VirtualClock) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        await talk(await runtime.character("yui"), clock)
    place = paths.place_of(settings, "yui")
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    draft = settings.data_dir / f".omoide-export-{int(dead.stdout)}-abc"
    draft.mkdir()
    (draft / "turns.json").write_text("axolotl")
    place.database.with_name("memory.db.new").write_text("axolotl")

    async with open_runtime(settings, clock=clock) as runtime:
        await runtime.erase("yui", EraseSubject(GROUP))

    assert traces(settings.data_dir, *WORDS) == []
