"""What a briefing is made from: the memories in force, kept in step with the journal's events.

Knows no journal: whoever holds it feeds it what was committed. Taking a change in again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from ...protocols.erasure import Erasure
from ...protocols.events import AnyChange, AnyRecord, record_of
from ...protocols.memos import ConversationMemo
from ...protocols.people import Person
from ...protocols.records import (
    Directive,
    EntryStatus,
    Fact,
    FactId,
    FactStatus,
    PersonaEntry,
    Profile,
    Reflection,
    Rejection,
    Turn,
    TurnId,
)
from ...protocols.scopes import Subject
from ..compaction.heeding import rejected_in
from ..dedup.rejected import RejectedValues
from ..directives.standing import Standing
from ..persona.card import card_id, with_card

OUT_OF_FORCE: Final = (FactStatus.RETRACTED, FactStatus.SUPERSEDED, FactStatus.DISPUTED)
"""Statuses of a fact that was taken back, overtaken or held back since it was told."""

WORDS_KEPT: Final = 2_048
"""Turns and lines of memos of which it is remembered whether they tell what was rejected: some windows of them."""


class Memory:
    """The memories of one character that a briefing may tell.

    Args:
        profile: what the host says about the character.
        records: every persona entry, reflection, directive and rejection, and every fact that is in force or in
            one of `OUT_OF_FORCE`.
        known_importance: least importance of a fact that is kept.
    """

    def __init__(
        self,
        profile: Profile,
        records: Iterable[PersonaEntry | Reflection | Fact | Directive | Rejection | ConversationMemo],
        *,
        known_importance: int,
    ) -> None:
        self.profile = profile
        self.standing = Standing()
        self.facts: dict[str, Fact] = {}
        self.memos: dict[Subject, ConversationMemo] = {}
        self.rejections: dict[str, Rejection] = {}
        self._out_of_force: dict[FactId, frozenset[TurnId]] = {}
        self._entries: dict[str, PersonaEntry] = {}
        self._reflections: dict[str, Reflection] = {}
        self._rejected = RejectedValues(profile.owner)
        self._rejects: dict[tuple[str, Subject, str | None], bool] = {}
        self._known_importance = known_importance
        for record in records:
            self._take(record)

    def take(self, change: AnyChange) -> None:
        """Take in what was committed."""
        self._take(record_of(change))

    def entries(self, now: float) -> tuple[PersonaEntry, ...]:
        """Return the persona entries in force, those of the card first and in its order."""
        places = {card_id(line): at for at, line in enumerate(dict.fromkeys(self.profile.card))}
        active = [
            entry
            for entry in with_card(self.profile.card, self._entries.values(), now)
            if entry.status is EntryStatus.ACTIVE and (entry.evidence.protected or not self._rejected.says(entry))
        ]
        return tuple(sorted(active, key=lambda entry: places.get(entry.id, len(places))))

    def reflections(self) -> dict[str, Reflection]:
        """Return the reflections by their ids, without those that say what a person rejected."""
        return {one.id: one for one in self._reflections.values() if not self._rejected.says(one)}

    def rejects(self, text: str, subject: Subject, speaker: str | None = None) -> bool:
        """Return whether words tell what was rejected, as `rejected_in` does; remembered until something is."""
        words = (text, subject, speaker)
        known = self._rejects.get(words)
        if known is None:
            if len(self._rejects) >= WORDS_KEPT:
                self._rejects.clear()
            names = (self.profile.owner,) if self.profile.owner else ()
            known = rejected_in(text, subject, self.rejections.values(), names, speaker=speaker)
            self._rejects[words] = known
        return known

    def overtaken_turns(self) -> frozenset[TurnId]:
        """Return the turns that a fact was made of which was taken back or overtaken since."""
        return frozenset().union(*self._out_of_force.values())

    def _take(self, record: AnyRecord) -> None:
        match record:
            case PersonaEntry():
                self._entries[record.id] = record
            case Reflection():
                self._reflections[record.id] = record
            case Fact():
                self._take_fact(record)
            case Directive():
                self.standing.take(record)
            case Profile():
                self.profile = record
                self._rejected.rename(record.owner)
                self._rejects.clear()
            case ConversationMemo():
                self.memos[record.subject] = record
            case Rejection():
                self.rejections[record.id] = record
                self._rejected.take(record)
                self._rejects.clear()
            case Turn() | Erasure() | Person():
                return
            case _:
                assert_never(record)

    def _take_fact(self, fact: Fact) -> None:
        self.facts.pop(fact.id, None)
        self._out_of_force.pop(fact.id, None)
        if fact.status in OUT_OF_FORCE:
            self._out_of_force[fact.id] = frozenset(source.turn for source in fact.sources)
        elif fact.status is FactStatus.ACTIVE and fact.importance >= self._known_importance:
            self.facts[fact.id] = fact
