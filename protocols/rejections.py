"""Values that a person rejected: what a rejection claims, what it holds back, and how long.

A rejection keeps words; what they claim is read here, with what the reader knows today. The states of one
rejection follow the person's own time: what was said last decides, whatever the order in which it arrives. Knows
no storage and no actor.

A rejection is lifted by the person alone. An insistent affirmation ("I do work as a nurse after all"), or one in
the interface, lifts any. A plain statement of the value lifts one that was only said: whoever says "I work as a
nurse" months after "I don't work as a nurse" has changed jobs, and a companion that holds this back until the
person insists has lost the thread. It counts only in the person's own words, said after the denial, and read from
the turn itself, never from what a mind made of it; so nothing that is extracted, replayed or said by somebody else
brings a rejected value back. A `firm` rejection, made on purpose, asks for insistence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from .claims import Claim, claims_of, lifts, resolved, same_claim
from .clauses.compound import statements_in
from .clauses.frame import ANY_PREDICATE, Voice
from .denials import denials
from .paraphrases import is_paraphrase, same_particulars
from .records import Entity, Rejection, RejectionId
from .rewordings import rewords
from .statements import statement_key

CACHED_READINGS: Final = 1 << 15
"""Texts whose claims are remembered; reading one takes some 0.3 ms, and each is compared many times."""

WORDING_DIGITS: Final = 16

REWORDED_KEPT: Final = 64
"""Other wordings of one value that are kept in mind."""

_OF_THE_SPEAKER: Final = frozenset({Voice.FIRST, Voice.OMITTED, Voice.IMPERATIVE})


@lru_cache(maxsize=CACHED_READINGS)
def readings(text: str, names: tuple[str, ...] = ()) -> tuple[Claim, ...]:
    """Return what each clause of a text with content claims.

    Args:
        text: any text.
        names: names of the person whom the claims are about, for whom "she" and "the user" stand too.
    """
    return tuple(
        claim
        for statement in statements_in(text)
        for claim in claims_of(statement, leave_out=names)
        if not claim.is_empty
    )


def tells_of(claim: Claim, speaker: str, about: str) -> bool:
    """Return whether a claim in somebody's mouth is about a person, or about what isn't anybody's own.

    Args:
        claim: a claim that was read with that person's names.
        speaker: account key of who says it, empty for the owner.
        about: account key of the person, empty for the owner.
    """
    return speaker == about or claim.frame.voice not in _OF_THE_SPEAKER


def claims_about(
    about: str, text: str, *, entity: Entity, speaker: str = "", names: tuple[str, ...] = ()
) -> tuple[Claim, ...]:
    """Return what a text in somebody's mouth claims of a person, or of what isn't anybody's own.

    Args:
        about: account key of the person, empty for the owner.
        text: the text.
        entity: whom it is about; where that is the owner, so is a clause that names nobody.
        speaker: account key of who says it, empty for the owner.
        names: the person's names.
    """
    return tuple(
        claim
        for claim in readings(text, names)
        if tells_of(claim, speaker, about)
        or (claim.frame.voice is Voice.OMITTED and entity is Entity.OWNER and about == "")
    )


def denied_value(denied: Claim, known: Claim) -> Claim | None:
    """Return the value to reject where a denial meets what is known, or None where it doesn't.

    Args:
        denied: what is denied, with positive polarity, as `Denial.claim` has it.
        known: what is known.
    """
    if denied.frame.subject != known.frame.subject:
        return None
    value = resolved(denied, known)
    return value if same_claim(value, known) else None


def values_of(rejection: Rejection) -> tuple[Claim, ...]:
    """Return what a rejection rejects: as the person denied it, or every clause of what was believed."""
    return _values(rejection.text, rejection.denial, rejection.names)


def identified(draft: Rejection) -> Rejection:
    """Return a rejection with the id that follows from its subject, persons and words.

    Words of a denial that, taken alone, don't deny what they denied where they stood are left out: then the value
    is rejected as it was believed.

    Args:
        draft: the rejection with any id.
    """
    names = tuple(sorted({name for name in draft.names if name}))
    words = draft.denial if draft.denial and _denied_in(draft.text, draft.denial, names) else ""
    denied = [one.claim for one in denials(words, leave_out=names) if one.claim] if words else []
    stands_alone = bool(denied) and all(claim.frame.predicate != ANY_PREDICATE for claim in denied)
    parts = (
        draft.subject,
        draft.about,
        draft.by,
        "" if stands_alone else statement_key(draft.text),
        statement_key(words) if words else "",
    )
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return replace(draft, id=RejectionId(f"rej_{digest[:16]}"), names=names, denial=words)


def rejected(stored: Rejection | None, new: Rejection) -> Rejection:
    """Return the state after a value was rejected, perhaps not for the first time; the same again changes nothing.

    A rejection from before the last word on the value changes nothing either.
    """
    if stored is None:
        return new
    last = stored.disputed_at if stored.lifted_at is None else max(stored.disputed_at, stored.lifted_at)
    if new.cause == stored.cause or new.disputed_at < last:
        return stored
    return replace(
        stored,
        disputation=new.disputation,
        disputed_at=new.disputed_at,
        cause=new.cause,
        firm=new.firm or (stored.firm and stored.lifted_at is None),
        lifted_at=None,
        lifted_by="",
    )


def lifted(rejection: Rejection, at: float, by: str) -> Rejection:
    """Return a rejection as it is once lifted.

    Args:
        rejection: the rejection.
        at: when the person affirmed the value, in seconds since the epoch.
        by: the turn or the request in which they did.
    """
    return replace(rejection, lifted_at=at, lifted_by=by)


def is_lifted_by(
    rejection: Rejection, claim: Claim, *, at: float, cause: str, by: str, about: str = "", insists: bool
) -> bool:
    """Return whether what a person says, or chooses in the interface, lifts a rejection.

    Args:
        rejection: the rejection.
        claim: what they say.
        at: when, in seconds since the epoch.
        cause: the turn or the request; what rejects a value doesn't affirm it at the same time.
        by: account key of who says it, empty for the owner, who may lift any.
        about: account key of whom it is about.
        insists: whether it is an affirmation, and not a plain statement.
    """
    return (
        rejection.lifted_at is None
        and rejection.about == about
        and (rejection.by == by or (by == "" and insists))
        and (insists or not rejection.firm)
        and at >= rejection.disputed_at
        and cause != rejection.cause
        and any(lifts(claim, value) for value in values_of(rejection))
    )


def holds_back(
    rejection: Rejection,
    text: str,
    *,
    entity: Entity,
    speaker: str = "",
    names: tuple[str, ...] = (),
) -> bool:
    """Return whether a text says what a rejection in force rejects.

    Whom a mind takes a statement to be about decides nothing, or it would bring values back under another name;
    only what is rejected of the character itself leaves the people's own alone. What another member rejected
    holds back their own words alone.

    Args:
        rejection: the rejection.
        text: what would be believed.
        entity: whom it is about.
        speaker: account key of who says it, empty for the owner.
        names: the owner's names.
    """
    if not _reaches(rejection, entity, speaker):
        return False
    own = speaker == rejection.about or (entity is Entity.OWNER and rejection.about == "")
    if own:
        if not rejection.denial and statement_key(text) == statement_key(rejection.text):
            return True
        if rejection.reworded and wording_of(text) in rejection.reworded:
            return True
    claims = _claims(rejection, text, entity, speaker, names)
    values = values_of(rejection)
    if any(same_claim(value, claim) for value in values for claim in claims):
        return True
    called = _called(rejection, names)
    return (own or bool(called)) and any(
        rewords(value, text, called, speaks_of_self=own and speaker == rejection.about) for value in values
    )


def wording_of(text: str) -> str:
    """Return the digest under which a rejection keeps a statement that says its value in other words."""
    return hashlib.sha256(statement_key(text).encode()).hexdigest()[:WORDING_DIGITS]


def recognises(
    rejection: Rejection, text: str, *, entity: Entity, speaker: str = "", names: tuple[str, ...] = ()
) -> bool:
    """Return whether a text whose vector is near a rejected value's says it in other words.

    Only a text of one claim, so that keeping it in mind holds nothing else back. Arguments as of `holds_back`.
    """
    if not _reaches(rejection, entity, speaker) or holds_back(
        rejection, text, entity=entity, speaker=speaker, names=names
    ):
        return False
    claims = _claims(rejection, text, entity, speaker, names)
    return (
        len(claims) == 1
        and same_particulars(rejection.denial or rejection.text, text)
        and any(is_paraphrase(value, claims[0]) for value in values_of(rejection))
    )


def recognised(rejection: Rejection, texts: Iterable[str]) -> Rejection:
    """Return a rejection that knows some texts as other words for its value, the newest where they are many."""
    known = dict.fromkeys((*rejection.reworded, *(wording_of(text) for text in texts)))
    return replace(rejection, reworded=tuple(known)[-REWORDED_KEPT:])


# --- parts --------------------------------------------------------------------------------------


def _reaches(rejection: Rejection, entity: Entity, speaker: str) -> bool:
    """Return whether a rejection is in force for what somebody says of somebody."""
    if rejection.lifted_at is not None or rejection.by not in {"", speaker}:
        return False
    return rejection.entity is not Entity.CHARACTER or entity is Entity.CHARACTER


def _claims(
    rejection: Rejection, text: str, entity: Entity, speaker: str, names: tuple[str, ...]
) -> tuple[Claim, ...]:
    called = _called(rejection, names)
    return claims_about(rejection.about, text, entity=entity, speaker=speaker, names=called)


def _called(rejection: Rejection, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the person is called whose value a rejection rejects."""
    return tuple(sorted({*rejection.names, *names})) if rejection.about == "" else rejection.names


@lru_cache(maxsize=CACHED_READINGS)
def _values(text: str, denial: str, names: tuple[str, ...]) -> tuple[Claim, ...]:
    return (denial and _denied_in(text, denial, names)) or readings(text, names)


def _denied_in(text: str, denial: str, names: tuple[str, ...]) -> tuple[Claim, ...]:
    """Return the values that words deny of what was believed."""
    met = (
        denied_value(one.claim, known)
        for one in denials(denial, leave_out=names)
        if one.claim is not None
        for known in readings(text, names)
    )
    return tuple(dict.fromkeys(value for value in met if value is not None))
