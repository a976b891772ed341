"""Statements that say what a person rejected in other words: found by their vectors, decided by rules. Pure.

What is found is kept with the rejection, as a digest of its wording. From then on it is held back like the value
itself: by whoever believes or shows anything, after a restart, an export and an import, and without a model.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.facts import speaker_key, stands_since, with_status
from ...protocols.messages import Candidate
from ...protocols.records import Entity, Fact, FactStatus, Rejection, RejectionId, Turn
from ...protocols.rejections import lifted, recognised, recognises
from ...protocols.scripts import CJK
from ...protocols.statements import statement_key
from .corrections import Occasion, may_deny
from .ledger import Ledger


class Wording(Struct, frozen=True, kw_only=True):
    """A statement whose vector is near a rejected value's.

    `said_at` is when the person said so in their own words, in seconds since the epoch; None where they didn't,
    and a mind worded it.
    """

    text: str
    entity: Entity
    speaker: str = ""
    said_at: float | None = None


def wordings_of(turn: Turn, candidates: Iterable[Candidate]) -> tuple[Wording, ...]:
    """Return candidates of a turn as wordings of its speaker."""
    return tuple(
        Wording(
            text=candidate.text,
            entity=candidate.entity,
            speaker=speaker_key(turn),
            said_at=turn.said_at if quotes(turn.text, candidate.text) else None,
        )
        for candidate in candidates
    )


def recognise(ledger: Ledger, rejection_id: RejectionId, wordings: Iterable[Wording]) -> None:
    """Keep with a rejection in force which of some statements say its value, and hold back the facts that do.

    What the person has said in their own words since they rejected the value is their newer word on it, unless
    they rejected it on purpose.

    Args:
        ledger: what is stored of the rejection's subject.
        rejection_id: the rejection.
        wordings: statements whose vectors are near its value's.
    """
    rejection = ledger.rejection(rejection_id)
    if rejection is None or rejection.lifted_at is not None:
        return
    found = [
        each.text
        for each in wordings
        if not _is_newer_word(rejection, each.said_at)
        and recognises(rejection, each.text, entity=each.entity, speaker=each.speaker, names=ledger.names)
    ]
    if not found:
        return
    knowing = recognised(rejection, found)
    ledger.put_rejection(knowing)
    for fact in ledger.facts(FactStatus.ACTIVE, FactStatus.SUPERSEDED):
        if holds_by_wording(ledger, knowing, fact):
            _hold_back(ledger, knowing, fact)


def holds_by_wording(ledger: Ledger, rejection: Rejection, fact: Fact) -> bool:
    """Return whether a rejection holds a fact back by other words that were recognised, and by nothing else."""
    return ledger.holds(rejection, fact) and not ledger.holds(replace(rejection, reworded=()), fact)


def overrule(ledger: Ledger, occasion: Occasion, fact: Fact, *, said: bool) -> None:
    """Lift the rejections that hold a fact back by its wording alone, where it is the person's newer word.

    Args:
        ledger: what is stored.
        occasion: when and why.
        fact: as it was said now.
        said: whether the person's own words say it.
    """
    if not said:
        return
    for one in ledger.rejections():
        if one.reworded and _is_newer_word(one, fact.said_at) and holds_by_wording(ledger, one, fact):
            ledger.put_rejection(lifted(one, occasion.at, occasion.cause))


def quotes(words: str, text: str) -> bool:
    """Return whether somebody's words hold a statement in just its wording, but for case, fillers and the like."""
    said, statement = statement_key(words), statement_key(text)
    if CJK.search(statement):
        return statement.replace(" ", "") in said.replace(" ", "")
    return f" {statement} " in f" {said} "


def _is_newer_word(rejection: Rejection, said_at: float | None) -> bool:
    return said_at is not None and not rejection.firm and said_at > rejection.disputed_at


def _hold_back(ledger: Ledger, rejection: Rejection, fact: Fact) -> None:
    reason = f"held back by {rejection.id}, which it says in other words"
    if may_deny(rejection.by, fact) and stands_since(fact) <= rejection.disputed_at:
        ledger.put_fact(with_status(fact, FactStatus.RETRACTED, rejection.disputed_at, reason))
    elif fact.status is FactStatus.ACTIVE:
        ledger.put_fact(with_status(fact, FactStatus.DISPUTED, stands_since(fact), reason))
