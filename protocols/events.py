"""The tagged union of state changes that the journal keeps.

An event carries the whole record after the change, never a difference, so that folding it again
overwrites and never counts twice. What is folded into which view is decided in one place,
`fold_key`; the journal applies it live and `doctor` applies it again to a scratch copy.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from .records import Fact, Profile, Turn


class Change(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of every state change."""


class ProfileSet(Change, frozen=True, kw_only=True, tag="profile_set"):
    """The host described the character."""

    profile: Profile


class TurnHeard(Change, frozen=True, kw_only=True, tag="turn_heard"):
    """Somebody said something to the character."""

    turn: Turn


class TurnSaid(Change, frozen=True, kw_only=True, tag="turn_said"):
    """The character said something."""

    turn: Turn


class FactAdded(Change, frozen=True, kw_only=True, tag="fact_added"):
    """A statement was stored for the first time."""

    fact: Fact


class FactRepeated(Change, frozen=True, kw_only=True, tag="fact_repeated"):
    """A stored statement was made again; the fact now rests on one more turn."""

    fact: Fact


AnyChange: TypeAlias = ProfileSet | TurnHeard | TurnSaid | FactAdded | FactRepeated


class Event(Struct, frozen=True, kw_only=True):
    """One entry of a character's journal.

    `digest` is the SHA-256 of the encoded change and `chain` that of this entry's header, its digest
    and the chain before it (both hexadecimal), so that erasing a payload leaves the chain whole.
    `change` is None where the payload was erased.
    """

    seq: int
    at: float
    actor: str
    cause: str
    kind: str
    subject: str
    record_ids: tuple[str, ...]
    change: AnyChange | None
    digest: str
    chain: str


def subject_of(change: AnyChange) -> str:
    """Return the subject key that a change touches, or an empty string where it has none."""
    match change:
        case TurnHeard(turn=turn) | TurnSaid(turn=turn):
            return turn.subject
        case FactAdded(fact=fact) | FactRepeated(fact=fact):
            return fact.subject
        case ProfileSet():
            return ""


def record_ids_of(change: AnyChange) -> tuple[str, ...]:
    """Return the ids of the records that a change touches, the changed one first."""
    match change:
        case TurnHeard(turn=turn) | TurnSaid(turn=turn):
            return (turn.id,)
        case FactAdded(fact=fact) | FactRepeated(fact=fact):
            return (fact.id, *(source.turn for source in fact.sources))
        case ProfileSet():
            return ()
