"""Which of many statements may be about the same as a claim, found by pieces of words instead of reading each.

To read what a statement claims takes some 0.3 ms, and a person has tens of thousands. What opposes a claim,
replaces it or says the same shares a content word with it, a predicate or a slot; so only those that do have to be
read and compared. Finds too many rather than too few. Pure; knows statements and ids, no facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

from ...protocols.claims import Claim
from ...protocols.clauses.split import fold_clause
from ...protocols.scripts import CJK, HAN, HANGUL, KANA
from ...protocols.statements import statement_key
from ...protocols.tokens import terms
from ..precedence import pause

STEM_CHARS: Final = 3
"""Characters at the beginning of a stem that its word has too, such as of "studi" and "study"."""

_SHORT_CHARS: Final = 6
"""Longest word whose stem may be shorter than `STEM_CHARS` (characters), such as "going"."""

READ_AT_ONCE: Final = 8
"""Statements that are read between two pauses: some 2 ms."""

_SHORTEST_STEM: Final = 2
"""Characters of a stem that may be shorter than the beginning of its word: that of "going" is "go"."""

_PIECE: Final = re.compile(rf"[{HAN}{KANA}{HANGUL}]|[^\W_{HAN}{KANA}{HANGUL}]+")
_NEGATION: Final = frozenset({"not", "never", "do", "does", "did", "不", "没"})
"""What one of two opposite statements may have and the other not (`protocols.relation`)."""

_LEAST_CHARS: Final = 4
"""Shortest word that is the same in two opposite statements but for an "s" at its end."""

Reader = Callable[[str], Iterable[Claim]]
"""Returns what the statement of an id claims."""


class _ByWord(dict[str, list[str]]):
    """The statements that hold a word like one: those that begin alike share a list, short and long ones apart.

    A character of an unspaced script is a word, and like itself alone.
    """

    def __init__(self) -> None:
        super().__init__()
        self._short: dict[str, list[str]] = {}
        self._long: dict[str, list[str]] = {}

    def __missing__(self, word: str) -> list[str]:
        """Return the list of a word that wasn't met before."""
        lists = self._short if len(word) <= _SHORT_CHARS else self._long
        holders = self[word] = lists.setdefault(word[:STEM_CHARS], [])
        return holders

    def like(self, stem: str) -> list[str]:
        """Return what holds a word of a stem; one that is shorter than `STEM_CHARS` has short words alone."""
        begins = stem[:STEM_CHARS]
        if len(begins) == _SHORTEST_STEM:
            lists = [holders for word, holders in self._short.items() if word.startswith(begins)]
        else:
            lists = [each.get(begins, []) for each in (self._short, self._long)]
        return list(chain.from_iterable(lists))

    def everywhere(self) -> set[str]:
        """Return what holds any word."""
        return set().union(*self._short.values(), *self._long.values())


class Concordance:
    """The statements of one subject by pieces of their words, and by more of what they claim once they were read.

    Args:
        read: reads a statement that is here; each is read once at most.
    """

    def __init__(self, read: Reader) -> None:
        self._read_one = read
        self._by_word = _ByWord()
        self._by_slot: dict[str, set[str]] = {}
        self._by_bare_predicate: dict[str, set[str]] = {}
        self._unread: set[str] = set()

    @property
    def unread(self) -> int:
        """Number of statements that were not read yet."""
        return len(self._unread)

    def put(self, name: str, text: str) -> None:
        """Take in a statement that isn't here yet; its words never change."""
        words = _PIECE.findall(text.lower() if text.isascii() else fold_clause(text))
        for holders in map(self._by_word.__getitem__, words):
            holders.append(name)
        self._unread.add(name)

    def read(self, names: Iterable[str]) -> None:
        """Read those of some statements that were not read yet."""
        for number, name in enumerate(self._unread.intersection(names), 1):
            if not number % READ_AT_ONCE:
                pause()
            self._unread.discard(name)
            for claim in self._read_one(name):
                if claim.frame.slot:
                    self._by_slot.setdefault(claim.frame.slot, set()).add(name)
                if not claim.terms:
                    self._by_bare_predicate.setdefault(_verb(claim), set()).add(name)

    def near(self, claims: Iterable[Claim]) -> set[str]:
        """Return the statements that may oppose some claims, replace them, or say the same, either way round."""
        found: set[str] = set()
        for claim in claims:
            for term in claim.terms:
                found |= self._holding(term)
            # What one does is compared alone only where one of the two names nothing else: "I don't smoke".
            same_verb = self._holding(_verb(claim))
            if claim.terms:
                self.read(same_verb)
                same_verb = self._by_bare_predicate.get(_verb(claim), set())
            found |= same_verb
            if claim.frame.slot:
                self.read(list(self._unread))
                found |= self._by_slot.get(claim.frame.slot, frozenset())
        return found

    def holding_words_of(self, text: str) -> set[str]:
        """Return the statements that may hold one of the content words of a text."""
        return set().union(*(self._holding(term) for term in terms(fold_clause(text))))

    def alike(self, text: str) -> set[str]:
        """Return the statements that may be one with a text but for a negation (`protocols.relation`)."""
        rarest: list[str] | None = None
        for run in _PIECE.findall(fold_clause(statement_key(text))):
            if run in _NEGATION or (len(run) < _LEAST_CHARS and not CJK.match(run)):
                continue
            holders = self._by_word.like(run)
            if rarest is None or len(holders) < len(rarest):
                rarest = holders
        return self._by_word.everywhere() if rarest is None else set(rarest)

    def _holding(self, term: str) -> set[str]:
        return set().union(*(self._by_word.like(run) for run in _PIECE.findall(term)))


def _verb(claim: Claim) -> str:
    return claim.frame.predicate.rpartition(" ")[2]
