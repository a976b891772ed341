"""What was said around a row scores as `rank_bm25.BM25Okapi` does over the windows of exactly the allowed rows."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from omoide.actors.recall.arrangement import REACH
from omoide.actors.recall.index import GAP_S, InvertedIndex
from omoide.actors.recall.reading import Reading
from omoide.actors.recall.rows import Entry
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.tests.actors.recall.loaded import load

SUBJECTS = (PRIVATE, Subject("group:qq:1"))


class Said(NamedTuple):
    """One turn, or a row that is none where `pause_s` is None."""

    subject: Subject
    terms: list[str]
    pause_s: float | None


said = st.lists(
    st.builds(
        Said,
        st.sampled_from(SUBJECTS),
        st.lists(st.sampled_from("aabbcdefghij"), max_size=4),
        st.sampled_from([1.0, 1.0, 1.0, GAP_S, None]),
    ),
    min_size=1,
    max_size=25,
)


def scores_around(reading: Reading, terms: str) -> NDArray[np.float64]:
    return reading.around(list(terms)).scores_at(np.arange(reading.size))


def entries(rows: Sequence[Said]) -> list[tuple[Subject, Entry]]:
    made, now = [], 0.0
    for number, row in enumerate(rows):
        now += row.pause_s or 0.0
        place = -1 if row.pause_s is None else number
        made.append((row.subject, Entry(f"{number:02}", row.terms, place=place, at=now)))
    return made


def extend(index: InvertedIndex, rows: Sequence[tuple[Subject, Entry]]) -> None:
    for subject in SUBJECTS:
        load(index, subject, [entry for its, entry in rows if its == subject])


def windows(rows: Sequence[tuple[Subject, Entry]]) -> dict[str, list[str]]:
    """Return the words of each window, by the plainest reading of what a window is."""
    found = {}
    for subject in SUBJECTS:
        own = [entry for its, entry in rows if its == subject]
        turns = [entry for entry in own if entry.place >= 0]
        talk = [0]
        for before, after in pairwise(turns):
            talk.append(talk[-1] + (after.at - before.at >= GAP_S))
        for at, turn in enumerate(turns):
            near = range(max(0, at - REACH), min(len(turns), at + REACH + 1))
            found[turn.doc_id] = [term for one in near if talk[one] == talk[at] for term in turns[one].terms]
        found |= {entry.doc_id: list(entry.terms) for entry in own if entry.place < 0}
    return found


@settings(max_examples=150)
@given(said, st.sets(st.integers(0, 24)), st.sampled_from([SUBJECTS[:1], SUBJECTS]))
def test_windows_score_as_rank_bm25_over_the_allowed_rows(
    rows: list[Said], hidden: set[int], subjects: tuple[Subject, ...]
) -> None:
    index = InvertedIndex()
    extend(index, entries(rows))
    allowed = [
        (subject, entry)
        for number, (subject, entry) in enumerate(entries(rows))
        if subject in subjects and number not in hidden
    ]
    reading = index.read(subjects, {f"{number:02}" for number in hidden})
    ideal = windows(allowed)
    query = [term for term in "abcz" if 0 < 2 * sum(term in words for words in ideal.values()) <= len(ideal)]

    found = scores_around(reading, "abcz")

    expected = BM25Okapi(list(ideal.values())).get_scores(query) if query else [0.0] * len(ideal)
    by_id = dict(zip(ideal, expected, strict=True))
    scores = {reading.doc_id(at): found[at] for at in range(reading.size) if reading.shown[at]}
    assert scores == pytest.approx(by_id, rel=0, abs=1e-9)


@settings(max_examples=60)
@given(said, st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True), st.sets(st.integers(0, 9)))
def test_many_rows_at_once_answer_as_they_do_one_by_one(
    rows: list[Said], query: list[str], gone: set[int]
) -> None:
    at_once, one_by_one = InvertedIndex(), InvertedIndex()
    extend(at_once, entries(rows))
    for subject, entry in entries(rows):
        one_by_one.enter(subject, entry)
    for number in gone:
        at_once.remove(f"{number:02}")
        one_by_one.remove(f"{number:02}")

    assert at_once.search(query, SUBJECTS, limit=50) == one_by_one.search(query, SUBJECTS, limit=50)


def test_a_row_in_another_subject_leaves_no_trace_in_a_window() -> None:
    quiet, loud = InvertedIndex(), InvertedIndex()
    rows = entries([Said(PRIVATE, [letter], 1.0) for letter in "abcdefgh"])
    extend(quiet, rows)
    extend(loud, [*rows, (SUBJECTS[1], Entry("x", ["a", "a"], place=2, at=2.0))])

    alone, beside = (scores_around(index.read((PRIVATE,)), "a").tolist() for index in (quiet, loud))
    assert alone == beside
    assert max(alone) > 0


class Step(NamedTuple):
    """A change of an index that answers between changes: a turn, a row that rests on one, or a removal."""

    kind: str
    row: int
    terms: list[str]
    pause_s: float


steps = st.lists(
    st.builds(
        Step,
        st.sampled_from(["turn", "turn", "turn", "fact", "lone", "remove"]),
        st.integers(0, 9),
        st.lists(st.sampled_from("abcdefghijklmnop"), max_size=4),
        st.sampled_from([1.0, GAP_S]),
    ),
    min_size=6,
    max_size=16,
)


@settings(max_examples=80)
@given(steps, st.sets(st.integers(0, 9).map(str), max_size=3))
def test_windows_that_follow_each_change_are_those_of_a_fresh_index(changes: list[Step], hidden: set[str]) -> None:
    index, rows, now = InvertedIndex(), dict[str, Entry](), 0.0
    for number, step in enumerate(changes):
        now += step.pause_s
        doc_id, anchor = str(step.row), str((step.row + 1) % 10) if step.kind == "fact" else ""
        rows.pop(doc_id, None)
        if step.kind == "remove":
            index.remove(doc_id)
        else:
            place = number if step.kind == "turn" else -1
            rows[doc_id] = Entry(doc_id, step.terms, place=place, at=now, anchor=anchor)
            index.enter(PRIVATE, rows[doc_id])
        fresh = InvertedIndex()
        load(fresh, PRIVATE, rows.values())
        assert around(index, hidden) == around(fresh, hidden)


def around(index: InvertedIndex, hidden: set[str]) -> dict[str, tuple[float, set[str]]]:
    """Return by what is around each row how well it matches, and the rows of its conversation."""
    reading = index.read((PRIVATE,), hidden)
    scores = scores_around(reading, "abcdefgh")
    shown = np.flatnonzero(reading.shown)
    talks = dict(zip(shown.tolist(), reading.conversations(shown).tolist(), strict=True))
    return {
        reading.doc_id(at): (
            float(scores[at]),
            {reading.doc_id(other) for other in talks if talks[other] == talks[at]},
        )
        for at in talks
    }


def test_rows_of_two_subjects_are_never_of_one_conversation() -> None:
    index = InvertedIndex()
    for subject in SUBJECTS:
        for number in range(2):
            index.enter(subject, Entry(f"{subject}.{number}", ["a"], place=number, at=float(number)))
        index.enter(subject, Entry(f"{subject}.resting", ["a"], anchor=f"{subject}.gone"))
    reading = index.read(SUBJECTS)
    talks = dict(zip(reading.doc_ids(range(6)), reading.conversations(np.arange(6)).tolist(), strict=True))

    assert len(set(talks.values())) == 4
    assert all(talks[f"{subject}.0"] == talks[f"{subject}.1"] for subject in SUBJECTS)
