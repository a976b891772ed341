"""Which earlier turn of the same person a turn takes back, and what becomes of the facts that it stated. Pure.

What counts is what was said and when, so that it ends the same in whichever order the two are learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.claims import Claim, same_claim
from ...protocols.clauses.afterthoughts import (
    Afterthought,
    afterthought,
    is_wavering,
    names_what_is_wrong,
)
from ...protocols.facts import speaker_key, with_status
from ...protocols.messages import Candidate
from ...protocols.records import FactStatus, Role, Turn, TurnId
from ...protocols.tokens import terms
from .brought_up import brought_up
from .corrections import Occasion, may_deny, own_claims, reject
from .decisions import whom
from .ledger import Ledger

TURNS_AROUND: Final = 12
"""Turns before a turn among which the one is looked for that it takes back."""

WITHIN_S: Final = 15 * 60.0
"""Seconds after which a message takes nothing back of an earlier one: by then another talk has begun."""


class SecondThought(Struct, frozen=True):
    """A turn that was taken back, in part or as a whole, and what became of it."""

    turn: TurnId
    thought: Afterthought


def second_thought(turn: Turn, earlier: Sequence[Turn]) -> SecondThought | None:
    """Return what a turn takes back of the turn before it by the same person, None where it takes back nothing.

    Args:
        turn: what a person said.
        earlier: turns of its subject, oldest first; those from the turn on are left out.
    """
    if turn.role is not Role.PERSON:
        return None
    wavered = asked = False
    for one in reversed(_before(turn, earlier)):
        if turn.said_at - one.said_at > WITHIN_S:
            return None
        if one.role is Role.CHARACTER:
            asked = asked or "?" in one.text or "\uff1f" in one.text
        elif speaker_key(one) != speaker_key(turn):
            # Among several a mere "no" may be said to whoever spoke last.
            asked = True
        elif is_wavering(one.text):
            # What the character asks after "wait, no" asks for what is so instead.
            wavered, asked = True, False
        elif (thought := afterthought(one.text, turn.text, wavered=wavered, asked=asked)) is not None:
            return SecondThought(one.id, thought)
        elif names_what_is_wrong(turn.text):
            wavered, asked = False, True  # Further back nothing but what it names can be meant.
        else:
            return None
    return None


def second_thought_on_a_line(turn: Turn, line: str, ledger: Ledger) -> tuple[SecondThought, Candidate] | None:
    """Return what a turn puts in the place of the one thing that the line before it brought up, as a statement.

    "You were born in 1990, right?" - "No, in 1991." says that the person was born in 1991.

    Args:
        turn: what the person said.
        line: the character's line that it answers; its last sentence counts.
        ledger: what is stored.
    """
    last = line.rstrip()
    asked = max((last.rfind(mark, 0, len(last) - 1) for mark in ".!?\u3002\uff01\uff1f"), default=-1)
    known = (fact for fact in ledger.facts(FactStatus.ACTIVE) if may_deny(speaker_key(turn), fact))
    met = brought_up(last[asked + 1 :], known, ledger)
    thought = afterthought(met[0].text, turn.text) if len(met) == 1 else None
    if thought is None or not thought.meant or not met[0].sources:
        return None
    meant = Candidate(text=thought.meant, entity=met[0].entity, importance=met[0].importance)
    return SecondThought(met[0].sources[-1].turn, thought), meant


def taken_back_by(turn: Turn, around: Sequence[Turn]) -> tuple[tuple[Turn, SecondThought], ...]:
    """Return the turns that take back what a turn said, however late it is learned, each with what it takes.

    Args:
        turn: what a person said.
        around: turns of its subject, oldest first.
    """
    places = [at for at, one in enumerate(around) if one.id == turn.id]
    later = around[places[0] + 1 :] if places else ()
    thoughts = ((one, second_thought(one, around)) for one in later)
    return tuple((one, thought) for one, thought in thoughts if thought is not None and thought.turn == turn.id)


def take_back(ledger: Ledger, occasion: Occasion, second: SecondThought, meant: Iterable[Claim]) -> None:
    """Reject what a person took back; what they only said more closely gives way.

    Args:
        ledger: what is stored.
        occasion: the turn that takes back.
        second: what it takes back.
        meant: what it states in its place.
    """
    kept, taken = (frozenset(terms(text)) for text in (second.thought.kept, second.thought.taken))
    newer = tuple(meant)
    for fact in ledger.facts(FactStatus.ACTIVE, FactStatus.SUPERSEDED):
        if second.turn not in {source.turn for source in fact.sources} or not may_deny(occasion.by, fact):
            continue
        said = frozenset(terms(fact.text))
        if len(said & taken) <= len(said & kept):
            continue
        known = own_claims(ledger, fact)
        if any(same_claim(old, new) for old in known for new in newer):
            reason = f"said more closely in {occasion.cause}"
            ledger.put_fact(with_status(fact, FactStatus.SUPERSEDED, occasion.at, reason))
        else:
            about, names = whom(ledger, fact)
            reject(ledger, occasion, fact.text, entity=fact.entity, about=about, names=names)


def as_meant(turn: Turn, second: SecondThought | None) -> Turn:
    """Return a turn with the words that it means where it puts an earlier one right."""
    return turn if second is None else replace(turn, text=second.thought.meant)


def _before(turn: Turn, turns: Sequence[Turn]) -> Sequence[Turn]:
    places = [at for at, one in enumerate(turns) if one.id == turn.id]
    return turns[: places[0]] if places else [one for one in turns if one.said_at <= turn.said_at]
