"""What a person allows to be remembered again after they asked to forget it: "You can remember my surgery again".

Only facts that were forgotten at their own wish come back, and only those that the words name. Pure.
"""

from __future__ import annotations

import re
from typing import Final

from ...protocols.records import FactStatus
from ...protocols.scripts import simplified
from .corrections import Occasion, may_deny
from .decisions import affirm_fact
from .forgetting import is_about, is_forgotten
from .ledger import Ledger

MAX_CHARS: Final = 200
"""Longest text in which such a word is looked for (characters): a longer one tells a story."""

_MAY: Final = (
    "you (?:can|may|could|should)|please|feel free to|go ahead and|i want you to|i'd like you to"
    "|it's (?:ok|okay|fine|alright|all right) (?:to|if you)"
)
_AGAIN: Final = tuple(
    re.compile(simplified(pattern), re.IGNORECASE)
    for pattern in (
        rf"\b(?:{_MAY})(?: please)? (?:remember|keep)(?: about)? (?P<what>[^,.!?]{{2,60}}?) (?:again|after all)\b",
        r"(?:可以|能|请|帮我)?(?:重新|再)记(?:住|得|一下)(?P<what>(?![了吧啦])[^，,。！!？?]{2,20}?)(?:了|吧|啦)?(?=[，,。！!]|$)",
        r"(?P<what>[^，,。！!？?]{1,20}?)[，,]?(?:你)?(?:又)?(?:可以|能)(?:重新|再)记(?:住|得|一下)?(?:了|吧|啦)?(?=[，,。！!]|$)",
        r"(?P<what>[^、。！!？?]{1,20}?)(?:のこと)?[はを、]*(?:また|もう一度|やっぱり)覚えて(?:おいて|いて|て)?(?:も)?(?:いい|大丈夫|ほしい|ください)",
    )
)
_DOUBTED: Final = re.compile(
    simplified(
        r"(?:\b(?:not|never|nobody|no one|cannot|wish|if|think|thinks|thought|say|says|said|told)\b|n't\b"
        r"|(?<!特)[别不没勿莫怕])[^.!。！]*$"
    ),
    re.IGNORECASE,
)
"""What denies, doubts or reports before the end of a sentence."""

_ASKED: Final = re.compile(r"[^.!。！?\uff1f]*[?\uff1f]")


def allowed_again(text: str) -> str:
    """Return what a text allows to be remembered again, as it names it; empty where it allows nothing.

    In doubt it allows nothing: what a person asked to forget must not come back by "don't remember it again".
    """
    found = _found(text)
    plain = _plain(text)
    if found is None or _DOUBTED.search(plain[: found.end()]) or _ASKED.match(plain, found.end()):
        return ""
    return text[found.start("what") : found.end("what")]


def is_of_remembering(text: str) -> bool:
    """Return whether a text allows or refuses that something is remembered again, and so tells nothing of it."""
    return _found(text) is not None


def remember_again(ledger: Ledger, occasion: Occasion, text: str) -> None:
    """Put the facts in force again that a person asked to forget and now allows to be remembered.

    Args:
        ledger: what is stored.
        occasion: the turn, as an occasion; what they asked to forget after it stays forgotten.
        text: its words.
    """
    named = allowed_again(text)
    if not named:
        return
    for fact in ledger.facts(FactStatus.RETRACTED):
        if (
            is_forgotten(fact)
            and may_deny(occasion.by, fact)
            and (fact.status_at or 0.0) <= occasion.at
            and is_about(fact, named, ledger, by=occasion.by)
        ):
            affirm_fact(ledger, occasion, fact)


# --- parts ----------------------------------------------------------------------------------------


def _found(text: str) -> re.Match[str] | None:
    if len(text) > MAX_CHARS:
        return None
    plain = _plain(text)
    return next((found for pattern in _AGAIN if (found := pattern.search(plain))), None)


def _plain(text: str) -> str:
    return simplified(text).replace("\u2019", "'")
