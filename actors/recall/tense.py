"""Whether a question asks how things are now, and whether a text tells how they were: both by their markers. Pure.

"Where do I live?" shares its words with "I lived in Leeds" more than with "I moved to Bristol".
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from ...protocols.tokens import words_of


class Asked(Enum):
    """Which time a question is about: how things are, how they were before, or either."""

    PRESENT = "present"
    FORMER = "former"
    ANY = "any"


_WAS: Final = re.compile(
    r"\bused to\b|\b(?:formerly|previously|back then|no longer)\b"
    r"|(?<!have )(?<!has )(?<!'ve )(?<!had )\b(?:lived|worked|studied|owned|dated|resided|rented)\b"
    r"|以前|曾经|從前|从前|过去|過去|かつて|昔|前は|(?:んで|て)い(?:た|ました)"
    r"|\b(?:antes|antiguamente|vivía|vivia|trabajaba|trabalhava|morava|anteriormente)\b"
    r"|\b(?:früher|damals|wohnte|arbeitete)\b|\b(?:avant|autrefois|jadis|habitais|travaillais)\b"
    r"|\b(?:раньше|прежде|когда-то|жил|жила|работал|работала)\b|예전|옛날|(?:살|일했|다녔)었",
    re.IGNORECASE,
)
"""By what a text is seen to tell how things were."""

_WAS_HINTS: Final = (
    *("used to", "formerly", "previously", "back then", "no longer"),
    *("lived", "worked", "studied", "owned", "dated", "resided", "rented"),
    *("以前", "曾经", "從前", "从前", "过去", "過去", "かつて", "昔", "前は", "いた", "いました"),
    *("antes", "antiguamente", "vivía", "vivia", "trabajaba", "trabalhava", "morava", "anteriormente"),
    *("früher", "damals", "wohnte", "arbeitete", "avant", "autrefois", "jadis", "habitais", "travaillais"),
    *("раньше", "прежде", "когда-то", "жил", "работал", "예전", "옛날", "었"),
)
"""Pieces of which every text that `_WAS` finds holds one: looking for them takes a tenth of the time."""

_ASCII_HINTS: Final = tuple(filter(str.isascii, _WAS_HINTS))

_ASKS_BACK: Final = re.compile(
    r"\b(?:did|was|were|had|has|have|ago|before|used to|previous(?:ly)?|former(?:ly)?|earlier|old|last|yesterday"
    r"|when|first|in (?:19|20)\d\d)\b"
    r"|以前|之前|曾|过去|過去|从前|過|过|上[个個]?[周週月次]|昨|去年|前|昔|(?:た|ました|でした)(?:の|か|っけ)*[?？。]*$"
    r"|\b(?:antes|ayer|pasad[oa]s?|anterior(?:es)?|ontem|passad[oa]s?|era|fue|foi|vivía|morava|hice|fiz)\b"
    r"|\b(?:früher|damals|gestern|letzte[nrsm]?|war(?:en|st)?|habe|hast|hat|hatte)\b"
    r"|\b(?:avant|hier|derni[eè]re?s?|était|étais|autrefois|ai|as|avais)\b"
    r"|\b(?:раньше|прежде|вчера|прошл\w+|был[аио]?|жил[аи]?|работал[аи]?)\b|예전|옛날|지난|어제|었|았|했",
    re.IGNORECASE,
)
"""By what a question is seen to ask for what was, or for when."""


_ASKS_FORMER: Final = re.compile(
    r"\b(?:before|used to|previous(?:ly)?|former(?:ly)?|originally)\b"
    r"|以前|之前|曾经|从前|從前|過去|かつて|昔|前は"
    r"|\b(?:antes|anterior(?:es)?|anteriormente)\b|\b(?:früher|damals)\b|\b(?:avant|autrefois)\b"
    r"|\b(?:раньше|прежде)\b|예전|옛날",
    re.IGNORECASE,
)
"""By what a question is seen to ask for what is no more."""


_ASKS_BACK_WORDS: Final = frozenset(
    (
        *("did", "was", "were", "had", "has", "have", "ago", "before", "used", "previous", "previously", "former"),
        *("formerly", "earlier", "old", "last", "yesterday", "when", "first", "in", "originally"),
        *("antes", "ayer", "pasado", "pasada", "pasados", "pasadas", "anterior", "anteriores", "anteriormente"),
        *("ontem", "passado", "passada", "passados", "passadas", "era", "fue", "foi", "morava", "hice", "fiz"),
        *("damals", "gestern", "letzte", "letzten", "letzter", "letztes", "letztem"),
        *("war", "waren", "warst", "habe", "hast", "hat", "hatte"),
        *("avant", "autrefois", "hier", "derniere", "dernieres", "dernier", "derniers", "ai", "as", "avais"),
    )
)
"""Words of which every question in ASCII holds one that `_ASKS_FORMER` or `_ASKS_BACK` finds."""


def tells_past(text: str) -> bool:
    """Return whether a text tells how things were and may be no more."""
    folded = text.casefold()
    hints = _ASCII_HINTS if folded.isascii() else _WAS_HINTS
    return any(map(folded.__contains__, hints)) and _WAS.search(text) is not None


def asked_tense(question: str) -> Asked:
    """Return which time a question is about; `Asked.ANY` where it may be either."""
    if question.isascii() and _ASKS_BACK_WORDS.isdisjoint(words_of(question)):
        return Asked.PRESENT
    if _ASKS_FORMER.search(question):
        return Asked.FORMER
    return Asked.ANY if _ASKS_BACK.search(question) else Asked.PRESENT
