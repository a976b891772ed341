"""What a clause says, as far as rules can read it. Knows no language."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

SELF = ""
"""The subject of a clause about the owner: first person, the owner's name, "the user", she or he."""

ANY_PREDICATE = "*"
"""The predicate of a clause that names none, such as "not a nurse"."""

OBJECT_PREDICATES = frozenset({"have", "like"})
"""Predicates that are true of their object alone, so that a book about ferrets is no ferret."""


class Tense(StrEnum):
    """Whether a state holds, held once, or is said to have ended ("used to")."""

    PRESENT = "present"
    PAST = "past"
    ENDED = "ended"


class Voice(StrEnum):
    """By which words the subject is named; only a person's own say denies or affirms what is known of them."""

    FIRST = "first"
    NAMED = "named"
    THIRD = "third"
    OMITTED = "omitted"
    IMPERATIVE = "imperative"


class Frame(Struct, frozen=True, kw_only=True):
    """One clause.

    `phrases` are the content terms, the phrase next to the predicate first, parted where a function word
    stands between them, so that the last term of a phrase is its head. `slot` names what can have one value
    at a time, such as the home, and is empty elsewhere; `value` is the phrase that fills it. `added` says that
    the clause adds to what is ("also"), `emphatic` that it insists ("I do", "after all"), `hypothetical` that
    it is a condition, and `moved` that a home is a new one (
        "moved to"
    ). `contrast` are the phrases of what the clause says it isn't: "coffee, not tea".
    """

    subject: str = SELF
    voice: Voice = Voice.OMITTED
    predicate: str = ANY_PREDICATE
    negated: bool = False
    tense: Tense = Tense.PRESENT
    phrases: tuple[tuple[str, ...], ...] = ()
    slot: str = ""
    value: tuple[str, ...] = ()
    added: bool = False
    emphatic: bool = False
    hypothetical: bool = False
    contrast: tuple[tuple[str, ...], ...] = ()
    moved: bool = False
