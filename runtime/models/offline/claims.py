"""What the rules of a language say about one sentence: the claim that it makes, if any.

A claim's words are always a piece of the sentence. Languages know grammatical persons; whom a person
is in a conversation is decided in `extraction`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, Protocol

from msgspec import Struct

IDENTITY: Final = 10
"""Importance of names, nicknames, birthdays and of what the person asked to remember (baseline: 10)."""

HEALTH: Final = 9
"""Importance of what may harm: health, allergies, diets (baseline: 8 to 9)."""

CORE: Final = 8
"""Importance of family, home, work and stable core preferences (baseline: 8 to 9)."""

DEVELOPMENT: Final = 7
"""Importance of a turn in somebody's life (baseline: 6 to 7)."""

PREFERENCE: Final = 6
"""Importance of ordinary preferences and plans (baseline: 6 to 7)."""

DEFAULT: Final = 5
"""Importance of a statement with no cue (baseline: 5)."""

TRIVIA: Final = 3
"""Importance of what is over tomorrow, such as the weather (baseline: 1 to 4)."""


CHATTER_CHARS: Final = 80
"""Longest sentence that may be talk about the talk (characters); a longer one has something to say."""


class Person(Enum):
    """Whom a claim is about, as its grammar says."""

    FIRST = "first"
    FIRST_PLURAL = "first plural"
    SECOND = "second"
    THIRD = "third"


class Claim(Struct, frozen=True, kw_only=True):
    """A statement: its words, its grammatical person and its importance from 1 to 10."""

    text: str
    person: Person
    importance: int


class Language(Protocol):
    """The rules of one language, as its module has them."""

    def claim(self, sentence: str) -> Claim | None:
        """Return what a sentence claims, or None where it claims nothing worth remembering."""
        ...

    def is_joke_alone(self, sentence: str) -> bool:
        """Return whether a sentence only says that the one before it was a joke."""
        ...


Cues = Sequence[tuple[int, re.Pattern[str]]]
"""Importances with the patterns that show them, the most important first."""


def importance(plain: str, cues: Cues) -> int:
    """Return the importance that the first matching cue gives, or the default."""
    return next((weight for weight, pattern in cues if pattern.search(plain)), DEFAULT)


def any_of(phrases: Iterable[str]) -> str:
    """Return a pattern that matches any of the phrases, the longest first."""
    return "|".join(sorted((re.escape(phrase) for phrase in phrases), key=len, reverse=True))


_APOSTROPHES: Final = str.maketrans("\u2019\u2018\u02bc\u2032`", "'''''")


def plain(text: str) -> str:
    """Return a text in lower case with straight apostrophes, every character in its place."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered.translate(_APOSTROPHES)
