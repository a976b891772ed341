"""The pool holds exactly the facts that are in force, important and not absorbed, however it learned of them."""

from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.reflection.pool import FactPool
from omoide.protocols.records import (
    Entity,
    Evidence,
    Fact,
    FactId,
    FactSource,
    FactStatus,
    Reflection,
    ReflectionId,
    TurnId,
)
from omoide.protocols.scopes import PRIVATE, Subject

GROUP = Subject("group:qq:77")


def fact(
    name: str, importance: int = 6, status: FactStatus = FactStatus.ACTIVE, subject: Subject = PRIVATE
) -> Fact:
    source = FactSource(turn=TurnId("t"), said_at=0, text=name, importance=importance, entity=Entity.OWNER)
    return Fact(
        id=FactId(name),
        key=name,
        text=name,
        entity=Entity.OWNER,
        importance=importance,
        subject=subject,
        speaker=None,
        trust=None,
        sources=(source,),
        said_at=0,
        last_said_at=0,
        created_at=float(len(name)),
        status=status,
    )


def on(*facts: str) -> Reflection:
    return Reflection(
        id=ReflectionId("ref"),
        text="x",
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=tuple(FactId(one) for one in facts),
        importance=6,
        evidence=Evidence(),
        created_at=0,
        status_at=0,
        age_anchor_at=0,
        next_eligible_at=0,
    )


def test_the_most_important_come_first_and_then_the_oldest() -> None:
    pool = FactPool(5)
    for one in (fact("aaa"), fact("b"), fact("cc", importance=9), fact("d", importance=4)):
        pool.take_fact(one)
    assert pool.foremost(PRIVATE, 3) == ("cc", "b", "aaa")


def test_subjects_are_apart() -> None:
    pool = FactPool(5)
    pool.take_fact(fact("a", subject=GROUP))
    assert (pool.is_enough(PRIVATE, 1), pool.is_enough(GROUP, 1)) == (False, True)


def test_a_fact_is_absorbed_once_a_reflection_rests_on_it_unless_one_was_erased() -> None:
    pool = FactPool(5)
    pool.settle([FactId("b")])
    pool.take_reflection(on("a", "b"))
    assert [pool.is_absorbed(FactId(name)) for name in "abc"] == [True, False, False]


@given(
    st.lists(
        st.one_of(
            st.builds(fact, st.sampled_from("abcdef"), st.integers(1, 10), st.sampled_from(FactStatus)),
            st.builds(on, st.sampled_from("abcdef"), st.sampled_from("abcdef")),
        ),
    ),
)
def test_the_pool_is_what_the_latest_states_say(states: list[Fact | Reflection]) -> None:
    pool = FactPool(5)
    latest: dict[str, Fact] = {}
    absorbed: set[str] = set()
    for state in states:
        if isinstance(state, Fact):
            pool.take_fact(state)
            latest[state.id] = state
        else:
            pool.take_reflection(state)
            absorbed.update(state.sources)

    expected = {
        name
        for name, one in latest.items()
        if one.status is FactStatus.ACTIVE and one.importance >= 5 and name not in absorbed
    }
    assert set(pool.foremost(PRIVATE, 100)) == expected
    assert pool.digest(PRIVATE) == FactPool.digest(_of(latest, absorbed), PRIVATE)


def _of(latest: dict[str, Fact], absorbed: set[str]) -> FactPool:
    pool = FactPool(5)
    pool.take_reflection(on(*sorted(absorbed)))
    for name in sorted(latest, reverse=True):
        pool.take_fact(latest[name])
    return pool
