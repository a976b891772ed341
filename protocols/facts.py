"""How a fact grows: from a candidate to a fact, and from two states of one fact to their join.

The states of a fact form a semilattice under `join_fact`: it is idempotent, commutative and
associative, so replays and the order of arrival leave no trace. Knows nothing of storage.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from .errors import DefectError
from .messages import Candidate
from .records import SOURCES_KEPT, Fact, FactSource, Speaker, Turn, TurnId
from .statements import fact_id, statement_key


def fact_of(turn: Turn, candidate: Candidate, now: float) -> Fact:
    """Return the fact that a candidate from this turn states.

    Who spoke, how far they are trusted and whose memory it is come from the turn alone.

    Args:
        turn: the turn that the candidate was extracted from.
        candidate: what extraction found in it.
        now: when the fact is stored, in seconds since the epoch.
    """
    key = statement_key(candidate.text)
    source = FactSource(
        turn=turn.id,
        said_at=turn.said_at,
        text=candidate.text,
        importance=candidate.importance,
        entity=candidate.entity,
        trust=turn.trust,
        label=turn.speaker.label if turn.speaker else "",
    )
    return Fact(
        id=fact_id(turn.subject, turn.speaker.key if turn.speaker else "", key),
        key=key,
        text=source.text,
        entity=source.entity,
        importance=source.importance,
        subject=turn.subject,
        speaker=turn.speaker,
        trust=source.trust,
        sources=(source,),
        said_at=source.said_at,
        last_said_at=source.said_at,
        created_at=now,
    )


def join_fact(stored: Fact | None, new: Fact) -> Fact:
    """Return the state that holds what two states of one fact hold, as `Fact` describes it.

    Args:
        stored: the state so far, or None where there is none.
        new: a state of the same fact.

    Raises:
        DefectError: if the two are different facts, or one rests on no turn.
    """
    first = new if stored is None else stored
    if first.id != new.id:
        raise DefectError(f"facts {first.id} and {new.id} are two; only states of one fact can be joined")
    sources = _least((*first.sources, *new.sources))
    if not sources:
        raise DefectError(f"fact {new.id} rests on no turn; a fact needs at least one source")
    earliest = sources[0]
    return replace(
        first,
        text=earliest.text,
        entity=earliest.entity,
        trust=earliest.trust,
        speaker=_labelled(first.speaker, earliest.label),
        sources=sources,
        importance=max(first.importance, new.importance),
        said_at=earliest.said_at,
        last_said_at=max(first.last_said_at, new.last_said_at),
        created_at=min(first.created_at, new.created_at),
    )


def _least(sources: Iterable[FactSource]) -> tuple[FactSource, ...]:
    """Return the least sources in order, one a turn.

    A turn that falls out here is preceded by enough others, and joining more can only add to those:
    so it would fall out of every later join too, which makes the cut associative.
    """
    of_turn: dict[TurnId, FactSource] = {}
    for source in sorted(sources, key=_order):
        of_turn.setdefault(source.turn, source)
    return tuple(of_turn.values())[:SOURCES_KEPT]


def _order(source: FactSource) -> tuple[float, str, str, int, str, float, str]:
    """Return a total order: by time and turn, then by all else, so that equal turns have one least source."""
    trust = -1.0 if source.trust is None else source.trust
    return (
        source.said_at,
        source.turn,
        source.text,
        source.importance,
        source.entity,
        trust,
        source.label,
    )


def _labelled(speaker: Speaker | None, label: str) -> Speaker | None:
    return None if speaker is None else replace(speaker, label=label)
