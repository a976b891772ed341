"""The facts of one subject, kept from message to message, with what finds the few of them that a turn is about.

Follows the facts as they change; the rules work on a `Ledger` laid over it. Pure; knows no journal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Final

from ...protocols.claims import Claim
from ...protocols.clauses.aliases import names_given
from ...protocols.clauses.endings import ending_in
from ...protocols.facts import speaker_key
from ...protocols.records import Fact, FactId, Speaker
from ...protocols.rejections import readings
from .concordance import Concordance

FACTS_AT_ONCE: Final = 200
"""Facts that are filed in one step, in a millisecond."""

_NOBODY: Final[dict[FactId, None]] = {}


class StoredFacts:
    """The facts of one subject, whatever their status, in order of storing.

    Args:
        facts: the facts.
        names: what the owner is called.
    """

    def __init__(self, facts: Iterable[Fact], names: tuple[str, ...] = ()) -> None:
        self._names = names
        self._facts: dict[FactId, Fact] = {}
        self._places: dict[FactId, int] = {}
        self._by_speaker: dict[str, dict[FactId, None]] = {}
        self._speakers: Counter[Speaker] = Counter()
        self._naming: set[FactId] = set()
        self._endings: set[FactId] = set()
        self._concordance = Concordance(self._read)
        for fact in facts:
            self._put(fact)

    @classmethod
    def filed(cls, facts: Sequence[Fact], names: tuple[str, ...] = ()) -> Generator[None, None, StoredFacts]:
        """Make it step by step, each step a millisecond of work, and return it at the end."""
        stored = cls((), names)
        for start in range(0, len(facts), FACTS_AT_ONCE):
            yield
            for fact in facts[start : start + FACTS_AT_ONCE]:
                stored._put(fact)
        return stored

    @property
    def facts(self) -> Mapping[FactId, Fact]:
        """The facts by their ids."""
        return self._facts

    @property
    def speakers(self) -> tuple[Speaker, ...]:
        """Everybody but the owner who said one, with each name that they had."""
        return tuple(self._speakers)

    @property
    def unread(self) -> int:
        """Number of facts that would have to be read for a claim in a slot; each is read once."""
        return self._concordance.unread

    def put(self, fact: Fact) -> None:
        """Take a fact as it is from now on; a new one is read, which whoever stated it has done already."""
        self._put(fact)
        self._concordance.read((fact.id,))

    def place(self, fact_id: FactId) -> int:
        """Return where a fact stands in the order of storing; one that isn't here comes last."""
        return self._places.get(fact_id, len(self._places))

    def of_speaker(self, speaker: str) -> Mapping[FactId, None]:
        """Return the ids of the facts of an account, empty for the owner."""
        return self._by_speaker.get(speaker, _NOBODY)

    @property
    def naming(self) -> frozenset[FactId]:
        """The ids of the facts that say what somebody of the speaker's own is called."""
        return frozenset(self._naming)

    def near(self, claims: Iterable[Claim]) -> set[FactId]:
        """Return the ids of the facts that may oppose some claims, replace them, or say the same."""
        return {FactId(name) for name in self._concordance.near(claims)}

    @property
    def endings(self) -> frozenset[FactId]:
        """The ids of the facts that say that something is over."""
        return frozenset(self._endings)

    def holding_words_of(self, text: str) -> set[FactId]:
        """Return the ids of the facts that may hold one of the content words of a text."""
        return {FactId(name) for name in self._concordance.holding_words_of(text)}

    def alike(self, text: str) -> set[FactId]:
        """Return the ids of the facts that may be one with a text but for a negation."""
        return {FactId(name) for name in self._concordance.alike(text)}

    def _put(self, fact: Fact) -> None:
        if fact.id not in self._facts:
            self._places[fact.id] = len(self._places)
            self._by_speaker.setdefault(speaker_key(fact), {})[fact.id] = None
            self._concordance.put(fact.id, fact.text)
            if names_given((fact.text,)):
                self._naming.add(fact.id)
            if ending_in(fact.text) is not None:
                self._endings.add(fact.id)
        else:
            self._count_speaker(self._facts[fact.id], -1)
        self._count_speaker(fact, 1)
        self._facts[fact.id] = fact

    def _count_speaker(self, fact: Fact, number: int) -> None:
        if fact.speaker is None:
            return
        self._speakers[fact.speaker] += number
        if not self._speakers[fact.speaker]:
            del self._speakers[fact.speaker]

    def _read(self, name: str) -> Iterable[Claim]:
        fact = self._facts[FactId(name)]
        own = self._names if fact.speaker is None else (fact.speaker.label,) if fact.speaker.label else ()
        return (*readings(fact.text, own), *readings(fact.text)) if own else readings(fact.text)
