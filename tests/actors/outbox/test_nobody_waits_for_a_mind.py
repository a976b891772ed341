"""While a mind thinks, people decide on what is believed and on parked work, and are answered at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
import trio

from omoide.protocols.errors import ModelError, StorageError
from omoide.protocols.evidence import Signal
from omoide.protocols.messages import Commit
from omoide.protocols.ports import Synthesis, SynthesiseRequest
from omoide.protocols.records import Entity, ReflectionStatus
from omoide.protocols.tasks import MergeAction, MergeDecision, MergeRequest
from omoide.protocols.work import ExtractTurn, OpState, Synthesise

Lives = Callable[..., AbstractAsyncContextManager[Any]]
DiskRefuses = Callable[[Callable[[Commit], bool]], None]

RIVER = "Sam loves running along the river."
RUNS = (
    "I went running along the river.",
    "I ran ten kilometres along the river again.",
    "Running by the river clears my head.",
    "I bought new running shoes for the river path.",
    "I signed up for a river half marathon.",
)
BREAD = "Sam bakes sourdough bread."
BREADS = (
    "I bake sourdough bread every Sunday.",
    "My sourdough starter is called Otto.",
    "I sell sourdough bread to my neighbours.",
    "I want to open a sourdough bakery.",
    "I dream of sourdough bread.",
)
SOON_S = 5.0
"""Seconds of a real clock in which an answer comes that waits for no mind."""


class Thinker:
    """Holds a mind up in one task until it is let go."""

    def __init__(self) -> None:
        self.asked = trio.Event()
        self.answers = trio.Event()

    async def think(self) -> None:
        self.asked.set()
        await self.answers.wait()


def synthesises(it: Any, text: str) -> Thinker:
    thinker = Thinker()

    async def synthesise(request: SynthesiseRequest) -> Synthesis:
        del request
        await thinker.think()
        return Synthesis(text=text, entity=Entity.OWNER)

    it.mind.synthesise = synthesise
    return thinker


def promotes(it: Any) -> Thinker:
    thinker = Thinker()

    async def merge(request: MergeRequest) -> MergeDecision:
        del request
        await thinker.think()
        return MergeDecision(action=MergeAction.NEW)

    it.mind.merge = merge
    return thinker


@pytest.mark.parametrize("decides", ["reject", "affirm"])
async def test_a_decision_on_a_reflection_waits_for_no_synthesis(life: Lives, decides: str) -> None:
    async with life(RIVER) as it, trio.open_nursery() as nursery:
        await it.hear(*RUNS)
        (river,) = await it.character.reflections()
        thinker = synthesises(it, BREAD)
        for text in BREADS:
            await it.character.hear(text)
        nursery.start_soon(it.settle)
        await thinker.asked.wait()
        with trio.fail_after(SOON_S):
            decided = await getattr(it.character, decides)(river.id)
        thinker.answers.set()
        assert decided.records == (river.id,)


async def test_a_judgement_that_was_denied_while_it_was_made_is_held_back(life: Lives) -> None:
    async with life(RIVER) as it, trio.open_nursery() as nursery:
        await it.hear(*RUNS)
        (river,) = await it.character.reflections()
        thinker = synthesises(it, RIVER)
        for text in RUNS:
            await it.character.hear(text.replace("river", "big river"))
        nursery.start_soon(it.settle)
        await thinker.asked.wait()
        await it.character.reject(river.id)
        thinker.answers.set()
        await it.settle()
        told = (await it.character.briefing()).text
        assert RIVER not in told


async def test_parked_work_is_sent_again_and_given_up_while_a_mind_thinks(life: Lives) -> None:
    async with life(*(ModelError("no") for _ in range(5))) as it, trio.open_nursery() as nursery:
        await it.hear(*RUNS)
        (parked,) = await it.character.outbox(states=(OpState.PARKED,))
        thinker = synthesises(it, BREAD)
        for text in BREADS:
            await it.character.hear(text)
        nursery.start_soon(it.settle)
        await thinker.asked.wait()
        with trio.fail_after(SOON_S):
            again = await it.character.retry(parked.id)
            given_up = await it.character.discard(parked.id)
        thinker.answers.set()
        assert (again.state, given_up.state) == (OpState.PENDING, OpState.DISCARDED)


async def test_work_that_is_given_up_while_a_mind_thinks_leaves_nothing(life: Lives) -> None:
    async with life() as it, trio.open_nursery() as nursery:
        thinker = synthesises(it, RIVER)
        for text in RUNS:
            await it.character.hear(text)
        nursery.start_soon(it.settle)
        await thinker.asked.wait()
        (thought,) = [op for op in await it.character.outbox() if isinstance(op.work, Synthesise)]
        await it.character.discard(thought.id)
        thinker.answers.set()
        await it.settle()
        assert await it.every_reflection() == {}


async def test_work_whose_giving_up_the_disk_refused_is_done(life: Lives, disk_refuses: DiskRefuses) -> None:
    disk_refuses(lambda commit: bool(commit.discards))
    async with life() as it, trio.open_nursery() as nursery:
        thinker = synthesises(it, RIVER)
        for text in RUNS:
            await it.character.hear(text)
        nursery.start_soon(it.settle)
        await thinker.asked.wait()
        await it.character.hear("I keep bees.")
        (waits,) = [op for op in await it.character.outbox() if isinstance(op.work, ExtractTurn)]
        with pytest.raises(StorageError):
            await it.character.discard(waits.id)
        thinker.answers.set()
        with trio.fail_after(SOON_S):
            await it.settle()
        assert "I keep bees." in {fact.text for fact in await it.character.facts()}


async def confirmed(it: Any) -> str:
    """Return the id of a reflection that is about to be promoted."""
    await it.hear(*RUNS)
    (river,) = await it.character.reflections()
    it.mind.reads(Signal.CONFIRMED)
    for _ in range(2):
        await it.character.say("Is it so?", surfaced=[river.id])
        await it.character.hear("Yes.")
    return str(river.id)


async def test_a_reflection_that_is_denied_while_a_mind_promotes_it_stays_denied(life: Lives) -> None:
    async with life(RIVER) as it, trio.open_nursery() as nursery:
        thinker = promotes(it)
        river = await confirmed(it)
        nursery.start_soon(it.settle)
        await thinker.asked.wait()
        with trio.fail_after(SOON_S):
            await it.character.reject(river)
        thinker.answers.set()
        await it.settle()
        assert (await it.every_reflection())[river].status is ReflectionStatus.DENIED
        assert await it.character.persona() == ()


async def test_one_that_nobody_denies_is_promoted_all_the_same(life: Lives) -> None:
    async with life(RIVER) as it, trio.open_nursery() as nursery:
        thinker = promotes(it)
        river = await confirmed(it)
        nursery.start_soon(it.settle)
        await thinker.asked.wait()
        thinker.answers.set()
        await it.settle()
        assert (await it.every_reflection())[river].status is ReflectionStatus.PROMOTED
