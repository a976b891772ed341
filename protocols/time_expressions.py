"""What a text says about when: "yesterday", "last summer", 三天前, 先週, as spans of days.

Rules of our own over the word lists in `time_words`, because what is needed is spans ("last summer" is three
months) and the relative forms of Chinese and Japanese: dateparser 1.5 was tried and gives instants, reads "we"
and "may" as dates, and knows neither "last summer", "the day before yesterday", 三天前 nor おととい. Pure: the
moment that the words are relative to is the caller's, and days are those of its time zone. What is vague ("once",
"a while ago", a bare weekday or month) names no time. One pass over the text a rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Final

from msgspec import Struct

from .scripts import CJK, simplified
from .time_words import FIXED, JAPANESE_WEEKDAYS, MONTHS, NUMBERS, SEASONS, UNITS, WEEKDAYS, Unit

MAX_CHARS: Final = 4_000
"""Characters of a text that are read."""

_MAX_COUNT: Final = 400
"""Largest number of units that is taken as a distance in time."""


class TimeExpression(Struct, frozen=True, kw_only=True):
    """Words that say when, and the time that they name.

    `start` and `end` are where they stand in the text; `begins_at` is the first and `ends_at` the last moment of
    the days that they name, in seconds since the epoch, and `unit` how finely they tell it.
    """

    start: int
    end: int
    begins_at: float
    ends_at: float
    unit: Unit


_Days = tuple[date, date, Unit]
"""The first day, the day after the last, and the unit."""

_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], date], _Days | None]]


def time_expressions(text: str, now: datetime) -> tuple[TimeExpression, ...]:
    """Return the expressions of time in a text that name certain days, in reading order, none inside another.

    Args:
        text: what somebody said or asks, in any language.
        now: when they said it, in the time zone whose days are meant.

    Raises:
        ValueError: if `now` has no time zone.
    """
    if now.tzinfo is None:
        message = f"expected a time with a time zone, got {now.isoformat()}; a day begins somewhere"
        raise ValueError(message)
    folded = _folded(text[:MAX_CHARS])
    if folded.isascii() and not _may_tell(_ASCII_WORD.findall(folded)):
        return ()
    found = sorted(_matches(folded, now.date()), key=lambda one: (one[0], -one[1]))
    kept: list[TimeExpression] = []
    for start, end, (first, after, unit) in found:
        if kept and start < kept[-1].end:
            continue
        kept.append(
            TimeExpression(
                start=start,
                end=end,
                begins_at=_midnight(first, now).timestamp(),
                ends_at=_midnight(after, now).timestamp() - 1.0,
                unit=unit,
            )
        )
    return tuple(kept)


def event_time(text: str, now: datetime) -> TimeExpression | None:
    """Return when what a statement tells happens: at the one time that it names.

    Of two that name nested days ("last week, on Friday") the finer one counts; a statement that names several
    others ("I was here last year and yesterday") tells of no one time.

    Args:
        text: a statement.
        now: when it was said, in the time zone whose days are meant.
    """
    named = sorted(time_expressions(text, now), key=lambda one: one.ends_at - one.begins_at)
    if not named:
        return None
    finest = named[0]
    nested = all(one.begins_at <= finest.begins_at and one.ends_at >= finest.ends_at for one in named)
    return finest if nested else None


# --- reading --------------------------------------------------------------------------------------


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return simplified(lowered.translate({0x2019: "'"}))


def _may_tell(words: Sequence[str]) -> bool:
    """Return whether words in ASCII can hold an expression of time: looking for each takes as long as the rest."""
    return not _CUES.isdisjoint(words) or any(word[0].isdigit() for word in words)


def _matches(folded: str, today: date) -> Iterator[tuple[int, int, _Days]]:
    for pattern, resolve in _RULES:
        for match in pattern.finditer(folded):
            try:
                days = resolve(match, today)
            except (ValueError, OverflowError):
                # A day that no calendar has ("31 February"), or beyond its end, is no time.
                continue
            if days is not None:
                yield match.start(), match.end(), days


def _midnight(day: date, now: datetime) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word]


def _add_months(first: date, months: int) -> date:
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    return date(year, month + 1, 1)


def _unit_at(unit: Unit, offset: int, today: date) -> _Days:
    """Return the calendar day, week, month or year that lies so many units from today's."""
    match unit:
        case Unit.DAY:
            first = today + timedelta(days=offset)
            return first, first + timedelta(days=1), unit
        case Unit.WEEK:
            first = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
            return first, first + timedelta(weeks=1), unit
        case Unit.MONTH:
            first = _add_months(today, offset)
            return first, _add_months(first, 1), unit
        case _:
            return date(today.year + offset, 1, 1), date(today.year + offset + 1, 1, 1), Unit.YEAR


def _distant(match: re.Match[str], today: date, sign: int) -> _Days | None:
    count = _number(match["count"]) * sign
    if abs(count) > _MAX_COUNT:
        return None
    return _unit_at(UNITS[match["unit"]], count, today)


def _ago(match: re.Match[str], today: date) -> _Days | None:
    return _distant(match, today, -1)


def _hence(match: re.Match[str], today: date) -> _Days | None:
    return _distant(match, today, 1)


def _season(match: re.Match[str], today: date) -> _Days:
    """Return a season: the named year's, or the last that is over, the present or next, or the one that comes."""
    month = SEASONS[match["season"]]
    which = match.groupdict().get("which") or ""
    if match.groupdict().get("year"):
        first = date(int(match["year"]), month, 1)
    elif (offset := _YEAR_OFFSETS.get(which)) is not None:
        first = date(today.year + offset, month, 1)
    else:
        first = date(today.year, month, 1)
        if which in _LAST:
            while _add_months(first, 3) > today:
                first = date(first.year - 1, month, 1)
        elif which in _NEXT:
            while first <= today:
                first = date(first.year + 1, month, 1)
        elif today.month <= 2 and month == 12:
            first = date(today.year - 1, month, 1)
    return first, _add_months(first, 3), Unit.SEASON


def _weekday(match: re.Match[str], today: date) -> _Days:
    """Return a named day: the last before today, the next after it, or the one of this week."""
    day = WEEKDAYS[match["weekday"]]
    away = (day - today.weekday()) % 7
    if match["which"] in _LAST:
        first = today - timedelta(days=(today.weekday() - day) % 7 or 7)
    elif match["which"] in _NEXT:
        first = today + timedelta(days=away or 7)
    else:
        first = today - timedelta(days=today.weekday()) + timedelta(days=day)
    return first, first + timedelta(days=1), Unit.DAY


def _weekday_of_week(match: re.Match[str], today: date) -> _Days:
    """Return the day of a week as Chinese and Japanese name it: 上周五, 先週の金曜日."""
    listed = match["weekday"]
    day = JAPANESE_WEEKDAYS.index(listed) if listed in JAPANESE_WEEKDAYS[:6] else WEEKDAYS[listed]
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=_WEEK_OFFSETS[match["which"]])
    return monday + timedelta(days=day), monday + timedelta(days=day + 1), Unit.DAY


def _weekend(match: re.Match[str], today: date) -> _Days:
    offset = -1 if match["which"] in _LAST else 1 if match["which"] in _NEXT else 0
    saturday = today - timedelta(days=today.weekday()) + timedelta(weeks=offset, days=5)
    return saturday, saturday + timedelta(days=2), Unit.DAY


def _month(match: re.Match[str], today: date) -> _Days:
    """Return a named month: of its year, before or after now, or the one that is nearest to now."""
    groups = match.groupdict()
    month = MONTHS[groups["month"]] if groups["month"] in MONTHS else _number(groups["month"])
    which = groups.get("which") or ""
    if groups.get("year"):
        first = date(int(groups["year"]), month, 1)
    elif (offset := _YEAR_OFFSETS.get(which)) is not None:
        first = date(today.year + offset, month, 1)
    elif which in _LAST:
        first = date(today.year - (month >= today.month), month, 1)
    elif which in _NEXT:
        first = date(today.year + (month <= today.month), month, 1)
    else:
        first = _nearest([date(year, month, 1) for year in _years(today)], today)
    if groups.get("day"):
        return _day_of_month(first, int(groups["day"]), today, is_certain=bool(groups.get("year") or which))
    return first, _add_months(first, 1), Unit.MONTH


def _day_of_month(first: date, day: int, today: date, *, is_certain: bool) -> _Days:
    named = first.replace(day=day)
    if not is_certain:
        days = [date(year, first.month, day) for year in _years(today) if (first.month, day) != (2, 29)]
        named = _nearest(days or [named], today)
    return named, named + timedelta(days=1), Unit.DAY


def _years(today: date) -> Iterable[int]:
    return (today.year - 1, today.year, today.year + 1)


def _nearest(days: Iterable[date], today: date) -> date:
    return min(days, key=lambda day: abs((day - today).days))


def _year(match: re.Match[str], _: date) -> _Days:
    year = int(match["year"])
    return date(year, 1, 1), date(year + 1, 1, 1), Unit.YEAR


def _iso(match: re.Match[str], _: date) -> _Days:
    day = date(int(match["year"]), int(match["month"]), int(match["day"]))
    return day, day + timedelta(days=1), Unit.DAY


def _fixed(unit: Unit, offsets: dict[str, int]) -> Callable[[re.Match[str], date], _Days | None]:
    def resolve(match: re.Match[str], today: date) -> _Days | None:
        return _unit_at(unit, offsets[match.group()], today)

    return resolve


# --- rules ----------------------------------------------------------------------------------------

_YEAR_OFFSETS: Final = {
    simplified(word): offset
    for offset, listed in (
        (-2, "前年 一昨年"),
        (-1, "去年 昨年"),
        (0, "今年 this"),
        (1, "明年 来年"),
    )
    for word in listed.split()
}
_WEEK_OFFSETS: Final = {
    simplified(word): offset
    for offset, listed in (
        (-2, "上上周 上上星期 先々週"),
        (-1, "上周 上星期 上个星期 上礼拜 上个礼拜 先週"),
        (0, "这周 本周 这星期 这个星期 今週"),
        (1, "下周 下星期 下个星期 下礼拜 来週"),
    )
    for word in listed.split()
}
_LAST: Final = frozenset({"last", "this past", "past", "上", "上个", "先"})
_NEXT: Final = frozenset({"next", "this coming", "coming", "下", "下个", "来"})


def _any(phrases: Iterable[str]) -> str:
    return "|".join(sorted((re.escape(phrase) for phrase in phrases), key=len, reverse=True))


def _spaced(phrases: Iterable[str]) -> str:
    return _any(phrase for phrase in phrases if not CJK.search(phrase))


def _unspaced(phrases: Iterable[str]) -> str:
    return _any(simplified(phrase) for phrase in phrases if CJK.search(phrase))


def _fixed_rules(unit: Unit, offsets: dict[str, int]) -> Iterator[_Rule]:
    resolve = _fixed(unit, {simplified(phrase): offset for phrase, offset in offsets.items()})
    guard = r"(?<!guten )(?<!am )(?<!ich wohne )(?<!every )"
    spaced = [phrase for phrase in offsets if not CJK.search(phrase) and phrase != "hier"]
    yield re.compile(rf"{guard}\b(?:{_any(spaced)})\b"), resolve
    yield re.compile(f"(?:{_unspaced(offsets)})(?!前|后|後)"), resolve
    if "hier" in offsets:
        # In German "hier" is "here": beside a French pronoun alone it is yesterday.
        french = r"(?:je|j'ai|nous|il|elle|on|ils|elles|ma|mon|mes)\b"
        yield re.compile(rf"\bhier(?=,? {french})|(?<=é )hier\b|(?<=u )hier\b"), resolve


_COUNT: Final = rf"(?P<count>[0-9]{{1,3}}|{_spaced(NUMBERS)})"
_CJK_COUNT: Final = rf"(?P<count>[0-9]{{1,3}}|{_unspaced(NUMBERS)})"
_UNIT: Final = rf"(?P<unit>{_spaced(UNITS)})"
_CJK_UNIT: Final = rf"(?P<unit>{_unspaced(UNITS)})"
_MONTH_NAME: Final = rf"(?P<month>{_any(MONTHS)})"
_SEASON: Final = rf"(?P<season>{_spaced(SEASONS)})"
_ENGLISH_SEASON: Final = r"(?P<season>spring|summer|autumn|fall|winter)"
_WHICH: Final = r"(?P<which>last|this past|this coming|past|coming|next|this)"
_YEAR_NUMBER: Final = r"(?P<year>(?:19|20)[0-9]{2})"
_OF_YEAR: Final = rf"(?:,? {_YEAR_NUMBER})?"
_SINCE: Final = r"(?:in|since|from|until|during|back in|around|early in|late in)"

_RULES: Final[tuple[_Rule, ...]] = (
    *(rule for unit, offsets in FIXED.items() for rule in _fixed_rules(unit, offsets)),
    (re.compile(rf"\b{_COUNT} (?:of )?{_UNIT} (?:ago|back|earlier|назад|atrás)\b"), _ago),
    (re.compile(rf"\b(?:vor|hace|há|il y a) {_COUNT} {_UNIT}\b"), _ago),
    (re.compile(rf"{_CJK_COUNT}\s?个?(?:多)?{_CJK_UNIT}(?:之|以|ほど|くらい|ぐらい)?\s?(?:前|전)(?!后|後)"), _ago),
    (re.compile(rf"\b(?:in|dentro de|dans|через|daqui a) {_COUNT} {_UNIT}(?:'s? time)?\b"), _hence),
    (re.compile(rf"\b{_COUNT} {_UNIT} from now\b"), _hence),
    (re.compile(rf"{_CJK_COUNT}\s?个?{_CJK_UNIT}(?:之|以)?\s?(?:后|後|뒤|후)"), _hence),
    (re.compile(rf"\b{_WHICH} {_ENGLISH_SEASON}\b"), _season),
    (re.compile(rf"\b{_SINCE} (?:the )?{_ENGLISH_SEASON} of {_YEAR_NUMBER}\b"), _season),
    (re.compile(rf"(?P<which>{_any(_YEAR_OFFSETS)})\s?の?(?P<season>{_unspaced(SEASONS)})(?!节|节)"), _season),
    (re.compile(rf"{_YEAR_NUMBER}\s?年の?(?P<season>{_unspaced(SEASONS)})"), _season),
    (re.compile(rf"\b(?:on )?{_WHICH} (?P<weekday>{_spaced(WEEKDAYS)})\b"), _weekday),
    (
        re.compile(
            rf"(?P<which>{_any(_WEEK_OFFSETS)})の?(?:(?P<weekday>[一二三四五六日天月火水木金土])(?:曜日?)?)(?![0-9])"
        ),
        _weekday_of_week,
    ),
    (re.compile(rf"\b{_WHICH} weekend\b"), _weekend),
    (re.compile(r"(?P<which>上|这|下|上个|这个|下个|先|今|来)(?:周|週|星期)?の?周末"), _weekend),
    (
        re.compile(
            rf"\b(?:on )?(?:the )?{_MONTH_NAME} (?:the )?(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?{_OF_YEAR}\b"
        ),
        _month,
    ),
    (
        re.compile(rf"\b(?:on )?(?:the )?(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH_NAME}{_OF_YEAR}\b"),
        _month,
    ),
    (re.compile(rf"\b(?:{_SINCE} )?{_MONTH_NAME},? (?:of )?{_YEAR_NUMBER}\b"), _month),
    (re.compile(rf"\b(?P<which>last|next|this past|this coming) {_MONTH_NAME}\b"), _month),
    (re.compile(rf"\b{_SINCE} {_MONTH_NAME}\b(?! [0-9])"), _month),
    (
        re.compile(
            rf"(?:{_YEAR_NUMBER}\s?年|(?P<which>{_any(_YEAR_OFFSETS)})の?)?"
            rf"(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])\s?月(?!前|后|後|間|间)"
            r"(?:(?P<day>[0-9]{1,2})\s?(?:日|号))?"
        ),
        _month,
    ),
    (re.compile(rf"\b{_SINCE} (?:the year )?{_YEAR_NUMBER}\b"), _year),
    (re.compile(rf"(?<![0-9]){_YEAR_NUMBER}\s?年(?!前|后|後|間|间|代)"), _year),
    (
        re.compile(r"(?<![0-9-])(?P<year>(?:19|20)[0-9]{2})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})(?![0-9-])"),
        _iso,
    ),
)
"""Every rule is tried on the whole text; of two that overlap, the one that begins earlier and is longer stands."""

_ASCII_WORD: Final = re.compile("[0-9a-z]+")

_CUES: Final = frozenset(
    max(_ASCII_WORD.findall(phrase), key=len)
    for phrase in chain(*FIXED.values(), MONTHS, WEEKDAYS, SEASONS, UNITS, ["weekend"])
    if phrase.isascii()
)
"""Of each phrase that names a time by itself its longest word, one of which every expression in ASCII holds."""
