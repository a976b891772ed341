"""What a text says about when, as spans of days."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.protocols.time_expressions import (
    _ASCII_WORD,
    _RULES,
    _folded,
    _may_tell,
    event_time,
    time_expressions,
)

NOW = datetime(2026, 3, 11, 15, tzinfo=UTC)
"""A Wednesday."""


def days(text: str, now: datetime = NOW) -> tuple[str, str] | None:
    """Return the first and last day of the event that a text tells of."""
    found = event_time(text, now)
    if found is None:
        return None
    return tuple(
        datetime.fromtimestamp(at, now.tzinfo).date().isoformat() for at in (found.begins_at, found.ends_at)
    )  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("We fed the ducks yesterday", "2026-03-10", "2026-03-10"),
        ("The day before yesterday it snowed", "2026-03-09", "2026-03-09"),
        ("I baked bread this morning", "2026-03-11", "2026-03-11"),
        ("She called last night", "2026-03-10", "2026-03-10"),
        ("I sprained my ankle four days ago", "2026-03-07", "2026-03-07"),
        ("We met a couple of weeks ago", "2026-02-23", "2026-03-01"),
        ("He flew home two months ago", "2026-01-01", "2026-01-31"),
        ("I quit ten years ago", "2016-01-01", "2016-12-31"),
        ("I hiked last week", "2026-03-02", "2026-03-08"),
        ("I saw her last Tuesday", "2026-03-10", "2026-03-10"),
        ("It opens next Wednesday", "2026-03-18", "2026-03-18"),
        ("We sailed last summer", "2025-06-01", "2025-08-31"),
        ("We skied last winter", "2025-12-01", "2026-02-28"),
        ("We skied this winter", "2026-12-01", "2027-02-28"),
        ("I graduated in 2014", "2014-01-01", "2014-12-31"),
        ("I start on June 2nd", "2026-06-02", "2026-06-02"),
        ("Our wedding was on the 5th of September 2021", "2021-09-05", "2021-09-05"),
        ("It happened on 2025-11-30", "2025-11-30", "2025-11-30"),
        ("We travelled last weekend", "2026-03-07", "2026-03-08"),
        ("We leave in three days", "2026-03-14", "2026-03-14"),
        ("我前天搬了家", "2026-03-09", "2026-03-09"),
        ("我上周四考试了", "2026-03-05", "2026-03-05"),
        ("去年冬天我们去滑雪", "2025-12-01", "2026-02-28"),
        ("五天前我摔了一跤", "2026-03-06", "2026-03-06"),
        ("三個月前我開始學琴", "2025-12-01", "2025-12-31"),
        ("我2017年毕业", "2017-01-01", "2017-12-31"),
        ("两周后我要出差", "2026-03-23", "2026-03-29"),
        ("おととい風邪をひいた", "2026-03-09", "2026-03-09"),
        ("先週の木曜日に面接があった", "2026-03-05", "2026-03-05"),
        ("去年の秋に結婚した", "2025-09-01", "2025-11-30"),
        ("二年前に日本へ来ました", "2024-01-01", "2024-12-31"),
        ("4月10日に引っ越します", "2026-04-10", "2026-04-10"),
        ("어제 친구를 만났어요", "2026-03-10", "2026-03-10"),
        ("Позавчера мы гуляли", "2026-03-09", "2026-03-09"),
        ("Hace dos semanas me caí", "2026-02-23", "2026-03-01"),
        ("Há cinco dias choveu", "2026-03-06", "2026-03-06"),
        ("Vorgestern war ich krank", "2026-03-09", "2026-03-09"),
        ("Avant-hier j'ai nagé", "2026-03-09", "2026-03-09"),
    ],
)
def test_an_expression_of_time_names_the_days_that_people_mean(text: str, first: str, last: str) -> None:
    assert days(text) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "I have 2 cats and 3 dogs",
        "My sister may come along",
        "I march on",
        "I fall asleep early",
        "Ich wohne hier",
        "Guten Morgen",
        "我每年都去",
        "我有三个月亮石",
        "毎日走っています",
        "on 31 February",
        "999 years ago",
        "I was here last year and again yesterday",
        "",
    ],
)
def test_what_names_no_one_time_has_none(text: str) -> None:
    assert days(text) is None


def test_a_day_inside_a_named_week_is_the_finer_one() -> None:
    assert days("Last week, on 2026-03-04, I fell ill") == ("2026-03-04", "2026-03-04")


def test_a_day_begins_in_the_speakers_time_zone() -> None:
    tokyo = timezone(timedelta(hours=9))
    assert days("昨日", NOW.astimezone(tokyo)) == ("2026-03-11", "2026-03-11")


def test_a_moment_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        time_expressions("yesterday", NOW.replace(tzinfo=None))


@given(st.text(), st.dates(date(1950, 1, 1), date(2100, 1, 1)))
def test_expressions_are_pieces_of_the_text_in_order_and_never_raise(text: str, today: date) -> None:
    found = time_expressions(text, datetime(today.year, today.month, today.day, tzinfo=UTC))
    assert all(one.begins_at < one.ends_at and 0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@given(
    st.lists(
        st.sampled_from(["yesterday", "昨天", "3", "days ago", "年", "月", "先週の", "日", "last", "May", " "]),
        max_size=9,
    )
)
def test_expressions_of_mixed_pieces_never_raise(pieces: list[str]) -> None:
    assert len(time_expressions("".join(pieces), NOW)) <= len(pieces)


@pytest.mark.parametrize("piece", ["yesterday ", "1", "三", "last ", " ", "3 days ", "5月3日", "in "])
def test_a_long_text_takes_no_longer_than_its_beginning(piece: str) -> None:
    started = time.thread_time()
    time_expressions(piece * (64_000 // len(piece)), NOW)
    assert time.thread_time() - started < 1.0


@settings(max_examples=500)
@given(st.one_of([st.from_regex(pattern) for pattern, _ in _RULES]).filter(str.isascii))
def test_no_words_that_a_rule_finds_are_taken_for_timeless_at_the_first_look(text: str) -> None:
    assert _may_tell(_ASCII_WORD.findall(_folded(text)))
