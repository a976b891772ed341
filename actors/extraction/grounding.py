"""A fact must rest on words of its own turn. Pure.

A mind that invents, translates, or repeats what it was shown elsewhere is not believed: public
memory systems filled up with such rows. What is checked is the words alone, not their meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from ...protocols.claims import same_claim
from ...protocols.clauses.frame import SELF, Voice
from ...protocols.messages import Candidate
from ...protocols.records import Profile, Role, Turn
from ...protocols.rejections import readings
from ...protocols.scripts import CJK
from ...protocols.tokens import distinct_terms, terms

TURNS_KEPT: Final = 4
"""Turns whose terms are remembered."""

SHARE_OF_TERMS: Final = 0.5
"""Least share of a statement's terms that its turn must hold: a rewording changes person and verb alone."""

_TO_SOMEBODY: Final = re.compile(
    r"\s*(?:you(?:r|rs)?\b|you'|(?:你|您|妳)|(?:あなた|あんた|貴方|君|きみ|お前|おまえ))", re.IGNORECASE
)
"""How a sentence begins that is about whoever is spoken to."""

_RECITED: Final = re.compile(
    r"(?<!\w)'[^\n]*?'(?!\w)|\"[^\"\n]*\"|“[^”\n]*”|‘[^’\n]*’(?!\w)|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』"
)
"""What stands in quotation marks: somebody else's words, or a name."""

_NAMES_ITSELF: Final = frozenset({Voice.FIRST, Voice.NAMED})


def rests_on(candidate: Candidate, turn: Turn, profile: Profile, character: str) -> bool:
    """Return whether a statement rests on the words of its turn.

    The names of owner, character and speaker don't count: a mind puts them where a person says "I".
    """
    label = turn.speaker.label if turn.speaker else ""
    names = frozenset(terms(f"{profile.owner} {character} {label}"))
    stated = set(terms(candidate.text, leave_out=names))
    return len(stated & _heard(turn.text)) >= SHARE_OF_TERMS * len(stated) > 0


@lru_cache(TURNS_KEPT)
def _heard(text: str) -> frozenset[str]:
    """Return the terms of a turn, which all that is made of it is held to one after the other."""
    return frozenset(distinct_terms(text))


def is_own(candidate: Candidate, turn: Turn, profile: Profile, character: str) -> bool:
    """Return whether a statement of the character is about itself, by its words, and rests on its turn.

    What it says of the owner, or of whoever it speaks to, is no more than it was told, and never learned from it.
    What its card says is known already. What it recites, of a briefing or of somebody's words, isn't its own.
    """
    spoken = replace(turn, text=_RECITED.sub(" ", turn.text))
    if not rests_on(candidate, spoken, profile, character) or _TO_SOMEBODY.match(candidate.text):
        return False
    claims = readings(_RECITED.sub(" ", candidate.text), (character,))
    carded = [claim for line in profile.card for claim in readings(line, (character,))]
    if any(same_claim(one, claim) for one in carded for claim in claims):
        return False
    if any(claim.frame.subject == SELF and claim.frame.voice in _NAMES_ITSELF for claim in claims):
        return True
    # Where no subject is written, Chinese and Japanese speak of themselves; elsewhere it just wasn't understood.
    omits = bool(CJK.search(candidate.text)) and any(claim.frame.voice is Voice.OMITTED for claim in claims)
    return omits and (not profile.owner or profile.owner not in candidate.text)


def conversation_around(own: Sequence[Turn], window: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the character's turns with the turns of people before and between them, oldest first.

    Args:
        own: the turns of the character that are looked through, oldest first.
        window: the newest turns of their subject, oldest first.
    """
    wanted = {turn.id for turn in own}
    places = [at for at, turn in enumerate(window) if turn.id in wanted]
    if not places:
        return tuple(own)
    first = places[0] - (places[0] > 0 and window[places[0] - 1].role is Role.PERSON)
    between = window[first : places[-1] + 1]
    missing = tuple(turn for turn in own if turn.id not in {one.id for one in between})
    return (*missing, *(one for one in between if one.role is Role.PERSON or one.id in wanted))
