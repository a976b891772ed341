"""A person's denial where else they said the same: what they deny in a group they deny in private too, and back.

It is the same whether they deny it in words or in the interface. What is taken there is their own word alone, by
the rules of that place: a rejection there holds the words that were said there, never those of the denial, so that
no other reader learns what was said somewhere else, only that a fact is gone. What comes later is held back too,
unless they say it there themselves, after the denial. Affirming again stays where it is said: it would tell other
readers something new. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ...protocols.facts import speaker_key, stands_since
from ...protocols.records import Fact, FactStatus, Rejection
from ...protocols.scopes import Subject
from .corrections import Occasion, deny, is_after, put_right, reject
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
    reject_elsewhere(ledger, occasion, made)


def reject_elsewhere(ledger: Ledger, occasion: Occasion, made: Iterable[Rejection]) -> None:
    """Reject in another place what was rejected where a person spoke or chose, as firmly.

    Args:
        ledger: the person's own facts in the other place, and the rejections there.
        occasion: the denial, as an occasion of that place.
        made: what was rejected.
    """
    for rejection in made:
        for fact in ledger.facts(FactStatus.ACTIVE, FactStatus.ARCHIVED, FactStatus.SUPERSEDED):
            is_later = is_after(stands_since(fact), occasion.at, occasion.now)
            if not is_later and ledger.holds(rejection, fact):
                reject(
                    ledger,
                    occasion,
                    fact.text,
                    entity=fact.entity,
                    about=rejection.about,
                    names=rejection.names,
                    firm=rejection.firm,
                )


def denials_elsewhere(rejections: Iterable[Rejection], here: Subject, by: str) -> tuple[Rejection, ...]:
    """Return what a person rejected of themself in other places and didn't affirm there since.

    Args:
        rejections: those of the character.
        here: the place where they speak now.
        by: account key of the person, empty for the owner.
    """
    return tuple(
        one
        for one in rejections
        if one.subject != here and one.about == by and one.by in {"", by} and one.lifted_at is None
    )


def holding_elsewhere(
    ledger: Ledger, fact: Fact, denied: Iterable[Rejection], *, said_at: float, said: bool, insists: bool
) -> Rejection | None:
    """Return the rejection in another place that holds back what is stated here, or None.

    Args:
        ledger: what is stored here.
        fact: what is stated.
        denied: what the person rejected of themself in other places.
        said_at: when the turn was said that states it (seconds since the epoch).
        said: whether the person's own words say it, and no mind's alone; a firm rejection asks for more.
        insists: whether they say that it is so all the same.
    """
    before = ledger.fact(fact.id)
    stands = before.status_at if before is not None and before.status is FactStatus.ACTIVE else None
    for one in denied:
        repeals = said_at > one.disputed_at and (insists or (said and not one.firm))
        affirmed = stands is not None and stands > one.disputed_at
        if not repeals and not affirmed and ledger.holds(one, fact):
            return one
    return None
