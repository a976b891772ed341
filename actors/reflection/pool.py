"""Which facts no reflection rests on yet, by subject: what the next synthesis is made of.

A picture of the journal that is kept by taking in what changes, so that one more fact costs no look at all the
others. Taking in a state again, or an older one before the newest, ends in the same picture.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ...protocols.records import Fact, FactId, FactStatus, Reflection
from ...protocols.scopes import Subject
from ...protocols.self_account import is_self_account


class _Standing(NamedTuple):
    """The place of a fact in its subject's pool: the least first."""

    minus_importance: int
    created_at: float
    id: FactId


class FactPool:
    """The facts that are in force, important enough and not absorbed.

    Args:
        min_importance: least importance of a fact that takes part, 1 to 10.
    """

    def __init__(self, min_importance: int) -> None:
        self._min_importance = min_importance
        self._fresh: dict[Subject, dict[FactId, _Standing]] = {}
        self._digests: dict[Subject, int] = {}
        self._absorbed: set[FactId] = set()
        self._settled: set[FactId] = set()

    def take_fact(self, fact: Fact) -> None:
        """Take in a fact as it is now. What the character said of itself never takes part."""
        if is_self_account(fact.speaker):
            return
        pool = self._fresh.setdefault(fact.subject, {})
        if (
            fact.status is FactStatus.ACTIVE
            and fact.importance >= self._min_importance
            and fact.id not in self._absorbed
        ):
            if fact.id not in pool:
                self._digests[fact.subject] = self._digests.get(fact.subject, 0) ^ _digest(fact.id)
            pool[fact.id] = _Standing(-fact.importance, fact.created_at, fact.id)
        else:
            self._leave(fact.subject, fact.id)

    def take_reflection(self, reflection: Reflection) -> None:
        """Take in a reflection: what it rests on is absorbed for good, whatever becomes of it."""
        self._absorbed.update(reflection.sources)
        for fact in reflection.sources:
            self._leave(reflection.subject, fact)

    def settle(self, facts: Iterable[FactId]) -> None:
        """Take facts for absorbed that are taken in later; of these nothing is synthesised any more."""
        self._settled.update(facts)
        self._absorbed |= self._settled

    def is_absorbed(self, fact: FactId) -> bool:
        """Return whether a reflection rests on a fact, and none that somebody had erased."""
        return fact in self._absorbed and fact not in self._settled

    def is_enough(self, subject: Subject, least: int, *, without: AbstractSet[FactId] = frozenset()) -> bool:
        """Return whether so many facts of a subject are fresh, those of `without` left out."""
        return len(self._fresh.get(subject, {}).keys() - without) >= least

    def digest(self, subject: Subject, *, without: AbstractSet[FactId] = frozenset()) -> str:
        """Return a digest of all fresh facts of a subject, less some; the same whatever their order."""
        pool = self._fresh.get(subject, {})
        digest = self._digests.get(subject, 0)
        for fact in without:
            if fact in pool:
                digest ^= _digest(fact)
        return f"{digest:032x}"

    def foremost(self, subject: Subject, most: int) -> tuple[FactId, ...]:
        """Return the ids of at most so many fresh facts: the most important and then the oldest."""
        return tuple(one.id for one in heapq.nsmallest(most, self._fresh.get(subject, {}).values()))

    def _leave(self, subject: Subject, fact: FactId) -> None:
        if self._fresh.get(subject, {}).pop(fact, None) is not None:
            self._digests[subject] ^= _digest(fact)


def _digest(fact: FactId) -> int:
    """Return 128 bits of a fact; those of a set are their exclusive or, whatever their order."""
    return int.from_bytes(hashlib.sha256(fact.encode()).digest()[:16])
