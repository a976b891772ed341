"""What the journal says about an entry: a line an event that touched it."""

from __future__ import annotations

from collections.abc import Iterable

from ...protocols.events import Event, FactAdded, FactRepeated
from ...protocols.records import Fact
from ...protocols.text import fold


def explain(of: str, events: Iterable[Event]) -> tuple[str, ...]:
    """Return the history of the facts whose text contains `of`, oldest event first.

    Args:
        of: what to look for, compared without case and width.
        events: the character's journal.
    """
    wanted = fold(of)
    lines: list[str] = []
    for event in events:
        match event.change:
            case FactAdded(fact=fact) | FactRepeated(fact=fact) if wanted in fold(fact.text):
                lines.append(_line(event, fact))
            case _:
                continue
    return tuple(lines)


def _line(event: Event, fact: Fact) -> str:
    speaker = "the owner" if fact.speaker is None else fact.speaker.key
    trust = "abstained" if fact.trust is None else f"{fact.trust:g}"
    return (
        f"{event.kind} by {event.actor} because of {event.cause}: {fact.text!r}, {fact.status}, "
        f"said by {speaker}, trust {trust}, in {fact.subject}, on {len(fact.sources)} turns"
    )
