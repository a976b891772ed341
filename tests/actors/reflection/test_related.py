"""A mind that makes a judgement is shown what it judged before of the same things, by meaning and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide.actors.reflection.related import eligible, nearest, round_robin
from omoide.protocols.ports import Embedder
from omoide.protocols.records import Entity, Fact, FactId, FactStatus
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.tests.embedders import WordEmbedder

Lives = Callable[..., AbstractAsyncContextManager[Any]]

GROUP = Subject("group:qq:77")

EARLIER = (
    "I went running along the river.",
    "I baked sourdough bread on Sunday.",
    "I play the violin in an orchestra.",
    "I am allergic to peanuts.",
    "I ran a half marathon.",
)
LATER = (
    "I jog in the park before breakfast.",
    "I bought new trainers for jogging.",
    "I jogged ten kilometres today.",
    "Jogging clears my head.",
    "I joined a jogging club.",
)
ORIGINS = "Sam runs, bakes bread and plays the violin."
JOGS = "Sam is fond of jogging."


def fact(
    name: str,
    *,
    entity: Entity = Entity.OWNER,
    status: FactStatus = FactStatus.ACTIVE,
    subject: Subject = PRIVATE,
) -> Fact:
    return Fact(
        id=FactId(name),
        key=name,
        text=name,
        entity=entity,
        importance=6,
        subject=subject,
        speaker=None,
        trust=None,
        sources=(),
        said_at=0,
        last_said_at=0,
        created_at=0,
        status=status,
    )


def facts(names: str) -> tuple[Fact, ...]:
    return tuple(fact(name) for name in names)


def at(degrees: float) -> NDArray[np.float32]:
    angle = np.deg2rad(degrees)
    return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)


def names(found: tuple[Fact, ...]) -> str:
    return "".join(one.id for one in found)


# --- which may be shown -------------------------------------------------------------------------


def shown(candidate: Fact, *, absorbed: bool = True, banned: bool = False) -> bool:
    return bool(eligible((candidate,), facts("b"), lambda _: absorbed, lambda _: banned))


def test_an_absorbed_fact_in_force_is_shown() -> None:
    assert shown(fact("a"))


@pytest.mark.parametrize("status", [one for one in FactStatus if one is not FactStatus.ACTIVE])
def test_a_fact_out_of_force_is_not(status: FactStatus) -> None:
    assert not shown(fact("a", status=status))


def test_a_fact_of_another_subject_is_not() -> None:
    assert not shown(fact("a", subject=GROUP))


def test_a_fact_about_somebody_else_is_not() -> None:
    assert not shown(fact("a", entity=Entity.CHARACTER))


def test_a_fact_of_a_banned_topic_is_not() -> None:
    assert not shown(fact("a"), banned=True)


def test_a_fact_that_no_reflection_rests_on_is_not() -> None:
    assert not shown(fact("a"), absorbed=False)


def test_a_fact_that_is_judged_just_now_is_not() -> None:
    assert not shown(fact("b"))


# --- which are near -----------------------------------------------------------------------------


def test_the_nearest_come_first_and_no_more_than_are_wanted() -> None:
    vectors = {"q": at(0), "a": at(50), "b": at(10), "c": at(30)}
    (found,) = nearest(facts("q"), facts("abc"), vectors, 2)
    assert names(found) == "bc"


def test_of_equally_near_ones_the_first_stored_comes_first() -> None:
    (found,) = nearest(facts("q"), facts("ba"), {"q": at(0), "a": at(20), "b": at(20)}, 1)
    assert names(found) == "b"


def test_without_a_vector_nothing_is_near() -> None:
    vectors = {"q": at(0), "a": at(50)}
    assert [names(found) for found in nearest(facts("qr"), facts("ab"), vectors, 3)] == ["a", ""]


def test_each_fact_is_compared_with_those_about_the_same_entity() -> None:
    batch = (fact("q"), fact("r", entity=Entity.OTHER))
    candidates = (fact("a"), fact("b", entity=Entity.OTHER))
    vectors = {"q": at(0), "r": at(0), "a": at(80), "b": at(0)}
    assert [names(found) for found in nearest(batch, candidates, vectors, 3)] == ["a", "b"]


@pytest.mark.parametrize(
    ("rankings", "most", "taken"),
    [
        (("abc", "def"), 20, "adbecf"),
        (("abc", "def"), 3, "adb"),
        (("abc", "acd"), 20, "abcd"),
        (("a", "", "bcd"), 20, "abcd"),
        ((), 20, ""),
        (("abc",), 0, ""),
    ],
)
def test_rankings_take_turns_and_name_nothing_twice(rankings: tuple[str, ...], most: int, taken: str) -> None:
    assert names(round_robin([facts(ranking) for ranking in rankings], most)) == taken


# --- a life -------------------------------------------------------------------------------------


async def test_what_is_near_in_meaning_is_shown_beside_later_facts(life: Lives, minilm: Embedder) -> None:
    async with life(ORIGINS, JOGS, embedder=minilm) as it:
        await it.hear(*EARLIER)
        await it.hear(*LATER)
        first, second = it.mind.beside
        assert first == ()
        assert set(second[:2]) <= {EARLIER[0], EARLIER[4]}


async def test_nothing_is_shown_without_vectors(life: Lives) -> None:
    async with life(ORIGINS, JOGS) as it:
        await it.hear(*EARLIER)
        await it.hear(*LATER)
        assert it.mind.beside == [(), ()]


async def test_nothing_is_shown_where_the_embedding_model_fails_and_the_judgement_is_made(life: Lives) -> None:
    embedder = WordEmbedder()
    embedder.failure = "out of order"
    async with life(ORIGINS, JOGS, embedder=embedder) as it:
        await it.hear(*EARLIER)
        await it.hear(*LATER)
        assert (it.mind.beside, len(await it.character.reflections())) == ([(), ()], 2)


async def test_nothing_banned_or_rejected_is_shown(life: Lives) -> None:
    async with life(ORIGINS, JOGS, embedder=WordEmbedder()) as it:
        await it.hear(*EARLIER)
        (bread,) = [fact for fact in await it.character.facts() if "bread" in fact.text]
        await it.character.reject(bread.id)
        await it.hear("Never mention my violin again.")
        await it.hear(*LATER)
        assert set(it.mind.beside[-1]) == {EARLIER[0], EARLIER[3], EARLIER[4]}


async def test_what_was_shown_beside_is_no_source_and_goes_with_its_erasure(life: Lives) -> None:
    async with life(ORIGINS, JOGS, embedder=WordEmbedder()) as it:
        await it.hear(*EARLIER)
        await it.hear(*LATER)
        (jogs,) = [one for one in await it.character.reflections() if one.text == JOGS]
        assert jogs.related
        assert not set(jogs.related) & set(jogs.sources)
        await it.character.erase(memory=jogs.related[0])
        assert JOGS not in [one.text for one in await it.character.reflections()]


async def test_what_was_learned_elsewhere_is_not_shown(life: Lives) -> None:
    async with life(ORIGINS, JOGS, embedder=WordEmbedder()) as it:
        await it.hear(*EARLIER)
        for text in LATER:
            await it.character.hear(text, subject=GROUP)
        await it.settle()
        assert it.mind.beside == [(), ()]
