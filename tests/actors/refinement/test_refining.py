"""Beliefs that are close to each other are put before a mind; what it may change of them keeps every promise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide.protocols.errors import ModelError
from omoide.protocols.evidence import Signal
from omoide.protocols.ports import Likeness
from omoide.protocols.records import PersonaEntry, Reflection, ReflectionStatus
from omoide.protocols.tasks import RefineAction, Refinement, RefineRequest
from omoide.protocols.work import OpState, Refine
from omoide.runtime.failpoints import Fault
from omoide.tests.actors.answering import answering

Lives = Callable[..., AbstractAsyncContextManager[Any]]
Answer = Callable[[RefineRequest], Sequence[Refinement]]

RIVER = "Sam loves running along the river."
RUNS_RIVER = "Sam runs along the river every week."
BREAD = "Sam bakes sourdough bread."
RUNS = tuple(
    f"I ran along the river {how}." for how in ("today", "again", "with Mia", "in the rain", "for an hour")
)
WEEKS = tuple(f"Running by the river {how}." for how in ("calms me", "is fun", "is hard", "is free", "is mine"))
BREADS = tuple(f"I baked sourdough bread {how}." for how in ("today", "again", "with Mia", "at night", "twice"))
HALF_HOUR_S = 1_800.0


class Topics:
    """An embedding model that knows three topics: texts of one are all alike, and others are not."""

    id = "topics"
    dimension = 3
    likeness = Likeness()

    async def embed(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        del query
        words = ("river", "bread")
        rows = [
            [float(word in text) for word in words] + [float(not any(w in text for w in words))] for text in texts
        ]
        matrix = np.array(rows, dtype=np.float32).reshape(len(rows), self.dimension)
        lengths: NDArray[np.float32] = np.linalg.norm(matrix, axis=1, keepdims=True)
        unit: NDArray[np.float32] = matrix / lengths
        return unit


def refines(it: Any, answer: Answer) -> list[RefineRequest]:
    """Have the mind answer so; return what it is asked."""
    return answering(it, "refine", answer)


def merging(text: str) -> Answer:
    return lambda request: [
        Refinement(action=RefineAction.MERGE, targets=tuple(one.target for one in request.cluster), texts=(text,))
    ]


async def two_close(it: Any) -> tuple[Reflection, ...]:
    """Have two reflections on the river made, and one on bread, all of them embedded."""
    await it.hear(*RUNS)
    await it.hear(*BREADS)
    await it.hear(*WEEKS)
    return tuple(await it.character.reflections())


async def half_an_hour(it: Any) -> None:
    it.clock.advance_to(it.clock.now() + HALF_HOUR_S)
    await it.settle()


async def test_close_reflections_are_merged_into_one_that_rests_on_all_their_facts(life: Lives) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        before = {one.text: one for one in await two_close(it)}
        (asked,) = [refines(it, merging("Sam loves running along the river every week."))]
        await half_an_hour(it)
        after = {one.text: one for one in await it.character.reflections()}
        made = after["Sam loves running along the river every week."]
        assert [sorted(one.text for one in request.cluster) for request in asked] == [[RIVER, RUNS_RIVER]]
        assert set(after) == {BREAD, made.text}
        assert set(made.sources) == {*before[RIVER].sources, *before[RUNS_RIVER].sources}
        assert made.subject == before[RIVER].subject
        old = (await it.every_reflection())[before[RIVER].id]
        assert (old.status, old.reason.startswith("refined into ref_")) == (ReflectionStatus.ARCHIVED, True)


async def test_a_cluster_is_looked_at_once_in_thirty_days(life: Lives) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        await two_close(it)
        asked = refines(it, lambda _: [])
        await it.wait(days=29)
        early = len(asked)
        await it.wait(days=3)
        assert (early, len(asked)) == (1, 2)


async def test_it_is_caught_up_by_a_character_that_wakes(life: Lives) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        await two_close(it)
    async with life(embedder=Topics(), start=1_772_442_000.0 + 86_400) as it:
        asked = refines(it, lambda _: [])
        await it.settle()
        assert len(asked) == 1


@pytest.mark.parametrize(
    "prepare",
    [
        lambda it: it.character.set_strong_memory(False),
        lambda it: it.character.hear("Please never mention the river again."),
    ],
    ids=["no strong memory", "a banned topic"],
)
async def test_nothing_banned_is_brought_in_and_nothing_refined_without_strong_memory(
    life: Lives, prepare: Callable[[Any], Any]
) -> None:
    async with life("Sam bakes with rye flour.", BREAD, embedder=Topics()) as it:
        await it.hear(*(text.replace("sourdough", "rye") for text in BREADS))
        await it.hear(*BREADS)
        await prepare(it)
        refines(it, merging("Sam bakes sourdough bread at the river."))
        await half_an_hour(it)
        assert not [one for one in await it.character.reflections() if "river" in one.text]


async def test_a_refinement_brings_nothing_back_that_was_denied(life: Lives) -> None:
    async with life("Sam trains by the river.", BREAD, "Sam walks by the river.", RIVER, embedder=Topics()) as it:
        await it.hear("I love running along the river.")
        await two_close(it)
        await it.hear("I don't love running along the river.")
        refines(it, merging("I love running along the river."))
        await half_an_hour(it)
        assert not [one for one in await it.character.reflections() if one.text.startswith("I love running")]


@pytest.mark.parametrize(
    "text", ["Sam owns three horses in Montana.", "Sam doesn't love running along the river."]
)
async def test_an_invention_or_a_contradiction_changes_nothing(life: Lives, text: str) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        before = await two_close(it)
        refines(it, merging(text))
        await half_an_hour(it)
        assert tuple(await it.character.reflections()) == before


async def test_of_a_cluster_one_stays_whatever_is_discarded(life: Lives) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        await two_close(it)
        refines(
            it,
            lambda request: [
                Refinement(action=RefineAction.DISCARD, targets=(one.target,)) for one in request.cluster
            ],
        )
        await half_an_hour(it)
        assert len(await it.character.reflections()) == 2


async def test_one_is_split_and_another_reworded(life: Lives) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        known = {one.text: one for one in await two_close(it)}

        def answer(request: RefineRequest) -> Sequence[Refinement]:
            targets = {one.text: one.target for one in request.cluster}
            return [
                Refinement(
                    action=RefineAction.SPLIT,
                    targets=(targets[RIVER],),
                    texts=("Sam loves running.", "Sam loves the river."),
                ),
                Refinement(
                    action=RefineAction.MODIFY,
                    targets=(targets[RUNS_RIVER],),
                    texts=("Each week Sam runs along the river.",),
                ),
            ]

        refines(it, answer)
        await half_an_hour(it)
        after = {one.text: one for one in await it.character.reflections()}
        assert set(after) == {
            BREAD,
            "Sam loves running.",
            "Sam loves the river.",
            "Each week Sam runs along the river.",
        }
        assert after["Each week Sam runs along the river."].id == known[RUNS_RIVER].id
        assert after["Sam loves running."].sources == known[RIVER].sources


async def test_a_person_who_denies_meanwhile_is_not_overruled(life: Lives) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        known = {one.text: one for one in await two_close(it)}

        async def refine(request: RefineRequest) -> Sequence[Refinement]:
            await it.character.reject(known[RIVER].id)
            return merging("Sam loves running along the river every week.")(request)

        it.mind.refine = refine
        await half_an_hour(it)
        assert (await it.every_reflection())[known[RIVER].id].status is ReflectionStatus.DENIED
        assert not [one for one in await it.character.reflections() if "loves" in one.text]


async def test_a_mind_that_fails_leaves_the_work_parked_and_the_beliefs_as_they_are(life: Lives) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        before = await two_close(it)

        def fails(_: RefineRequest) -> Sequence[Refinement]:
            raise ModelError("no")

        refines(it, fails)
        await half_an_hour(it)
        (parked,) = await it.character.outbox(states=(OpState.PARKED,))
        assert (isinstance(parked.work, Refine), tuple(await it.character.reflections())) == (True, before)


async def test_a_crash_in_between_refines_once(life: Lives) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        await two_close(it)
        refines(it, merging("Sam loves running along the river every week."))
        it.failpoints.arm("reflection.refined", Fault.CRASH)
        await half_an_hour(it)
        texts = sorted(one.text for one in await it.character.reflections())
        assert texts == [BREAD, "Sam loves running along the river every week."]


async def test_close_persona_entries_become_one_that_keeps_its_versions_and_lineage(life: Lives) -> None:
    async with life(RIVER, BREAD, RUNS_RIVER, embedder=Topics()) as it:
        known = await two_close(it)
        it.mind.reads(Signal.CONFIRMED)
        for _ in range(3):
            await it.character.say("Is it so?", surfaced=[one.id for one in known])
            await it.hear("Yes.")
        rivers = [one for one in await it.character.persona() if "river" in one.text]
        refines(it, merging("Sam loves running along the river every week."))
        await half_an_hour(it)
        (made,) = [one for one in await it.character.persona() if "river" in one.text]
        assert (len(rivers), made.text) == (2, "Sam loves running along the river every week.")
        assert set(made.lineage) == {name for one in rivers for name in one.lineage}
        assert made.versions[-1].text in {one.text for one in rivers}
        assert all(isinstance(one, PersonaEntry) for one in rivers)
