"""What the kernel uses of Pykka's insides. If a new Pykka breaks one of these, the kernel must be looked at."""

from __future__ import annotations

import inspect
import threading
from typing import Any

import pykka
import pykka._actor
import pykka._envelope
import pykka._future
import pykka._ref
import pytest
import trio
from pykka import messages

from omoide.actors import kernel
from omoide.actors.kernel import Actor, ActorRef, ActorSystem, Envelope, Future


class Player(Actor):
    volume = 3

    def sync_method(self, number: int) -> int:
        return number + 1

    async def async_method(self, number: int) -> int:
        await trio.lowlevel.checkpoint()
        return number * 2


class Threaded(pykka.ThreadingActor):
    pass


def test_actor_ref_and_future_are_pykkas() -> None:
    assert issubclass(Actor, pykka.Actor)
    assert issubclass(ActorRef, pykka.ActorRef)
    assert issubclass(Future, pykka.Future)
    assert issubclass(Envelope, pykka._envelope.Envelope)


def test_pykkas_actor_has_the_attributes_that_a_cell_lends_and_no_others() -> None:
    assert set(vars(Threaded())) == {"actor_urn", "actor_inbox", "actor_stopped", "_actor_ref"}


def test_pykkas_ref_has_the_attributes_that_ours_sets_and_no_others() -> None:
    names = {"_actor_weakref", "actor_class", "actor_urn", "actor_inbox", "actor_stopped"}
    assert set(vars(Threaded().actor_ref)) == names


def test_pykkas_future_has_the_attributes_that_ours_has_on_its_class() -> None:
    assert set(vars(pykka.Future())) == {"_get_hook", "_get_hook_result"}
    assert isinstance(Future._get_hook_result, pykka._future._Unset)


def test_pykkas_envelope_has_the_slots_that_ours_fills() -> None:
    assert pykka._envelope.Envelope.__slots__ == ["message", "reply_to"]


def test_pykkas_actor_asks_subclasses_for_the_three_methods_that_ours_has() -> None:
    assert pykka.Actor.__abstractmethods__ == {"_create_actor_inbox", "_create_future", "_start_actor_loop"}
    assert not inspect.isabstract(Actor)


def test_pykka_stops_an_actor_with_the_message_that_ours_knows() -> None:
    assert messages._ActorStop() == ()


def test_pykkas_inbox_is_put_get_and_empty() -> None:
    names = {name for name in vars(pykka._actor.ActorInbox) if not name.startswith("_")}
    assert names == {"put", "get", "empty"}


async def test_pykkas_proxy_reaches_attributes_and_methods_sync_and_async(system: ActorSystem) -> None:
    proxy: Any = system.spawn(Player).proxy()
    assert await proxy.volume == 3
    assert await proxy.sync_method(4) == 5
    assert await proxy.async_method(4) == 8


async def test_pykkas_proxy_sets_attributes_from_a_thread(system: ActorSystem) -> None:
    proxy: Any = system.spawn(Player).proxy()

    def louder() -> int:
        proxy.volume = 11
        return int(proxy.volume.get(timeout=5))

    assert await trio.to_thread.run_sync(louder) == 11


async def test_pykkas_get_all_collects_our_futures(system: ActorSystem) -> None:
    ref = system.spawn(Player)
    futures = [ref.proxy().sync_method(number) for number in range(3)]
    assert await trio.to_thread.run_sync(lambda: pykka.get_all(futures, timeout=5)) == [1, 2, 3]


async def test_our_actors_stay_out_of_pykkas_registry_with_its_linear_scans(system: ActorSystem) -> None:
    ref = system.spawn(Player)
    assert pykka.ActorRegistry.get_by_urn(ref.actor_urn) is None


async def test_pykkas_own_loop_is_never_started(system: ActorSystem) -> None:
    before = threading.active_count()
    system.spawn(Player)
    assert threading.active_count() == before
    with pytest.raises(kernel.DeadActorError):
        await _after_stop(system)


async def _after_stop(system: ActorSystem) -> None:
    ref = system.spawn(Player)
    await ref.astop()
    await ref.aask(1)


def test_the_public_surface_is_what_the_package_lists() -> None:
    assert set(kernel.__all__) == {
        name
        for name, value in vars(kernel).items()
        if not name.startswith("_") and not inspect.ismodule(value) and name != "annotations"
    }
    assert kernel.__all__ == sorted(kernel.__all__)
