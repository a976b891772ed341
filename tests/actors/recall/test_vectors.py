"""Vectors in the index: what rows come near a query, and that equal ones are kept once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from omoide.actors.recall import vector_table
from omoide.actors.recall.index import GAP_S, InvertedIndex
from omoide.actors.recall.rows import Entry
from omoide.actors.recall.vector_table import VectorTable
from omoide.protocols.scopes import PRIVATE

CHOICES = np.eye(6, 4, dtype=np.float32) + np.float32(0.25)
QUERY = np.array([1.0, -2.0, 0.5, 0.25], dtype=np.float32)
CHANGES = st.lists(st.tuples(st.integers(0, 200), st.integers(-1, len(CHOICES) - 1)), max_size=60)


@given(CHANGES)
def test_a_table_compares_what_was_put_last(changes: list[tuple[int, int]]) -> None:
    table, known = VectorTable(), np.zeros((201, 4), dtype=np.float32)
    for slot, choice in changes:
        if choice < 0:
            table.remove(slot)
        else:
            table.put(np.array([slot]), CHOICES[[choice]])
        known[slot] = CHOICES[choice] if choice >= 0 else 0.0

    assert np.allclose(table.cosines(QUERY, 201), known @ QUERY)


@pytest.mark.parametrize("count", [255, 256, 257, 1_000])
def test_a_table_compares_as_many_as_it_holds(count: int) -> None:
    table, vectors = VectorTable(), np.random.default_rng(7).standard_normal((count, 4)).astype(np.float32)

    table.put(np.arange(count), vectors)

    assert np.allclose(table.cosines(QUERY, count + 1), [*(vectors @ QUERY), 0.0], atol=1e-6)


@given(CHANGES)
def test_a_table_knows_which_slots_have_a_vector(changes: list[tuple[int, int]]) -> None:
    table, known = VectorTable(), set()
    for slot, choice in changes:
        if choice < 0:
            table.remove(slot)
            known.discard(slot)
        else:
            table.put(np.array([slot]), CHOICES[[choice]])
            known.add(slot)

    assert np.flatnonzero(table.held(201)).tolist() == sorted(known)


def test_equal_vectors_are_kept_once() -> None:
    table = VectorTable()

    table.put(np.arange(1_000), np.repeat(CHOICES[:1], 1_000, axis=0))

    assert table.lines == 1


def test_vectors_that_a_key_does_not_tell_apart_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_table, "_keys_of", lambda vectors: [7] * len(vectors))
    table = VectorTable()

    table.put(np.array([3, 1]), CHOICES[:2])
    table.put(np.array([0, 2]), CHOICES[[2, 0]])

    assert np.allclose(table.cosines(QUERY, 4), CHOICES[[2, 1, 0, 0]] @ QUERY)


def test_a_line_is_used_again_when_its_last_slot_lost_its_vector() -> None:
    table = VectorTable()
    for choice in range(len(CHOICES)):
        table.put(np.array([3]), CHOICES[[choice]])

    assert table.lines <= 2


def test_vectors_of_another_dimension_start_anew() -> None:
    table = VectorTable()
    table.put(np.array([0, 1]), CHOICES[:2])

    table.put(np.array([1]), np.ones((1, 2), dtype=np.float32))

    assert table.held(2).tolist() == [False, True]


def talk(entries: list[tuple[int, int]]) -> tuple[InvertedIndex, list[float]]:
    """Return an index of turns and facts that rest on them, and the cosine of each row.

    Args:
        entries: for each turn the vector of it and that of its fact, as numbers of `CHOICES`.
    """
    index = InvertedIndex()
    ids = []
    for at, _ in enumerate(entries):
        index.enter(PRIVATE, Entry(f"t{at}", ["said"], place=at, at=at * GAP_S / 2 * (1 + at % 3)))
        index.enter(PRIVATE, Entry(f"f{at}", ["told"], anchor=f"t{at}"))
        ids += [f"t{at}", f"f{at}"]
    vectors = CHOICES[[choice for pair in entries for choice in pair]]
    index.embed(ids, vectors)
    return index, np.maximum(vectors @ QUERY, 0.0).tolist()


def cosines(index: InvertedIndex, hidden: frozenset[str]) -> tuple[dict[str, float], dict[str, float]]:
    reading = index.read((PRIVATE,), hidden)
    near, around = reading.cosines(QUERY)
    shown = np.flatnonzero(reading.shown).tolist()
    return _by_id(reading.doc_ids(shown), near[shown]), _by_id(reading.doc_ids(shown), around[shown])


def _by_id(ids: list[str], values: NDArray[np.float32]) -> dict[str, float]:
    return dict(zip(ids, values.tolist(), strict=True))


PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12)


@given(PAIRS, st.sets(st.integers(0, 11)))
def test_a_fact_is_as_near_as_the_nearer_of_itself_and_its_turn(
    entries: list[tuple[int, int]], gone: set[int]
) -> None:
    index, raw = talk(entries)
    hidden = frozenset(f"t{at}" for at in gone)

    near, _ = cosines(index, hidden)

    wanted = {f"t{at}": raw[2 * at] for at in range(len(entries)) if at not in gone}
    for at in range(len(entries)):
        wanted[f"f{at}"] = max(raw[2 * at + 1], 0.0 if at in gone else raw[2 * at])
    assert near.keys() == wanted.keys()
    assert np.allclose([near[row] for row in wanted], list(wanted.values()))


@given(PAIRS)
def test_what_stood_around_a_turn_is_the_mean_of_its_window(entries: list[tuple[int, int]]) -> None:
    index, raw = talk(entries)
    ats = [at * GAP_S / 2 * (1 + at % 3) for at in range(len(entries))]
    breaks = np.cumsum([0, *(abs(b - a) >= GAP_S for a, b in pairwise(ats))])

    _, around = cosines(index, frozenset())

    for at in range(len(entries)):
        window = [n for n in range(max(0, at - 2), min(len(entries), at + 3)) if breaks[n] == breaks[at]]
        assert np.isclose(around[f"t{at}"], np.mean([raw[2 * n] for n in window]))
