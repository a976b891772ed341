"""Nothing is lost and nothing comes twice, whoever is killed and whenever: real servers, real kills."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from omoide.protocols.errors import OmoideError
from omoide.protocols.settings import Settings
from omoide.runtime.bus.place import path_of, read_kept
from omoide.runtime.host import open_runtime
from omoide.runtime.store import open_reader
from omoide.tests.runtime.bus.servers import NatsServer, Sender, kill, until

pytestmark = pytest.mark.kill

CHARACTERS = [f"c{number}" for number in range(10)]
EACH = 100


async def heard(settings: Settings, name: str) -> list[str]:
    """Return what a character heard, whoever owns it."""
    try:
        async with open_reader(settings, name) as journal:
            return [turn.text for turn in await journal.turns(newest=10_000)]
    except OmoideError:  # it isn't there yet
        return []


async def journals(settings: Settings, name: str) -> list[tuple[int, str]]:
    async with open_reader(settings, name) as journal:
        return [(event.seq, event.chain[:16]) for event in await journal.events()]


async def told(sender: Sender, name: str) -> list[tuple[int, str]]:
    """Return what was published of a character: each event's seq, and the beginning of its chain."""
    ids = [json.loads(message.data)["id"] for message in await sender.stored("evt")]
    parts = [one.split(":") for one in ids]
    return [(int(seq), chain) for word, seq, chain in parts if word == name]


async def talk(sender: Sender, name: str, count: int) -> None:
    """Send a character's lines in order, every seventh twice and every eleventh once more much later."""
    for number in range(count):
        body: dict[str, Any] = {"text": f"ok {number}", "message_id": f"{name}-{number}"}
        await sender.send(name, "hear", id=f"{name}-{number}-a", **body)
        if number % 7 == 0:
            await sender.send(name, "hear", id=f"{name}-{number}-b", **body)
        if number % 11 == 0 and number:
            earlier = number - 10
            body = {"text": f"ok {earlier}", "message_id": f"{name}-{earlier}"}
            await sender.send(name, "hear", id=f"{name}-{number}-c", **body)


async def test_a_thousand_messages_arrive_once_and_in_order_though_both_sides_are_killed(
    own_nats: NatsServer, settings: Settings, sender: Sender, serve: Callable[..., int]
) -> None:
    pid = serve()
    await until(partial(_streams_are_there, sender))
    async with trio.open_nursery() as nursery:
        for name in CHARACTERS:
            nursery.start_soon(talk, sender, name, EACH)
        await until(partial(_noted, settings, 150))
        kill(pid)
        pid = serve()
        await until(partial(_noted, settings, 400))
        await trio.to_thread.run_sync(own_nats.kill)
        await trio.sleep(0.3)
        await trio.to_thread.run_sync(own_nats.start)
        await until(partial(_noted, settings, 700))
        kill(pid)
        serve()
    sent = len(await sender.stored("cmd"))
    await until(partial(_noted, settings, sent))

    lines = [f"ok {number}" for number in range(EACH)]
    assert {name: await heard(settings, name) for name in CHARACTERS} == dict.fromkeys(CHARACTERS, lines)


async def test_an_erased_character_doesnt_come_back_from_a_stream_that_nobody_purged(
    settings: Settings, sender: Sender, serve: Callable[..., int]
) -> None:
    """The process died before it had noted how far the stream was read, and reads all of it again."""
    pid = serve()
    await until(partial(_streams_are_there, sender))
    for number in range(3):
        await sender.send("yui", "hear", text=f"secret {number}")
    await sender.send("yui", "say", text="I keep secrets.")
    await until(partial(_heard_all, settings, 4))
    kill(pid)
    path_of(settings.data_dir, "nats").unlink(missing_ok=True)
    async with open_runtime(settings) as runtime:
        await runtime.erase("yui", None)

    serve(replay=True)
    await until(partial(_noted, settings, 4))
    afterwards = [path.name for path in settings.data_dir.iterdir() if not path.name.startswith(".")]
    await sender.send("yui", "hear", text="new")
    await until(partial(_heard_all, settings, 1))

    assert afterwards == [path_of(settings.data_dir, "nats").name]
    assert await heard(settings, "yui") == ["new"]
    assert await sender.stored("dead") == []


async def _streams_are_there(sender: Sender) -> bool:
    streams = await sender.bridge.run(sender.client.jetstream().streams_info)
    return sum(str(one.config.name).startswith(f"{sender.prefix.upper()}_") for one in streams) == 3


@pytest.mark.parametrize("moment", ["scribe.before_commit", "journal.before_commit", "journal.after_commit"])
async def test_a_command_whose_process_dies_around_its_commit_takes_effect_once(
    settings: Settings, sender: Sender, serve: Callable[..., int], moment: str
) -> None:
    serve(kill_at=moment, skip=2 if moment.startswith("scribe") else 8)
    await until(partial(_streams_are_there, sender))
    for number in range(6):
        await sender.send("yui", "hear", text=f"ok {number}")
    await sender.send("yui", "ban", term="Marcus")
    await sender.send("yui", "ban", term="Marcus")
    await until(partial(_gone, settings))

    serve()

    await until(partial(_noted, settings, 8))
    await until(partial(_caught_up, settings, sender))
    async with open_reader(settings, "yui") as journal:
        kinds = [event.kind for event in await journal.events()]
    assert await heard(settings, "yui") == [f"ok {number}" for number in range(6)]
    assert kinds.count("directive_given") == 2
    assert await told(sender, "yui") == await journals(settings, "yui")


async def _gone(settings: Settings) -> bool:
    """Return whether whoever served the folder is dead: its lock is free."""
    try:
        async with open_runtime(settings) as runtime:
            await runtime.character("yui", create=False)
    except OmoideError:  # it is there, or nothing is stored yet
        return False
    return True


async def _heard_all(settings: Settings, count: int) -> bool:
    return len(await heard(settings, "yui")) >= count


async def _caught_up(settings: Settings, sender: Sender) -> bool:
    return (await told(sender, "yui"))[-1:] == (await journals(settings, "yui"))[-1:]


async def test_nothing_is_published_that_isnt_committed_and_everything_that_is(
    settings: Settings, sender: Sender, serve: Callable[..., int]
) -> None:
    """Killed just before a commit, just after it, and while events are on their way."""
    for skip in (3, 7, 12):
        pid = serve(kill_at="journal.before_commit", skip=skip)
        await until(partial(_streams_are_there, sender))
        await sender.send("yui", "hear", text=f"My friend number {skip} lives in Bergen.")
        await trio.to_thread.run_sync(_until_dead_or, pid, 1.5)
        in_the_journal = await journals(settings, "yui") if await heard(settings, "yui") else []
        assert set(await told(sender, "yui")) <= set(in_the_journal)
    serve()
    await until(partial(_heard_all, settings, 3))
    await until(partial(_caught_up, settings, sender))

    assert await told(sender, "yui") == await journals(settings, "yui")


def _until_dead_or(pid: int, seconds: float) -> None:
    ends = time.monotonic() + seconds
    while Path(f"/proc/{pid}").exists() and time.monotonic() < ends:
        time.sleep(0.02)
    if Path(f"/proc/{pid}").exists():
        kill(pid)


async def test_a_stream_that_was_made_anew_is_read_from_its_beginning(
    settings: Settings, sender: Sender, serve: Callable[..., int]
) -> None:
    serve()
    await until(partial(_streams_are_there, sender))
    for number in range(3):
        await sender.send("yui", "hear", text=f"old {number}")
    await until(partial(_heard_all, settings, 3))

    await sender.bridge.run(partial(sender.client.jetstream().delete_stream, f"{sender.prefix.upper()}_CMD"))
    await until(partial(_streams_are_there, sender))
    await sender.send("yui", "hear", text="new")
    await until(partial(_heard_all, settings, 4))

    assert await heard(settings, "yui") == ["old 0", "old 1", "old 2", "new"]


async def test_a_server_that_lost_its_last_messages_doesnt_make_us_skip_new_ones(
    own_nats: NatsServer, settings: Settings, sender: Sender, serve: Callable[..., int]
) -> None:
    """The store of an earlier time, as after a power failure without `sync_interval: always`."""
    serve()
    await until(partial(_streams_are_there, sender))
    await sender.send("yui", "hear", text="kept")
    await until(partial(_heard_all, settings, 1))
    own_nats.kill()
    own_nats.copy_store()
    own_nats.start()
    for number in range(3):
        await sender.send("yui", "hear", text=f"lost {number}")
    await until(partial(_heard_all, settings, 4))
    await until(partial(_noted, settings, 4))
    own_nats.kill()
    own_nats.restore_store()
    own_nats.start()

    for number in range(2):
        await sender.send("yui", "hear", text=f"new {number}")
    await until(partial(_heard_all, settings, 6))

    assert (await heard(settings, "yui"))[4:] == ["new 0", "new 1"]
    await until(partial(_epoch, settings, 1))


async def _noted(settings: Settings, done: int) -> bool:
    return read_kept(path_of(settings.data_dir, "nats")).place.done >= done


async def _epoch(settings: Settings, epoch: int) -> bool:
    return read_kept(path_of(settings.data_dir, "nats")).place.epoch == epoch
