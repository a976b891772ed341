"""Whether a text says a rejected value in words that its grammar doesn't show: "Nurse Sam loves tea".

A mind rewords what it was told, and where there are no vectors the grammar of `claims` alone would let "Sam's
profession is nursing" pass after Sam has denied being a nurse. Here the content words decide: a statement of the
same person that says nothing beyond what was rejected, but for words of its kind ("profession", "owner", "fan"),
says it; so does the value as somebody's title or apposition. It leans to keeping out, since what is kept out is
disputed and not lost; of another person, of the past and of the opposite it never is. Pure, linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from .claims import Claim
from .clauses.frame import SELF, Tense
from .clauses.kin import PERSONS
from .clauses.split import fold_clause
from .scripts import CJK, simplified, words
from .tokens import terms

MAX_CHARS: Final = 400
"""Longest text that is looked through: beliefs are shorter, and of a longer one the grammar still counts."""

_STEM_CHARS: Final = 3
"""Characters at the beginning of a stem that its word has too, such as of "studi" and "study"."""

_CACHED: Final = 1 << 14
_OWNER: Final = "\ue000"
_STATEMENT: Final = re.compile(r"[.!?;。！？；\n]+|\s+(?:and|but)\s+(?=\S+ing\b|\S+s\b)")
_WORD: Final = re.compile(r"\ue000|[^\W_]+(?:'[^\W_]+)*")
_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|n't|without|nor|neither|isn't|doesn't|don't|didn't|wasn't|hates?|dislikes?"
    r"|former|ex|used to"
    r"|was|were|had|quit|stopped)\b|n't\b|不|没|沒|未|非|讨厌|以前|曾|ない|ません|じゃ|嫌い|でした|だった|元"
)
_ARTICLES: Final = frozenset({"a", "an", "the"})
_BEFORE_TITLE: Final = ([_OWNER], ["as"], ["who's"])
_SELF_WORDS: Final = words("i me my mine myself he she him her his hers they their user owner the a an")


_ENDING: Final = re.compile(r"(?:er|or|ist|istri|e)$")
_LEAST_ROOT: Final = 3


def _root(stem: str) -> str:
    """Return a stem without the ending of who does it, so that a baker bakes and a chemist does chemistry."""
    return _ENDING.sub("", stem) if len(stem) > _LEAST_ROOT else stem


def _stems(listed: str) -> frozenset[str]:
    return frozenset(_root(term) for word in listed.split() for term in terms(word))


_OTHERS: Final = _stems(" ".join(PERSONS - words("doctor teacher coach therapist dentist")))
_LITTLE: Final = _stems(
    "be is are am have has get got do does make go come keep take really very still also "
    "just always often"
    " currently now person people someone man woman guy lady individual human kind sort type lot much many"
    " true fact say says know known told reportedly apparently called name named proud happy every day daily life"
    " being as by of in at for with to from who which that years time part full s early"
)
_OF_PREDICATE: Final = {
    "be": _stems(
        "profession professional job occupation career trade living employ employed employment position role earn"
        " practise practice practising title work worker working follow following diet lifestyle "
        "identify identifies"
        " serve qualified registered trained status background"
    ),
    "like": _stems(
        "like love loves loving lover fan favourite favorite fond keen enthusiast passion passionate "
        "adore crave enjoy"
        " enjoyment appreciate devotee addict into delight delights pleasure hobby prefer mad crazy big huge great"
    ),
    "live": _stems(
        "home resident reside resides residing live based base dweller located city town hometown address native"
        " inhabitant house flat apartment settled stay stays"
    ),
    "have": _stems("own owner owns keep keeper possess pet belong animal companion hold parent mother father"),
    "name": _stems("name call called known go goes nickname real full first"),
    "work": _stems("work job employ employed employee position role staff"),
}
_KIND: Final = re.compile(
    simplified(
        "职业|工作|身份|岗位|本职|行业|职务|从事|担任|当|做|是|一名|一个|一位|个|名|位|的|了|着|在|也|就|很|非常|特别|现在|目前|主人|用户|他|她|我|自己"
        "|喜欢|喜爱|热爱|爱好|最爱|爱|粉丝|迷|爱好者|家|住|居住|居民|生活|定居|养|有|拥有|宠物|名字|叫|称"
        "|仕事|職業|です|だ|である|として|働いて|いる|います|の|は|が|を|に|で|好き|大好き|ファン|住んで|在住|飼って|さん|くん|ちゃん"
    )
)


def rewords(rejected: Claim, text: str, names: Iterable[str], *, speaks_of_self: bool = True) -> bool:
    """Return whether a text says what was rejected of the owner of the names, in other words.

    Args:
        rejected: the rejected claim.
        text: what would be believed.
        names: what the person is called whose value was rejected.
        speaks_of_self: whether "I" in the text is that person.
    """
    frame = rejected.frame
    if not rejected.polarity or frame.subject != SELF or frame.tense is not Tense.PRESENT or frame.hypothetical:
        return False
    if not rejected.terms or len(text) > MAX_CHARS:
        return False
    folded = _folded(text)
    if not all(term[:_STEM_CHARS] in folded for term in rejected.terms):
        return False
    said = _statements(text, tuple(sorted(set(names))))
    return any(_says(rejected, one) for one in said if speaks_of_self or _OWNER in one)


# --- parts ----------------------------------------------------------------------------------------


@lru_cache(_CACHED)
def _folded(text: str) -> str:
    return simplified(text.casefold())


@lru_cache(_CACHED)
def _statements(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the statements of a text, folded, with one character for the person."""
    folded = fold_clause(text)
    for name in sorted({fold_clause(name) for name in names} - {""}, key=len, reverse=True):
        spaced = rf"(?<!\w){re.escape(name)}(?!\w)"
        folded = re.sub(re.escape(name) if CJK.match(name) else spaced, _OWNER, folded)
    return tuple(one for one in _STATEMENT.split(folded) if one.strip())


def _says(rejected: Claim, statement: str) -> bool:
    if _NEGATED.search(statement):
        return False
    if CJK.search(statement):
        return _says_unspaced(rejected, statement)
    content = _content(statement)
    if content is None:
        return False
    value = frozenset(_root(term) for term in rejected.terms)
    if not _OTHERS.isdisjoint(content - value):
        return False
    if not value <= content:
        return _is_title(value, statement)
    extra = content - value - _LITTLE - _OF_PREDICATE.get(rejected.frame.predicate, frozenset())
    return not extra or _is_title(value, statement) or _is_theirs(rejected, statement)


@lru_cache(_CACHED)
def _content(statement: str) -> frozenset[str] | None:
    """Return the stems of a statement about the person; None where it is about somebody else."""
    found = _WORD.findall(statement)
    if not found:
        return None
    stems = frozenset(term for word in found if word != _OWNER for term in terms(word))
    about_self = _OWNER in found or found[0] in _SELF_WORDS or found[-1] in {"i", "me"}
    return frozenset(_root(stem) for stem in stems - _SELF_WORDS) if about_self else None


def _is_title(value: frozenset[str], statement: str) -> bool:
    """Return whether the value stands as the person's title or apposition: "Nurse Sam", "Sam the nurse"."""
    found = _WORD.findall(statement)
    stems = [_root((terms(word) or [word])[-1]) if word != _OWNER else _OWNER for word in found]
    for at, stem in enumerate(stems):
        if stem not in value:
            continue
        before, after = found[max(0, at - 3) : at], found[at + 1 : at + 2]
        if after == [_OWNER]:
            return True
        if (
            before[-1:]
            and before[-1] in _ARTICLES
            and (before[-2:-1] in _BEFORE_TITLE or before[:2] == ["who", "is"])
        ):
            return True
    return False


def _is_theirs(rejected: Claim, statement: str) -> bool:
    """Return whether a rejected possession is called theirs: "Sam's cat" after "I don't have a cat"."""
    if rejected.frame.predicate != "have":
        return False
    head = rejected.frame.phrases[0][-1]
    theirs = re.finditer(rf"(?:{_OWNER}'s|\bmy|\bhis|\bher) (\w+)(?: (\w+))?", statement)
    return any(head in {(terms(word) or [word])[-1] for word in found.groups() if word} for found in theirs)


def _says_unspaced(rejected: Claim, statement: str) -> bool:
    value = [simplified(term) for term in rejected.terms if CJK.match(term)]
    head = value[-1] if value else ""
    if not head or head not in statement:
        return False
    if f"{head}{_OWNER}" in statement or f"{_OWNER}、{head}" in statement or f"{_OWNER}这个{head}" in statement:
        return True
    left = statement.replace(_OWNER, "")
    if not re.match("我|他|她|私|僕|俺|主人|用户", left) and _OWNER not in statement:
        return False
    for term in value:
        left = left.replace(term, "")
    return not re.sub(r"[\W_]+", "", _KIND.sub("", left))
