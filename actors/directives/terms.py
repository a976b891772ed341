"""From the words around a wish to the topics that it names.

Owns trimming, lists, quotes and lengths; the words to trim are data of the locales.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ...protocols.scripts import CJK, HAN, simplified
from .folding import fold_term
from .phrasebook import Locale, pointers

MIN_CHARS: Final = 2
"""Shortest term that can block (characters; source: baseline, section 21.4)."""

MAX_CHARS: Final = 40
"""Longest term (characters; source: baseline, section 21.4)."""

MAX_ITEM_WORDS: Final = 4
"""Longest item of a list that is told from a new clause by its commas alone, in words."""

_EDGES: Final = (
    " \t,.!?;:~-\u2026\u3002\uff0c\uff01\uff1f\uff1b\uff1a\u3001"
    "\u00b7*_\u2014\u2013\uff5e()\uff08\uff09[]\u3010\u3011\u00bf\u00a1"
)
_OPEN: Final = "\"'\u201c\u2018\u00ab\u300c\u300e\u300a\u201e\u3008"
_CLOSE: Final = "\"'\u201d\u2019\u00bb\u300d\u300f\u300b\u201c\u3009"
_QUOTED: Final = re.compile(
    r'^[^\w"]{0,2}(?:"([^"]{1,60})"|\u201c([^\u201d]{1,60})\u201d|\u201e([^\u201c\u201d]{1,60})[\u201c\u201d]|\u00ab\s?([^\u00bb]{1,60})\s?\u00bb'
    r"|\u300c([^\u300d]{1,60})\u300d|\u300e([^\u300f]{1,60})\u300f|\u300a([^\u300b]{1,60})\u300b|'([^']{1,60})'(?!\w))",
)
_LISTED: Final = re.compile(r"\s*[,;/\uff0c\uff1b\u3001]\s*")
_ASIDE: Final = re.compile(r"\s?[(\uff08]")
_APPOSED: Final = re.compile(
    r"(\s?[(\uff08]|, ?|,? (?:aka|a\.k\.a\.?|alias|also known as|i mean) )"
    r"([^,.;!?()\uff08\uff09\u3002\uff0c]{2,30})",
    re.IGNORECASE,
)
"""Another name behind a topic: in brackets, behind a comma, or said to be one."""

_CLAUSE_END: Final = re.compile(
    r"[,\uff0c](?!\s?(?:还有|以及|和|或|还是|跟|とか|それから|그리고|[가-힣 ]{1,14}(?:,|$)"
    r"|[^,\uff0c]{1,12}(?:也|都)))"
    r"|[\u3002\uff1b;]"
)
"""Where a clause ends in the scripts whose lists have marks of their own, unless a list goes on behind it."""

_FIRST_PASS: Final = 6
"""Rounds of trimming; each takes a word off an end, and nobody piles up more politeness than that."""


_QUOTE: Final = re.compile('["\u300c\u201c\u300a\u00ab]')
_WORD_OF_ONE: Final = re.compile(
    rf"(?![的地得了着过吧啊呀呢吗嘛哦也都就还又再才不没别很太是有在和与跟说话讲提聊谈事点些个上下前后时])[{HAN}]"
)
"""A Chinese character that can name a topic: not a particle, an adverb, a measure or a verb of saying."""


class Term(NamedTuple):
    """A topic as it was said. A bare one only points, or is too short to block by."""

    text: str
    bare: bool


def terms_in(
    raw: str, locale: Locale, *, at_start: bool = False, shouted: bool = False, listed: bool = False
) -> list[Term]:
    """Return the topics that a captured stretch of a sentence names, in order.

    Args:
        raw: what the pattern captured; for an open end, the rest of the sentence.
        locale: whose words are trimmed.
        at_start: whether the sentence begins with it, so that its capital says nothing.
        shouted: whether the sentence is all capitals, with the same effect.
        listed: whether it is a list for sure, after a colon, so that a comma alone parts two topics.
    """
    found: list[Term] = []
    for item in _items(raw, locale, listed=listed):
        quoted = _QUOTED.match(item)
        text = next(filter(None, quoted.groups())).strip() if quoted else trim(item, locale)
        if not quoted and not found and _has_weak_joiner(locale) and fold_term(text) in locale.not_terms:
            # "Don't say a word until they come and sing": what follows isn't what is asked for.
            break
        term = _checked(text, locale, quoted=bool(quoted), capital_tells=not (at_start or shouted))
        if term and term not in found:
            found.append(term)
    return found


def other_names(term: str, locale: Locale, *, raw: str = "") -> tuple[str, ...]:
    """Return the names that stand in a term beside what they name: "Marcus" of "my brother Marcus".

    Args:
        term: the topic, as it was trimmed.
        locale: whose ways of giving a name are looked for.
        raw: the stretch that it was taken from, where the name may follow: "my brother, Marcus".
    """
    if (names := _names_in(term, locale)) or term not in raw:
        return names
    apposed = _APPOSED.match(raw, raw.find(term) + len(term))
    if apposed is None:
        return ()
    names = _names_in(f"{term}{apposed[1]}{trim(apposed[2], locale)}", locale)
    return tuple(name for name in names if fold_term(name) != fold_term(term))


def _names_in(term: str, locale: Locale) -> tuple[str, ...]:
    for pattern in locale.names:
        if (found := pattern.fullmatch(_simple(term, locale))) is None:
            continue
        spans = (found.span(group) for group in range(1, pattern.groups + 1) if found[group])
        names = dict.fromkeys(term[start:end].strip(_EDGES) for start, end in spans)
        return tuple(name for name in names if _is_name(name, locale) and fold_term(name) != fold_term(term))
    return ()


def _is_name(name: str, locale: Locale) -> bool:
    key = fold_term(name)
    return len(key) >= MIN_CHARS and key not in pointers() and key not in locale.not_terms


def trim(raw: str, locale: Locale) -> str:
    """Return a captured stretch without politeness, particles, time words, quotes and marks at its ends."""
    text = _before_lone_quote(raw)
    if (aside := _ASIDE.search(text)) and text[: aside.start()].strip(_EDGES):
        text = text[: aside.start()]
    if locale.cut and (cut := locale.cut.search(text)) and text[: cut.start()].strip(_EDGES):
        text = text[: cut.start()]
    for _ in range(_FIRST_PASS):
        before = text
        text = _unquoted(text.strip(_EDGES))
        if fold_term(text) in pointers():
            break
        text = _without(locale.lead, text)
        text = _without(locale.tail, text)
        for shape in locale.shapes:
            if (shaped := shape.match(_simple(text, locale))) and (inner := shaped.lastindex):
                text = text[shaped.start(inner) : shaped.end(inner)]
        if text == before:
            break
    return text


def _items(raw: str, locale: Locale, *, listed: bool) -> Iterator[str]:
    """Yield the items of a list; a new clause, or a comma without a later "and" or "or", ends it."""
    if not listed:
        yield from _joined_items(raw, locale)
        return
    start = 0
    raw = raw.strip(_EDGES)
    for at, joint in enumerate((*_LISTED.finditer(raw), None)):
        part = raw[start : joint.start() if joint else len(raw)]
        if at and locale.clause and locale.clause.match(_simple(part, locale)):
            return
        yield from _joined_items(part, locale)
        start = joint.end() if joint else start


def _joined_items(raw: str, locale: Locale) -> Iterator[str]:
    if not locale.joiner:
        yield raw
        return
    raw = _without(locale.lead, raw)
    quotes = _QUOTE.search(raw) is not None
    if not _has_weak_joiner(locale):
        ends = (
            end.start() for end in _CLAUSE_END.finditer(raw) if not (quotes and _inside_quotes(raw, end.start()))
        )
        raw = raw[: next((end for end in ends if raw[:end].strip(_EDGES)), len(raw))]
    parts: list[tuple[str, bool]] = []
    start, weak = 0, False
    simple = _simple(raw, locale)
    for joint in locale.joiner.finditer(simple):
        if quotes and _inside_quotes(raw, joint.start()):
            continue
        parts.append((raw[start : joint.start()], weak))
        start, weak = joint.end(), joint.lastgroup == "weak"
    parts.append((raw[start:], weak))
    kept = _until_clause(parts, locale)
    last_strong = max((at for at, (_, is_weak) in enumerate(kept) if at and not is_weak), default=0)
    for text, _ in kept[: last_strong + 1]:
        yield text


def _has_weak_joiner(locale: Locale) -> bool:
    """Return whether a comma alone may part two topics of a list, as in scripts with blanks."""
    return locale.joiner is not None and "weak" in locale.joiner.groupindex


def _until_clause(parts: list[tuple[str, bool]], locale: Locale) -> list[tuple[str, bool]]:
    kept: list[tuple[str, bool]] = []
    for at, (text, weak) in enumerate(parts):
        if at and locale.clause and locale.clause.match(_simple(text.strip(), locale)):
            break
        if at and len(text.split()) > MAX_ITEM_WORDS and any(later_weak for _, later_weak in parts[1 : at + 1]):
            break
        kept.append((text, weak))
    return kept


def _inside_quotes(text: str, at: int) -> bool:
    left = text[:at]
    opened = left.count("\u300c") + left.count("\u201c") + left.count("\u300a") + left.count("\u00ab")
    closed = left.count("\u300d") + left.count("\u201d") + left.count("\u300b") + left.count("\u00bb")
    return left.count('"') % 2 == 1 or opened > closed


def _before_lone_quote(text: str) -> str:
    """Return what stands before a quote that closes and was opened before the text, or is never closed."""
    at = text.find('"')
    return text[:at] if at > 0 and text.count('"') == 1 else text


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] in _OPEN:
        text = text[1:]
    if len(text) > 1 and text[-1] in _CLOSE and text.count(text[-1]) == 1 and text[-1] not in "'\u2019":
        text = text[:-1]
    return text.removesuffix("'") if text.startswith("'") else text


def _without(pattern: re.Pattern[str] | None, text: str) -> str:
    found = pattern.search(text) if pattern else None
    if found is None or not found.group():
        return text
    rest = text[found.end() :] if found.start() == 0 else text[: found.start()]
    return rest if len(rest.strip(_EDGES)) >= (1 if CJK.search(rest) else MIN_CHARS) else text


def _simple(text: str, locale: Locale) -> str:
    return simplified(text) if locale.simplify else text


def _checked(text: str, locale: Locale, *, quoted: bool, capital_tells: bool) -> Term | None:
    key = fold_term(text)
    if not key or len(text) > MAX_CHARS or key in locale.not_terms or not any(map(str.isalnum, key)):
        return None
    names = capital_tells and not quoted and " " not in key and text != text.lower()
    if key in pointers() and not names:
        return Term(text, bare=True)
    if len(key) < MIN_CHARS:
        # A character is a word in Chinese ("别提猫了"), and blocking too much costs less than a miss. A lone
        # kana or Hangul letter is no word.
        return Term(text, bare=not quoted and not _WORD_OF_ONE.fullmatch(key)) if CJK.search(key) else None
    return Term(text, bare=False)
