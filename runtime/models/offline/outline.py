"""How a sentence without word boundaries is read: what stands before the statement, its end, and its claim.

The order of the steps is here; what each step looks for is the language's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from .claims import IDENTITY, TRIVIA, Claim, Cues, Person, importance

_SEAMS_TRIED: Final = 4
"""Places, from the end, at which a question may be hung on to a statement."""


class Steps(NamedTuple):
    """What one language looks for.

    Attributes:
        fold: returns a sentence as the patterns want it, every character in its place.
        lead: finds what stands at a place before the statement, such as a greeting; None where nothing does.
        noted: returns the begin and the end of what the person asks to remember, None where nothing is asked.
        end: returns where the statement that begins at a place ends.
        states: returns whether a piece states something; the second argument says that it is to be remembered.
        person: returns whom a piece is about.
        cues: importances with the patterns that show them.
        weather: finds what is over tomorrow.
        trivial: of whom weather is told that matters to nobody tomorrow.
    """

    fold: Callable[[str], str]
    lead: Callable[[str, int], re.Match[str] | None]
    noted: Callable[[str, int], tuple[int, int] | None]
    end: Callable[[str, int], int]
    states: Callable[[str, bool], bool]
    person: Callable[[str], Person]
    cues: Cues
    weather: re.Pattern[str]
    trivial: frozenset[Person]


def read(sentence: str, steps: Steps) -> Claim | None:
    """Return what a sentence claims, or None where it claims nothing worth remembering."""
    folded = steps.fold(sentence)
    start = 0
    while match := steps.lead(folded, start):
        start = match.end()
    noted = steps.noted(folded, start)
    start, end = noted or (start, steps.end(folded, start))
    body = folded[start:end].strip()
    if not steps.states(body, noted is not None):
        return None
    about = steps.person(body)
    return Claim(
        text=sentence[start:end].strip(),
        person=about,
        importance=IDENTITY if noted else _weight(body, about, steps),
    )


def seams(pattern: re.Pattern[str], folded: str, start: int) -> list[re.Match[str]]:
    """Return the last places within a sentence at which a clause may begin, the last one first."""
    found = [seam for seam in pattern.finditer(folded, start) if start < seam.start() < len(folded) - 1]
    return found[: -_SEAMS_TRIED - 1 : -1]


def _weight(body: str, person: Person, steps: Steps) -> int:
    if person in steps.trivial and steps.weather.search(body):
        return TRIVIA
    return importance(body, steps.cues)
