"""Which facts no reflection rests on yet, by subject: what the next synthesis is made of.

A picture of the journal that is kept by taking in what changes, so that one more fact costs no look at all the
others. Taking in a state again, or an older one before the newest, ends in the same picture.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ...protocols.records import Fact, FactId, FactStatus, Reflection
from ...protocols.scopes import Subject
from ...protocols.self_account import is_self_account
from .synthesis import reflection_id


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
            pool[fact.id] = _Standing(-fact.importance, fact.created_at, fact.id)
        else:
            pool.pop(fact.id, None)

    def take_reflection(self, reflection: Reflection) -> None:
        """Take in a reflection: what it rests on is absorbed for good, whatever becomes of it."""
        self._absorbed.update(reflection.sources)
        pool = self._fresh.get(reflection.subject, {})
        for fact in reflection.sources:
            pool.pop(fact, None)

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
        return reflection_id(self._fresh.get(subject, {}).keys() - without)

    def foremost(self, subject: Subject, most: int) -> tuple[FactId, ...]:
        """Return the ids of at most so many fresh facts: the most important and then the oldest."""
        return tuple(one.id for one in heapq.nsmallest(most, self._fresh.get(subject, {}).values()))
