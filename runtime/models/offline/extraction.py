"""From a turn to the facts that it states: sentence by sentence, each read in its own language.

Every candidate's text is a piece of its turn, in the words and the language of whoever spoke.
"""

from __future__ import annotations

import re
from typing import Final

from ....protocols.messages import Candidate
from ....protocols.records import Entity, Role, Turn
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
_QUOTED: Final = re.compile(r"[\"“”„«「『][^\n\"“”„«»「」『』]*[\"“”»」』][\s.!?。！？…,，]*|>[^\n]*")
_ADDRESS: Final = re.compile(r"\s*(?:https?://|www\.)\S+\s*")


def candidates(turn: Turn) -> tuple[Candidate, ...]:
    """Return the facts that a turn states, in the order in which they are said.

    Args:
        turn: what was said. The character's own turns state nothing about people.
    """
    if turn.role is not Role.PERSON:
        return ()
    stated: list[tuple[int, Candidate]] = []
    for at, sentence in enumerate(sentences(turn.text)):
        language = _language(sentence)
        if language.is_joke_alone(sentence):
            stated = [earlier for earlier in stated if earlier[0] != at - 1]
        elif claim := _claim(language, sentence):
            stated.append((at, _candidate(claim, turn)))
    return tuple(candidate for _, candidate in stated)


def _claim(language: Language, sentence: str) -> Claim | None:
    if _QUOTED.fullmatch(sentence) or _ADDRESS.fullmatch(sentence):
        return None
    return language.claim(sentence)


def _language(sentence: str) -> Language:
    """Return the rules for the language that a sentence is most likely in, whatever its character speaks."""
    if _KANA.search(sentence):
        return japanese
    if _HANGUL.search(sentence):
        return other
    if _HAN.search(sentence):
        return chinese
    folded = plain(sentence)
    if not _LATIN.search(folded):
        return other
    found = frozenset(_LATIN_WORDS.findall(folded))
    foreign = other.familiar(found) + bool(_NOT_ENGLISH.search(folded))
    return other if foreign and foreign >= english.familiar(found) else english


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
