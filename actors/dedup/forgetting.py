"""Which facts a wish to forget is about. Pure.

Conservative on what isn't said: a wish that names nothing, such as "forget it", forgets nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ...protocols.claims import same_claim
from ...protocols.clauses.frame import ANY_PREDICATE
from ...protocols.clauses.split import fold_clause
from ...protocols.facts import speaker_key, stands_since
from ...protocols.records import Fact, FactStatus
from ...protocols.rejections import readings
from ...protocols.scripts import CJK, simplified
from ...protocols.tokens import terms
from .corrections import Occasion, own_claims
from .decisions import reject_fact
from .ledger import Ledger

_IDLE: Final = frozenset(
    terms(
        "old former previous current new whole entire thing things stuff everything anything nothing something"
        " fact story talk talked say said tell told mention mentioned know knew forget"
    )
)
"""Words of a wish that name no topic."""

_ABOUT: Final = re.compile(simplified(r"(?:的?(?:事情?|这件事|那件事)|のこと|こと|吧)$"))
"""What ends the topic of a wish in Chinese and Japanese."""

_WHOSE: Final = re.compile(
    simplified(
        r"^(?:关于|有关)?(?:我们?|咱们?|私|僕|俺|うち)?家?(?:的|の)?(?:旧|老|以前的?|原来的?|之前的?|前の|古い|昔の)*"
    )
)
"""What stands before the topic of a wish in Chinese and Japanese."""

_VITAL: Final = re.compile(
    simplified(
        r"\b(?:allerg\w*|anaphyla\w*|asthma\w*|diabet\w*|epilep\w*|intoleran\w*|medication|insulin)\b"
        r"|过敏|哮喘|糖尿病|癫痫|アレルギー|喘息|てんかん"
    )
)
"""What can harm to forget: "forget my cat" leaves "I'm allergic to cats", unless the ailment itself is named."""


def forget(ledger: Ledger, occasion: Occasion, objects: Iterable[str]) -> tuple[str, ...]:
    """Retract the facts that a person asks to forget, reject what they say, and return their texts.

    Args:
        ledger: what is stored.
        occasion: the turn with the wish; what was said after it isn't meant.
        objects: what the wish names, such as "my old number".
    """
    forgotten: dict[str, None] = {}
    for named in objects:
        for fact in ledger.facts(FactStatus.ACTIVE, FactStatus.SUPERSEDED):
            if stands_since(fact) <= occasion.at and is_about(fact, named, ledger, by=occasion.by):
                reject_fact(ledger, occasion, fact, f"forgotten at the wish of {occasion.cause}")
                forgotten[fact.text] = None
    return tuple(forgotten)


def is_about(fact: Fact, named: str, ledger: Ledger, *, by: str) -> bool:
    """Return whether a fact is about what a wish names.

    Args:
        fact: the fact.
        named: what the wish names.
        ledger: whose names the owner's are.
        by: account key of who wishes it; a wish is about their own words, or about those of somebody whom
            the owner names.
    """
    topic = named
    if speaker_key(fact) != by:
        label = fact.speaker.label if fact.speaker else ""
        if by != "" or not label or fold_clause(label) not in fold_clause(named):
            return False
        topic = re.sub(rf"{re.escape(fold_clause(label))}(?:'s|的|の)?", " ", fold_clause(named))
    wished = [
        claim
        for claim in readings(_ABOUT.sub("", fold_clause(topic)), ledger.names if by == "" else ())
        if claim.frame.predicate != ANY_PREDICATE
    ]
    known = own_claims(ledger, fact)
    if wished and any(same_claim(claim, own) for claim in wished for own in known):
        return True
    if _VITAL.search(fold_clause(fact.text)) and not _VITAL.search(fold_clause(named)):
        return False
    words = _words(topic)
    slots = (frozenset(claim.frame.slot.split()) for claim in known if claim.frame.slot)
    return names_topic(fact.text, topic) or any(words and words <= slot for slot in slots)


def names_topic(text: str, named: str) -> bool:
    """Return whether a text has all the words that name the topic of a wish.

    Args:
        text: what was told.
        named: what the wish names, such as "my old number".
    """
    words, folded = _words(named), fold_clause(text)
    held = frozenset(terms(folded))
    return bool(words) and all(word in folded if CJK.match(word) else word in held for word in words)


def _words(named: str) -> frozenset[str]:
    """Return the words of a wish that name its topic."""
    folded = fold_clause(named)
    if CJK.search(folded):
        return frozenset(filter(None, [_WHOSE.sub("", _ABOUT.sub("", folded))]))
    return frozenset(terms(folded)) - _IDLE
