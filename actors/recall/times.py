"""What time a recall asks for: dates, ranges of them, or words such as "last summer". Pure."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final

from ...protocols.time_expressions import time_expressions

_DATE: Final = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")

_RANGE: Final = re.compile(r"\s*(?:/|\.\.)\s*")

MAX_CHARS: Final = 200
"""Longest time that is read (characters)."""


def span_of(time: str, now: datetime) -> tuple[float, float] | None:
    """Return the first and the last moment of a time, in seconds since the epoch, or None where it can't be read.

    Args:
        time: YYYY, YYYY-MM, YYYY-MM-DD, an ISO time (its day), two of these joined by `/` or `..` in either order,
            or words that name days, in any language that `time_expressions` reads.
        now: the moment that words are relative to, in the time zone whose days are meant.
    """
    told = time.strip()
    if not told or len(told) > MAX_CHARS:
        return None
    ends = _RANGE.split(told)
    spans = [_days(end, now) for end in ends]
    known = [span for span in spans if span is not None]
    if known and len(known) == len(spans) <= 2:
        return min(first for first, _ in known), max(last for _, last in known)
    named = time_expressions(told, now)
    if not named:
        return None
    return min(one.begins_at for one in named), max(one.ends_at for one in named)


def _days(told: str, now: datetime) -> tuple[float, float] | None:
    """Return the first and the last moment of a date or of an ISO time's day."""
    match = _DATE.fullmatch(told)
    try:
        if match is None:
            moment = datetime.fromisoformat(told)
            day = moment.astimezone(now.tzinfo).date() if moment.tzinfo else moment.date()
            return _between(day, day + timedelta(days=1), now)
        year, month, number = (int(part) if part else None for part in match.groups())
        first = date(year or 0, month or 1, number or 1)
        if number:
            return _between(first, first + timedelta(days=1), now)
        if month:
            return _between(first, (first + timedelta(days=31)).replace(day=1), now)
        return _between(first, date(first.year + 1, 1, 1), now)
    except (ValueError, OverflowError):
        return None


def _between(first: date, after: date, now: datetime) -> tuple[float, float]:
    """Return the moments of a half-open span of days as the last moment before its end, to the microsecond."""
    begin, end = (datetime(day.year, day.month, day.day, tzinfo=now.tzinfo) for day in (first, after))
    return begin.astimezone(UTC).timestamp(), end.astimezone(UTC).timestamp() - 1e-6
