"""What a turn's own words deny, affirm and state, of the one who speaks and of those whom the owner names.

Read from the words alone: what a mind made of them denies nothing and affirms nothing. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

from ...protocols.claims import Claim
from ...protocols.clauses.aliases import by_kinship
from ...protocols.clauses.frame import Voice
from ...protocols.clauses.repairs import repaired
from ...protocols.clauses.roleplay import out_of_role
from ...protocols.clauses.slips import retold
from ...protocols.denials import Affirmation, Correction, Denial, affirmations, corrections, denials, statements
from ...protocols.facts import speaker_key
from ...protocols.records import Role, Speaker, Turn
from ...protocols.text import fold


class Spoken(Struct, frozen=True, kw_only=True):
    """What a turn says of one person. `about` is that person's account key, empty for the owner."""

    about: str
    names: tuple[str, ...]
    denials: tuple[Denial, ...] = ()
    corrections: tuple[Correction, ...] = ()
    affirmations: tuple[Affirmation, ...] = ()
    statements: tuple[Claim, ...] = ()


def spoken_in(
    turn: Turn,
    names: tuple[str, ...],
    others: Iterable[Speaker] = (),
    given: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Spoken, ...]:
    """Return what a turn says of the one who speaks, and, where the owner speaks, of others whom they name.

    The character's own line says nothing.

    Args:
        turn: the turn.
        names: what the owner is called.
        others: who else is known where it was said.
        given: whom the names stand for that the speaker gave to those who are theirs.
    """
    if turn.role is not Role.PERSON:
        return ()
    called = names if turn.speaker is None else _called(turn.speaker)
    text = repaired(retold(out_of_role(turn.text)))
    own = Spoken(
        about=speaker_key(turn),
        names=called,
        denials=_denials(text, called, given),
        corrections=corrections(text, leave_out=called),
        affirmations=affirmations(text, leave_out=called),
        statements=statements(text, leave_out=called),
    )
    if turn.speaker is not None:
        return (own,)
    folded = fold(text)
    named = {other.key: other for other in others if other.label and fold(other.label) in folded}
    return (own, *(_named(text, other) for other in named.values()))


def _denials(text: str, called: tuple[str, ...], given: Mapping[str, str]) -> tuple[Denial, ...]:
    """Return what a text denies, of those whom it names as of the brother or the cat that they are as well."""
    plain, own = denials(text, leave_out=called), by_kinship(text, given)
    return plain if own == text else (*plain, *(one for one in denials(own, leave_out=called) if one.claim))


def _named(text: str, other: Speaker) -> Spoken:
    called = _called(other)
    return Spoken(
        about=other.key,
        names=called,
        denials=tuple(one for one in denials(text, leave_out=called) if _names(one.claim)),
        affirmations=tuple(one for one in affirmations(text, leave_out=called) if _names(one.claim)),
    )


def _names(claim: Claim | None) -> bool:
    return claim is not None and claim.frame.voice is Voice.NAMED


def _called(speaker: Speaker) -> tuple[str, ...]:
    return (speaker.label,) if speaker.label else ()
