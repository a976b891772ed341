"""What of memory takes part in recall, what the index keeps of it, and what a hit tells of it. Pure.

A fact takes part while it is in force, a reflection while it is pending or confirmed; which turns do is told by
`withheld`. Whether a reflection is disputed or left alone for a while depends on the moment, so that is asked anew
for each query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, TypeAlias

from ...protocols.evidence import is_disputed, tier
from ...protocols.fillers import is_filler
from ...protocols.messages import Hit, MemoryKind
from ...protocols.records import Entity, Fact, FactStatus, Reflection, Role, Turn
from ...protocols.settings import Settings
from ...protocols.statements import statement_key
from ...protocols.tokens import tokens_of
from ...protocols.trust import band_of, is_doubtful
from ..persona.mentions import is_suppressed
from ..reflection.lifecycle import ACTIVE
from .bylines import CHARACTER, byline, voice
from .implied import implied_terms, kinds_of
from .lexicon import Lexicon
from .numbering import distinct
from .ranking import Ranked
from .rows import NOWHERE, Entry, Piece, Rows, Voice
from .search_terms import search_terms

Memory: TypeAlias = Fact | Reflection | Turn

TEXTS_KEPT: Final = 64
"""Texts whose terms are remembered: a fact that quotes its turn is entered soon after it."""

MOST_FILLING: Final = 12
"""Longest utterance that may be nothing but a word that fills, in characters."""

_ONLY_ASKS: Final = re.compile(r"""(?:[^.!?\u2026\u3002\uff01\uff1f\n]*[?\uff1f]+["'\u201d\u2019\u300d)\s]*)+""")
"""Sentences that all end in a question mark."""

_ASKS: Final = re.compile(r"[?\uff1f]|(?:[吗嗎呢]|(?:です|ます|でした|ました|の)か)[。.\s]*$")
"""By what an utterance is seen to ask."""


def takes_part(memory: Fact | Reflection) -> bool:
    """Return whether a memory can be recalled at all, as it stands."""
    if isinstance(memory, Fact):
        return memory.status is FactStatus.ACTIVE
    return memory.status in ACTIVE


def held_back(reflections: Iterable[Reflection], now: float, settings: Settings) -> frozenset[str]:
    """Return the ids of those reflections that aren't recalled now.

    That are the disputed ones, those brought up too often lately, and of several that say the same all but the
    oldest. One that is negative through being ignored is recalled: silence is no dispute.

    Args:
        reflections: those that take part.
        now: seconds since the epoch.
        settings: what disputes one, and how often one may be brought up.
    """
    held: set[str] = set()
    told: set[tuple[str, str]] = set()
    for one in sorted(reflections, key=lambda reflection: (reflection.created_at, reflection.id)):
        says = (one.subject, statement_key(one.text))
        if (
            is_disputed(one.evidence, now, settings.evidence)
            or is_suppressed(one.mentions, now, settings.mentions)
            or says in told
        ):
            held.add(one.id)
        else:
            told.add(says)
    return frozenset(held)


def hit_of(memory: Memory, found: Ranked, matched: tuple[str, ...], now: float, settings: Settings) -> Hit:
    """Return the hit on a memory.

    Args:
        memory: what was found.
        found: how well, and why.
        matched: the query's terms found in it.
        now: seconds since the epoch, for the tier of a reflection.
        settings: what makes a tier and a band.
    """
    match memory:
        case Fact():
            return _hit_on_fact(memory, found, matched, settings)
        case Reflection():
            return _hit_on_reflection(memory, found, matched, now, settings)
        case Turn():
            return _hit_on_turn(memory, found, matched, settings)


def _hit_on_fact(fact: Fact, found: Ranked, matched: tuple[str, ...], settings: Settings) -> Hit:
    return Hit(
        kind=MemoryKind.FACT,
        id=fact.id,
        text=fact.text,
        entity=fact.entity,
        subject=fact.subject,
        speaker=fact.speaker,
        trust=fact.trust,
        band=band_of(fact.trust, settings.trust),
        doubtful=is_doubtful(fact.contested_at, fact.trust, settings.trust),
        said_at=fact.said_at,
        last_said_at=fact.last_said_at,
        event_from=fact.event_from,
        event_until=fact.event_until,
        turns=tuple([source.turn for source in fact.sources]),
        score=found.score,
        matched=matched,
        reason=found.reason,
        parts=found.parts,
    )


def _hit_on_reflection(
    reflection: Reflection, found: Ranked, matched: tuple[str, ...], now: float, settings: Settings
) -> Hit:
    trust = None if reflection.provenance is None else reflection.provenance.trust
    return Hit(
        kind=MemoryKind.REFLECTION,
        id=reflection.id,
        text=reflection.text,
        entity=reflection.entity,
        subject=reflection.subject,
        tier=tier(reflection.evidence, now, settings.evidence),
        trust=trust,
        band=None if reflection.provenance is None else band_of(trust, settings.trust),
        said_at=reflection.created_at,
        last_said_at=reflection.created_at,
        event_from=reflection.event_at,
        event_until=reflection.event_at,
        score=found.score,
        matched=matched,
        reason=found.reason,
        parts=found.parts,
    )


def _hit_on_turn(turn: Turn, found: Ranked, matched: tuple[str, ...], settings: Settings) -> Hit:
    return Hit(
        kind=MemoryKind.TURN,
        id=turn.id,
        text=turn.text,
        entity=Entity.OWNER if turn.speaker is None else Entity.OTHER,
        subject=turn.subject,
        speaker=turn.speaker,
        trust=turn.trust,
        band=band_of(turn.trust, settings.trust),
        said_at=turn.said_at,
        last_said_at=turn.said_at,
        turns=(turn.id,),
        score=found.score,
        matched=matched,
        reason=found.reason,
        parts=found.parts,
    )


def entry_of(memory: Memory, owner: str, names: frozenset[str], place: int = NOWHERE) -> Entry:
    """Return what the index keeps of a memory.

    Args:
        memory: the memory.
        owner: how the owner is called, or an empty string.
        names: terms of the names of the two who talk, which say nothing in a text.
        place: where a turn stands in the order of what was said.
    """
    match memory:
        case Turn():
            return Entry(
                memory.id,
                _told(memory.text, names),
                byline(memory.speaker, owner, memory.said_at),
                voice=_voice(memory, owner),
                place=place,
                at=memory.said_at,
                begins=memory.said_at,
                ends=memory.said_at,
                aside=_is_aside(memory),
                asks=asks(memory.text),
            )
        case Fact():
            begins, ends = event_span(memory)
            return Entry(
                memory.id,
                _told(memory.text, names),
                byline(memory.speaker, owner, memory.said_at),
                voice=_voice(memory, owner),
                at=memory.said_at,
                begins=begins,
                ends=ends,
                anchor=_anchor(memory),
            )
        case Reflection():
            at = _moment(memory)
            return Entry(memory.id, _told(memory.text, names), at=at, begins=at, ends=at)


def piece_of(memories: Sequence[Memory], owner: str, lexicon: Lexicon, place_of: Mapping[str, int]) -> Piece:
    """Return what the index keeps of many memories; of each what `entry_of` returns.

    Args:
        memories: the memories, in whatever order.
        owner: how the owner is called, or an empty string.
        lexicon: reads their texts.
        place_of: where each turn stands in the order of what was said.
    """
    turns = [one for one in memories if isinstance(one, Turn)]
    facts = [one for one in memories if isinstance(one, Fact)]
    others = [one for one in memories if isinstance(one, Reflection)]
    said: list[Turn | Fact] = [*turns, *facts]
    rows: list[Memory] = [*said, *others]
    no_turns, none = len(rows) - len(turns), len(others)
    moments = [_moment(one) for one in others]
    spans = list(chain.from_iterable(map(event_span, facts)))
    ats = [one.said_at for one in turns]
    bylines = distinct([*(byline(one.speaker, owner, one.said_at) for one in said), *[()] * none])
    own = voice(None, owner)
    voices = [
        *(own if one.speaker is None and one.role is Role.PERSON else _voice(one, owner) for one in turns),
        *(own if one.speaker is None else _voice(one, owner) for one in facts),
    ]
    terms, lengths = lexicon.read([one.text for one in rows], bylines)
    return Piece(
        Rows(
            doc_ids=[one.id for one in rows],
            lengths=lengths,
            bylines=bylines,
            places=[*(place_of.get(one.id, NOWHERE) for one in turns), *[NOWHERE] * no_turns],
            ats=[*ats, *(one.said_at for one in facts), *moments],
            anchors=[*[""] * len(turns), *map(_anchor, facts), *[""] * none],
            begins=[*ats, *spans[::2], *moments],
            ends=[*ats, *spans[1::2], *moments],
            asides=[*map(_is_aside, turns), *[False] * no_turns],
            voices=distinct([*voices, *[None] * none]),
            asks=[*(asks(one.text) for one in turns), *[False] * no_turns],
        ),
        terms,
    )


def _voice(said: Turn | Fact, owner: str) -> Voice:
    return CHARACTER if isinstance(said, Turn) and said.role is Role.CHARACTER else voice(said.speaker, owner)


def _is_aside(turn: Turn) -> bool:
    return turn.role is Role.CHARACTER or only_asks(turn.text) or only_fills(turn.text)


def _anchor(fact: Fact) -> str:
    return fact.sources[0].turn if fact.sources else ""


def _moment(reflection: Reflection) -> float:
    return reflection.created_at if reflection.event_at is None else reflection.event_at


@lru_cache(TEXTS_KEPT)
def _told(text: str, names: frozenset[str]) -> tuple[str, ...]:
    terms = search_terms(text, leave_out=names)
    return (*terms, *implied_terms(text), *kinds_of(terms))


def asks(text: str) -> bool:
    """Return whether an utterance asks something, by its marks or by how Chinese and Japanese end a question."""
    return "?" in text if text.isascii() else _ASKS.search(text) is not None


def only_asks(text: str) -> bool:
    """Return whether an utterance is nothing but questions: they tell nothing, and resemble the query."""
    return ("?" in text or "\uff1f" in text) and _ONLY_ASKS.fullmatch(text) is not None


def only_fills(text: str) -> bool:
    """Return whether an utterance is a mere "hm": it answers nothing, though it comes after a question."""
    return len(text) <= MOST_FILLING and is_filler(tokens_of(text))


def event_span(fact: Fact) -> tuple[float, float]:
    """Return from when until when what a fact tells happened; where that isn't known, when it was said."""
    first = fact.event_from if fact.event_from is not None else fact.event_until
    last = fact.event_until if fact.event_until is not None else fact.event_from
    if first is None or last is None:
        return fact.said_at, fact.last_said_at
    return min(first, last), max(first, last)
