"""What answers a question is found by it, and what the person says whom a question names comes first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.actors.recall.index import GAP_S, InvertedIndex
from omoide.actors.recall.memories import asks, only_fills
from omoide.actors.recall.ranking import Query, rank
from omoide.actors.recall.repeats import Telling
from omoide.actors.recall.rows import NOWHERE, Entry, Voice
from omoide.protocols.records import Role, Turn, TurnId
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.settings import RecallSettings
from omoide.tests.actors.recall.loaded import load

ANN, BEN = Voice("ann", ("ann",)), Voice("ben", ("ben",))
GROUP = Subject("group:qq:1")


class Said(NamedTuple):
    """One turn, or a row that rests on the turn before it where `pause_s` is None."""

    subject: Subject
    voice: Voice
    asks: bool
    pause_s: float | None


said = st.lists(
    st.builds(
        Said,
        st.sampled_from([PRIVATE, GROUP]),
        st.sampled_from([ANN, BEN]),
        st.booleans(),
        st.sampled_from([1.0, 1.0, 1.0, GAP_S, None]),
    ),
    min_size=1,
    max_size=25,
)


def entries(rows: Sequence[Said]) -> list[tuple[Subject, Entry]]:
    made, now, last = [], 0.0, {PRIVATE: "", GROUP: ""}
    for number, row in enumerate(rows):
        now += row.pause_s or 0.0
        name, is_turn = f"{number:02}", row.pause_s is not None
        entry = Entry(
            name,
            ["word"],
            place=number if is_turn else NOWHERE,
            at=now,
            anchor="" if is_turn else last[row.subject],
            voice=row.voice,
            asks=row.asks and is_turn,
        )
        made.append((row.subject, entry))
        if is_turn:
            last[row.subject] = name
    return made


def answered(rows: Sequence[tuple[Subject, Entry]]) -> dict[str, str]:
    """Return the question of each row that answers one, by the plainest reading of what that is."""
    found = {}
    for subject in (PRIVATE, GROUP):
        turns = [entry for its, entry in rows if its == subject and entry.place != NOWHERE]
        for before, after in pairwise(turns):
            if before.asks and before.voice != after.voice and after.at - before.at < GAP_S:
                found[after.doc_id] = before.doc_id
    rests = {entry.doc_id: found[entry.anchor] for _, entry in rows if entry.anchor in found}
    return found | rests


def read(index: InvertedIndex, hidden: set[str]) -> dict[str, str]:
    reading = index.read([PRIVATE, GROUP], hidden)
    return {
        reading.doc_id(at): reading.doc_id(question)
        for at, question in zip(*(places.tolist() for places in reading.answers), strict=True)
        if reading.shown[at]
    }


@settings(max_examples=150)
@given(said, st.sets(st.integers(0, 24)))
def test_an_answer_is_the_next_turn_of_another_speaker_among_what_may_be_read(
    rows: list[Said], hidden: set[int]
) -> None:
    index, made = InvertedIndex(), entries(rows)
    for subject in (PRIVATE, GROUP):
        load(index, subject, [entry for its, entry in made if its == subject])

    found = read(index, {f"{number:02}" for number in hidden})

    assert found == answered([row for number, row in enumerate(made) if number not in hidden])


@settings(max_examples=60)
@given(said, st.sets(st.integers(0, 24), max_size=3))
def test_rows_that_come_one_by_one_answer_the_same(rows: list[Said], gone: set[int]) -> None:
    index, made = InvertedIndex(), entries(rows)
    for subject, entry in made:
        index.enter(subject, entry)
        read(index, set())
    for number in gone:
        index.remove(f"{number:02}")

    found = read(index, set())

    assert found == answered([row for number, row in enumerate(made) if number not in gone])


def tells(row: str) -> Telling:
    return Telling(Turn(id=TurnId(row), role=Role.PERSON, text=row, said_at=0.0, heard_at=0.0))


def hits(rows: Sequence[Entry], *terms: str, hidden: str = "") -> list[str]:
    index = InvertedIndex()
    load(index, PRIVATE, rows)
    reading = index.read([PRIVATE], {hidden})
    query = Query(terms, frozenset(terms) - {"ann", "ben"})
    found = rank(
        reading,
        query,
        RecallSettings(),
        8,
        tells,
    )
    return [reading.doc_id(hit.place) for hit in found.hits]


QUESTION = Entry("question", ["often", "exercise"], place=0, at=1.0, voice=ANN, asks=True, aside=True)
ANSWER = Entry("answer", ["three", "times", "week"], place=1, at=2.0, voice=BEN)
FILLER = [Entry(f"filler{at}", ["filler"], place=at, at=at * 2 * GAP_S, voice=BEN) for at in range(2, 9)]


def test_an_answer_without_a_word_of_its_question_is_found_by_one() -> None:
    assert hits([QUESTION, ANSWER, *FILLER], "exercise") == ["answer"]


def changed(entry: Entry, **fields: object) -> Entry:
    told = {name: getattr(entry, name) for name in Entry.__struct_fields__}
    return Entry(**(told | fields))


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(changed(ANSWER, voice=ANN), id="of the same speaker"),
        pytest.param(changed(ANSWER, at=1.0 + GAP_S), id="of another conversation"),
    ],
)
def test_what_follows_a_question_and_answers_none_is_not_found_by_it(answer: Entry) -> None:
    assert hits([QUESTION, answer, *FILLER], "exercise") == []


def test_no_answer_is_found_by_a_question_that_may_not_be_read() -> None:
    assert hits([QUESTION, ANSWER, *FILLER], "exercise", hidden="question") == []


def test_a_question_is_near_in_meaning_to_its_answer() -> None:
    index = InvertedIndex()
    load(index, PRIVATE, [QUESTION, ANSWER, *FILLER])
    index.embed(["question", "answer"], np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32))
    reading = index.read([PRIVATE])
    asked = Query(("exercise",), frozenset({"exercise"}), np.array([1.0, 0.0], dtype=np.float32))

    found = rank(
        reading,
        asked,
        RecallSettings(),
        8,
        tells,
    )

    assert [(hit.parts.words > 0.0, hit.parts.meaning) for hit in found.hits] == [(True, 1.0)]


def talk(*voices: Voice) -> list[Entry]:
    return [
        Entry(f"{voice.key}{at}", ["cake", *["else"] * at], voice.name, place=at, at=at * 2 * GAP_S, voice=voice)
        for at, voice in enumerate(voices)
    ]


@pytest.mark.parametrize(
    ("terms", "first"),
    [(("ann", "cake"), "ann"), (("ben", "cake"), "ben"), (("ben", "cake", "ann"), "ben"), (("cake",), "ann")],
)
def test_what_the_first_person_named_said_comes_before_what_others_did(terms: tuple[str, ...], first: str) -> None:
    found = hits([*talk(ANN, BEN, ANN, BEN), *FILLER], *terms)

    assert found[0].startswith(first)


def test_who_is_named_comes_before_others_in_every_subject_and_what_nobody_said_is_not_lowered() -> None:
    index = InvertedIndex()
    load(index, PRIVATE, [Entry("ben", ["cake"], place=0, voice=BEN), Entry("nobody", ["cake"])])
    load(index, GROUP, [Entry("ann", ["cake"], place=0, voice=ANN)])
    reading = index.read([PRIVATE, GROUP])

    weights = reading.weights_of_voices("ann", 0.5)

    assert weights is not None
    assert {reading.doc_id(at): weights[at] for at in range(reading.size)} == {
        "ann": 1.0,
        "ben": 0.5,
        "nobody": 1.0,
    }


def test_a_term_in_nobodys_name_weighs_nothing() -> None:
    index = InvertedIndex()
    load(index, PRIVATE, talk(ANN, BEN))

    assert index.read([PRIVATE]).weights_of_voices("cake", 0.5) is None


@pytest.mark.parametrize(
    "text", ["How often?", "Nice. You?", "どこですか", "你呢", "你喜欢猫吗。", "いつ来ますか。"]
)
def test_a_question_is_seen_by_its_marks_or_its_end(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize("text", ["Three times a week.", "どこか遠く", "他说好吗的事", "そうです。"])
def test_what_is_no_question_is_seen(text: str) -> None:
    assert not asks(text)


@pytest.mark.parametrize(
    ("text", "fills"), [("Hm.", True), ("嗯。", True), ("Yes.", False), ("Oh, Bergen.", False)]
)
def test_a_word_that_only_fills_is_no_answer(text: str, fills: bool) -> None:
    assert only_fills(text) is fills
