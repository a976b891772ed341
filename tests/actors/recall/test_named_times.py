"""What is of the time that a question names comes first, and is all there is where no word is shared."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from omoide.actors.recall.index import InvertedIndex
from omoide.actors.recall.ranking import Query, rank
from omoide.actors.recall.repeats import Telling
from omoide.actors.recall.rows import Entry
from omoide.protocols.records import Role, Turn, TurnId
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import RecallSettings
from omoide.runtime.host import open_runtime

DAY_S = 86_400.0
MAY = (datetime(2026, 5, 1, tzinfo=UTC).timestamp(), datetime(2026, 6, 1, tzinfo=UTC).timestamp() - 1.0)


def tells(row: str) -> Telling:
    return Telling(Turn(id=TurnId(row), role=Role.PERSON, text=row, said_at=0.0, heard_at=0.0))


def hits(spans: Sequence[tuple[float, float]], days_after: float) -> list[str]:
    """Search for a word that is said in May and so many days after: otherwise what is said later comes first."""
    index = InvertedIndex()
    for place, (row, at) in enumerate((("may", MAY[0]), ("later", MAY[1] + days_after * DAY_S))):
        index.enter(PRIVATE, Entry(row, ["regatta"], place=place, at=at, begins=at, ends=at))
    reading = index.read([PRIVATE])
    query = Query(("regatta",), frozenset({"regatta"}), spans=spans)
    return [reading.doc_id(hit.place) for hit in rank(reading, query, RecallSettings(), 8, tells).hits]


@pytest.mark.parametrize(
    ("spans", "days_after", "first"),
    [
        pytest.param([MAY], 8.0, "may", id="more than a week away"),
        pytest.param([MAY], 6.0, "later", id="told within a week"),
        pytest.param([], 8.0, "later", id="no time named"),
        pytest.param([MAY, (MAY[1], MAY[1] + 30 * DAY_S)], 8.0, "later", id="two times named"),
    ],
)
def test_what_is_of_the_time_that_a_question_names_comes_first(
    spans: Sequence[tuple[float, float]], days_after: float, first: str
) -> None:
    assert hits(spans, days_after)[0] == first


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("where did we travel in May 2026?", ["The regatta was lovely."]),
        ("where did we travel in March 2026?", []),
        ("where did we travel?", []),
        ("who baked in May 2026?", ["I baked bread."]),
    ],
)
async def test_where_no_word_is_shared_what_happened_at_the_time_is_found(
    question: str, found: list[str], tmp_path: Path
) -> None:
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("The regatta was lovely.", said_at=MAY[0])
        await yui.hear("I baked bread.", said_at=MAY[1] + 40 * DAY_S)
        await yui.settle()

        hits = (await yui.recall(question)).hits

    assert [hit.text for hit in hits] == found
