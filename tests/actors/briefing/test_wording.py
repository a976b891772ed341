"""How times are told, and the languages of a briefing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.briefing.wording import told_ago, told_date, wording_of
from omoide.protocols.records import Profile
from omoide.tests.actors.briefing.samples import NOW, a_card_line, a_fact, brief

MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0


@pytest.mark.parametrize(
    ("age", "english", "chinese", "japanese"),
    [
        (-5.0, "just now", "刚刚", "たった今"),
        (59.0, "just now", "刚刚", "たった今"),
        (MINUTE, "1 minute ago", "1分钟前", "1分前"),
        (59 * MINUTE, "59 minutes ago", "59分钟前", "59分前"),
        (HOUR, "1 hour ago", "1小时前", "1時間前"),
        (DAY, "1 day ago", "1天前", "1日前"),
        (3 * DAY, "3 days ago", "3天前", "3日前"),
        (14 * DAY, "2 weeks ago", "2周前", "2週間前"),
        (61 * DAY, "2 months ago", "2个月前", "2か月前"),
        (365 * DAY, "11 months ago", "11个月前", "11か月前"),
        (731 * DAY, "2 years ago", "2年前", "2年前"),
    ],
)
def test_a_time_is_told_as_people_tell_it(age: float, english: str, chinese: str, japanese: str) -> None:
    told = [told_ago(NOW - age, NOW, wording_of(locale)) for locale in ("en", "zh-TW", "ja_JP")]

    assert told == [english, chinese, japanese]


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e18, max_value=1e18))
def test_every_time_can_be_told(at: float) -> None:
    assert told_ago(at, NOW, wording_of("en"))
    assert told_date(at, wording_of("ja"))


@pytest.mark.parametrize(
    ("locale", "date", "title"),
    [
        ("en", "Monday, 2 March 2026, 09:00 UTC", "## Important facts"),
        ("zh", "2026年3月2日 星期一 09:00 UTC", "## 重要的事实"),
        ("ja", "2026年3月2日（月）09:00 UTC", "## 大切な事実"),
        ("tlh", "Monday, 2 March 2026, 09:00 UTC", "## Important facts"),
    ],
)
def test_a_briefing_is_in_the_language_of_the_character(locale: str, date: str, title: str) -> None:
    briefing = brief(
        profile=Profile(owner="Sam", locale=locale), entries=(a_card_line("x"),), facts=(a_fact("y"),)
    )

    assert date in briefing.text
    assert title in briefing.text
