"""Characters on NATS: what a command does, what it answers, and what becomes of one that can't be carried out."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from omoide.protocols.errors import OmoideError, StorageFullError
from omoide.protocols.settings import Settings
from omoide.runtime.bus.bridge import Bridge
from omoide.runtime.bus.nats.service import serve_nats
from omoide.runtime.bus.place import path_of, read_kept
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.store import open_reader
from omoide.tests.runtime.bus.servers import NatsServer, Sender, until

TOLD = "My sister Ingrid lives in Bergen."


@pytest.fixture
def failpoints() -> ArmedFailpoints:
    return ArmedFailpoints()


@pytest.fixture
async def runtime(settings: Settings, failpoints: ArmedFailpoints) -> AsyncIterator[Runtime]:
    """A runtime whose characters are on the bus."""
    async with open_runtime(settings, failpoints=failpoints) as runtime, trio.open_nursery() as nursery:
        ready = trio.Event()
        nursery.start_soon(partial(serve_nats, runtime, on_ready=ready.set))
        await ready.wait()
        yield runtime
        nursery.cancel_scope.cancel()


async def texts(runtime: Runtime, name: str = "yui") -> list[str]:
    if name not in runtime.stored_characters():
        return []
    return [turn.text for turn in await (await runtime.character(name)).turns(newest=10_000)]


async def dead(sender: Sender, count: int = 1) -> list[Any]:
    async def enough() -> list[Any]:
        found = await sender.stored("dead")
        return found if len(found) >= count else []

    return list(await until(enough))


# --- commands -------------------------------------------------------------------------------------


async def test_what_is_heard_over_the_bus_is_answered_with_its_receipt(runtime: Runtime, sender: Sender) -> None:
    answer = await sender.order("yui", "hear", text=TOLD, message_id="m1")

    assert (answer["version"], answer["result"]["seq"], answer["result"]["repeated"]) == (1, 1, False)
    assert await texts(runtime) == [TOLD]


async def test_the_envelope_of_the_message_says_who_spoke_and_where(runtime: Runtime, sender: Sender) -> None:
    speaker = {"platform": "QQ", "account": "1001", "label": "Kai"}
    await sender.order("yui", "hear", text="hi", speaker=speaker, subject="group:QQ:77", trust=0.5, said_at=9.5)

    (turn,) = await (await runtime.character("yui")).turns(newest=1, subjects=["group:qq:77"])

    assert turn.speaker is not None
    assert (turn.speaker.key, turn.subject, turn.said_at) == ("qq:1001", "group:qq:77", 9.5)


async def test_a_command_without_a_time_was_said_when_the_bus_got_it(runtime: Runtime, sender: Sender) -> None:
    seq = await sender.send("yui", "hear", text="hi")
    (turn,) = await until(lambda: _turns(runtime))
    message = await sender.bridge.run(
        partial(sender.client.jetstream().get_msg, f"{sender.prefix.upper()}_CMD", seq=seq)
    )

    assert message.time is not None
    assert turn.said_at == pytest.approx(message.time.timestamp(), abs=0.001)


async def _turns(runtime: Runtime) -> Any:
    if "yui" not in runtime.stored_characters():
        return ()
    return await (await runtime.character("yui")).turns(newest=1)


async def test_every_command_and_question_works_over_the_bus(runtime: Runtime, sender: Sender) -> None:
    character = await runtime.character("yui")
    await sender.order("yui", "hear", text=TOLD)
    said = await sender.order("yui", "say", text="Bergen is lovely.")
    await character.settle()
    recalled = await sender.ask("yui", "recall", query="where does my sister live")
    briefed = await sender.ask("yui", "briefing", cue="my sister")
    banned = await sender.order("yui", "ban", term="Marcus", aliases=["Marc"])
    blocked = await sender.ask("yui", "gate", draft="How is Marcus?", unprompted=True)
    listed = await sender.ask("yui", "directives")
    unbanned = await sender.order("yui", "unban", name="Marcus")
    forgotten = await sender.order("yui", "forget", what="Ingrid lives in Bergen")
    in_order = await sender.order("yui", "recall", query="where does my sister live")

    assert said["result"]["role"] == "character"
    assert recalled["result"]["hits"][0]["text"] == TOLD
    assert "Bergen" in briefed["result"]["text"]
    assert blocked["result"]["verdict"] == "block"
    assert [one["term"] for one in (*banned["result"], *listed["result"], *unbanned["result"])] == ["Marcus"] * 3
    assert len(forgotten["result"]["records"]) >= 1
    assert not [hit for hit in in_order["result"]["hits"] if hit["kind"] == "fact"]
    assert await character.facts() == ()


async def test_messagepack_is_read_and_answered_in_kind(runtime: Runtime, sender: Sender) -> None:
    inbox = sender.client.new_inbox()
    subscription = await sender.bridge.run(partial(sender.client.subscribe, inbox))
    body = msgspec.msgpack.encode({"text": TOLD, "version": 1})
    headers = {"Content-Type": "application/msgpack", "Omoide-Answer-To": inbox}

    await sender.publish(f"{sender.prefix}.cmd.yui.hear", body, headers)
    message = await sender.bridge.run(partial(subscription.next_msg, timeout=10))

    assert msgspec.msgpack.decode(message.data)["result"]["seq"] == 1
    assert (message.headers or {})["Content-Type"] == "application/msgpack"
    assert await texts(runtime) == [TOLD]


async def test_a_name_in_any_script_is_a_word_of_the_subject(runtime: Runtime, sender: Sender) -> None:
    await sender.order("%E7%94%B1%E4%BE%9D%2E1", "hear", text="你好")

    assert await texts(runtime, "由依.1") == ["你好"]


async def test_nobody_is_answered_outside_of_an_inbox(runtime: Runtime, sender: Sender) -> None:
    """A sender that may not publish somewhere must not have us do it."""
    await sender.publish(
        f"{sender.prefix}.cmd.yui.hear", {"text": "hi"}, {"Omoide-Answer-To": f"{sender.prefix}.cmd.yui.forged"}
    )
    await until(lambda: texts(runtime))
    await sender.order("yui", "hear", text="later")

    assert len(await sender.stored("cmd")) == 2
    assert await sender.stored("dead") == []


# --- once -----------------------------------------------------------------------------------------


async def test_the_same_message_sent_twice_is_heard_once(runtime: Runtime, sender: Sender) -> None:
    first = await sender.order("yui", "hear", text="once", message_id="m1")
    again = await sender.order("yui", "hear", text="once", message_id="m1")

    assert (first["result"]["turn"], True) == (again["result"]["turn"], again["result"]["repeated"])
    assert await texts(runtime) == ["once"]


async def test_the_id_of_the_stream_is_the_id_of_the_message(runtime: Runtime, sender: Sender) -> None:
    """Publishers that send again after the stream's window for duplicates are still heard once."""
    for number in (1, 2):
        await sender.publish(f"{sender.prefix}.cmd.yui.hear", {"text": "once"}, {"Nats-Msg-Id": "a"})
        stream = f"{sender.prefix.upper()}_CMD"
        if number == 1:
            await until(lambda: texts(runtime))
            await sender.bridge.run(partial(sender.client.jetstream().purge_stream, stream))
            config = (await sender.bridge.run(partial(sender.client.jetstream().stream_info, stream))).config
            config.duplicate_window = 0.1
            await sender.bridge.run(partial(sender.client.jetstream().update_stream, config))
            await trio.sleep(0.3)
    await sender.order("yui", "hear", text="later")

    assert await texts(runtime) == ["once", "later"]


async def test_reading_the_whole_stream_again_changes_nothing(settings: Settings, sender: Sender) -> None:
    """What comes again, out of order or without any id, is known by its place."""
    seen: list[Any] = []
    for replay in (False, True):
        async with open_runtime(settings) as runtime, trio.open_nursery() as nursery:
            nursery.start_soon(partial(serve_nats, runtime, replay=replay))
            if not replay:
                await until(partial(_ready, runtime))
                for number in range(5):
                    await sender.send("yui", "hear", text=f"line {number}")
                await sender.order("yui", "ban", term="Marcus")
            last = await sender.order("yui", "directives")
            (status,) = (await runtime.status()).buses
            character = await runtime.character("yui")
            await character.settle()
            seen.append(
                (await texts(runtime), [one["hits"] for one in last["result"]], len(await character.events()))
            )
            nursery.cancel_scope.cancel()

    assert seen[0] == seen[1]
    assert (status.applied, status.repeated) == (0, 6)


async def _ready(runtime: Runtime) -> bool:
    return any(bus.connected for bus in (await runtime.status()).buses)


async def test_the_place_of_the_last_command_is_in_the_journal(runtime: Runtime, sender: Sender) -> None:
    for number in range(3):
        await sender.order("yui", "hear", text=f"line {number}")

    async with runtime.resident("yui") as resident:
        kept = read_kept(path_of(runtime.settings.data_dir, "nats"))
        stream = kept.place.stream or (await _kept(runtime)).place.stream
        cursor = await resident.journal.cursor(f"nats:{stream}:yui")

    assert cursor is not None
    assert cursor.place == (0, 3)


async def _kept(runtime: Runtime) -> Any:
    path = path_of(runtime.settings.data_dir, "nats")

    async def written() -> Any:
        kept = read_kept(path)
        return kept if kept.place.stream else None

    return await until(written)


# --- dead letters ---------------------------------------------------------------------------------

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
        await until(lambda: _ready(runtime))
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
        await until(lambda: _ready(runtime))
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


# --- events ---------------------------------------------------------------------------------------


async def published(sender: Sender, count: int) -> list[Any]:
    async def enough() -> list[Any]:
        found = await sender.stored("evt")
        return found if len(found) >= count else []

    return list(await until(enough))


async def test_what_changes_is_published_in_order_without_what_was_said(runtime: Runtime, sender: Sender) -> None:
    character = await runtime.character("yui")
    await sender.order("yui", "hear", text=TOLD)
    await character.say("Noted.")
    await character.settle()
    events = await character.events()

    messages = await published(sender, len(events))
    bodies = [json.loads(message.data) for message in messages]

    assert [(body["seq"], body["kind"], body["record_ids"]) for body in bodies] == [
        (event.seq, event.kind, list(event.record_ids)) for event in events
    ]
    assert messages[0].subject == f"{sender.prefix}.evt.yui.turn_heard"
    assert not any(b"Bergen" in message.data for message in messages)


async def test_events_carry_their_records_where_the_host_wants_texts(settings: Settings, sender: Sender) -> None:
    telling = settings.model_copy(update={"bus": settings.bus.model_copy(update={"texts": True})})
    async with open_runtime(telling) as runtime, trio.open_nursery() as nursery:
        nursery.start_soon(partial(serve_nats, runtime))
        await (await runtime.character("yui")).hear(TOLD)
        (message, *_) = await published(sender, 1)
        nursery.cancel_scope.cancel()

    assert json.loads(message.data)["change"]["turn"]["text"] == TOLD


async def test_what_was_committed_while_no_bus_was_there_is_published_later_and_once(
    settings: Settings, sender: Sender
) -> None:
    async with open_runtime(settings) as runtime:
        for name in ("yui", "rin"):
            await (await runtime.character(name)).hear(TOLD)

    for _ in range(2):
        async with open_runtime(settings) as runtime, trio.open_nursery() as nursery:
            nursery.start_soon(partial(serve_nats, runtime))
            await published_all(runtime, sender)
            nursery.cancel_scope.cancel()

    ids = [json.loads(message.data)["id"] for message in await sender.stored("evt")]
    assert len(ids) == len(set(ids))
    assert {"yui", "rin"} == {one.partition(":")[0] for one in ids}


async def test_what_was_committed_while_the_server_was_gone_is_published_once_it_is_back(
    own_nats: NatsServer, settings: Settings, sender: Sender
) -> None:
    """Nothing counts as published that the server hasn't acknowledged, though the program ends meanwhile."""
    async with open_runtime(settings) as runtime, trio.open_nursery() as nursery:
        nursery.start_soon(partial(serve_nats, runtime))
        character = await runtime.character("yui")
        await character.hear("before")
        await published(sender, 1)
        await trio.to_thread.run_sync(own_nats.kill)
        await character.hear("while it was gone")
        await trio.sleep(0.3)
        nursery.cancel_scope.cancel()
    await trio.to_thread.run_sync(own_nats.start)

    async with open_runtime(settings) as runtime, trio.open_nursery() as nursery:
        nursery.start_soon(partial(serve_nats, runtime))
        count = len(await (await runtime.character("yui")).events())
        bodies = [json.loads(message.data) for message in await published(sender, count)]
        nursery.cancel_scope.cancel()

    assert [body["seq"] for body in bodies] == list(range(1, count + 1))


async def published_all(runtime: Runtime, sender: Sender) -> None:
    """Return once both characters' events are in the stream, and none waits."""

    async def all_there() -> bool:
        buses = (await runtime.status()).buses
        if not buses or buses[0].untold:
            return False
        seqs: dict[str, int] = {}
        for message in await sender.stored("evt"):
            body = json.loads(message.data)
            seqs[body["character"]] = body["seq"]
        heads = {}
        for name in ("yui", "rin"):
            async with open_reader(runtime.settings, name) as journal:  # which brings nobody into memory
                heads[name] = journal.last_seq
        return seqs == heads

    await until(all_there)


# --- who may --------------------------------------------------------------------------------------


async def test_the_state_of_the_bus_is_told(runtime: Runtime, sender: Sender) -> None:
    await sender.order("yui", "hear", text="hi")
    await sender.publish(f"{sender.prefix}.cmd.yui.hear", b"{")
    await dead(sender)

    (status,) = (await runtime.status()).buses

    assert (status.kind, status.connected, status.applied, status.dead_letters) == (
        "nats",
        True,
        1,
        {"InvalidRequestError": 1},
    )


USERS = """
accounts: { HOST: { jetstream: enabled, users: [
  { user: omoide, password: o }
  { user: voice, password: v, permissions: {
      publish: ["PREFIX.cmd.yui.hear", "PREFIX.ask.yui.>"], subscribe: ["_INBOX.>"] } } ] } }
"""


async def test_a_user_speaks_to_the_characters_that_its_permissions_name(
    tmp_path: Path, settings: Settings, bridge: Bridge
) -> None:
    server = NatsServer(tmp_path / "guarded", more=USERS.replace("PREFIX", settings.bus.prefix))
    server.start()
    nats_settings = settings.bus.nats.model_copy(update={"url": server.url.replace("//", "//omoide:o@")})
    bus = settings.bus.model_copy(update={"nats": nats_settings})
    voice = Sender(bridge, server.url, settings.bus.prefix)
    try:
        async with (
            open_runtime(settings.model_copy(update={"bus": bus})) as runtime,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(partial(serve_nats, runtime))
            await until(partial(_ready, runtime))
            await voice.connect(user="voice", password="v")  # noqa: S106 - of a server that lives for a second
            allowed = await voice.order("yui", "hear", text="hi")
            with trio.move_on_after(1.5) as refused:
                await voice.order("rin", "hear", text="hi")
            heard = await texts(runtime), await texts(runtime, "rin")
            await voice.close()
            nursery.cancel_scope.cancel()
    finally:
        server.stop()

    assert allowed["result"]["seq"] == 1
    assert refused.cancelled_caught
    assert heard == (["hi"], [])


def test_the_place_survives_a_file_that_cant_be_read(tmp_path: Path) -> None:
    (tmp_path / "bus-nats.json").write_text("{")

    assert read_kept(path_of(tmp_path, "nats")).place.done == 0
