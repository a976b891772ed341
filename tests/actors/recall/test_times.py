"""What time a recall asks for."""

from datetime import UTC, datetime

import pytest

from omoide.actors.recall.times import asked_time, span_of

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("time", "first", "last"),
    [
        ("2025", "2025-01-01", "2025-12-31"),
        ("2025-02", "2025-02-01", "2025-02-28"),
        ("2025-02-03", "2025-02-03", "2025-02-03"),
        ("2025-02-03T10:00:00+00:00", "2025-02-03", "2025-02-03"),
        ("2025-02-03/2025-02-05", "2025-02-03", "2025-02-05"),
        ("2025-02-03..2025-03", "2025-02-03", "2025-03-31"),
        ("2025-03..2025-02", "2025-02-01", "2025-03-31"),
        ("yesterday", "2026-03-01", "2026-03-01"),
        ("last summer", "2025-06-01", "2025-08-31"),
        ("上周", "2026-02-23", "2026-03-01"),
        ("先週", "2026-02-23", "2026-03-01"),
    ],
)
def test_a_time_names_these_days(time: str, first: str, last: str) -> None:
    span = span_of(time, NOW)
    assert span is not None
    assert [datetime.fromtimestamp(at, UTC).date().isoformat() for at in span] == [first, last]


@pytest.mark.parametrize("time", ["", "  ", "sometime", "2025-13", "2025-02-30", "9999999", "/", "a" * 5_000])
def test_a_time_that_cannot_be_read_is_none(time: str) -> None:
    assert span_of(time, NOW) is None


@pytest.mark.parametrize(
    "question",
    [
        "What did I do last week?",
        "what happened yesterday?",
        "so what did Sam do last week",
        "上周我做了什么？",
        "先週は何をした？",
        "¿Qué hice la semana pasada?",
        "Was habe ich letzte Woche gemacht?",
        "Qu'est-ce que j'ai fait la semaine dernière ?",
        "O que fiz na semana passada?",
        "Что я делал на прошлой неделе?",
        "지난주에 뭐 했어?",
    ],
)
def test_a_question_may_ask_for_a_time_alone(question: str) -> None:
    found = asked_time(question, ["Sam", "yui"], NOW)

    assert found is not None
    assert found.alone


@pytest.mark.parametrize(
    "question",
    [
        "how are you today?",
        "what did I do today",
        "did I buy a car last week?",
        "what is the capital of France?",
        "上周我买了什么车？",
        "",
    ],
)
def test_a_question_for_more_than_a_time_is_none_for_a_time(question: str) -> None:
    found = asked_time(question, ["Sam", "yui"], NOW)

    assert found is None or not found.alone


def test_a_question_may_name_several_times() -> None:
    found = asked_time("who won on May 3, 2025 and on May 5, 2025?", [], NOW)

    assert found is not None
    assert len(found.spans) == 2
    assert found.whole == (found.spans[0][0], found.spans[1][1])
