"""How long a ban is to hold where the person says so: "don't mention work until Monday", 这周别跟我提考试.

Only a day, or a number of days, that is said right beside the topic or before the whole phrase ends a ban: "don't
mention Marcus, I saw him today" holds until it is lifted, and so does "until the exams are over", of which nobody
knows when that is. Pure: the moment of speaking and the time zone are arguments.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo
from typing import Final

from ...protocols.scripts import simplified

_COUNT: Final = "(?:[0-9]{1,3}|an?|one|two|three|four|five|six|seven|ten|a few|a couple of|the next few|the next)"
_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_CHINESE_DAYS: Final = "一二三四五六日"
_JAPANESE_DAYS: Final = "月火水木金土日"
_FEW: Final = {"a few": 5, "a couple of": 3, "the next few": 5, "the next": 1, "几": 5, "数": 5, "两": 2}
_NUMBERS: Final = {
    **dict(zip(("one", "two", "three", "four", "five", "six", "seven"), range(1, 8), strict=True)),
    **dict(zip("一二三四五六七八九十", range(1, 11), strict=True)),
    **dict.fromkeys(("a", "an"), 1),
    **_FEW,
    "ten": 10,
}
"""Numbers as people say them; "a few" are five, since to be asked again costs more than a day of silence."""

_HOURS: Final = ("hour", "小时", "时间")
_WEEKS: Final = ("week", "周", "星期", "周间")
_MONTHS: Final = ("month", "月")
_UNITS: Final = {
    **dict.fromkeys(_HOURS, 1 / 24),
    **dict.fromkeys(("day", "天", "日间"), 1.0),
    **dict.fromkeys(_WEEKS, 7.0),
    **dict.fromkeys(_MONTHS, 31.0),
}
"""Days of a unit."""

_LIMIT: Final = simplified(
    r"(?:(?P<today>today|tonight|this (?:morning|afternoon|evening)|for the (?:rest of the )?(?:day|night|evening)"
    r"|今天一?天?|今晚|今日一?日?|今夜)"
    r"|(?P<week>this week|for the rest of (?:the|this) week|这周|本周|这个?星期|这个?礼拜|今週)"
    r"|(?P<weekend>(?:this|over the|on the|for the) weekend|这个?周末|周末|今週末|週末)"
    r"|(?P<month>this month|for the rest of (?:the|this) month|这个月|本月|今月)"
    rf"|for (?P<count>{_COUNT}) (?P<unit>hour|day|week|month)s?"
    r"|(?:接下来|未来|这)?(?P<cjk_count>[0-9]{1,3}|[一二两三四五六七八九十几数])[个ヶか]?"
    r"(?P<cjk_unit>小时|天|周|星期|(?<=[个ヶか])月|時間|日間|週間)(?:之?内|里)?"
    r"|(?:until|till|til|before) (?P<tomorrow>tomorrow)"
    r"|(?:until|till|til|before) (?:(?P<later>next )|this )?"
    r"(?P<day>mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
    r"|(?:until|till|til|before) (?P<next>next (?:week|month))"
    r"|(?P<cjk_tomorrow>明天之前|到明天)|(?P<ja_tomorrow>明日まで)"
    r"|(?:到|直到|在)?(?:(?P<cjk_later>下个?)?(?:周|星期|礼拜))(?P<cjk_day>[一二三四五六日天])(?:之前|以前|为止)"
    r"|(?P<ja_later>来週の?)?(?P<ja_day>[月火水木金土日])曜日?まで)"
)
_BESIDE: Final = re.compile(
    rf"\W*{_LIMIT}(?:里|之?内|都|は|中|だけ)?(?:[\W_]|please|ok(?:ay)?|thanks?|thx|alright|pls|plz|吧|哦|啊|好吗|ね|よ)*$",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    rf"(?:^|[,.!?，。！？、])\s*(?:(?:hey|ok(?:ay)?|so|please|and|那|就|请|在)\W*)*{_LIMIT}"
    r"(?:里|之?内|都|先|就|请|可以|能不能|也|は|中は|だけは|please|can we|could we|let's|[\W_])*$",
    re.IGNORECASE,
)

_CLAUSE: Final = re.compile(r"(?:what|how|where|why|who|when)\b", re.IGNORECASE)
_DAY_S: Final = 86_400


def limit_in(sentence: str, begins: int, start: int, end: int) -> str:
    """Return the words that say how long a ban holds, as `limit_ends_at` reads them; empty where none do.

    Args:
        sentence: what was said.
        begins: where the words of the ban begin.
        start: where its topic begins.
        end: where its topic ends.
    """
    plain = simplified(sentence)
    # In "what happened today" the day is a part of the topic.
    beside = None if _CLAUSE.match(plain, start) else _BESIDE.match(plain, end)
    found = beside or _BEFORE.search(plain[:begins]) or _BEFORE.search(plain[:start])
    return found.group() if found else ""


def limit_ends_at(words: str, said_at: float, zone: tzinfo) -> float | None:
    """Return when a ban ends, in seconds since the epoch; None where no words say so, or no calendar has the day.

    Args:
        words: what `limit_in` returned.
        said_at: when it was said, in seconds since the epoch.
        zone: the time zone in which the speaker's days begin.
    """
    found = re.search(_LIMIT, words, re.IGNORECASE)
    if found is None:
        return None
    count, unit = found["count"] or found["cjk_count"], found["unit"] or found["cjk_unit"]
    if count and unit:
        number = int(count) if count.isdecimal() else _NUMBERS[count.lower()]
        return said_at + number * _UNITS[unit.lower()] * _DAY_S
    try:
        now = datetime.fromtimestamp(said_at, zone)
        return _midnight_after(now, _days_left(found, now))
    except (OverflowError, OSError, ValueError):  # a host may send any number
        return None


# --- parts ----------------------------------------------------------------------------------------


def _days_left(found: re.Match[str], now: datetime) -> int:
    """Return how many midnights lie between a moment and the end that words name."""
    monday_next = 7 - now.weekday()
    if found["week"] or found["weekend"]:
        return monday_next
    if found["month"] or (found["next"] or "").lower().endswith("month"):
        return (now.replace(day=1) + timedelta(days=32)).replace(day=1).toordinal() - now.toordinal()
    if found["next"]:
        return monday_next
    # まで takes the day itself in, "until" and 之前 don't.
    through = 1 if found["ja_day"] or found["ja_tomorrow"] else 0
    day = _weekday(found)
    if day is None:
        return 1 + through
    days = (day - now.weekday() - 1) % 7 + 1
    # "Until next Friday" may be that of next week: silence that is too long costs less than what ends too soon.
    is_later = bool(found["later"] or found["cjk_later"] or found["ja_later"]) and days < monday_next
    return days + through + (7 if is_later else 0)


def _weekday(found: re.Match[str]) -> int | None:
    if found["day"]:
        return _DAYS.index(found["day"].lower()[:3])
    if found["cjk_day"]:
        return _CHINESE_DAYS.index(found["cjk_day"].replace("天", "日"))
    return _JAPANESE_DAYS.index(found["ja_day"]) if found["ja_day"] else None


def _midnight_after(now: datetime, days: int) -> float:
    later = now + timedelta(days=days)
    return later.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
