"""Which rows tell what a hit tells already: its statement, its turn, or a fact that was made of it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ...protocols.records import Fact, Reflection, Turn
from ...protocols.statements import statement_key
from .tense import tells_past

_NONE: Final[frozenset[str]] = frozenset()


class Telling:
    """What a row tells, as far as it decides whether another row tells it too.

    Args:
        memory: the row's.

    Attributes:
        is_turn: whether it is a turn.
        turns: the turns that it rests on, a turn's own among them.
        again: those of them in which a fact was said again.
    """

    __slots__ = ("_is_past", "_key", "_memory", "again", "is_turn", "turns")

    def __init__(self, memory: Fact | Reflection | Turn) -> None:
        self._memory = memory
        # Reading a text closely takes longer than all the rest, so that it is left until somebody asks.
        self._key: tuple[str, str] | None = None
        self._is_past: bool | None = None
        self.is_turn = isinstance(memory, Turn)
        self.turns, self.again = _turns(memory)

    @property
    def key(self) -> tuple[str, str]:
        """What is equal for one statement of one person in one subject: these two, and its canonical form."""
        if self._key is None:
            memory = self._memory
            speaker = None if isinstance(memory, Reflection) else memory.speaker
            self._key = f"{memory.subject} {speaker.key if speaker else ''}", statement_key(memory.text)
        return self._key

    @property
    def is_past(self) -> bool:
        """Whether it tells how things were."""
        if self._is_past is None:
            self._is_past = tells_past(self._memory.text)
        return self._is_past


def _turns(memory: Fact | Reflection | Turn) -> tuple[frozenset[str], frozenset[str]]:
    if isinstance(memory, Turn):
        return frozenset((memory.id,)), _NONE
    if isinstance(memory, Reflection) or not memory.sources:
        return _NONE, _NONE
    turns = frozenset([source.turn for source in memory.sources])
    return turns, frozenset([source.turn for source in memory.sources[1:]]) if len(memory.sources) > 1 else _NONE


Tells = Callable[[str], Telling]
"""Returns what the row of an id tells."""


class Tellings(dict[str, Telling]):
    """What each row tells that was asked for, by its id.

    Args:
        memories: those of the rows.
    """

    def __init__(self, memories: Mapping[str, Fact | Reflection | Turn]) -> None:
        super().__init__()
        self._memories = memories

    def __missing__(self, row: str) -> Telling:
        """Return what a row tells that isn't among them, which it joins."""
        telling = self[row] = Telling(self._memories[row])
        return telling


class Told:
    """What the hits so far tell.

    Args:
        question: what was asked, which is no answer to itself.
    """

    def __init__(self, question: str = "") -> None:
        self._question = statement_key(question)
        self._keys: set[tuple[str, str]] = set()
        self._turns: set[str] = set()
        self._facts: set[str] = set()

    def is_told(self, telling: Telling) -> bool:
        """Return whether a hit tells all that a row tells: its words, its turn, or a fact that was made of it."""
        if not self._turns.isdisjoint(telling.turns):
            return True
        key = telling.key
        if telling.is_turn and (not self._facts.isdisjoint(telling.turns) or key[1] == self._question):
            return True
        return key in self._keys

    def is_near(self, telling: Telling) -> bool:
        """Return whether a fact of the same turn is told."""
        return not self._facts.isdisjoint(telling.turns)

    def add(self, telling: Telling) -> None:
        """Take a row as a hit."""
        self._keys.add(telling.key)
        (self._turns if telling.is_turn else self._facts).update(telling.turns)
