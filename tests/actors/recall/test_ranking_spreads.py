"""The first hits come by their scores, the later ones are spread over what was said elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from omoide.actors.recall.index import GAP_S, InvertedIndex
from omoide.actors.recall.ranking import Query, Ranked, rank
from omoide.actors.recall.repeats import Telling
from omoide.actors.recall.rows import Entry
from omoide.protocols.messages import Reason
from omoide.protocols.records import Role, Turn, TurnId
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import RecallSettings

TALKS = 12
TURNS = 12


def tells(row: str) -> Telling:
    return Telling(Turn(id=TurnId(row), role=Role.PERSON, text=row, said_at=0.0, heard_at=0.0))


def hits(settings: RecallSettings, limit: int, *, vector: bool = False) -> list[tuple[str, Ranked]]:
    """Search for two words that are all through the first conversation, and once in every other one."""
    index, place = InvertedIndex(), 0
    for talk in range(TALKS):
        for turn in range(TURNS):
            about = [f"filler{talk}.{turn}"]
            if talk == 0:
                about += ["regatta", "harbour"]
            elif turn == 0:
                about += ["regatta"]
            entry = Entry(f"{talk:02}.{turn:02}", about, place=place, at=talk * 2 * GAP_S + turn)
            index.enter(PRIVATE, entry)
            place += 1
    reading = index.read([PRIVATE])
    query = Query(
        ("regatta", "harbour"),
        frozenset({"regatta", "harbour"}),
        np.ones(2, dtype=np.float32) if vector else None,
    )
    found = rank(reading, query, settings, limit, tells)
    return [(reading.doc_id(hit.place), hit) for hit in found.hits]


def conversations(found: list[tuple[str, Ranked]]) -> int:
    return len({row.partition(".")[0] for row, _ in found})


@pytest.mark.parametrize(("vector", "spread"), [(False, 3), (True, 2)])
def test_ten_hits_reach_conversations_that_no_hit_is_from(vector: bool, spread: int) -> None:
    found = hits(RecallSettings(beside_share=1.0), 10, vector=vector)

    assert conversations(found) == 1 + spread
    assert [hit.reason for _, hit in found][-spread:] == [Reason.BREADTH] * spread


def test_without_breadth_no_place_goes_elsewhere() -> None:
    found = hits(RecallSettings(beside_share=1.0, breadth=0), 10)

    assert Reason.BREADTH not in {hit.reason for _, hit in found}


@pytest.mark.parametrize("vector", [False, True])
def test_what_was_said_beside_a_hit_comes_after_what_scores_nearly_as_well(vector: bool) -> None:
    beside = hits(RecallSettings(breadth=0, beside_share=0.2, beside_after=2), 8, vector=vector)
    plain = hits(RecallSettings(breadth=0, beside_share=1.0), 8, vector=vector)

    assert conversations(plain) == 1
    assert conversations(beside) > 1


def test_the_first_hits_come_by_their_scores_alone() -> None:
    beside = hits(RecallSettings(beside_share=0.2, beside_after=4), 4)
    plain = hits(RecallSettings(beside_share=1.0), 4)

    assert [row for row, _ in beside] == [row for row, _ in plain]


def test_fewer_hits_are_the_first_of_more() -> None:
    assert hits(RecallSettings(), 4) == hits(RecallSettings(), 10)[:4]
