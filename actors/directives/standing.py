"""Which directives hold where and when, and what finds their topics.

The one place that knows where a directive holds. Shared by the roles that must leave banned topics out; each
keeps its own `Standing`, caught up from the journal. Knows no journal and no clock.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from ...protocols.records import Directive, DirectiveId, DirectiveStatus
from ...protocols.scopes import PRIVATE, Subject
from .bounds import is_active
from .gates import raised_topics
from .matcher import Matcher, compile_terms
from .stated import understand
from .wishes import Ban

CACHED_MATCHERS: Final = 64
"""Compiled sets of directives that are kept; a character speaks in fewer places at a time."""


class _Compiled(NamedTuple):
    """What finds the topics in force from `since` to before `until`, in seconds since the epoch."""

    matcher: Matcher
    since: float
    until: float


class Standing:
    """All directives of a character as they are now.

    Args:
        directives: the records, whatever their status.
    """

    def __init__(self, directives: Iterable[Directive] = ()) -> None:
        self._directives = {directive.id: directive for directive in directives}
        self._compiled: dict[frozenset[Subject], _Compiled] = {}

    @property
    def directives(self) -> dict[DirectiveId, Directive]:
        """Every directive by its id, whatever its status."""
        return self._directives

    def take(self, directive: Directive) -> None:
        """Take in a directive as it is after a change."""
        if directive.status is DirectiveStatus.DROPPED:
            self._directives.pop(directive.id, None)
        else:
            self._directives[directive.id] = directive
        self._compiled.clear()

    def in_force(self, subjects: Collection[Subject], now: float) -> tuple[Directive, ...]:
        """Return the directives that hold in any of some subjects, those for the prompt alone included.

        The owner's hold everywhere; another speaker's hold in the subject in which they were voiced.

        Args:
            subjects: where something would be said or read.
            now: in seconds since the epoch.
        """
        return tuple(
            directive
            for directive in self._directives.values()
            if holds_in(directive, subjects) and is_active(directive, now)
        )

    def matcher(self, subjects: Collection[Subject], now: float) -> Matcher:
        """Return what finds the topics that are banned in any of some subjects.

        Args:
            subjects: where something would be said or read.
            now: in seconds since the epoch.
        """
        places = frozenset(subjects)
        compiled = self._compiled.get(places)
        if compiled is None or not compiled.since <= now < compiled.until:
            if len(self._compiled) >= CACHED_MATCHERS:
                self._compiled.clear()
            directives = self.in_force(places, now)
            ends = [directive.expires_at for directive in directives if directive.expires_at is not None]
            compiled = _Compiled(compile_terms(directives), now, min(ends, default=math.inf))
            self._compiled[places] = compiled
        return compiled.matcher


def holds_in(directive: Directive, subjects: Collection[Subject]) -> bool:
    """Return whether a directive holds in any of some subjects: the owner's everywhere, another's in its own."""
    return directive.subject == PRIVATE or directive.subject in subjects


async def topics_raised(said: str, matcher: Matcher) -> frozenset[str]:
    """Return the keys of the banned topics that a person raised: named outside of any wish, and in none.

    Who asks once more not to hear of Marcus, or to forget a number, hasn't raised either, also where another
    sentence says who is meant: "Marcus? Never mention him again."

    Args:
        said: the person's words of this turn.
        matcher: of the directives in force.
    """
    if not matcher.longest or not matcher.find(said):
        return frozenset()
    understood = await understand(said)
    raised = raised_topics(understood.stated, matcher)
    banned = (name for wish in understood.wishes if isinstance(wish, Ban) for name in (wish.term, *wish.aliases))
    return raised.difference(*(raised_topics(name, matcher) for name in banned)) if raised else raised
