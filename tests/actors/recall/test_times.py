"""What time a recall asks for."""

from datetime import UTC, datetime

import pytest

from omoide.actors.recall.times import span_of

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
