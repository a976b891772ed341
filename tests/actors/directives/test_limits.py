"""A ban ends by the person's own words where they name a day, and else not at all."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from omoide.actors.directives.limits import limit_ends_at
from omoide.actors.directives.wishes import Ban, find_wishes

WEDNESDAY = datetime(2026, 6, 3, 12, tzinfo=UTC)


def end_of(text: str) -> tuple[str, datetime | None]:
    ban = find_wishes(text)[0]
    assert isinstance(ban, Ban)
    ends = limit_ends_at(ban.limit, WEDNESDAY.timestamp(), UTC) if ban.limit else None
    return ban.term, None if ends is None else datetime.fromtimestamp(ends, UTC)


@pytest.mark.parametrize(
    ("text", "term", "ends"),
    [
        ("Don't mention rowing until Monday please.", "rowing", datetime(2026, 6, 8, tzinfo=UTC)),
        ("Please don't bring up my essay this week", "my essay", datetime(2026, 6, 8, tzinfo=UTC)),
        ("This month, please don't mention my boss.", "my boss", datetime(2026, 7, 1, tzinfo=UTC)),
        ("don't bring up the exam tonight ok?", "the exam", datetime(2026, 6, 4, tzinfo=UTC)),
        ("Don't mention Rex until Wednesday", "Rex", datetime(2026, 6, 10, tzinfo=UTC)),
        ("Don't mention Rex for two weeks", "Rex", WEDNESDAY + timedelta(days=14)),
        ("这周别跟我提考试。", "考试", datetime(2026, 6, 8, tzinfo=UTC)),
        ("今天别跟我提工作", "工作", datetime(2026, 6, 4, tzinfo=UTC)),
        ("三天内别跟我提钱包", "钱包", WEDNESDAY + timedelta(days=3)),
        ("周一之前别提工作", "工作", datetime(2026, 6, 8, tzinfo=UTC)),
        ("今週はバイトの話しないで", "バイト", datetime(2026, 6, 8, tzinfo=UTC)),
        ("月曜日まで仕事の話はしないで", "仕事", datetime(2026, 6, 9, tzinfo=UTC)),
        ("明日まで仕事の話はしないで", "仕事", datetime(2026, 6, 5, tzinfo=UTC)),
        ("来週の金曜日まで仕事の話はしないで", "仕事", datetime(2026, 6, 13, tzinfo=UTC)),
        ("下周五之前别提工作", "工作", datetime(2026, 6, 12, tzinfo=UTC)),
        ("下周一之前别提工作", "工作", datetime(2026, 6, 8, tzinfo=UTC)),
        ("Don't mention rowing until next Friday", "rowing", datetime(2026, 6, 12, tzinfo=UTC)),
        ("三个月内别跟我提钱包", "钱包", WEDNESDAY + timedelta(days=93)),
    ],
)
def test_a_ban_ends_when_the_person_says(text: str, term: str, ends: datetime) -> None:
    assert end_of(text) == (term, ends)


@pytest.mark.parametrize(
    "text",
    [
        "Don't mention Marcus, I saw him today.",
        "I saw Marcus today, don't mention him.",
        "Never mention rowing again.",
        "Don't mention rowing until the race is over.",
        "Don't mention today's meeting.",
        "别提今天的会议",
        "9月别提工作",
        "Don't mention what happened today.",
        "試験が終わるまで就活の話はやめてほしい",
    ],
)
def test_a_day_that_is_said_of_something_else_ends_no_ban(text: str) -> None:
    assert end_of(text)[1] is None


def test_a_day_ends_at_midnight_where_the_person_is() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    late = datetime(2026, 6, 3, 23, 30, tzinfo=tokyo)
    assert limit_ends_at("today", late.timestamp(), tokyo) == datetime(2026, 6, 4, tzinfo=tokyo).timestamp()


def test_two_hours_are_two_hours_where_the_clocks_are_put_forward() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    before = datetime(2026, 3, 29, 1, tzinfo=berlin).timestamp()
    assert limit_ends_at("for two hours", before, berlin) == before + 7200


def test_a_time_that_no_calendar_has_ends_no_ban() -> None:
    assert limit_ends_at("today", -1e18, UTC) is None
