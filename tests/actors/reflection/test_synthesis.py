"""Enough fresh facts make one reflection, and the same facts the same one."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omoide.actors.reflection.synthesis import batch, reflection_id, synthesised
from omoide.protocols.records import Entity, Fact, FactId, ReflectionStatus, TemporalScope
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.settings import EvidenceSettings, ReflectionSettings

SETTINGS = ReflectionSettings()
WEIGHTS = EvidenceSettings()
START = 1_772_442_000.0


def fact(name: str, importance: int = 5, created_at: float = START, subject: Subject = PRIVATE) -> Fact:
    return Fact(
        id=FactId(name),
        key=name,
        text=name,
        entity=Entity.OWNER,
        importance=importance,
        subject=subject,
        speaker=None,
        trust=None,
        sources=(),
        said_at=created_at,
        last_said_at=created_at,
        created_at=created_at,
    )


def facts(count: int, importance: int = 5) -> list[Fact]:
    return [fact(f"fact_{at:02}", importance, START + at) for at in range(count)]


def test_five_fresh_facts_are_enough() -> None:
    assert [len(batch(facts(count), frozenset(), SETTINGS)) for count in (4, 5, 6)] == [0, 5, 6]


def test_absorbed_and_unimportant_facts_do_not_count() -> None:
    some = [*facts(4), fact("weak", 4)]
    assert batch(some, frozenset(), SETTINGS) == ()
    assert batch(facts(5), frozenset({FactId("fact_00")}), SETTINGS) == ()


def test_at_most_twenty_are_taken_the_most_important_and_oldest_first() -> None:
    some = [*facts(25), fact("late", 9, START + 99)]
    taken = [one.id for one in batch(some, frozenset(), SETTINGS)]
    assert taken == ["late", *(f"fact_{at:02}" for at in range(19))]


@given(st.permutations(facts(7)))
def test_the_order_of_the_facts_does_not_matter(some: list[Fact]) -> None:
    assert batch(some, frozenset(), SETTINGS) == tuple(facts(7))
    assert reflection_id([one.id for one in some]) == reflection_id([one.id for one in facts(7)])


def test_the_id_is_the_digest_of_the_sorted_ids_each_followed_by_nul() -> None:
    digest = hashlib.sha256(b"a\0b\0").hexdigest()
    assert reflection_id([FactId("b"), FactId("a"), FactId("b")]) == f"ref_{digest[:16]}"


def test_ids_that_only_join_alike_are_two_reflections() -> None:
    assert reflection_id([FactId("ab"), FactId("c")]) != reflection_id([FactId("a"), FactId("bc")])


@pytest.mark.parametrize(("importance", "seed"), [(5, 0.0), (8, 0.4), (10, 0.8)])
def test_a_private_reflection_is_pending_and_seeded_by_its_most_important_fact(
    importance: int, seed: float
) -> None:
    some = [*facts(4), fact("top", importance)]
    one = synthesised(some, "Sam runs.", START, SETTINGS, WEIGHTS, entity=Entity.OWNER)
    assert (one.status, one.evidence.reinforcement) == (ReflectionStatus.PENDING, seed)
    assert one.next_eligible_at == START + 1_800


def test_a_scoped_reflection_is_born_confirmed_with_a_positive_seed() -> None:
    some = [replace(one, subject=Subject("group:qq:77")) for one in facts(5)]
    one = synthesised(some, "They run.", START, SETTINGS, WEIGHTS, entity=Entity.OTHER)
    assert (one.status, one.auto_confirmed, one.evidence.reinforcement) == (ReflectionStatus.CONFIRMED, True, 0.1)


def test_a_text_over_the_limit_keeps_its_words_and_loses_its_time() -> None:
    text = "word " * 151
    one = synthesised(
        facts(5),
        text,
        START,
        SETTINGS,
        WEIGHTS,
        entity=Entity.OWNER,
        temporal_scope=TemporalScope.EPISODE,
        event_at=START,
    )
    assert (one.text, one.temporal_scope, one.event_at) == (text, TemporalScope.PATTERN, None)
