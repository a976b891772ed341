"""Facts that tell of what is over: they give way to the word that it ended, whichever was learned first. Pure.

Nothing is rejected: "I have a cat called Biscuit" was true, and may become true again of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...protocols.clauses.endings import Ending, EndingKind, ending_in, is_over, words_before
from ...protocols.facts import speaker_key, stands_since, with_status
from ...protocols.records import Fact, FactId, FactStatus
from .corrections import Occasion
from .ledger import Ledger

_STANDING: Final = (FactStatus.ACTIVE,)


def outdate(ledger: Ledger, occasion: Occasion, fact_id: FactId) -> None:
    """Supersede what a fact says is over, and the fact itself where something said later says so of it.

    Args:
        ledger: what is stored, the fact among it.
        occasion: the turn that states the fact.
        fact_id: the fact.
    """
    fact = ledger.fact(fact_id)
    if fact is None or fact.status is not FactStatus.ACTIVE:
        return
    if (ending := ending_in(fact.text)) is not None:
        for one in _over(ledger, fact, ending):
            _supersede(ledger, one, fact)
    for later in ledger.endings():
        ended = ending_in(later.text) if stands_since(fact) < later.last_said_at <= occasion.now else None
        if ended is not None and fact in _over(ledger, later, ended):
            _supersede(ledger, fact, later)
            return


def _over(ledger: Ledger, newer: Fact, ending: Ending) -> Sequence[Fact]:
    """Return the facts that an ending makes facts of the past; none where it can't be told which of two plans."""
    found = [
        one
        for one in ledger.holding_words_of(words_before(ending), *_STANDING)
        if one.id != newer.id
        and speaker_key(one) == speaker_key(newer)
        and stands_since(one) <= newer.last_said_at
        and is_over(one.text, ending)
    ]
    return () if ending.kind is EndingKind.PLAN and len(found) > 1 else found


def _supersede(ledger: Ledger, fact: Fact, newer: Fact) -> None:
    reason = f"{newer.id} tells that it is over"
    ledger.put_fact(with_status(fact, FactStatus.SUPERSEDED, newer.last_said_at, reason))
