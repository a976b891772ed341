"""What a turn's candidates change. Pure, and the same whatever the order and however often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...protocols.events import FactAdded, FactRepeated
from ...protocols.facts import fact_of, join_fact
from ...protocols.messages import Candidate
from ...protocols.records import Fact, FactId, Turn


def stated_facts(turn: Turn, candidates: Iterable[Candidate], now: float) -> dict[FactId, Fact]:
    """Return the facts that a turn states, by their ids; what it says twice is one.

    Args:
        turn: the turn.
        candidates: what extraction found in it.
        now: when the facts are stored, in seconds since the epoch.
    """
    stated: dict[FactId, Fact] = {}
    for candidate in candidates:
        fact = fact_of(turn, candidate, now)
        stated[fact.id] = join_fact(stated.get(fact.id), fact)
    return stated


def changes_of(
    stated: Mapping[FactId, Fact], stored: Mapping[FactId, Fact]
) -> tuple[FactAdded | FactRepeated, ...]:
    """Return what is new in what was stated; nothing for a fact that is stored with this very source.

    Args:
        stated: facts by their ids, as `stated_facts` returns them.
        stored: those of them that are stored, as they are now.
    """
    changes: list[FactAdded | FactRepeated] = []
    for fact_id, fact in stated.items():
        known = stored.get(fact_id)
        joined = join_fact(known, fact)
        if known is None:
            changes.append(FactAdded(fact=joined))
        elif joined != known:
            changes.append(FactRepeated(fact=joined))
    return tuple(changes)
