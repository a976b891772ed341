"""The facts and rejections of one subject while a message changes them, and what changed in the end.

One record changes once, however many rules touched it, so that a commit tells of no state that never was in
force. Knows no actor and no journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import assert_never

from ...protocols.claims import Claim
from ...protocols.clauses.aliases import names_given
from ...protocols.events import (
    AnyChange,
    AnyFactChange,
    AnyRejectionChange,
    FactAdded,
    FactArchived,
    FactContested,
    FactDisputed,
    FactRepeated,
    FactRestored,
    FactRetracted,
    FactSuperseded,
    RejectionLifted,
    ValueRejected,
)
from ...protocols.facts import speaker_key
from ...protocols.records import Fact, FactId, FactStatus, Rejection, RejectionId, Speaker
from ...protocols.rejections import claims_about, holds_back
from .stored import StoredFacts


class Ledger:
    """What is stored of one subject, as it would be after the changes so far.

    Args:
        facts: the subject's facts, whatever their status; those that are stored stay as they are.
        rejections: the subject's rejections, lifted ones too.
        names: what the owner is called.
    """

    def __init__(
        self, facts: Iterable[Fact] | StoredFacts, rejections: Iterable[Rejection], names: Iterable[str] = ()
    ) -> None:
        self.names = tuple(sorted({name for name in names if name}))
        self._stored = facts if isinstance(facts, StoredFacts) else StoredFacts(facts, self.names)
        self._changed: dict[FactId, Fact] = {}
        self._changed_by: dict[str, set[FactId]] = {}
        self._rejections = {rejection.id: rejection for rejection in rejections}
        self._rejections_before: dict[RejectionId, Rejection | None] = {}

    def __len__(self) -> int:
        return len(self._stored.facts) + sum(fact_id not in self._stored.facts for fact_id in self._changed)

    @property
    def unread(self) -> int:
        """Number of facts that would have to be read for a claim in a slot."""
        return self._stored.unread

    def fact(self, fact_id: FactId) -> Fact | None:
        """Return a fact as it is now."""
        return self._changed.get(fact_id) or self._stored.facts.get(fact_id)

    def facts(self, *statuses: FactStatus) -> tuple[Fact, ...]:
        """Return the facts in these statuses as they are now."""
        stored, changed = self._stored.facts, self._changed
        known = (changed.get(fact_id, fact) for fact_id, fact in stored.items())
        new = (fact for fact_id, fact in changed.items() if fact_id not in stored)
        return tuple(fact for fact in (*known, *new) if fact.status in statuses)

    def speakers(self) -> tuple[Speaker, ...]:
        """Return everybody but the owner who said a fact, with each name that they had."""
        new = (fact.speaker for fact in self._changed.values() if fact.speaker is not None)
        return tuple(dict.fromkeys((*self._stored.speakers, *new)))

    def names_given_by(self, speaker: str) -> dict[str, str]:
        """Return whom the names stand for that an account gave to those who are theirs, in facts in force."""
        naming = self._in((FactStatus.ACTIVE,), self._stored.naming)
        return names_given(fact.text for fact in naming if speaker_key(fact) == speaker)

    def near(self, claims: Iterable[Claim], *statuses: FactStatus) -> tuple[Fact, ...]:
        """Return the facts in these statuses that may oppose some claims, replace them, or say the same."""
        return self._in(statuses, {*self._stored.near(claims), *self._changed})

    def holding_words_of(self, text: str, *statuses: FactStatus) -> tuple[Fact, ...]:
        """Return the facts in these statuses that may hold one of the content words of a text."""
        return self._in(statuses, {*self._stored.holding_words_of(text), *self._changed})

    def endings(self) -> tuple[Fact, ...]:
        """Return the facts in force that say that something is over."""
        return self._in((FactStatus.ACTIVE,), {*self._stored.endings, *self._changed})

    def of_others_near(self, fact: Fact, claims: Iterable[Claim], *statuses: FactStatus) -> tuple[Fact, ...]:
        """Return the facts of other speakers that `near` has, or that may be one but for a negation."""
        found = self._stored.near(claims) | self._stored.alike(fact.text)
        mine = self._stored.of_speaker(speaker_key(fact))
        found = {each for each in found if each not in mine} | self._changed_of_others(speaker_key(fact))
        return tuple(one for one in self._in(statuses, found) if speaker_key(one) != speaker_key(fact))

    def of_others_alike(self, text: str, *statuses: FactStatus) -> tuple[Fact, ...]:
        """Return the facts of everybody but the owner that may be one with a text but for a negation."""
        mine = self._stored.of_speaker("")
        found = {each for each in self._stored.alike(text) if each not in mine} | self._changed_of_others("")
        return tuple(one for one in self._in(statuses, found) if one.speaker is not None)

    def rejection(self, rejection_id: RejectionId) -> Rejection | None:
        """Return a rejection as it is now."""
        return self._rejections.get(rejection_id)

    def rejections(self) -> tuple[Rejection, ...]:
        """Return the rejections as they are now, lifted ones too."""
        return tuple(self._rejections.values())

    def holding(self, fact: Fact) -> Rejection | None:
        """Return the rejection in force that holds a fact back, the first of several, or None."""
        return next((one for one in self._rejections.values() if self.holds(one, fact)), None)

    def holds(self, rejection: Rejection, fact: Fact) -> bool:
        """Return whether a rejection, if it is in force, holds a fact back."""
        return holds_back(rejection, fact.text, entity=fact.entity, speaker=speaker_key(fact), names=self.names)

    def claims(self, fact: Fact, about: str, names: tuple[str, ...]) -> tuple[Claim, ...]:
        """Return what a fact claims of a person, who is called so."""
        return claims_about(about, fact.text, entity=fact.entity, speaker=speaker_key(fact), names=names)

    def put_fact(self, fact: Fact) -> None:
        """Take a fact as it is from now on."""
        self._changed[fact.id] = fact
        self._changed_by.setdefault(speaker_key(fact), set()).add(fact.id)

    def put_rejection(self, rejection: Rejection) -> None:
        """Take a rejection as it is from now on."""
        self._rejections_before.setdefault(rejection.id, self._rejections.get(rejection.id))
        self._rejections[rejection.id] = rejection

    def changes(self) -> tuple[AnyChange, ...]:
        """Return what changed: rejections first, each kind in the order in which it was touched."""
        return tuple(self._changes())

    def _changes(self) -> Iterator[AnyChange]:
        for rejection_id, was in self._rejections_before.items():
            if (rejection := self._rejections[rejection_id]) != was:
                yield rejection_change(rejection)
        for fact_id, fact in self._changed.items():
            if fact != (before := self._stored.facts.get(fact_id)):
                yield fact_change(before, fact)

    def _changed_of_others(self, speaker: str) -> set[FactId]:
        """Return the facts that changed of everybody but one speaker, of a turn hardly any."""
        others = (ids for key, ids in self._changed_by.items() if key != speaker)
        return {fact_id for ids in others for fact_id in ids}

    def _in(self, statuses: tuple[FactStatus, ...], found: AbstractSet[FactId]) -> tuple[Fact, ...]:
        """Return facts as they are now, in order of storing, without those in other statuses."""
        stored = self._stored.facts
        known = sorted((fact_id for fact_id in found if fact_id in stored), key=self._stored.place)
        new = (fact_id for fact_id in self._changed if fact_id in found and fact_id not in stored)
        facts = (self.fact(fact_id) for fact_id in (*known, *new))
        return tuple(fact for fact in facts if fact is not None and fact.status in statuses)


def rejection_change(rejection: Rejection) -> AnyRejectionChange:
    """Return the change that tells of a rejection's new state."""
    if rejection.lifted_at is None:
        return ValueRejected(rejection=rejection)
    return RejectionLifted(rejection=rejection)


def fact_change(before: Fact | None, fact: Fact) -> AnyFactChange:
    """Return the change that tells of a fact's new state.

    Args:
        before: the fact before, or None where it is new.
        fact: the fact after.
    """
    if before is not None and (before.status, before.status_at) == (fact.status, fact.status_at):
        contested = fact.sources == before.sources and fact.contested_at != before.contested_at
        return FactContested(fact=fact) if contested else FactRepeated(fact=fact)
    match fact.status:
        case FactStatus.ACTIVE:
            return FactAdded(fact=fact) if before is None else FactRestored(fact=fact)
        case FactStatus.RETRACTED:
            return FactRetracted(fact=fact)
        case FactStatus.SUPERSEDED:
            return FactSuperseded(fact=fact)
        case FactStatus.DISPUTED:
            return FactDisputed(fact=fact)
        case FactStatus.ARCHIVED:
            return FactArchived(fact=fact)
        case _:
            assert_never(fact.status)
