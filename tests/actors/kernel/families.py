"""Families of actors for the tests of supervision: what crashes, and a log of what happens."""

# ruff: noqa: ARG002 - a clock works by being asked for; hooks take what they are given

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
import trio
import trio.testing

from omoide.actors.kernel import (
    Actor,
    ActorRef,
    ActorSystem,
    Backoff,
    ChildSpec,
    ChildState,
    Strategy,
    Supervisor,
)
from omoide.protocols.errors import (
    ActorCrashedError,
    InvalidTextError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


STEADY = Backoff(min_s=1, max_s=1, jitter=0)


class World:
    """What outlives the instances of a test: a log, and who is to fail at its start."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.failing_starts: Counter[str] = Counter()
        self.slow_starts: dict[str, float] = {}
        self.slow_stops: dict[str, float] = {}


class Child(Actor):
    """Crashes on "crash", stops on "stop", refuses on "refuse"; echoes the rest with how many it has seen."""

    def __init__(self, name: str, world: World) -> None:
        super().__init__()
        self._name = name
        self._world = world
        self._seen = 0

    async def on_start(self) -> None:
        await trio.sleep(self._world.slow_starts.get(self._name, 0))
        self._world.log.append(f"{self._name} starts")
        if self._world.failing_starts[self._name] > 0:
            self._world.failing_starts[self._name] -= 1
            raise OSError(f"{self._name} can't start")

    async def on_stop(self) -> None:
        await trio.sleep(self._world.slow_stops.get(self._name, 0))
        self._world.log.append(f"{self._name} stops")

    async def receive(self, message: Any) -> Any:
        if message == "crash":
            raise ZeroDivisionError("a bug")
        if message == "stop":
            self.stop()
        if message == "refuse":
            raise InvalidTextError("no")
        if message == "hang":
            await trio.sleep_forever()
        self._seen += 1
        return message, self._seen


class Family(Supervisor):
    def __init__(self, specs: Callable[[Family], Sequence[ChildSpec]], world: World | None = None) -> None:
        super().__init__()
        self._specs = specs
        self.world = world or World()

    def child_specs(self) -> Sequence[ChildSpec]:
        return self._specs(self)

    async def on_start(self) -> None:
        self.world.log.append("family starts")

    async def on_stop(self) -> None:
        self.world.log.append("family stops")

    async def receive(self, message: Any) -> Any:
        return await message(self) if callable(message) else message

    async def on_child_crashed(self, child_id: str, error: BaseException) -> None:
        self.world.log.append(f"hook: {child_id} crashed by {type(error).__name__}")

    async def on_child_suspended(self, child_id: str, error: BaseException | None) -> None:
        self.world.log.append(f"hook: {child_id} suspended")

    async def on_child_recovered(self, child_id: str) -> None:
        self.world.log.append(f"hook: {child_id} recovered")


class AllFamily(Family):
    strategy: ClassVar[Strategy] = Strategy.ONE_FOR_ALL


class RestFamily(Family):
    strategy: ClassVar[Strategy] = Strategy.REST_FOR_ONE


class Home:
    """A running family, seen from a test."""

    def __init__(self, family: Family, ref: ActorRef) -> None:
        self.family = family
        self.ref = ref
        self.world = family.world

    @property
    def log(self) -> list[str]:
        return self.world.log

    def child(self, child_id: str) -> ActorRef:
        return self.family.child(child_id)

    def state(self, child_id: str) -> ChildState:
        return self.family.children_status()[child_id].state


async def run_family(
    system: ActorSystem,
    *ids: str,
    kind: type[Family] = Family,
    world: World | None = None,
    **spec: Any,
) -> Home:
    world = world or World()
    spec.setdefault("backoff", STEADY)

    def specs(_family: Family) -> Sequence[ChildSpec]:
        return [ChildSpec(one, partial(Child, one, world), **spec) for one in ids]

    families = list[Family]()

    def factory() -> Family:
        families.append(kind(specs, world))
        return families[-1]

    ref = system.spawn(factory)
    await ref.aask("started")
    world.log.clear()
    return Home(families[-1], ref)


async def crash(ref: ActorRef) -> None:
    with pytest.raises(ActorCrashedError):
        await ref.aask("crash")
    await trio.testing.wait_all_tasks_blocked()


async def suspend(home: Home, child_id: str = "a", crashes: int = 6) -> None:
    ref = home.child(child_id)
    for _ in range(crashes):
        with pytest.raises(ActorCrashedError):
            await ref.aask("crash", timeout_s=60)
    await trio.testing.wait_all_tasks_blocked()
