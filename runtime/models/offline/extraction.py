"""From a turn to the facts that it states: sentence by sentence, each read in its own language.

Every candidate's text is in the words and the language of whoever spoke: a piece of the turn, or pieces of it
put together where a clause leaves out or stands for what another one says.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from ....protocols.clauses.compound import parted
from ....protocols.clauses.foreign_phrases import SPANISH_PERFECT
from ....protocols.clauses.slips import excuse_before
from ....protocols.messages import Candidate
from ....protocols.records import Entity, Role, Turn
from ....protocols.scripts import HAN, HANGUL, KANA
from ....protocols.tasks import ExtractSelfRequest, OwnStatement
from . import chinese, english, japanese, other
from .claims import DEFAULT, IDENTITY, Claim, Language, Person, plain
from .promises import PROMISE, promises
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
    return tuple(_candidate(claim, turn) for _, claim in _stated(turn.text))


def _stated(text: str) -> list[tuple[int, Claim]]:
    """Return what a text states, each statement with the place of its sentence."""
    stated: list[tuple[int, Claim]] = []
    antecedent = before = ""
    for at, sentence in enumerate(sentences(text)):
        language = _language(sentence)
        if language.is_joke_alone(sentence):
            stated = [earlier for earlier in stated if earlier[0] != at - 1]
            continue
        said = sentence[excuse_before(sentence) :]
        claims, antecedent = _claims(language, said, antecedent) if said.strip() else ((), antecedent)
        if not claims and language is other and other.says_instead(before, sentence):
            claims = (Claim(text=sentence, person=Person.FIRST, importance=DEFAULT),)
        before = sentence
        stated.extend((at, claim) for claim in claims)
    return stated


def own_statements(request: ExtractSelfRequest) -> tuple[OwnStatement, ...]:
    """Return what the turns of a character state or promise of itself, in the order of saying."""
    return tuple(
        OwnStatement(turn=turn.id, candidate=candidate)
        for turn in request.turns
        if turn.role is Role.CHARACTER
        for candidate in _own(turn.text)
    )


def _own(text: str) -> list[Candidate]:
    said = sentences(text)
    stated: dict[int, list[Claim]] = {}
    for at, claim in _stated(text):
        stated.setdefault(at, []).append(claim)
    found: list[Candidate] = []
    for at, sentence in enumerate(said):
        own = [claim for claim in stated.get(at, ()) if claim.person is Person.FIRST]
        if not own and at not in stated and promises(sentence):
            own = [Claim(text=sentence.strip(), person=Person.FIRST, importance=PROMISE)]
        found += (
            Candidate(
                text=claim.text,
                entity=Entity.CHARACTER,
                importance=max(claim.importance, PROMISE if promises(claim.text) else 0),
            )
            for claim in own
        )
    return found


def _claims(language: Language, sentence: str, antecedent: str) -> tuple[tuple[Claim, ...], str]:
    """Return what a sentence claims, statement by statement, and whom a pronoun in the next one means."""
    if _QUOTED.fullmatch(sentence) or _ADDRESS.fullmatch(sentence):
        return (), ""
    whole = language.claim(sentence)
    if whole is None:
        return (), ""
    compound = parted(whole.text, antecedent)
    if compound.statements == (whole.text,):
        return (whole,), compound.antecedent
    weight = whole.importance if whole.importance == IDENTITY and len(compound.statements) == 1 else 0
    found = [one for said in compound.statements if (one := language.claim(said)) is not None]
    if not found:
        return (whole,), compound.antecedent
    return tuple(replace(one, importance=max(one.importance, weight)) for one in found), compound.antecedent


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
    is_other = foreign and foreign >= english.familiar(found)
    return other if is_other or SPANISH_PERFECT.search(folded) else english


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
