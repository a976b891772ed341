"""Characters on NATS: what a command does, what it answers, and what becomes of one that can't be carried out."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from omoide.protocols.settings import Settings
from omoide.runtime.bus.bridge import Bridge
from omoide.runtime.bus.nats.service import serve_nats
from omoide.runtime.bus.place import path_of, read_kept
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.store import open_reader
from omoide.tests.runtime.bus.looks import dead, is_ready, texts
from omoide.tests.runtime.bus.servers import NatsServer, Sender, until

TOLD = "My sister Ingrid lives in Bergen."


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
                await until(partial(is_ready, runtime))
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
            await until(partial(is_ready, runtime))
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
