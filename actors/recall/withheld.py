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
from typing import Final

from ...protocols.facts import speaker_key
from ...protocols.records import Fact, FactId, FactStatus, Turn, TurnId
from ...protocols.scopes import Subject
from ...protocols.scripts import CJK, simplified
from ..dedup.forgetting import PREFIX, names_topic, topic_words
from .search_terms import search_terms

LEAST_TERMS: Final = 2
"""Terms that a fact out of force must have to hold back other turns than its own: one is any talk of the topic."""

Holders = Callable[[Subject, Iterable[str]], frozenset[str]]
"""Returns the ids of the rows of a subject that hold all of some terms."""


class WithheldTurns:
    """The turns of one character, and why some of them are withheld.

    Args:
        holders: finds rows by their terms, among those that are not withheld.
    """

    def __init__(self, holders: Holders) -> None:
        self._holders = holders
        self._turns: dict[TurnId, Turn] = {}
        self._order: dict[str, int] = {}
        self._wishes: dict[TurnId, Turn] = {}
        self._dead: dict[FactId, Fact] = {}
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
        self._wishes.update({turn.id: turn for turn in turns if turn.wishes})

    def put(self, turn: Turn, place: int) -> None:
        """Take in a turn that was said at a place in the order of all."""
        self._turns[turn.id] = turn
        self._order[turn.id] = place
        if turn.wishes:
            self._wishes[turn.id] = turn

    def is_withheld(self, turn: Turn) -> bool:
        """Return whether a turn is withheld by what is known here; whoever holds the rejections asks these."""
        if turn.wishes or turn.id in self._dead_of:
            return True
        if self._is_forgotten(turn):
            return True
        own: frozenset[str] | None = None
        for fact in self._dead.values():
            if fact.subject == turn.subject:
                own = frozenset(search_terms(turn.text)) if own is None else own
                if _says(own, fact):
                    self._because.setdefault(fact.id, set()).add(turn.id)
                    return True
        return False

    def meant_by(self, wish: Turn) -> set[TurnId]:
        """Return the turns before a wish that tell what it asks to forget."""
        meant: set[TurnId] = set()
        for named in wish.forgets:
            for turn in self._candidates(wish.subject, named):
                if self._means(wish, named, turn):
                    meant.add(turn.id)
        return meant

    def bury(self, fact: Fact) -> set[TurnId]:
        """Take a fact that is out of force, and return the turns that are withheld for it."""
        self._dead[fact.id] = fact
        for source in fact.sources:
            self._dead_of.setdefault(source.turn, set()).add(fact.id)
        said: set[TurnId] = {source.turn for source in fact.sources}
        words = frozenset(search_terms(fact.text))
        if len(words) >= LEAST_TERMS:
            said |= {TurnId(row) for row in self._holders(fact.subject, sorted(words)) if row in self._turns}
        self._because.setdefault(fact.id, set()).update(said)
        return said

    def revive(self, fact: Fact) -> set[TurnId]:
        """Take a fact that is in force, and return the turns that were withheld for it and may be no more."""
        if self._dead.pop(fact.id, None) is None:
            return set()
        for turn, dead in list(self._dead_of.items()):
            dead.discard(fact.id)
            if not dead:
                del self._dead_of[turn]
        return self._because.pop(fact.id, set())

    def _is_forgotten(self, turn: Turn) -> bool:
        return any(
            self._means(wish, named, turn)
            for wish in self._wishes.values()
            if wish.subject == turn.subject
            for named in wish.forgets
        )

    def _means(self, wish: Turn, named: str, turn: Turn) -> bool:
        """Return whether a wish is about a turn: an earlier one, of the same account or said to its owner."""
        return (
            self._order[turn.id] < self._order[wish.id]
            and speaker_key(wish) in {"", speaker_key(turn)}
            and names_topic(turn.text, named)
        )

    def _candidates(self, subject: Subject, named: str) -> Iterable[Turn]:
        """Return the turns that can tell what a wish names, without reading each closely."""
        pieces = [word if CJK.search(word) else word[:PREFIX] for word in topic_words(named)]
        return [
            turn
            for turn in self._turns.values()
            if turn.subject == subject and all(piece in simplified(turn.text.casefold()) for piece in pieces)
        ]


def is_dead(fact: Fact) -> bool:
    """Return whether a fact is out of force."""
    return fact.status is not FactStatus.ACTIVE


def _says(held: frozenset[str], fact: Fact) -> bool:
    words = frozenset(search_terms(fact.text))
    return len(words) >= LEAST_TERMS and words <= held
