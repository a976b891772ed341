"""A person's denial where else they said the same: what they deny in a group they deny in private too, and back.

What is taken there is their own word alone, by the rules of that place: a rejection there holds the words that
were said there, never those of the denial, so that no other reader learns what was said somewhere else, only that
a fact is gone. Affirming again stays where it is said: it would tell other readers something new. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ...protocols.facts import speaker_key, stands_since
from ...protocols.records import Fact, FactStatus, Rejection
from ...protocols.scopes import Subject
from .corrections import Occasion, deny, put_right, reject
from .ledger import Ledger
from .spoken import Spoken


def places(facts: Iterable[Fact], here: Subject, by: str) -> dict[Subject, list[Fact]]:
    """Return a person's own facts by the other places where they said them.

    Args:
        facts: facts of any subject.
        here: the place where something is denied.
        by: account key of the person, empty for the owner.
    """
    found: dict[Subject, list[Fact]] = {}
    for fact in facts:
        if fact.subject != here and speaker_key(fact) == by:
            found.setdefault(fact.subject, []).append(fact)
    return found


def deny_elsewhere(ledger: Ledger, occasion: Occasion, spoken: Spoken, made: Iterable[Rejection]) -> None:
    """Reject in another place what a person denied: by their words, and by what these rejected where they spoke.

    Args:
        ledger: the person's own facts in the other place, and the rejections there.
        occasion: the denial, as an occasion of that place.
        spoken: what the person said of themselves.
        made: what was rejected where they said it.
    """
    for denial in spoken.denials:
        deny(ledger, occasion, spoken, replace(denial, words=""))
    for correction in spoken.corrections:
        put_right(ledger, occasion, spoken, correction)
    for rejection in made:
        for fact in ledger.facts(FactStatus.ACTIVE, FactStatus.SUPERSEDED):
            if stands_since(fact) <= occasion.at and ledger.holds(rejection, fact):
                reject(
                    ledger, occasion, fact.text, entity=fact.entity, about=rejection.about, names=rejection.names
                )
