"""Which turns are not recalled word for word, because their words would bring back what is to stay away.

A turn is withheld where

- it voices a wish about memory: "forget my old number" names what it is about;
- a fact that was made of it is out of force, or it says all the words of one that is;
- somebody asked later to forget what it tells;
- it says what was rejected.

Facts follow rules of their own (`dedup`); this keeps what these hold back from returning through the raw turn.
Leans to withholding: what a turn stated is recalled by its facts all the same. Holds turns and reasons, no index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ...protocols.facts import speaker_key
from ...protocols.records import Fact, FactId, FactStatus, Turn, TurnId
from ...protocols.scopes import Subject
from ..dedup.forgetting import Told
from .implied import kinds_of
from .search_terms import search_terms

LEAST_TERMS: Final = 2
"""Terms that a fact out of force must have to hold back other turns than its own: one is any talk of the topic."""

Holders = Callable[[Subject, Iterable[str]], frozenset[str]]
"""Returns the ids of the rows of a subject that hold all of some terms."""


class _Dead(NamedTuple):
    """What a fact out of force says: its terms, and the one that leads to it."""

    subject: Subject
    terms: frozenset[str]
    filed: str


class WithheldTurns:
    """The turns of one character, and why some of them are withheld.

    Args:
        holders: finds rows by their terms, among those that are not withheld.
    """

    def __init__(self, holders: Holders) -> None:
        self._holders = holders
        self._turns: dict[TurnId, Turn] = {}
        self._order: dict[str, int] = {}
        self._wishes: dict[Subject, list[Turn]] = {}
        self._dead: dict[FactId, _Dead] = {}
        self._dead_by_term: dict[tuple[Subject, str], set[FactId]] = {}
        self._dead_of: dict[TurnId, set[FactId]] = {}
        self._because: dict[str, set[TurnId]] = {}

    def turn(self, turn: TurnId) -> Turn | None:
        """Return a turn that was put, withheld or not."""
        return self._turns.get(turn)

    @property
    def places(self) -> Mapping[str, int]:
        """Where each turn that was put stands in the order of all."""
        return self._order

    def load(self, turns: Sequence[Turn]) -> None:
        """Take in all turns that were said before any that is put, in their order."""
        self._turns.update({turn.id: turn for turn in turns})
        self._order.update({turn.id: place for place, turn in enumerate(turns)})
        for turn in turns:
            self._file(turn)

    def put(self, turn: Turn, place: int) -> None:
        """Take in a turn that was said at a place in the order of all."""
        self._turns[turn.id] = turn
        self._order[turn.id] = place
        self._file(turn)

    def is_withheld(self, turn: Turn) -> bool:
        """Return whether a turn is withheld by what is known here; whoever holds the rejections asks these."""
        if turn.wishes or turn.id in self._dead_of:
            return True
        if self._is_meant(turn, self._wishes.get(turn.subject, ())):
            return True
        own = frozenset(search_terms(turn.text))
        for term in own:
            for fact in self._dead_by_term.get((turn.subject, term), ()):
                if self._dead[fact].terms <= own:
                    self._because[fact].add(turn.id)
                    return True
        return False

    def meant_by(self, wishes: Iterable[Turn]) -> set[TurnId]:
        """Return the turns that tell what wishes asked to forget after them."""
        asked: dict[Subject, list[Turn]] = {}
        for wish in wishes:
            if wish.forgets:
                asked.setdefault(wish.subject, []).append(wish)
        if not asked:
            return set()
        return {turn.id for turn in self._turns.values() if self._is_meant(turn, asked.get(turn.subject, ()))}

    def bury(self, fact: Fact) -> set[TurnId]:
        """Take a fact that is out of force, and return the turns that are withheld for it."""
        self._unfile(fact.id)
        terms = frozenset(search_terms(fact.text))
        said: set[TurnId] = {source.turn for source in fact.sources}
        for turn in said:
            self._dead_of.setdefault(turn, set()).add(fact.id)
        self._dead[fact.id] = dead = _Dead(fact.subject, terms, max(terms, key=_rarity, default=""))
        if len(terms) >= LEAST_TERMS:
            rows = (self._turns.get(TurnId(row)) for row in self._holders(fact.subject, sorted(terms)))
            said |= {turn.id for turn in rows if turn is not None and terms.isdisjoint(_only_implied(turn))}
            self._dead_by_term.setdefault((dead.subject, dead.filed), set()).add(fact.id)
        self._because.setdefault(fact.id, set()).update(said)
        return said

    def revive(self, fact: Fact) -> set[TurnId]:
        """Take a fact that is in force, and return the turns that were withheld for it and may be no more."""
        if not self._unfile(fact.id):
            return set()
        withheld = self._because.pop(fact.id)
        for turn in withheld:
            if dead := self._dead_of.get(turn):
                dead.discard(fact.id)
                if not dead:
                    del self._dead_of[turn]
        return withheld

    def _unfile(self, fact: FactId) -> bool:
        """Forget what a fact out of force says, and return whether it was one."""
        dead = self._dead.pop(fact, None)
        if dead is None:
            return False
        place = (dead.subject, dead.filed)
        if filed := self._dead_by_term.get(place):
            filed.discard(fact)
            if not filed:
                del self._dead_by_term[place]
        return True

    def _file(self, turn: Turn) -> None:
        if turn.forgets:
            self._wishes.setdefault(turn.subject, []).append(turn)

    def _is_meant(self, turn: Turn, wishes: Iterable[Turn]) -> bool:
        """Return whether one of the wishes is about a turn: an earlier one, of the same account or of anybody."""
        told, place, speaker = Told(turn.text), self._order[turn.id], speaker_key(turn)
        return any(
            place < self._order[wish.id]
            and speaker_key(wish) in {"", speaker}
            and any(map(told.names_topic, wish.forgets))
            for wish in wishes
        )


def _only_implied(turn: Turn) -> set[str]:
    """Return the terms of what a turn's words are kinds of and that it doesn't say: a puppy is a pet."""
    said = search_terms(turn.text)
    return set(kinds_of(said)).difference(said)


def is_dead(fact: Fact) -> bool:
    """Return whether a fact is out of force."""
    return fact.status is not FactStatus.ACTIVE


def _rarity(term: str) -> tuple[int, str]:
    """Return by what the term of a fact is chosen that leads to it: long ones are in few texts."""
    return len(term), term
