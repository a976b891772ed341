"""The index scores as `rank_bm25.BM25Okapi` does over the allowed rows, and as if no other row existed."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from omoide.actors.recall import spectra
from omoide.actors.recall.index import InvertedIndex, SearchResult
from omoide.protocols.scopes import PRIVATE, Subject

SUBJECTS = (PRIVATE, Subject("group:qq:1"), Subject("participant:qq:2"), Subject("member:qq:1:2"))
EVERYTHING = 1_000

Rows: TypeAlias = Mapping[str, tuple[Subject, Sequence[str]]]


@dataclass(frozen=True)
class Put:
    doc_id: str
    subject: Subject
    terms: list[str]


@dataclass(frozen=True)
class Remove:
    doc_id: str


@dataclass(frozen=True)
class Ask:
    query: list[str]
    subjects: tuple[Subject, ...]
    hidden: set[str] = field(default_factory=set)


Step: TypeAlias = Put | Remove | Ask

doc_ids = st.integers(0, 11).map(str)
# "a" is in most rows, so that Okapi's floor, which is all that depends on the vocabulary, is at work.
some_terms = st.lists(st.sampled_from("aaaabbcdefghijk"), max_size=5)
puts = st.builds(Put, doc_ids, st.sampled_from(SUBJECTS), some_terms)
removes = st.builds(Remove, doc_ids)
asks = st.builds(
    Ask,
    st.lists(st.sampled_from("abcdz"), max_size=3).map(lambda rest: ["a", *rest]),
    st.sampled_from([SUBJECTS[:1], SUBJECTS[:2], SUBJECTS[2:], SUBJECTS, ()]),
    st.just(set()) | st.sets(doc_ids, max_size=14),
)
histories = st.tuples(
    st.lists(puts, min_size=3, max_size=20),
    st.lists(puts | removes | asks | asks, max_size=15),
    asks,
).map(lambda parts: [*parts[0], *parts[1], parts[2]])


def answers(history: Iterable[Step], *, limit: int = EVERYTHING) -> Iterator[tuple[Ask, SearchResult, Rows]]:
    """Yield every question of a history with the index's answer and the plain rows of that moment."""
    index = InvertedIndex()
    rows: dict[str, tuple[Subject, list[str]]] = {}
    for step in history:
        match step:
            case Put(doc_id, subject, terms):
                index.put(doc_id, subject, terms)
                rows[doc_id] = (subject, terms)
            case Remove(doc_id):
                index.remove(doc_id)
                rows.pop(doc_id, None)
            case Ask(query, subjects, hidden):
                yield step, index.search(query, subjects, limit=limit, hidden=hidden), rows


def allowed(rows: Rows, ask: Ask) -> dict[str, tuple[Subject, Sequence[str]]]:
    return {
        doc_id: (subject, terms)
        for doc_id, (subject, terms) in rows.items()
        if subject in ask.subjects and doc_id not in ask.hidden
    }


def oracle(rows: Rows, query: Sequence[str]) -> dict[str, float]:
    """Return rank_bm25's score of every row that holds a term of the query."""
    if not any(terms for _, terms in rows.values()):
        return {}
    scores = BM25Okapi([terms for _, terms in rows.values()]).get_scores(list(dict.fromkeys(query)))
    return {
        doc_id: float(score)
        for (doc_id, (_, terms)), score in zip(rows.items(), scores, strict=True)
        if set(terms) & set(query)
    }


def scores(result: SearchResult) -> dict[str, float]:
    return {match.doc_id: match.score for match in result.matches}


@settings(max_examples=300)
@given(histories)
def test_scores_equal_rank_bm25_over_the_allowed_rows(history: list[Step]) -> None:
    for ask, found, rows in answers(history):
        assert scores(found) == pytest.approx(oracle(allowed(rows, ask), ask.query), rel=0, abs=1e-9)


@settings(max_examples=200)
@given(histories, st.integers(1, 12))
def test_an_answer_is_the_same_to_the_bit_as_if_the_forbidden_rows_had_never_been(
    history: list[Step], limit: int
) -> None:
    for ask, found, rows in answers(history, limit=limit):
        ideal = InvertedIndex()
        for doc_id, (subject, terms) in sorted(allowed(rows, ask).items()):
            ideal.put(doc_id, subject, terms)
        assert found == ideal.search(ask.query, SUBJECTS, limit=limit)


@given(histories)
def test_a_predicate_hides_what_the_set_of_the_same_ids_hides(history: list[Step]) -> None:
    for ask, found, rows in answers(history):
        index = InvertedIndex()
        for doc_id, (subject, terms) in rows.items():
            index.put(doc_id, subject, terms)
        predicate = ask.hidden.__contains__
        assert found == index.search(ask.query, ask.subjects, limit=EVERYTHING, hidden=predicate)


@given(histories, st.integers(1, 12))
def test_a_smaller_limit_gives_the_beginning_of_the_whole_answer(history: list[Step], limit: int) -> None:
    for (_, found, _), (_, whole, _) in zip(answers(history, limit=limit), answers(history), strict=True):
        assert found == (whole.matches[:limit], len(whole.matches) > limit)


@given(histories)
def test_an_answer_comes_by_score_then_matched_terms_then_id(history: list[Step]) -> None:
    for _, found, _ in answers(history):
        keys = [(-match.score, -len(match.matched), match.doc_id) for match in found.matches]
        assert keys == sorted(keys)


@given(histories)
def test_a_match_names_exactly_the_terms_that_its_row_holds(history: list[Step]) -> None:
    for ask, found, rows in answers(history):
        unique = tuple(dict.fromkeys(ask.query))
        for match in found.matches:
            assert match.matched == tuple(term for term in unique if term in rows[match.doc_id][1])


@pytest.mark.parametrize("hidden_share", [0.0, 0.1, 0.9])
def test_scores_equal_rank_bm25_over_thousands_of_changing_rows(hidden_share: float) -> None:
    rng = random.Random(7)
    vocabulary = [f"w{number}" for number in range(800)]
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]
    index = InvertedIndex()
    rows: dict[str, tuple[Subject, list[str]]] = {}
    for step in range(3_000):
        doc_id = str(rng.randrange(1_500))
        if rng.random() < 0.1:
            index.remove(doc_id)
            rows.pop(doc_id, None)
        else:
            rows[doc_id] = (rng.choice(SUBJECTS), rng.choices(vocabulary, weights, k=rng.randrange(1, 40)))
            index.put(doc_id, *rows[doc_id])
        if step % 50 == 0:
            index.search(["w0"], SUBJECTS[: rng.randrange(1, 5)], limit=8)
    hidden = {doc_id for doc_id in rows if rng.random() < hidden_share}
    ask = Ask(["w0", "w1", "w5", "w90", "w500"], SUBJECTS[:3], hidden)
    found = index.search(ask.query, ask.subjects, limit=len(rows), hidden=hidden)
    assert scores(found) == pytest.approx(oracle(allowed(rows, ask), ask.query), rel=0, abs=1e-9)


def test_scores_stay_equal_when_more_sets_of_subjects_are_asked_for_than_are_kept() -> None:
    index = InvertedIndex()
    rows: dict[str, tuple[Subject, list[str]]] = {}
    members = [Subject(f"member:qq:1:{number}") for number in range(spectra.SPECTRA_KEPT + 8)]
    for member in members:
        index.search(["a"], (PRIVATE, member), limit=1)
        for subject in (PRIVATE, member):
            rows[str(len(rows))] = (subject, ["a", f"b{len(rows) % 7}"])
            index.put(str(len(rows) - 1), subject, rows[str(len(rows) - 1)][1])
        index.search(["a"], (PRIVATE, member), limit=1)
    ask = Ask(["a", "b3"], (PRIVATE, members[0], members[-1]))
    found = index.search(ask.query, ask.subjects, limit=EVERYTHING)
    assert scores(found) == pytest.approx(oracle(allowed(rows, ask), ask.query), rel=0, abs=1e-9)


def test_the_average_idf_follows_a_row_that_is_replaced_by_one_of_another_vocabulary() -> None:
    index = InvertedIndex()
    rows: dict[str, tuple[Subject, Sequence[str]]] = {
        "0": (PRIVATE, ["a", "b"]),
        "1": (PRIVATE, ["a", "c"]),
        "2": (PRIVATE, ["a", "d"]),
    }
    for doc_id, (subject, terms) in rows.items():
        index.put(doc_id, subject, terms)
    index.search(["a"], (PRIVATE,), limit=8)
    rows["2"] = (PRIVATE, ["a", "b"])
    index.put("2", *rows["2"])
    found = index.search(["a"], (PRIVATE,), limit=8)
    assert scores(found) == pytest.approx(oracle(rows, ["a"]), rel=0, abs=1e-9)
