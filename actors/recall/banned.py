"""Which remembered rows are about topics that the person banned, so that a search can leave them out.

Keeps for every row the directives whose topic it names, found when the row or the directive comes, so that a
search asks a handful of them instead of reading every text. Knows no index and no journal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import trio

from ...protocols.records import Directive, DirectiveId
from ...protocols.scopes import Subject
from ..directives.matcher import Matcher, compile_terms
from ..directives.standing import Standing, topics_raised
from ..precedence import pause

INLINE_ROWS: Final = 500
"""Most rows that are read on the event loop when directives change: some 8 ms; more are read in a thread."""

READ_AT_ONCE: Final = 100
"""Rows that are read between two pauses: some 2 ms."""


class BannedRows:
    """The rows that name a topic of a directive, and which directives those are.

    Args:
        directives: every directive as it is now.
    """

    def __init__(self, directives: tuple[Directive, ...] = ()) -> None:
        self._standing = Standing(directives)
        self._given = _given(self._standing)
        self._texts: dict[str, str] = {}
        self._named: dict[str, frozenset[DirectiveId]] = {}
        self._unread: dict[DirectiveId, Directive] = {}

    def put(self, row: str, text: str) -> None:
        """Take in a row."""
        self._texts[row] = text
        self._name(row, frozenset(span.directive for span in self._given.find(text)))

    def load(self, texts: Mapping[str, str]) -> None:
        """Take in the text of many rows, which are read when it is asked next what is hidden."""
        self._texts.update(texts)
        self._unread.update(self._standing.directives)

    def remove(self, row: str) -> None:
        """Take a row out; one that isn't there changes nothing."""
        self._texts.pop(row, None)
        self._named.pop(row, None)

    def take(self, directive: Directive) -> None:
        """Take in a directive as it is after a change."""
        known = self._standing.directives.get(directive.id)
        self._standing.take(directive)
        if known is None or _names(known) != _names(directive):
            self._unread[directive.id] = directive

    async def hidden(self, subjects: tuple[Subject, ...], said: str, now: float) -> frozenset[str]:
        """Return the rows that name a topic which is banned now and which the person didn't raise.

        Args:
            subjects: where is searched.
            said: the person's words; empty where nobody asked.
            now: in seconds since the epoch.
        """
        await self._read()
        if not self._named:
            return frozenset()
        in_force = {directive.id: directive.key for directive in self._standing.in_force(subjects, now)}
        raised = await topics_raised(said, self._standing.matcher(subjects, now))
        held = {directive for directive, key in in_force.items() if key not in raised}
        return frozenset(row for row, named in self._named.items() if not held.isdisjoint(named))

    async def _read(self) -> None:
        """Look for the topics of directives that are new, or are named otherwise, in every row."""
        if not self._unread:
            return
        unread, self._unread = self._unread, {}
        self._given = _given(self._standing)
        matcher = compile_terms(unread.values())
        if not matcher.longest:
            found = {}
        elif len(self._texts) <= INLINE_ROWS:
            found = _find(self._texts, matcher)
        else:
            found = await trio.to_thread.run_sync(_find, dict(self._texts), matcher)
        for row in {*self._named, *found}:
            kept = self._named.get(row, frozenset()) - unread.keys()
            self._name(row, kept | found.get(row, frozenset()))

    def _name(self, row: str, directives: frozenset[DirectiveId]) -> None:
        if directives:
            self._named[row] = directives
        else:
            self._named.pop(row, None)


def _given(standing: Standing) -> Matcher:
    return compile_terms(standing.directives.values())


def _find(texts: dict[str, str], matcher: Matcher) -> dict[str, frozenset[DirectiveId]]:
    found = {}
    for number, (row, text) in enumerate(texts.items(), 1):
        if directives := frozenset(span.directive for span in matcher.find(text)):
            found[row] = directives
        if not number % READ_AT_ONCE:
            pause()
    return found


def _names(directive: Directive) -> tuple[object, ...]:
    return directive.term, directive.aliases, directive.bare, directive.locale
