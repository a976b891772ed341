"""Whether two people say the same of a thing, or the opposite: what makes the owner confirm or correct somebody.

Deterministic, and biased: a missed correction costs nothing, an invented one costs somebody their standing. So
only plain statements about a third party count, in one clause each, and only where one is the other with exactly
one negation more. Conditions, reports, guesses, questions, quantities and times are no plain statements (baseline:
20.6). Pure; reads English, Chinese and Japanese.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from .claims import Claim, claims_of
from .clauses.frame import ANY_PREDICATE, SELF, Tense, Voice
from .scripts import CJK, simplified
from .statements import statement_key


class Relation(StrEnum):
    """What one statement is to another."""

    SAME = "same"
    OPPOSITE = "opposite"


MAX_CHARS: Final = 300
"""Longest statement that is compared (characters): what is longer is no single plain statement."""

CACHED_STATEMENTS: Final = 1 << 15
"""Statements whose claims are remembered: each is compared with every later one."""

_NOT_PLAIN: Final = re.compile(
    simplified(
        r"[?？]"
        r"|\b(?:if|unless|whether|when|whenever|while|until|till|before|after|since|because|although|though"
        r"|says?|said|told|tells?|thinks?|thought|believes?|claims?|claimed|heard|hears?|reads?|according"
        r"|maybe|perhaps|probably|possibly|apparently|allegedly|seems?|might|may|could|would|should|guess"
        r"|sometimes|often|usually|always|rarely|seldom|hardly|mostly|normally|ever|every|each|all|any|some|most"
        r"|many|few|several|both|none|nobody|everybody|everyone|someone|anyone|only|just|almost|nearly"
        r"|yesterday|tomorrow|today|tonight|ago|once|anymore|longer|yet|still|again|used)\b"
        r"|如果|要是|假如|除非|是否|是不是|有没有|的时候|以前|以后|之前|之后|因为|虽然|听说|据说|觉得|认为|以为|可能|也许|大概"
        r"|好像|应该|恐怕|有时|经常|常常|总是|通常|很少|几乎|每|都|全部|所有|有些|一些|大多|只|昨天|明天|今天|再|还|曾|[说讲问]"
        r"|もし|なら|たら|れば|かどうか|とき|前に|後に|ので|から|けど|らしい|そうです|そうだ|と言|って言|と思|聞い|かも|たぶん"
        r"|おそらく|でしょう|だろう|はず|時々|よく|いつも|たいてい|毎|すべて|全部|みんな|いくつか|だけ|昨日|明日|今日|また|まだ"
    ),
    re.IGNORECASE,
)
_OF_ONESELF: Final = re.compile(
    r"\b(?:i|me|my|mine|we|us|our|ours|you|your|yours|i'm|we're)\b|[我俺您你咱]|私|僕|ぼく|わたし|うち|あなた|君",
    re.IGNORECASE,
)
"""Who says it, or is told it: not the same thing in two mouths."""

_NAMES_A_THING: Final = re.compile(r"^(?:the|this|that|these|those)\b", re.IGNORECASE)
_CJK_NEGATION: Final = re.compile("[不没]")
_NEGATIONS: Final = frozenset({"not", "never"})
_AUXILIARIES: Final = frozenset({"do", "does", "did"})
_OF_THE_SPEAKER: Final = frozenset({Voice.FIRST, Voice.OMITTED, Voice.IMPERATIVE})


def relation(one: str, other: str) -> Relation | None:
    """Return what a statement of one person is to a statement of another, or None where it isn't plain."""
    claims = _plain_claim(one), _plain_claim(other)
    if claims[0] is None or claims[1] is None:
        return None
    keys = statement_key(one), statement_key(other)
    if keys[0] == keys[1]:
        return Relation.SAME
    if _is_negation(claims[0], claims[1]) or _is_negation_in_words(*(_words(key) for key in keys)):
        return Relation.OPPOSITE
    return Relation.OPPOSITE if _is_negation_in_characters(*map(simplified, keys)) else None


# --- parts --------------------------------------------------------------------------------------


def _plain_claim(text: str) -> Claim | None:
    """Return what a plain statement claims, or None where the text is none."""
    return _read(text) if len(text) <= MAX_CHARS else None


@lru_cache(CACHED_STATEMENTS)
def _read(text: str) -> Claim | None:
    if _NOT_PLAIN.search(simplified(text)) or _OF_ONESELF.search(text):
        return None
    claim = _claim(text)
    if claim is None or claim.frame.voice not in _OF_THE_SPEAKER:
        return claim
    return claim if _NAMES_A_THING.match(text.strip()) and not CJK.search(text) else None


def _claim(text: str) -> Claim | None:
    """Return what a text of one clause claims, or None where it has several or claims nothing."""
    claims = claims_of(text)
    only = claims[0] if len(claims) == 1 else None
    return None if only is None or only.is_empty or only.frame.hypothetical else only


def _is_negation(one: Claim, other: Claim) -> bool:
    return (
        one.polarity != other.polarity
        and one.key[1:] == other.key[1:]
        and one.frame.subject != SELF
        and one.frame.predicate != ANY_PREDICATE
        and one.frame.tense is Tense.PRESENT
    )


def _words(key: str) -> tuple[str, ...]:
    return () if CJK.search(key) else tuple(key.split())


def _is_negation_in_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether exactly one of two sentences is negated, and both are the same beside."""
    negated = [words for words in (one, other) if _NEGATIONS.intersection(words)]
    if not one or not other or len(negated) != 1 or sum(word in _NEGATIONS for word in negated[0]) != 1:
        return False
    bare = [[_stem(w) for w in words if w not in _NEGATIONS | _AUXILIARIES] for words in (one, other)]
    return bare[0] == bare[1]


def _stem(word: str) -> str:
    """Return a verb without the ending of its third person, which "does not" takes off it."""
    return word.removesuffix("s")


def _is_negation_in_characters(one: str, other: str) -> bool:
    longer, shorter = sorted((one, other), key=len, reverse=True)
    marks = list(_CJK_NEGATION.finditer(longer))
    if len(marks) != 1 or _CJK_NEGATION.search(shorter) or "的" in longer[marks[0].end() :]:
        return False
    at = marks[0].start()
    return longer[:at] + longer[at + 1 :] == shorter
