"""Whether two texts whose vectors are near say the same in other words.

Sentence vectors put a statement close to its negation, and to the same sentence of another thing: "I have two
cats" is nearer to "I have three cats" than "I'm a smoker" to "I smoke". So vectors are asked only where words
can't decide, which is where one text says by a noun what the other says by a verb, and never against polarity,
time, person, numbers or names. Measured on `tests/protocols/labelled_paraphrases.py` with the models that extras
bring. Knows no vector and no storage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from .claims import Claim
from .clauses.frame import ANY_PREDICATE, Frame

_BE: Final = "be"
_WANT: Final = "want"
_NUMBERS: Final = re.compile(r"\d+|[一二三四五六七八九十百千万两兩]+(?=[个個只隻岁歳歲年月日匹人頭头次])")
_NUMERALS: Final = frozenset(
    {
        *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
        *("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"),
    }
)
_WORDS: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def is_paraphrase(rejected: Claim, claim: Claim) -> bool:
    """Return whether a claim may say what a rejected one says, if their vectors are near.

    That is where one of them says by a noun what the other says by a verb: "I'm a maths teacher", "my job is
    nursing", "Berlin is where I live". Two verbs of one thing are two things ("I teach it", "I study it"), and so
    are a wish and its fulfilment.

    Args:
        rejected: one claim of what was rejected.
        claim: one claim of what would be believed.
    """
    one, other = rejected.frame, claim.frame
    return (
        rejected.polarity == claim.polarity
        and one.tense is other.tense
        and one.hypothetical == other.hypothetical
        and one.predicate != other.predicate
        and _wishes(one) == _wishes(other)
        and (_BE in {one.predicate, other.predicate} or _is_unread_of_the_same(rejected, claim))
        and (one.subject == other.subject or _is_about(other.subject, rejected) or _is_about(one.subject, claim))
    )


def same_particulars(one: str, other: str) -> bool:
    """Return whether two texts name the same numbers and the same names, as far as their writing shows."""
    return _numbers(one) == _numbers(other) and _names(one, other) and _names(other, one)


def _wishes(frame: Frame) -> bool:
    return frame.predicate.split(" ")[0] == _WANT


def _is_unread_of_the_same(one: Claim, other: Claim) -> bool:
    """Return whether the predicate of one was not read, and both name one thing at least."""
    return ANY_PREDICATE in {one.frame.predicate, other.frame.predicate} and not set(one.terms).isdisjoint(
        other.terms
    )


def _is_about(subject: str, claim: Claim) -> bool:
    """Return whether a subject is a thing that a claim names."""
    words = subject.split()
    return bool(words) and any(word in claim.terms for word in words)


def _numbers(text: str) -> frozenset[str]:
    folded = text.casefold()
    spelt = (word for word in _WORDS.findall(folded) if word in _NUMERALS)
    return frozenset((*_NUMBERS.findall(folded), *spelt))


def _names(text: str, other: str) -> bool:
    """Return whether every word that a text writes as a name is in another text."""
    known = {word.casefold() for word in _WORDS.findall(other)}
    return all(name.casefold() in known for name in _written_as_names(text))


def _written_as_names(text: str) -> Iterable[str]:
    for sentence in re.split(r"[.!?]\s+", text):
        for word in _WORDS.findall(sentence)[1:]:
            if word[0].isupper() and word != "I" and not word.startswith(("I'", "I’")):
                yield word
