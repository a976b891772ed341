"""Characters on MQTT: a real broker, devices, and kills. Skipped where no mosquitto is installed."""

from __future__ import annotations

import json
import queue
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
import trio
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from omoide.protocols.settings import Settings
from omoide.runtime.bus.mqtt.service import serve_mqtt
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.store import open_reader
from omoide.tests.runtime.bus.servers import Mosquitto, kill, until

TOLD = "My sister Ingrid lives in Bergen."


class Device:
    """A device that speaks MQTT."""

    def __init__(self, port: int, *topics: str) -> None:
        self.got: queue.Queue[paho.MQTTMessage] = queue.Queue()
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self._client.on_message = lambda _, __, message: self.got.put(message)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        for topic in topics:
            self._client.subscribe(topic, qos=1)

    def send(self, topic: str, body: dict[str, Any] | bytes, answer_to: str = "") -> None:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if answer_to:
            properties.ResponseTopic = answer_to
            properties.CorrelationData = b"c1"
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self._client.publish(topic, raw, qos=1, properties=properties).wait_for_publish(10)

    async def next(self, timeout_s: float = 10) -> paho.MQTTMessage:
        return await trio.to_thread.run_sync(partial(self.got.get, timeout=timeout_s), abandon_on_cancel=True)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path / "broker")
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def settings(tmp_path: Path, broker: Mosquitto) -> Settings:
    bus = {"mqtt": {"port": broker.port}, "backoff_min_s": 0.02, "backoff_max_s": 0.2}
    return Settings.model_validate({"data_dir": tmp_path / "data", "bus": bus})


@pytest.fixture
async def runtime(settings: Settings) -> AsyncIterator[Runtime]:
    async with open_runtime(settings) as runtime, trio.open_nursery() as nursery:
        ready = trio.Event()
        nursery.start_soon(partial(serve_mqtt, runtime, on_ready=ready.set))
        await ready.wait()
        yield runtime
        nursery.cancel_scope.cancel()


@pytest.fixture
def device(broker: Mosquitto) -> Iterator[Device]:
    device = Device(broker.port, "omoide/answer/d1", "omoide/dead/#")
    yield device
    device.close()


async def heard(settings: Settings) -> list[str]:
    if not (settings.data_dir / "yui").exists():
        return []
    async with open_reader(settings, "yui") as journal:
        return [turn.text for turn in await journal.turns(newest=1_000)]


async def test_a_device_speaks_asks_and_is_answered(runtime: Runtime, device: Device) -> None:
    device.send("omoide/cmd/yui/hear", {"text": TOLD, "message_id": "m1"}, "omoide/answer/d1")
    receipt = await device.next()
    await (await runtime.character("yui")).settle()
    device.send("omoide/ask/yui/recall", {"query": "where does my sister live"}, "omoide/answer/d1")
    answer = await device.next()

    assert json.loads(receipt.payload)["result"]["seq"] == 1
    assert getattr(receipt.properties, "CorrelationData", b"") == b"c1"
    assert json.loads(answer.payload)["result"]["hits"][0]["text"] == TOLD


async def test_what_changes_is_published_to_devices(runtime: Runtime, broker: Mosquitto) -> None:
    device = Device(broker.port, "omoide/evt/yui/#")
    await trio.sleep(0.2)
    await (await runtime.character("yui")).hear(TOLD)
    message = await device.next()
    device.close()

    assert (message.topic, json.loads(message.payload)["seq"]) == ("omoide/evt/yui/turn_heard", 1)
    assert b"Bergen" not in message.payload


async def test_what_cant_be_carried_out_becomes_a_dead_letter(runtime: Runtime, device: Device) -> None:
    for body in (b"{", json.dumps({"text": "without an id"}).encode()):
        device.send("omoide/cmd/yui/hear", body)
    letters = [await device.next(), await device.next()]

    assert [letter.topic for letter in letters] == ["omoide/dead/yui/hear"] * 2
    reasons = [dict(getattr(letter.properties, "UserProperty", ()))["Omoide-Detail"] for letter in letters]
    assert reasons[1].startswith("hear needs a message_id here")
    assert runtime.stored_characters() == ()


async def test_a_command_that_fills_a_packet_becomes_a_dead_letter_and_the_next_goes_on(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path / "small", "allow_anonymous true\nmax_packet_size 20000\n")
    broker.start()
    device = Device(broker.port, "omoide/answer/d1", "omoide/dead/#")
    settings = Settings.model_validate({"data_dir": tmp_path / "data", "bus": {"mqtt": {"port": broker.port}}})
    try:
        async with open_runtime(settings) as runtime, trio.open_nursery() as nursery:
            ready = trio.Event()
            nursery.start_soon(partial(serve_mqtt, runtime, on_ready=ready.set))
            await ready.wait()
            device.send("omoide/cmd/yui/hear", b"x" * 19_900)
            letter = await device.next()
            device.send("omoide/cmd/yui/hear", {"text": TOLD, "message_id": "m1"}, "omoide/answer/d1")
            receipt = await device.next()
            nursery.cancel_scope.cancel()
    finally:
        device.close()
        broker.stop()

    assert (letter.topic, letter.payload) == ("omoide/dead/yui/hear", b"")
    assert json.loads(receipt.payload)["result"]["turn"]


async def test_a_command_whose_topic_is_as_long_as_can_be_becomes_a_dead_letter_and_the_next_goes_on(
    runtime: Runtime, device: Device
) -> None:
    topic = f"omoide/cmd/{'y' * (65_535 - len('omoide/cmd//hear'))}/hear"
    device.send(topic, {"text": "hi", "message_id": "m0"})
    letter = await device.next()
    device.send("omoide/cmd/yui/hear", {"text": TOLD, "message_id": "m1"}, "omoide/answer/d1")
    receipt = await device.next()

    assert dict(letter.properties.UserProperty)["Omoide-Subject"] == topic  # type: ignore[union-attr]
    assert json.loads(receipt.payload)["result"]["turn"]
    assert (await runtime.status()).buses[0].reconnects == 0


async def test_nobody_is_answered_at_another_topic(runtime: Runtime, device: Device) -> None:
    device.send("omoide/ask/yui/directives", {}, "omoide/dead/forged")
    device.send("omoide/cmd/yui/hear", {"text": "hi", "message_id": "m"}, "omoide/answer/d1")

    assert (await device.next()).topic == "omoide/answer/d1"
    assert runtime.stored_characters() == ("yui",)


@pytest.mark.kill
async def test_a_message_is_heard_once_though_everybody_is_killed_and_the_will_tells_of_it(
    settings: Settings, broker: Mosquitto, serve: Callable[..., int]
) -> None:
    watcher = Device(broker.port, "omoide/status")
    pid = serve(bus="mqtt", kill_at="journal.after_commit", skip=7)
    states = [json.loads((await watcher.next(30)).payload)["state"]]
    device = Device(broker.port)
    for number in range(10):
        device.send("omoide/cmd/yui/hear", {"text": f"ok {number}", "message_id": f"m{number}"})
    states.append(json.loads((await watcher.next(30)).payload)["state"])
    pid = serve(bus="mqtt")
    await until(lambda: _enough(settings, 10))
    device.close()
    watcher.close()
    await trio.to_thread.run_sync(broker.kill)
    await trio.to_thread.run_sync(broker.start)
    device = Device(broker.port)
    device.send("omoide/cmd/yui/hear", {"text": "after the restart", "message_id": "m10"})
    await until(lambda: _enough(settings, 11))
    device.close()
    kill(pid)

    assert states == ["online", "offline"]
    assert await heard(settings) == [*(f"ok {number}" for number in range(10)), "after the restart"]


@pytest.mark.kill
async def test_a_message_that_the_broker_sends_again_doesnt_bring_an_erased_character_back(
    settings: Settings, serve: Callable[..., int], device: Device
) -> None:
    watcher = Device(settings.bus.mqtt.port, "omoide/status")
    serve(bus="mqtt", kill_at="journal.after_commit", skip=0)
    await watcher.next(30)
    device.send("omoide/cmd/yui/hear", {"text": "secret", "message_id": "m1"}, "omoide/answer/d1")
    await watcher.next(30)
    async with open_runtime(settings) as runtime:
        await runtime.erase("yui", None)

    serve(bus="mqtt")
    answer = json.loads((await device.next(30)).payload)
    watcher.close()

    assert answer["error"]["type"] == "ErasedError"
    assert await heard(settings) == []


async def _enough(settings: Settings, count: int) -> bool:
    return len(await heard(settings)) >= count


async def test_the_status_says_online_and_offline(settings: Settings, broker: Mosquitto) -> None:
    watcher = Device(broker.port, "omoide/status")
    async with open_runtime(settings) as runtime, trio.open_nursery() as nursery:
        nursery.start_soon(partial(serve_mqtt, runtime))
        online = await watcher.next()
        nursery.cancel_scope.cancel()
    offline = await watcher.next()
    late = Device(broker.port, "omoide/status")
    retained = await late.next()
    for one in (watcher, late):
        one.close()

    assert [json.loads(one.payload)["state"] for one in (online, offline, retained)] == [
        "online",
        "offline",
        "offline",
    ]
    assert retained.retain
