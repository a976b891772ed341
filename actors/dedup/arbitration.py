"""Which of two persons is believed where their facts contradict each other, and what the owner's words attest.

The one who is believed more stands, where how far both are believed differs enough; else the newer evidence. The
other's fact is superseded and says why, and is never deleted. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType

from msgspec.structs import replace

from ...protocols.claims import Claim, opposes, replaces
from ...protocols.clauses.frame import SELF
from ...protocols.facts import speaker_key, with_status
from ...protocols.messages import Candidate
from ...protocols.records import Fact, FactId, FactStatus, Role, Turn
from ...protocols.rejections import readings
from ...protocols.relation import Relation, relation
from ...protocols.settings import TrustSettings
from ...protocols.statements import fact_id, statement_key
from ...protocols.text import fold
from ...protocols.trust import account_key, is_preferred
from ...protocols.work import ReportAttestation
from .ledger import Ledger

OWNER_TRUST = 1.0
"""How far the owner is believed where the host says no more of them: as an admin (baseline: 1.0)."""


def arbitrate(
    ledger: Ledger,
    stated: Iterable[FactId],
    settings: TrustSettings,
    bound: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Settle the contradictions between what was just stated and what other persons said.

    Args:
        ledger: what is stored of the subject, with what was just stated.
        stated: the facts of the turn.
        settings: from which difference trust decides.
        bound: the person of each account that a human bound to others, by account key; the owner's is empty. What
            two accounts of one person say is one person's word, so that the newer stands.
    """
    persons = _Persons(ledger)
    for fact_id_ in stated:
        fact = ledger.fact(fact_id_)
        if fact is None:
            continue
        for other in ledger.of_others_near(fact, persons.claims(fact), FactStatus.ACTIVE):
            if fact is None or fact.status is not FactStatus.ACTIVE:
                break
            about = _contradicted_about(ledger, persons, fact, other)
            if about is not None:
                _decide(ledger, fact, other, about, settings, is_one=_person(fact, bound) == _person(other, bound))
                fact = ledger.fact(fact_id_)


def attestations(ledger: Ledger, turn: Turn, candidates: Iterable[Candidate]) -> tuple[ReportAttestation, ...]:
    """Return what the owner's own words confirm or correct of what others said here.

    Only statements count that the owner's turn makes in these words, whatever a mind made of it.

    Args:
        ledger: what was stored before the turn.
        turn: the turn.
        candidates: what extraction found in it.
    """
    if turn.role is not Role.PERSON or turn.speaker is not None:
        return ()
    said = statement_key(turn.text)
    found: dict[str, ReportAttestation] = {}
    for key in dict.fromkeys(statement_key(candidate.text) for candidate in candidates):
        if key not in said:
            continue
        source = fact_id(turn.subject, "", key)
        for fact in ledger.of_others_alike(key, FactStatus.ACTIVE, FactStatus.SUPERSEDED):
            account = account_key(fact.speaker) if fact.speaker is not None else None
            related = relation(key, fact.text) if account is not None else None
            if account is not None and related is not None:
                corrects = related is Relation.OPPOSITE
                event = _event(source, account, corrects=corrects)
                found[event] = ReportAttestation(account=account, corrects=corrects, event=event)
    return tuple(found.values())


# --- parts --------------------------------------------------------------------------------------


class _Persons:
    """Whom facts may be about, with their names: the owner, and who said them.

    A name stands for a person only where nobody else here has it: what people call themselves must not make
    their words another's.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._owner = ledger.names
        owned = {fold(name) for name in ledger.names}
        bearers: dict[str, set[str]] = {}
        for speaker in ledger.speakers():
            bearers.setdefault(fold(speaker.label), set()).add(speaker.key)
        self._alone = {label for label, keys in bearers.items() if len(keys) == 1} - owned - {""}
        self._labels = tuple(dict.fromkeys(speaker.label for speaker in ledger.speakers() if speaker.label))

    def of(self, one: Fact, other: Fact) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield whom both facts may be about: the account key, empty for the owner, and the names."""
        yield "", self._owner
        for speaker in (one.speaker, other.speaker):
            if speaker is not None and speaker.label and fold(speaker.label) in self._alone:
                yield speaker.key, (speaker.label,)

    def claims(self, fact: Fact) -> tuple[Claim, ...]:
        """Return what a fact claims, whoever of those here it is about."""
        text = fold(fact.text)
        own = fact.speaker.label if fact.speaker else ""
        labels = (label for label in self._labels if label == own or fold(label) in text)
        return tuple(
            chain.from_iterable(
                readings(fact.text, names) for names in ((), self._owner, *((label,) for label in labels))
            )
        )


def _contradicted_about(ledger: Ledger, persons: _Persons, one: Fact, other: Fact) -> str | None:
    """Return whom or what two facts of different persons contradict each other about, or None where they don't.

    It is the account key of one of the two, empty for the owner, or `*` for anybody and anything else. Whoever
    says "I" speaks of themself alone.
    """
    for about, names in persons.of(one, other):
        mine, theirs = ledger.claims(one, about, names), ledger.claims(other, about, names)
        for new in mine:
            if any(replaces(new, old) or replaces(old, new) or opposes(new, old) for old in theirs):
                return about if new.frame.subject == SELF else "*"
    return "*" if relation(one.text, other.text) is Relation.OPPOSITE else None


def _person(fact: Fact, bound: Mapping[str, str]) -> str:
    key = speaker_key(fact)
    return bound.get(key, key)


def _decide(ledger: Ledger, one: Fact, other: Fact, about: str, settings: TrustSettings, *, is_one: bool) -> None:
    preferred = None if is_one else is_preferred(_weight(one), _weight(other), settings)
    why = f"who is believed more ({_told(one)} against {_told(other)})"
    if is_one:
        preferred, why = _is_newer(one, other), "the newer word of the same person"
    elif preferred is None and (speaker_key(one) == about) != (speaker_key(other) == about):
        whose = "the owner's" if about == "" else f"{about}'s"
        preferred, why = speaker_key(one) == about, f"{whose} own word on themself"
    elif preferred is None:
        preferred, why = _is_newer(one, other), "the newer evidence"
    elif not preferred:
        why = f"who is believed more ({_told(other)} against {_told(one)})"
    stands, gives_way = (one, other) if preferred else (other, one)
    at = max(one.last_said_at, other.last_said_at)
    reason = f"contradicted by {stands.id} of {speaker_key(stands) or 'the owner'}, {why}"
    ledger.put_fact(with_status(gives_way, FactStatus.SUPERSEDED, at, reason))
    if not is_one:
        ledger.put_fact(replace(stands, contested_at=max(at, stands.contested_at or at)))


def _weight(fact: Fact) -> float | None:
    """Return how far a fact is believed; the host's word that the owner spoke is as good as a tier."""
    return OWNER_TRUST if fact.speaker is None and fact.trust is None else fact.trust


def _told(fact: Fact) -> str:
    weight = _weight(fact)
    return "abstained" if weight is None else f"{weight:g}"


def _is_newer(one: Fact, other: Fact) -> bool:
    return (one.last_said_at, one.id) > (other.last_said_at, other.id)


def _event(source: FactId, account: str, *, corrects: bool) -> str:
    """Return the id under which an attestation counts once (baseline: 20.6)."""
    kind = "correction" if corrects else "confirmation"
    return hashlib.sha256(f"{kind}|{source}|{account}".encode()).hexdigest()[:24]
