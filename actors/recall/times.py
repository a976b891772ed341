"""What time a recall asks for: dates, ranges of them, or words such as "last summer". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from ...protocols.time_expressions import time_expressions
from ...protocols.time_words import Unit

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


_SAYS_NOTHING: Final = re.compile(
    r"(?:so|and|hey|please|what|where|anything|something|all|have|has|had|did|do|does|was|were|is|are|i|we|you|me|us"
    r"|my|our|tell|about|remind|happen(?:ed|s)?|done|doing|go|went|gone|been|going|on|up|to|for|in|at|of|the|that"
    r"|na|no|em|en|el|la|le|im|am|в|на|said?"
    r"|say|talk(?:ed)?|que|qué|hice|hicimos|pasó|paso|hizo|fui|dónde|donde|was|wo|habe|ich|wir|haben|gemacht|war"
    r"|passiert|ist|gewesen|qu|est|ce|j|ai|on|a|fait|avons|nous|quoi|où|suis|je|allé|o|fiz|fizemos|aconteceu|onde"
    r"|что|я|мы|делал[аи]?|было|где|был[аи]?|произошло|случилось"
    r"|我们?|咱们|你|做|干|忙|去|发生|说|聊|了|过|些|什么|哪里|哪儿|啥|事情?|吗|呢|在|都|有"
    r"|私|僕|俺|は|に|の|何|なに|どこ|を|が|か|へ|して|した|しました|していた|あった|ありました|行った|行きました|っけ|話した"
    r"|뭐|뭘|무엇|무슨|일|을|이|가|했어요?|했지|했나요?|있었어요?|어디|에|갔어요?|나는?|내가|제가|저는?"
    r"|[\s\W_])+",
    re.IGNORECASE,
)
"""What is left of a question that asks for a time alone: what somebody did, or what happened."""


class AskedTime(NamedTuple):
    """The time that a question names.

    Attributes:
        spans: the first and the last moment of each time named, in seconds since the epoch; at least one.
        alone: whether it asks for nothing else, such as "what did I do last week?".
    """

    spans: tuple[tuple[float, float], ...]
    alone: bool

    @property
    def whole(self) -> tuple[float, float]:
        """The first and the last moment of all of it."""
        return min(first for first, _ in self.spans), max(last for _, last in self.spans)


def asked_time(question: str, names: Iterable[str], now: datetime) -> AskedTime | None:
    """Return the time that a question names.

    Args:
        question: in any language that `time_expressions` reads.
        names: how the two who talk are called.
        now: the moment that words are relative to, in the time zone whose days are meant.

    Returns:
        The time, or None where it names none, or today: "how are you today?" asks for nothing that was told.
    """
    if len(question) > MAX_CHARS:
        return None
    named = time_expressions(question, now)
    if not named or any(one.begins_at <= now.timestamp() <= one.ends_at and one.unit is Unit.DAY for one in named):
        return None
    rest, at = [], 0
    for one in named:
        rest.append(question[at : one.start])
        at = one.end
    left = " ".join((*rest, question[at:]))
    for name in filter(None, names):
        left = left.replace(name, " ")
    spans = tuple((one.begins_at, one.ends_at) for one in named)
    return AskedTime(spans, alone=_SAYS_NOTHING.fullmatch(f"{left} ") is not None)
