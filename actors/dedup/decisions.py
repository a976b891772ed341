"""What a person decides in the interface, about a fact or about a rejection. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ...protocols.claims import Claim
from ...protocols.clauses.frame import SELF, Voice
from ...protocols.events import AnyChange, record_of
from ...protocols.facts import speaker_key, with_status
from ...protocols.records import Fact, FactId, FactStatus, Profile, Rejection, RejectionId
from ...protocols.rejections import lifted, readings, values_of
from .corrections import Occasion, reinstate, reject, restore
from .ledger import Ledger


def decide(ledger: Ledger, occasion: Occasion, record: str, *, affirms: bool) -> None:
    """Reject or affirm what is stored under an id: a fact, or a rejection itself.

    Args:
        ledger: what is stored of its subject.
        occasion: when, and which request.
        record: the id; one that is not in the ledger changes nothing.
        affirms: whether it is affirmed.
    """
    found = ledger.fact(FactId(record)) or ledger.rejection(RejectionId(record))
    match found:
        case Fact() as fact if affirms:
            affirm_fact(ledger, occasion, fact)
        case Fact() as fact:
            reject_fact(ledger, occasion, fact, f"rejected in {occasion.cause}")
        case Rejection() as rejection if affirms:
            _lift(ledger, occasion, (rejection,), values_of(rejection))
        case Rejection() as rejection:
            reject(
                ledger,
                occasion,
                rejection.text,
                entity=rejection.entity,
                about=rejection.about,
                names=rejection.names,
                denial=rejection.denial,
                firm=True,
            )
        case None:
            return
        case _:
            assert_never(found)


def reject_fact(ledger: Ledger, occasion: Occasion, fact: Fact, reason: str) -> None:
    """Retract one fact on purpose, reject what it says, and retract whatever else says it."""
    if fact.status is not FactStatus.RETRACTED:
        ledger.put_fact(with_status(fact, FactStatus.RETRACTED, occasion.at, reason))
    about, names = whom(ledger, fact)
    reject(ledger, occasion, fact.text, entity=fact.entity, about=about, names=names, firm=True)


def affirm_fact(ledger: Ledger, occasion: Occasion, fact: Fact) -> None:
    """Put one fact in force, lift every rejection that holds it back, and restore what else says it."""
    about, names = whom(ledger, fact)
    claims = ledger.claims(fact, about, names)
    holding = [one for one in ledger.rejections() if ledger.holds(one, fact)]
    if fact.status is not FactStatus.ACTIVE:
        reinstate(ledger, occasion, fact, claims)
    _lift(ledger, occasion, holding, claims)


def whom(ledger: Ledger, fact: Fact) -> tuple[str, tuple[str, ...]]:
    """Return whom a fact is about, as account key, and what they are called: the owner where it names them."""
    of_owner = any(
        claim.frame.subject == SELF and claim.frame.voice is Voice.NAMED
        for claim in readings(fact.text, ledger.names)
    )
    if fact.speaker is None or of_owner:
        return "", ledger.names
    return speaker_key(fact), (fact.speaker.label,) if fact.speaker.label else ()


def changed_ids(named: str, changes: Iterable[AnyChange]) -> tuple[str, ...]:
    """Return the ids of the records that changed, the one that was named first."""
    records = (record_of(change) for change in changes)
    ids = [str(record.id) for record in records if not isinstance(record, Profile)]
    return tuple(sorted(ids, key=lambda record_id: record_id != named))


def _lift(ledger: Ledger, occasion: Occasion, rejections: Iterable[Rejection], claims: Iterable[Claim]) -> None:
    freed = [one for one in rejections if one.lifted_at is None]
    for one in freed:
        ledger.put_rejection(lifted(one, occasion.at, occasion.cause))
    for claim in claims:
        for one in freed:
            restore(ledger, occasion, (one,), claim, about=one.about)
