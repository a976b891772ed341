"""From a turn to the facts that it states: sentence by sentence, each read in its own language.

Every candidate's text is a piece of its turn, in the words and the language of whoever spoke.
"""

from __future__ import annotations

import re
from typing import Final

from ....protocols.messages import Candidate
from ....protocols.records import Entity, Profile, Role, Turn
from ....protocols.scripts import HAN, HANGUL, KANA
from . import chinese, english, japanese, other
from .claims import Claim, Language, Person, plain
from .sentences import sentences

_KANA: Final = re.compile(f"[{KANA}]")
_HAN: Final = re.compile(f"[{HAN}]")
_HANGUL: Final = re.compile(f"[{HANGUL}]")
_LATIN: Final = re.compile(r"[a-z]")
_NOT_ENGLISH: Final = re.compile(r"[à-öø-ÿąćęłńśźżğışőűāēīōū¿¡]")
_LATIN_WORDS: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_QUOTED: Final = re.compile(r"[\"“”„«「『][^\n]*[\"”“»」』][\s.!?。！？…,，]*|>[^\n]*")
_ADDRESS: Final = re.compile(r"\s*(?:https?://|www\.)\S+\s*")
_ENGLISH: Final = frozenset(
    "i i'm i've i'd i'll im my you you're your we we're our he he's she she's they they're it's the is are was were "
    "have has had and of to with for don't didn't can't not that this there call".split(),
)


def candidates(turn: Turn, profile: Profile) -> tuple[Candidate, ...]:
    """Return the facts that a turn states, in the order in which they are said.

    Args:
        turn: what was said. The character's own turns state nothing about people.
        profile: what the host says about the character; its language decides where a script doesn't.
    """
    if turn.role is not Role.PERSON:
        return ()
    stated: list[tuple[int, Candidate]] = []
    for at, sentence in enumerate(sentences(turn.text)):
        language = _language(sentence, profile)
        if language.is_joke_alone(sentence):
            stated = [earlier for earlier in stated if earlier[0] != at - 1]
        elif claim := _claim(language, sentence):
            stated.append((at, _candidate(claim, turn)))
    return tuple(candidate for _, candidate in stated)


def _claim(language: Language, sentence: str) -> Claim | None:
    if _QUOTED.fullmatch(sentence) or _ADDRESS.fullmatch(sentence):
        return None
    return language.claim(sentence)


def _language(sentence: str, profile: Profile) -> Language:
    """Return the rules for the language that a sentence is most likely in."""
    if _KANA.search(sentence):
        return japanese
    if _HANGUL.search(sentence):
        return other
    if _HAN.search(sentence):
        return japanese if profile.locale.startswith("ja") else chinese
    folded = plain(sentence)
    found = frozenset(_LATIN_WORDS.findall(folded))
    if not _LATIN.search(folded):
        return other
    if not _ENGLISH.isdisjoint(found):
        return english
    return other if _NOT_ENGLISH.search(folded) or other.is_foreign(found) else english


def _candidate(claim: Claim, turn: Turn) -> Candidate:
    return Candidate(text=claim.text, entity=_entity(claim.person, turn), importance=claim.importance)


def _entity(person: Person, turn: Turn) -> Entity:
    """Return whom a claim is about; only the owner's "I" is the owner, whatever a text says."""
    if person is Person.SECOND:
        return Entity.CHARACTER
    if turn.speaker is not None:
        return Entity.OTHER
    match person:
        case Person.FIRST:
            return Entity.OWNER
        case Person.FIRST_PLURAL:
            return Entity.RELATIONSHIP
        case _:
            return Entity.OTHER
