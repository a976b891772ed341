"""What is said in a soak, in several languages, and what each sentence means.

A sentence is made of a family (its language and its form), an act (what it does to memory) and a marker: a word
that exists nowhere else, so that wherever it turns up it is known where it was said. Pure.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

_CONSONANTS: Final = "bdfgklmnrtvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = tuple(consonant + vowel for consonant in _CONSONANTS for vowel in _VOWELS)

MARKERS: Final = len(_SYLLABLES) ** 3
"""How many markers there are."""

_STRIDE: Final = 7_919
"""A prime that doesn't divide `MARKERS`: markers of neighbouring numbers look nothing alike."""


class Act(StrEnum):
    """What a sentence does to memory."""

    STATE = "state"
    DENY = "deny"
    AFFIRM = "affirm"
    FORGET = "forget"
    BAN = "ban"
    LIFT = "lift"
    CHAT = "chat"


class Family(Struct, frozen=True, kw_only=True):
    """The sentences of one form in one language; `{}` is where the marker goes.

    `seen` is the piece of a text by which the statement is known where it is recalled; what denies it doesn't hold
    it. `draft` is a line in which a character names the marker.
    """

    locale: str
    state: str
    deny: str
    affirm: str
    forget: str
    ban: str
    lift: str
    seen: str
    draft: str
    chat: str


_ENGLISH: Final = {
    "locale": "en",
    "forget": "Forget what I said of {}.",
    "ban": "Please never mention {} again.",
    "lift": "You can talk about {} again.",
    "draft": "So, how is {}?",
    "chat": "Hm, good morning.",
}
_CHINESE: Final = {
    "locale": "zh",
    "forget": "忘了{}吧。",
    "ban": "别再提{}了。",
    "lift": "可以再提{}了。",
    "draft": "对了，{}怎么样？",
    "chat": "嗯，早上好。",
}
_JAPANESE: Final = {
    "locale": "ja",
    "forget": "{}のことは忘れて。",
    "ban": "{}の話はもうしないで。",
    "lift": "{}の話をしてもいいよ。",
    "draft": "ところで、{}は元気？",
    "chat": "うん、おはよう。",
}

FAMILIES: Final = (
    Family(
        **_ENGLISH,
        state="I own a book about {}.",
        deny="I don't own a book about {}.",
        affirm="I do own a book about {}.",
        seen="I own a book about {}",
    ),
    Family(
        **_ENGLISH,
        state="I work with a woman called {}.",
        deny="I don't work with a woman called {}.",
        affirm="I do work with a woman called {}.",
        seen="I work with a woman called {}",
    ),
    Family(
        **_ENGLISH,
        state="I'm fond of {}.",
        deny="I'm not fond of {}.",
        affirm="I am fond of {} after all.",
        seen="I'm fond of {}",
    ),
    Family(
        **_CHINESE,
        state="我喜欢{}。",
        deny="我不喜欢{}。",
        affirm="我确实喜欢{}。",
        seen="我喜欢{}",
    ),
    Family(
        **_CHINESE,
        state="我有一本关于{}的书。",
        deny="我没有关于{}的书。",
        affirm="我确实有一本关于{}的书。",
        seen="我有一本关于{}的书",
    ),
    Family(
        **_JAPANESE,
        state="私は{}が好きです。",
        deny="私は{}が好きではありません。",
        affirm="やっぱり{}が好きです。",
        seen="私は{}が好きです",
    ),
    Family(
        **_JAPANESE,
        state="{}を飼っています。",
        deny="{}は飼っていません。",
        affirm="やっぱり{}を飼っています。",
        seen="{}を飼っています",
    ),
    Family(
        locale="es",
        state="Mi amiga {} vive en Bergen.",
        deny="Mi amiga {} no vive en Bergen.",
        affirm="Mi amiga {} sí vive en Bergen.",
        forget="Olvida lo que dije de {}.",
        ban="No vuelvas a mencionar a {}.",
        lift="Puedes volver a hablar de {}.",
        seen="{} vive en Bergen",
        draft="Por cierto, ¿qué tal {}?",
        chat="Hm, buenos días.",
    ),
)
"""The families. A test holds the product to each of them."""


def marker(number: int) -> str:
    """Return the marker of a number: a word of nine letters, any two of which differ in at least two places.

    Raises:
        ValueError: if there is no marker of that number.
    """
    if not 0 <= number < MARKERS:
        raise ValueError(f"markers are numbered from 0 to {MARKERS - 1:,}, got {number}")
    rest = number * _STRIDE % MARKERS
    digits: list[int] = []
    for _ in range(3):
        rest, digit = divmod(rest, len(_SYLLABLES))
        digits.append(digit)
    digits.append(sum(digits) % len(_SYLLABLES))
    # A consonant at its end, so that no language's endings are taken off it.
    return "".join(_SYLLABLES[digit] for digit in digits).capitalize() + "k"


def sentence(family: int, act: Act, number: int) -> str:
    """Return what is said: a family by its place in `FAMILIES`, an act, and the number of a marker."""
    template: str = getattr(FAMILIES[family], act.value)
    return template.format(marker(number))


def seen(family: int, number: int) -> str:
    """Return the piece of a text by which the statement of a family and a marker is known."""
    return FAMILIES[family].seen.format(marker(number))


def draft(family: int, number: int) -> str:
    """Return a line in which a character names the marker."""
    return FAMILIES[family].draft.format(marker(number))


STATEMENTS: Final = tuple(
    (before, after)
    for family in FAMILIES
    for template in (family.state, family.deny, family.affirm)
    for before, _, after in (template.partition("{}"),)
)


def is_statement(text: str) -> bool:
    """Return whether a text states, denies or affirms something, and isn't chat or a wish."""
    return any(
        text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after)
        for before, after in STATEMENTS
    )
