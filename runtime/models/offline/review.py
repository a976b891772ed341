"""Which turns of the recent window needn't be told again, as far as rules can tell. Pure.

A turn goes where the same person later states the same again, or states the opposite or another value of the same
slot. An answer such as "yes" says another thing each time, and never goes.
"""

from __future__ import annotations

from ....protocols.claims import opposes, replaces, same_claim
from ....protocols.records import Turn
from ....protocols.rejections import readings
from ....protocols.statements import statement_key
from ....protocols.tasks import Overtaken, ReviewRequest
from ....protocols.tokens import terms

LEAST_TERMS = 3
"""Different terms of a turn that is told but once; fewer are an answer or a greeting."""


def reviewed(request: ReviewRequest) -> tuple[Overtaken, ...]:
    """Return the turns that a later one of the same person repeats or takes back, by the first that does."""
    names = (request.profile.owner,) if request.profile.owner else ()
    found: list[Overtaken] = []
    for at, turn in enumerate(request.turns):
        if len(set(terms(turn.text))) < LEAST_TERMS:
            continue
        for later in request.turns[at + 1 :]:
            if _is_of_the_same(turn, later) and _overtakes(later.text, turn.text, names):
                found.append(Overtaken(turn=turn.id, by=later.id))
                break
    return tuple(found)


def _is_of_the_same(one: Turn, other: Turn) -> bool:
    return one.role is other.role and one.speaker == other.speaker


def _overtakes(later: str, earlier: str, names: tuple[str, ...]) -> bool:
    if statement_key(later) == statement_key(earlier):
        return True
    told, said = readings(earlier, names), readings(later, names)
    return bool(told) and all(
        any(opposes(new, old) or replaces(new, old) or same_claim(old, new) for new in said) for old in told
    )
