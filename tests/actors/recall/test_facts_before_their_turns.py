"""Of a turn and the fact that was made of it, the fact is told."""

from __future__ import annotations

from omoide.actors.recall.index import InvertedIndex
from omoide.actors.recall.ranking import Query, rank
from omoide.actors.recall.repeats import Telling
from omoide.actors.recall.rows import Entry
from omoide.protocols.facts import fact_of, join_fact
from omoide.protocols.messages import Candidate
from omoide.protocols.records import Entity, Fact, Role, Turn, TurnId
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import RecallSettings

WORDS = ["regatta", "harbour"]


def a_turn(turn_id: str, at: float) -> Turn:
    return Turn(id=TurnId(turn_id), role=Role.PERSON, text=" ".join(WORDS), said_at=at, heard_at=at)


def a_fact(turn: Turn) -> Fact:
    return fact_of(turn, Candidate(text=turn.text, entity=Entity.OWNER, importance=5), turn.said_at)


def told(turns: list[Turn], fact: Fact) -> list[str]:
    """Return the rows that are found, where each of the turns and the fact say what is asked for."""
    index = InvertedIndex()
    for place, turn in enumerate(turns):
        index.enter(PRIVATE, Entry(turn.id, WORDS, place=place, at=turn.said_at))
    index.enter(PRIVATE, Entry(fact.id, WORDS, anchor=turns[0].id))
    for number in range(20):
        index.enter(PRIVATE, Entry(f"other{number}", [f"filler{number}"]))
    memories: tuple[Fact | Turn, ...] = (*turns, fact)
    tellings: dict[str, Telling] = {one.id: Telling(one) for one in memories}
    reading = index.read([PRIVATE])
    ranking = rank(reading, Query(WORDS, frozenset(WORDS)), RecallSettings(), 8, tellings.__getitem__)
    return [reading.doc_id(hit.place) for hit in ranking.hits]


def test_the_fact_is_told_and_not_the_turn_that_it_was_made_of() -> None:
    turn = a_turn("a", 0.0)

    assert told([turn], a_fact(turn)) == [a_fact(turn).id]


def test_the_fact_is_told_and_not_the_turn_that_said_it_again() -> None:
    first, again = a_turn("a", 0.0), a_turn("b", 10_000.0)
    fact = join_fact(a_fact(first), a_fact(again))

    assert told([first, again], fact) == [fact.id]
