"""What corrects a belief: values rejected, rejections lifted, facts that give way to newer ones.

Every rule compares times of speaking, never of arrival, so that work which runs again or late ends in the same
state; where two were said at the same moment, the one that comes later counts as the later one. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.claims import Claim, lifts, of_subject, opposes, replaces
from ...protocols.clauses.compound import statements_in
from ...protocols.clauses.frame import ANY_PREDICATE, SELF, Voice
from ...protocols.clauses.kin import SEVERAL, can_mean
from ...protocols.denials import Correction, Denial
from ...protocols.facts import join_fact, part_of, speaker_key, stands_since, with_status
from ...protocols.records import Entity, Fact, FactId, FactStatus, Rejection, RejectionId
from ...protocols.rejections import (
    denied_value,
    identified,
    is_lifted_by,
    lifted,
    rejected,
    values_of,
    wording_of,
)
from ...protocols.scopes import Subject
from .ledger import Ledger
from .spoken import Spoken


class Occasion(Struct, frozen=True, kw_only=True):
    """When, why and by whom something is corrected.

    `at` is when it was said, `cause` the turn or the request, `by` the account key of the person, empty for
    the owner; `disputation` is what a value that is rejected starts with, and `now` when it is stored.
    """

    at: float
    cause: str
    by: str = ""
    subject: Subject
    disputation: float
    now: float


def may_deny(by: str, fact: Fact) -> bool:
    """Return whether a person may say that a fact is wrong: the owner any, others what they said themselves."""
    return by in {"", speaker_key(fact)}


def deny(ledger: Ledger, occasion: Occasion, spoken: Spoken, denial: Denial) -> None:
    """Reject what a denial with a value of its own denies, where it meets something that is or was believed.

    A denial of what nobody believed rejects nothing. One that arrives after the person has said the value again
    is late, and changes nothing.
    """
    if denial.claim is None:
        return
    denied = _of_known_subject(ledger, occasion, spoken, denial.claim)
    met = [
        fact
        for fact in _deniable(ledger, denied)
        if may_deny(occasion.by, fact) and _is_denied(denied, ledger.claims(fact, spoken.about, spoken.names))
    ]
    if _is_late(occasion, met):
        return
    for fact in met:
        if fact.status is not FactStatus.RETRACTED:
            for text in _parts(ledger, spoken, fact, lambda known: denied_value(denied, known) is not None):
                reject(
                    ledger,
                    occasion,
                    text,
                    entity=fact.entity,
                    about=spoken.about,
                    names=spoken.names,
                    denial=denial.words,
                )
    for known in ledger.rejections():
        if (known.about, known.by) == (spoken.about, occasion.by) and _is_denied(denied, values_of(known)):
            _put_rejected(ledger, occasion, known, firm=known.firm)


def put_right(ledger: Ledger, occasion: Occasion, spoken: Spoken, correction: Correction) -> None:
    """Reject what a correction takes the place of: "No, she lives in Oslo" rejects where she was said to live.

    A pronoun means the one person whose slot is known and whom it can mean; where there are several, nobody.
    """
    met: dict[FactId, tuple[Fact, str]] = {}
    for fact in ledger.near((correction.claim,), FactStatus.ACTIVE, FactStatus.SUPERSEDED):
        if may_deny(occasion.by, fact):
            met.update(
                (fact.id, (fact, known.frame.subject))
                for known in ledger.claims(fact, spoken.about, spoken.names)
                if _puts_right(correction, known)
            )
    subjects = {subject for _, subject in met.values()}
    if len(subjects) != 1 or (len(met) > 1 and not SEVERAL.isdisjoint(subjects)):
        return
    if _is_late(occasion, [fact for fact, _ in met.values()]):
        return
    for fact, _ in met.values():
        for text in _parts(ledger, spoken, fact, lambda known: _puts_right(correction, known)):
            reject(ledger, occasion, text, entity=fact.entity, about=spoken.about, names=spoken.names)


def reject(
    ledger: Ledger,
    occasion: Occasion,
    text: str,
    *,
    entity: Entity,
    about: str,
    names: tuple[str, ...],
    denial: str = "",
    firm: bool = False,
) -> None:
    """Reject a value, and retract the facts that hold it.

    Args:
        ledger: what is stored.
        occasion: when, why and by whom.
        text: the value as it is believed.
        entity: whom it is about.
        about: account key of that person, empty for the owner.
        names: what that person is called.
        denial: the person's words, where they denied it in words of their own.
        firm: whether it was rejected on purpose.
    """
    draft = Rejection(
        id=RejectionId(""),
        text=text,
        denial=denial,
        names=names,
        about=about,
        by=occasion.by,
        firm=firm,
        entity=entity,
        subject=occasion.subject,
        disputation=occasion.disputation,
        disputed_at=occasion.at,
        cause=occasion.cause,
        created_at=occasion.now,
    )
    _put_rejected(ledger, occasion, identified(draft), firm=firm)


def retract_held(ledger: Ledger, rejection: Rejection, reason: str, now: float) -> None:
    """Retract the facts that a rejection in force holds back and that were last spoken for before it.

    What a fact of several statements says besides stays, as facts of its own.

    Args:
        ledger: what is stored.
        rejection: the rejection.
        reason: why, for people to read.
        now: when this is done, in seconds since the epoch.
    """
    for fact in ledger.facts(FactStatus.ACTIVE, FactStatus.ARCHIVED, FactStatus.SUPERSEDED):
        if (
            may_deny(rejection.by, fact)
            and not is_after(stands_since(fact), rejection.disputed_at, now)
            and ledger.holds(rejection, fact)
        ):
            ledger.put_fact(with_status(fact, FactStatus.RETRACTED, rejection.disputed_at, reason))
            _keep_rest(ledger, fact)


def affirm(ledger: Ledger, occasion: Occasion, claim: Claim, *, about: str, insists: bool) -> None:
    """Lift the rejections of what a person affirms, and restore the facts that say it.

    Args:
        ledger: what is stored.
        occasion: when, why and by whom.
        claim: what is affirmed.
        about: account key of whom it is about, empty for the owner.
        insists: whether it is an affirmation, and not a plain statement.
    """
    freed = [
        one
        for one in ledger.rejections()
        if is_lifted_by(
            one, claim, at=occasion.at, cause=occasion.cause, by=occasion.by, about=about, insists=insists
        )
    ]
    for one in freed:
        ledger.put_rejection(lifted(one, occasion.at, occasion.cause))
    restore(ledger, occasion, freed, claim, about=about)


def restore(ledger: Ledger, occasion: Occasion, freed: Iterable[Rejection], claim: Claim, *, about: str) -> None:
    """Put facts in force again that rejections held back until now, and that say what is affirmed."""
    for one in freed:
        for fact in ledger.facts(FactStatus.RETRACTED, FactStatus.DISPUTED):
            claims = ledger.claims(fact, about, _names(ledger, one))
            if (
                ledger.holds(one, fact)
                and ledger.holding(fact) is None
                and (any(lifts(claim, known) for known in claims) or wording_of(fact.text) in one.reworded)
            ):
                reinstate(ledger, occasion, fact, claims)


def reinstate(ledger: Ledger, occasion: Occasion, fact: Fact, claims: Iterable[Claim]) -> None:
    """Put one fact in force again; what it says is the newest word in its slots."""
    ledger.put_fact(with_status(fact, FactStatus.ACTIVE, occasion.at, f"affirmed in {occasion.cause}"))
    give_way(ledger, occasion, fact, claims)


def give_way(
    ledger: Ledger,
    occasion: Occasion,
    newer: Fact,
    claims: Iterable[Claim],
    *,
    keep: frozenset[FactId] = frozenset(),
) -> None:
    """Supersede the older facts of the same speaker whose place a newer one takes.

    Args:
        ledger: what is stored.
        occasion: when and why.
        newer: the newer fact.
        claims: what it claims.
        keep: facts that were stated beside it.
    """
    newest = tuple(claims)
    for fact in ledger.near(newest, FactStatus.ACTIVE):
        if (
            fact.id != newer.id
            and fact.id not in keep
            and speaker_key(fact) == speaker_key(newer)
            and not is_after(stands_since(fact), occasion.at, occasion.now)
            and takes_place(newest, own_claims(ledger, fact))
        ):
            reason = f"{newer.id} took its place in {occasion.cause}"
            ledger.put_fact(with_status(fact, FactStatus.SUPERSEDED, occasion.at, reason))


def takes_place(newer: Iterable[Claim], older: Iterable[Claim]) -> bool:
    """Return whether newer claims of the same speaker take the place of older ones: in a slot, or as the opposite.

    What was denied is said again by "I like tea"; the other way round it is a denial, and rejects the value.
    """
    known = tuple(older)
    return any(
        replaces(new, old) or (new.polarity and not old.polarity and opposes(new, old))
        for new in newer
        for old in known
    )


def own_claims(ledger: Ledger, fact: Fact) -> tuple[Claim, ...]:
    """Return what a fact claims of the one who said it."""
    names = ledger.names if fact.speaker is None else (fact.speaker.label,) if fact.speaker.label else ()
    return ledger.claims(fact, speaker_key(fact), names)


# --- parts --------------------------------------------------------------------------------------


def is_after(one: float, other: float, now: float) -> bool:
    """Return whether one time of speaking is after another.

    One that is still to come is after nothing: a clock that was wrong, or was set back, must not make a saying
    immune to every later word.

    Args:
        one: the time, in seconds since the epoch, as the others are.
        other: the other time.
        now: the time of the clock.
    """
    return other < one <= now


def _is_late(occasion: Occasion, met: Iterable[Fact]) -> bool:
    """Return whether what an occasion corrects was said again, or put in force, after it."""
    return any(
        is_after(fact.last_said_at, occasion.at, occasion.now)
        or (fact.status is FactStatus.ACTIVE and is_after(stands_since(fact), occasion.at, occasion.now))
        for fact in met
    )


def _puts_right(correction: Correction, known: Claim) -> bool:
    """Return whether a correction replaces or denies a known claim, of whomever its pronoun can mean."""
    claim, subject = correction.claim, known.frame.subject
    if claim.frame.voice is Voice.THIRD and claim.frame.subject == SELF:
        if subject == SELF or not can_mean(correction.words, subject):
            return False
        claim = of_subject(claim, subject)
    return replaces(claim, known, corrects=True) if claim.polarity else opposes(claim, known)


def _parts(ledger: Ledger, spoken: Spoken, fact: Fact, is_meant: Callable[[Claim], bool]) -> tuple[str, ...]:
    """Return the statements of a fact that are meant; the fact itself where it is one statement."""
    statements = statements_in(fact.text)
    if len(statements) == 1:
        return (fact.text,)
    meant = tuple(
        text
        for text in statements
        if any(is_meant(known) for known in ledger.claims(part_of(fact, text), spoken.about, spoken.names))
    )
    return meant or (fact.text,)


def _keep_rest(ledger: Ledger, fact: Fact) -> None:
    """Keep the statements of a fact that is retracted which nothing holds back, each as a fact of its own."""
    statements = statements_in(fact.text)
    if len(statements) == 1:
        return
    for text in statements:
        part = part_of(fact, text)
        if ledger.holding(part) is None:
            ledger.put_fact(join_fact(ledger.fact(part.id), part))


def _put_rejected(ledger: Ledger, occasion: Occasion, value: Rejection, *, firm: bool) -> None:
    again = replace(
        value,
        firm=firm,
        disputation=occasion.disputation,
        disputed_at=occasion.at,
        cause=occasion.cause,
    )
    state = rejected(ledger.rejection(value.id), again)
    ledger.put_rejection(state)
    if state.cause == occasion.cause:
        retract_held(ledger, state, f"rejected in {occasion.cause}", occasion.now)


def _of_known_subject(ledger: Ledger, occasion: Occasion, spoken: Spoken, denied: Claim) -> Claim:
    """Return a denial about somebody whom a bare name names as one about whom they were said to be.

    "Tom isn't a vegetarian" is of my brother Tom, unless something was said of another Tom as well.
    """
    name = denied.frame.subject
    if denied.frame.voice is not Voice.THIRD or not name or " " in name:
        return denied
    called = {
        known.frame.subject
        for fact in _deniable(ledger, denied)
        if may_deny(occasion.by, fact)
        for known in ledger.claims(fact, spoken.about, spoken.names)
        if known.frame.subject.split()[-1:] == [name]
        and _is_denied(of_subject(denied, known.frame.subject), (known,))
    }
    return of_subject(denied, called.pop()) if len(called) == 1 else denied


def _deniable(ledger: Ledger, denied: Claim) -> tuple[Fact, ...]:
    """Return the facts that a denial may meet: any where it names neither what is done nor what is meant."""
    statuses = (FactStatus.ACTIVE, FactStatus.ARCHIVED, FactStatus.SUPERSEDED, FactStatus.RETRACTED)
    if denied.frame.predicate == ANY_PREDICATE and not denied.terms:
        return ledger.facts(*statuses)
    return ledger.near((denied,), *statuses)


def _is_denied(denied: Claim, claims: Iterable[Claim]) -> bool:
    return any(denied_value(denied, known) is not None for known in claims)


def _names(ledger: Ledger, rejection: Rejection) -> tuple[str, ...]:
    return tuple(sorted({*rejection.names, *(ledger.names if rejection.about == "" else ())}))
