"""A fact must rest on words of its own turn. Pure.

A mind that invents, translates, or repeats what it was shown elsewhere is not believed: public
memory systems filled up with such rows. What is checked is the words alone, not their meaning.
"""

from __future__ import annotations

from typing import Final

from ...protocols.messages import Candidate
from ...protocols.records import Profile, Turn
from ...protocols.tokens import terms

SHARE_OF_TERMS: Final = 0.5
"""Least share of a statement's terms that its turn must hold: a rewording changes person and verb alone."""


def rests_on(candidate: Candidate, turn: Turn, profile: Profile, character: str) -> bool:
    """Return whether a statement rests on the words of its turn.

    The names of owner, character and speaker don't count: a mind puts them where a person says "I".
    """
    label = turn.speaker.label if turn.speaker else ""
    names = frozenset(terms(f"{profile.owner} {character} {label}"))
    stated = set(terms(candidate.text, leave_out=names))
    heard = set(terms(turn.text))
    return len(stated & heard) >= SHARE_OF_TERMS * len(stated) > 0
