"""For what a row is found: its words, its meaning or what is around it; not for a name or the question alone."""

from __future__ import annotations

import numpy as np

from omoide.actors.recall.index import InvertedIndex
from omoide.actors.recall.ranking import Query, rank
from omoide.actors.recall.repeats import Telling
from omoide.actors.recall.rows import Entry
from omoide.protocols.messages import Reason
from omoide.protocols.records import Role, Turn, TurnId
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import RecallSettings

TALK = ("the regatta", "it rained", "our harbour", "sam laughed", "sam slept", *(f"song {n}" for n in range(9)))
"""The turns of one conversation, each the other's neighbour; words that say nothing are terms here."""


def tells(row: str) -> Telling:
    return Telling(Turn(id=TurnId(row), role=Role.PERSON, text=row, said_at=0.0, heard_at=0.0))


def reasons(query: Query, *, near: str = "") -> dict[str, Reason]:
    """Return what is found in the talk, and why; the turn `near` means what the query's vector means."""
    index = InvertedIndex()
    for place, text in enumerate(TALK):
        index.enter(PRIVATE, Entry(text, text.split(), place=place, at=float(place)))
    if near:
        index.embed([near], np.ones((1, 1), dtype=np.float32))
    reading = index.read([PRIVATE])
    found = rank(reading, query, RecallSettings(), 8, tells)
    return {reading.doc_id(hit.place): hit.reason for hit in found.hits}


def asking(*terms: str, about: str = "", question: str = "", vector: bool = False) -> Query:
    content = frozenset(about.split() or terms)
    return Query(terms, content, np.ones(1, dtype=np.float32) if vector else None, question=question)


def test_a_turn_is_found_for_its_words_and_one_between_two_of_them_for_what_is_around_it() -> None:
    assert reasons(asking("regatta", "harbour")) == {
        "the regatta": Reason.WORDS,
        "our harbour": Reason.WORDS,
        "it rained": Reason.AROUND,
    }


def test_a_turn_that_shares_no_word_is_found_for_its_meaning() -> None:
    found = reasons(asking("downpour", vector=True), near="it rained")
    assert found == {"it rained": Reason.MEANING}


def test_the_name_of_who_talks_finds_nothing_by_itself() -> None:
    assert reasons(asking("sam", "regatta", about="regatta")) == {"the regatta": Reason.WORDS}


def test_without_that_being_their_name_all_that_hold_it_are_found() -> None:
    assert reasons(asking("sam", "regatta")) == {
        "the regatta": Reason.WORDS,
        "sam laughed": Reason.WORDS,
        "sam slept": Reason.WORDS,
        "it rained": Reason.AROUND,
        "our harbour": Reason.AROUND,
    }


def test_a_turn_that_is_the_question_itself_is_no_answer() -> None:
    assert "the regatta" not in reasons(asking("regatta", "harbour", question="The regatta?"))
