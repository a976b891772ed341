"""What a character must remember, worked out from what it was told. Pure: it asks nothing and knows no process.

It is told each thing once that is acknowledged, in order, and judges what the process under test shows. It holds
no rule of the product's, only what the sentences of the grammar mean.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from .grammar import Act, marker, seen, sentence
from .plan import Talk
from .protocol import Memory, Shown

PRIVATE: Final = "private"

_MARKER: Final = re.compile(r"(?:[BDFGKLMNRTVZ][aeiou])(?:[bdfgklmnrtvz][aeiou]){3}k")


class Violation(Struct, frozen=True, kw_only=True):
    """A promise that wasn't kept. `step` is the place in the plan, from 1, and `ids` what it is about."""

    promise: str
    who: str
    step: int
    message: str
    ids: tuple[str, ...] = ()


class Fault(Struct, frozen=True):
    """What is wrong, before it is known where in the plan."""

    promise: str
    message: str
    ids: tuple[str, ...] = ()


class State(StrEnum):
    """What has become of a statement."""

    HELD = "held"
    DENIED = "denied"
    GONE = "gone"
    """Forgotten or rejected on purpose: saying it in passing doesn't bring it back."""
    UNKNOWN = "unknown"
    """Nobody can tell any more what it should be."""


class Statement(Struct):
    """One statement of one person at one place."""

    family: int
    item: int
    place: str
    by: str
    state: State | None = None
    banned: bool = False
    affirmed: bool = False

    @property
    def text(self) -> str:
        """The statement, as it is said."""
        return sentence(self.family, Act.STATE, self.item)


class Heard(Struct, frozen=True):
    """One message that was acknowledged: its turn, its words and where they were said."""

    turn: str
    text: str
    place: str


class Oracle:
    """What one character must remember.

    Attributes:
        heard: what was acknowledged, by the host's id of the message.
        statements: what was stated, by family, marker, place and speaker.
    """

    def __init__(self) -> None:
        self.heard: dict[str, Heard] = {}
        self.statements: dict[tuple[int, int, str, str], Statement] = {}
        self._said_at: dict[str, set[str]] = {}

    def told(self, talk: Talk, turn: str, *, repeated: bool, is_first: bool) -> list[Fault]:
        """Take in that a message was acknowledged; returns what is wrong with the receipt.

        Args:
            talk: the message.
            turn: the turn that the receipt names.
            repeated: whether the receipt calls it a repetition.
            is_first: whether it can't have been heard before: it was delivered once, and no attempt failed.
        """
        known = self.heard.get(talk.id)
        if known is not None:
            return [] if known.turn == turn else [_doubled(talk, known.turn, turn)]
        faults = []
        if repeated and is_first:
            faults.append(Fault("P2", f"message {talk.id} was new, and its receipt calls it repeated", (turn,)))
        text = sentence(talk.family, talk.act, talk.item)
        self.heard[talk.id] = Heard(turn, text, talk.place)
        self._said_at.setdefault(marker(talk.item), set()).add(talk.place)
        self._follow(talk)
        return faults

    def statement(self, family: int, item: int, place: str, by: str) -> Statement:
        """Return a statement, made or not."""
        key = (family, item, place, by)
        return self.statements.setdefault(key, Statement(family, item, place, by))

    def _follow(self, talk: Talk) -> None:
        if talk.act is Act.CHAT:
            return
        one = self.statement(talk.family, talk.item, talk.place, talk.by)
        match talk.act:
            case Act.STATE if one.state in {None, State.DENIED}:
                one.state = State.HELD
            case Act.AFFIRM:
                one.state = State.UNKNOWN if one.state is State.GONE else State.HELD
                one.affirmed = True
            case Act.DENY if one.state in {None, State.HELD}:
                one.state = State.DENIED
            case Act.FORGET:
                one.state = State.GONE if one.state is not None else State.UNKNOWN
            case Act.BAN:
                one.banned = True
            case Act.LIFT:
                one.banned = False

    # --- what is shown ---------------------------------------------------------------------------

    def judge(self, shown: Shown) -> list[Fault]:
        """Return what is wrong with everything that a character knows, once its work is done."""
        return [
            *self._judge_turns(shown.turns),
            *self._judge_facts(shown.facts),
            *self._judge_directives(shown.directives),
            *(Fault("P2", "work is left after all was done", (op,)) for op in shown.pending),
        ]

    def _judge_turns(self, turns: Sequence[Memory]) -> list[Fault]:
        stored = {turn.id: turn for turn in turns}
        faults = []
        for name, heard in self.heard.items():
            turn = stored.get(heard.turn)
            if turn is None:
                faults.append(Fault("P1", f"message {name} was acknowledged and is not stored", (heard.turn,)))
            elif (turn.text, turn.place) != (heard.text, heard.place):
                faults.append(
                    Fault("P1", f"message {name} is stored with other words or elsewhere", (heard.turn,))
                )
        if len(turns) > len(self.heard):
            known = {heard.turn for heard in self.heard.values()}
            extra = tuple(turn.id for turn in turns if turn.id not in known)
            faults.append(Fault("P2", f"{len(self.heard)} messages were heard and {len(turns)} are stored", extra))
        return faults

    def _judge_facts(self, facts: Sequence[Memory]) -> list[Fault]:
        active = [fact for fact in facts if fact.active]
        counts = Counter((fact.text, fact.place, fact.by) for fact in active)
        faults = [
            Fault("P2", f"{text!r} is {count} facts of one person at one place", (place,))
            for (text, place, _), count in counts.items()
            if count > 1
        ]
        for one in self.statements.values():
            texts = (one.text, sentence(one.family, Act.AFFIRM, one.item))
            found = [
                fact for fact in active if fact.text in texts and (fact.place, fact.by) == (one.place, one.by)
            ]
            if one.state is State.HELD and not found:
                others = tuple(fact.id for fact in facts if fact.text in texts)
                faults.append(Fault("P2", f"{one.text!r} was heard in {one.place} and is no fact", others))
            if one.state in {State.DENIED, State.GONE}:
                back = tuple(fact.id for fact in found if seen(one.family, one.item) in fact.text)
                if back:
                    faults.append(Fault("P3", f"{one.text!r} was {one.state} in {one.place} and is a fact", back))
        return faults

    def _judge_directives(self, directives: Iterable[str]) -> list[Fault]:
        held = {term.casefold() for term in directives}
        wanted = {marker(one.item).casefold() for one in self.statements.values() if one.banned}
        return [
            *(Fault("P4", f"{term!r} was banned and is in no directive") for term in sorted(wanted - held)),
            *(Fault("P4", f"{term!r} is banned, and was not or was lifted") for term in sorted(held - wanted)),
        ]

    # --- what is recalled ------------------------------------------------------------------------

    def judge_scope(self, texts: Iterable[str], places: Sequence[str]) -> list[Fault]:
        """Return which of the texts hold words that were said only where the caller may not read."""
        faults = []
        for text in texts:
            for word in set(_MARKER.findall(text)):
                said_at = self._said_at.get(word, set())
                if said_at.isdisjoint(places):
                    where = ", ".join(sorted(said_at)) or "nowhere"
                    faults.append(Fault("P5", f"{word!r}, said in {where}, came out in {', '.join(places)}"))
        return faults

    def judge_hits(self, hits: Sequence[Memory], places: Sequence[str], *, asked: str) -> list[Fault]:
        """Return what must not be among the hits of a query, judged by what is settled.

        Args:
            hits: what was recalled.
            places: where the caller may read.
            asked: the person's words of this turn.
        """
        faults = self.judge_scope((hit.text for hit in hits), places)
        faults += [
            Fault("P5", f"a memory of {hit.place} came out in {', '.join(places)}", (hit.id,))
            for hit in hits
            if hit.place not in places
        ]
        for hit in hits:
            for one in self._of(hit.text):
                if self.bans_here(one, places) and marker(one.item) not in asked:
                    faults.append(Fault("P4", f"{marker(one.item)!r} is banned and was recalled", (hit.id,)))
        return faults

    def judge_denied(self, texts: Iterable[tuple[str, str]], place: str) -> list[Fault]:
        """Return which of the texts, each with its id, say what was denied or forgotten in that place."""
        gone = [one for one in self.statements.values() if one.place == place and one.state in _AWAY]
        held = {seen(one.family, one.item) for one in self.statements.values() if one.state not in _AWAY}
        return [
            Fault("P3", f"{one.text!r} was {one.state} in {place} and came out", (its_id,))
            for its_id, text in texts
            for one in gone
            if (piece := seen(one.family, one.item)) in text and piece not in held
        ]

    def bans_here(self, one: Statement, places: Sequence[str]) -> bool:
        """Return whether a statement's marker is banned where the caller reads."""
        return one.banned and ((one.place == PRIVATE and PRIVATE in places) or one.place in places)

    def _of(self, text: str) -> list[Statement]:
        words = set(_MARKER.findall(text))
        return [one for one in self.statements.values() if marker(one.item) in words] if words else []


_AWAY: Final = frozenset({State.DENIED, State.GONE})


def _doubled(talk: Talk, first: str, second: str) -> Fault:
    return Fault("P2", f"message {talk.id} is two turns", (first, second))
