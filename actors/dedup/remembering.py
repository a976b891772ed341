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


def allowed_again(text: str) -> str:
    """Return what a text allows to be remembered again, as it names it; empty where it allows nothing."""
    if len(text) > MAX_CHARS or text.rstrip()[-1:] in {"?", "\uff1f"}:
        return ""
    plain = simplified(text).replace("\u2019", "'")
    found = next((one for pattern in _AGAIN if (one := pattern.search(plain))), None)
    return "" if found is None else text[found.start("what") : found.end("what")]


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
