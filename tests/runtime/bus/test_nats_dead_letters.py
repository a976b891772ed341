"""What can't be carried out is buried on NATS, and what has to wait holds up its character alone."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

import pytest
import trio

from omoide.protocols.errors import OmoideError, StorageFullError
from omoide.protocols.settings import Settings
from omoide.runtime.bus.nats.service import serve_nats
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.store import open_reader
from omoide.tests.runtime.bus.looks import dead, is_ready, texts
from omoide.tests.runtime.bus.servers import Sender, until

POISON = {
    "not_json": (b"\xff\xfe{", {}, "InvalidRequestError"),
    "of_another_version": (b'{"text":"hi","version":2}', {}, "InvalidRequestError"),
    "of_an_unknown_field": (b'{"text":"hi","scope":"all"}', {}, "InvalidRequestError"),
    "of_an_unknown_type": (b'{"text":"hi"}', {"Content-Type": "text/plain"}, "InvalidRequestError"),
    "too_long": (b'{"text":"' + b"x" * 600_000 + b'"}', {}, "InvalidRequestError"),
    "refused": (b'{"text":"hi","subject":"group:"}', {}, "InvalidSubjectError"),
    "without_a_text": (b'{"text":"   "}', {}, "InvalidTextError"),
}


async def test_what_cant_be_carried_out_is_buried_with_its_reason_and_the_next_goes_on(
    runtime: Runtime, sender: Sender, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for body, headers, _ in POISON.values():
        await sender.publish(f"{sender.prefix}.cmd.yui.hear", body, headers or None)
    await sender.publish(f"{sender.prefix}.cmd.yui.nonsense", b"{}")
    await sender.publish(f"{sender.prefix}.cmd.yui", b"{}")
    await sender.publish(f"{sender.prefix}.cmd.%79ui.hear", b'{"text":"another way to write yui"}')
    await sender.publish(f"{sender.prefix}.cmd.%40trust.hear", b'{"text":"the pool"}')
    await sender.publish(f"{sender.prefix}.cmd.ghost.say", b'{"text":"nobody"}')
    await sender.order("yui", "hear", text="hi")

    letters = await dead(sender, len(POISON) + 5)

    reasons: dict[str, list[str]] = {}
    for letter in letters:
        reasons.setdefault(letter.subject.removeprefix(f"{sender.prefix}.dead."), []).append(
            letter.headers["Omoide-Reason"]
        )
    mine = [letter for letter in letters if letter.subject == f"{sender.prefix}.dead.yui.hear"]
    assert reasons == {
        "yui.hear": [reason for _, _, reason in POISON.values()],
        "yui.nonsense": ["InvalidRequestError"],
        "yui": ["InvalidRequestError"],
        "%79ui.hear": ["InvalidNameError"],
        "%40trust.hear": ["InvalidNameError"],
        "ghost.say": ["UnknownCharacterError"],
    }
    assert [letter.data for letter in mine] == [body for body, _, _ in POISON.values()]
    assert mine[1].headers["Omoide-Detail"].startswith("messages of version 2 aren't known")
    assert await texts(runtime) == ["hi"]
    assert "another way to write" not in caplog.text


async def test_an_answer_tells_why_a_command_was_refused(runtime: Runtime, sender: Sender) -> None:
    answer = await sender.order("yui", "hear", text="hi", subject="nowhere")

    assert (answer["error"]["type"], answer["error"]["again"]) == ("InvalidSubjectError", False)
    assert "result" not in answer
    assert await texts(runtime) == []


async def test_what_was_erased_is_not_kept_as_a_dead_letter(runtime: Runtime, sender: Sender) -> None:
    await sender.order("yui", "hear", text="secret plans", subject="group:qq:77")
    await (await runtime.character("yui")).erase(subject="group:qq:77")

    late = await sender.order("yui", "hear", text="secret plans, sent late", subject="group:qq:77", said_at=1.0)
    (letter,) = await dead(sender)

    assert (late["error"]["type"], letter.headers["Omoide-Reason"], letter.data) == (
        "ErasedError",
        "ErasedError",
        b"",
    )


async def test_a_command_at_which_a_role_keeps_crashing_is_buried_and_the_next_goes_on(
    runtime: Runtime, sender: Sender, failpoints: ArmedFailpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sender.order("yui", "hear", text="before")
    real = failpoints.reach

    def reach(point: str) -> None:
        if point == "scribe.before_commit" and crashes:
            crashes.pop()
            failpoints.arm(point, Fault.CRASH)
        real(point)

    crashes = [None] * runtime.settings.bus.attempts
    monkeypatch.setattr(failpoints, "reach", reach)
    poisoned = await sender.order("yui", "hear", text="poison")
    after = await sender.order("yui", "hear", text="after")
    (letter,) = await dead(sender)

    assert poisoned["error"]["type"] == letter.headers["Omoide-Reason"] == "ActorCrashedError"
    assert after["result"]["seq"] > 1
    assert await texts(runtime) == ["before", "after"]


async def test_a_full_disk_holds_a_command_up_until_there_is_room(
    runtime: Runtime, sender: Sender, failpoints: ArmedFailpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sender.order("yui", "hear", text="before")
    full = [True]
    real = failpoints.reach

    def reach(point: str) -> None:
        if point == "journal.before_commit" and full:
            raise StorageFullError("no space is left: free some")
        real(point)

    monkeypatch.setattr(failpoints, "reach", reach)
    await sender.send("yui", "hear", text="first")
    await sender.send("yui", "hear", text="second")

    async def stalled() -> bool:
        (status,) = (await runtime.status()).buses
        return status.stalled == 1 and status.retried > 2

    await until(stalled)
    full.clear()
    await sender.order("yui", "hear", text="third")

    assert await texts(runtime) == ["before", "first", "second", "third"]
    assert await sender.stored("dead") == []


async def test_no_more_commands_are_taken_than_fit(
    settings: Settings, sender: Sender, failpoints: ArmedFailpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Characters that can't go on keep their commands in the stream, not in memory."""
    small = settings.model_copy(update={"bus": settings.bus.model_copy(update={"in_flight": 8})})
    full = [True]
    monkeypatch.setattr(failpoints, "reach", lambda point: _refuse(point, full))
    async with open_runtime(small, failpoints=failpoints) as runtime, trio.open_nursery() as nursery:
        nursery.start_soon(partial(serve_nats, runtime))
        await until(lambda: is_ready(runtime))
        for number in range(40):
            await sender.send(f"c{number % 10}", "hear", text=f"line {number}")

        async def lagging() -> Any:
            (status,) = (await runtime.status()).buses
            return status if status.in_flight == 8 and status.lag >= 24 else None

        await until(lagging)
        await trio.sleep(0.1)
        still = await lagging()
        full.clear()
        for name in range(10):
            await sender.order(f"c{name}", "directives")
        heard = [line for name in range(10) for line in await texts(runtime, f"c{name}")]
        assert still is not None
        assert heard == [f"line {number}" for name in range(10) for number in range(name, 40, 10)]
        nursery.cancel_scope.cancel()


async def test_a_character_that_cant_go_on_leaves_the_room_to_others_and_catches_up_in_order(
    settings: Settings, sender: Sender
) -> None:
    """Somebody else has yui open; more commands wait for it than are taken at once, and it misses none of them."""
    small = settings.model_copy(update={"bus": settings.bus.model_copy(update={"in_flight": 8})})
    lines = [f"line {number}" for number in range(40)]
    async with open_runtime(small) as owner, open_runtime(small) as runtime, trio.open_nursery() as nursery:
        await owner.character("yui")
        nursery.start_soon(partial(serve_nats, runtime))
        await until(lambda: is_ready(runtime))
        for line in lines[:20]:
            await sender.send("yui", "hear", text=line)
        for number in range(20):
            await sender.send("mika", "hear", text=f"ok {number}")
        others = await sender.order("mika", "hear", text="last")
        for line in lines[20:]:
            await sender.send("yui", "hear", text=line)
        (stalled,) = (await runtime.status()).buses
        kept_back = runtime.residents().keys() == {"mika"}

        await owner.passivate("yui")
        await until(lambda: _has(runtime, "yui", len(lines)))
        await sender.order("yui", "hear", text="afterwards")
        (status,) = (await runtime.status()).buses
        nursery.cancel_scope.cancel()

    assert (others["result"]["repeated"], stalled.stalled, kept_back) == (False, 1, True)
    async with open_reader(small, "yui") as journal:
        assert [turn.text for turn in await journal.turns(newest=99)] == [*lines, "afterwards"]
    assert (status.lag, status.stalled) == (0, 0)


async def _has(runtime: Runtime, name: str, count: int) -> bool:
    try:
        return len(await texts(runtime, name)) >= count
    except OmoideError:  # somebody else has it
        return False


def _refuse(point: str, full: list[bool]) -> None:
    if point == "journal.before_commit" and full:
        raise StorageFullError("no space is left: free some")
