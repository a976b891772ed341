"""How a fact grows: from a candidate to a fact, and from two states of one fact to their join.

The states of a fact form a semilattice under `join_fact`: it is idempotent, commutative and
associative, so replays and the order of arrival leave no trace. Knows nothing of storage.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from typing import Final, TypedDict

from msgspec.structs import replace

from .errors import DefectError
from .messages import Candidate
from .records import SOURCES_KEPT, Fact, FactSource, FactStatus, Speaker, Turn, TurnId
from .statements import fact_id, statement_key
from .time_expressions import event_time


class _Standing(TypedDict):
    status: FactStatus
    status_at: float | None
    reason: str


def fact_of(turn: Turn, candidate: Candidate, now: float, zone: tzinfo = UTC) -> Fact:
    """Return the fact that a candidate from this turn states.

    Who spoke, how far they are trusted and whose memory it is come from the turn alone.

    Args:
        turn: the turn that the candidate was extracted from.
        candidate: what extraction found in it.
        now: when the fact is stored, in seconds since the epoch.
        zone: the time zone in which the speaker's days begin, for what "yesterday" means.
    """
    event_from, event_until = _event(candidate.text, turn.said_at, zone)
    key = statement_key(candidate.text)
    source = FactSource(
        turn=turn.id,
        said_at=turn.said_at,
        text=candidate.text,
        importance=candidate.importance,
        entity=candidate.entity,
        trust=turn.trust,
        label=turn.speaker.label if turn.speaker else "",
        event_from=event_from,
        event_until=event_until,
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
        event_from=event_from,
        event_until=event_until,
    )


def part_of(fact: Fact, text: str) -> Fact:
    """Return the fact that one statement of a fact of several makes, in force, resting on the same turns.

    Args:
        fact: the fact of several statements.
        text: one of them.
    """
    key = statement_key(text)
    return replace(
        fact,
        id=fact_id(fact.subject, speaker_key(fact), key),
        key=key,
        text=text,
        sources=tuple(replace(source, text=text) for source in fact.sources),
        status=FactStatus.ACTIVE,
        status_at=None,
        reason="",
    )


def join_fact(stored: Fact | None, new: Fact) -> Fact:
    """Return the state that holds what two states of one fact hold, as `Fact` describes it.

    The status is the one that was entered last: what is merely stated, which enters none, leaves a retraction as
    it is. Of two that were entered at the same time, the one that holds the fact back stands.

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
        contested_at=max((at for at in (first.contested_at, new.contested_at) if at is not None), default=None),
        event_from=earliest.event_from,
        event_until=earliest.event_until,
        **_standing(first, new),
    )


def with_status(fact: Fact, status: FactStatus, at: float, reason: str) -> Fact:
    """Return a fact in another status.

    Args:
        fact: the fact.
        status: the status that it enters.
        at: when, in seconds since the epoch; for what a person says, when it was said.
        reason: why, for people to read.
    """
    return replace(fact, status=status, status_at=at, reason=reason)


def stands_since(fact: Fact) -> float:
    """Return when a fact was last spoken for: said, or put into its status, whichever is later."""
    return fact.last_said_at if fact.status_at is None else max(fact.last_said_at, fact.status_at)


def speaker_key(fact_or_turn: Fact | Turn) -> str:
    """Return the account key of whoever said it, empty for the owner."""
    return fact_or_turn.speaker.key if fact_or_turn.speaker else ""


_RANK: Final = {
    FactStatus.ACTIVE: 0,
    FactStatus.ARCHIVED: 1,
    FactStatus.SUPERSEDED: 2,
    FactStatus.DISPUTED: 3,
    FactStatus.RETRACTED: 4,
}
"""Which of two statuses that were entered at the same time stands: the larger."""


def _standing(one: Fact, other: Fact) -> _Standing:
    last = max(one, other, key=_entered)
    return {"status": last.status, "status_at": last.status_at, "reason": last.reason}


def _entered(fact: Fact) -> tuple[float, int, str]:
    return (-math.inf if fact.status_at is None else fact.status_at, _RANK[fact.status], fact.reason)


def _least(sources: Iterable[FactSource]) -> tuple[FactSource, ...]:
    """Return the least sources in order, one a turn.

    A turn that falls out here is preceded by enough others, and joining more can only add to those:
    so it would fall out of every later join too, which makes the cut associative.
    """
    of_turn: dict[TurnId, FactSource] = {}
    for source in sorted(sources, key=_order):
        of_turn.setdefault(source.turn, source)
    return tuple(of_turn.values())[:SOURCES_KEPT]


def _event(text: str, said_at: float, zone: tzinfo) -> tuple[float | None, float | None]:
    try:
        found = event_time(text, datetime.fromtimestamp(said_at, zone))
    except (ValueError, OverflowError, OSError):
        # A host may give any number as a time; one that no calendar has names no day.
        return None, None
    return (None, None) if found is None else (found.begins_at, found.ends_at)


def _order(source: FactSource) -> tuple[float, str, str, int, str, float, str, float, float]:
    """Return a total order: by time and turn, then by all else, so that equal turns have one least source."""
    trust = -1.0 if source.trust is None else source.trust
    event_from = -math.inf if source.event_from is None else source.event_from
    event_until = -math.inf if source.event_until is None else source.event_until
    return (
        source.said_at,
        source.turn,
        source.text,
        source.importance,
        source.entity,
        trust,
        source.label,
        event_from,
        event_until,
    )


def _labelled(speaker: Speaker | None, label: str) -> Speaker | None:
    return None if speaker is None else replace(speaker, label=label)
