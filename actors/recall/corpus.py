"""What recall knows of one character: its memories, their index, and what is held back of them.

Follows the journal record by record. Pure but for time, which is an argument, and for long searches for banned
topics, which go to a thread. Knows no query and no ranking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ...protocols.events import AnyRecord
from ...protocols.records import Directive, Fact, Profile, Reflection, Rejection, Turn, TurnId
from ...protocols.scopes import Subject
from ...protocols.settings import Settings
from ..dedup.rejected import RejectedValues
from ..precedence import pause
from .banned import BannedRows
from .index import InvertedIndex
from .lexicon import Lexicon
from .memories import Memory, entry_of, held_back, piece_of, takes_part
from .repeats import Tellings, Tells
from .rows import NOWHERE, Entry, Piece
from .search_terms import search_terms
from .withheld import WithheldTurns, is_dead

PIECE_ROWS: Final = 400
"""Rows between two pauses while everything is loaded, which take some 2 ms."""


class Stored(Struct, frozen=True, kw_only=True):
    """Everything that a journal holds of what recall follows; turns in the order in which they were said."""

    profile: Profile
    facts: Sequence[Fact] = ()
    reflections: Sequence[Reflection] = ()
    turns: Sequence[Turn] = ()
    directives: Sequence[Directive] = ()
    rejections: Sequence[Rejection] = ()


class Corpus:
    """The memories of one character, ready to be searched.

    Args:
        character: its name.
        stored: what its journal holds.
        settings: how memories are ranked and parted into conversations.

    Attributes:
        index: the rows that may be found.
        memories: what each row tells, by its id.
        names: terms of the names of the two who talk.
        tells: returns what a row tells.
        entered: ids of the rows that were entered since this was emptied last, after their vectors.
    """

    def __init__(self, character: str, stored: Stored, settings: Settings) -> None:
        ranking = settings.recall
        self.index = InvertedIndex(
            k1=ranking.k1,
            b=ranking.b,
            around_k1=ranking.around_k1,
            around_b=ranking.around_b,
            gap_s=ranking.gap_s,
        )
        self.memories: dict[str, Memory] = {}
        self.names = frozenset(search_terms(f"{stored.profile.owner} {character}"))
        self.entered: set[str] = set()
        self._owner = stored.profile.owner
        self._settings = settings
        self._reflections: dict[str, Reflection] = {}
        self._banned = BannedRows(tuple(stored.directives))
        self._rejected = RejectedValues(stored.profile.owner)
        self._rejected_turns: set[TurnId] = set()
        self._withheld = WithheldTurns(self.index.holders)
        self._tellings = Tellings(self.memories)
        self.tells: Tells = self._tellings.__getitem__
        self._passed: set[str] = set()
        self._places = 0
        self._load(stored)

    def take(self, record: AnyRecord) -> None:
        """Take in a record as it is after a change; a `Profile` needs a corpus of its own."""
        match record:
            case Fact():
                self._take_fact(record)
            case Reflection():
                self._take_reflection(record)
            case Turn():
                self._take_turn(record)
            case Directive():
                self._banned.take(record)
            case Rejection():
                self._rejected.take(record)
                released, self._rejected_turns = self._rejected_turns, set()
                self._look_again(released)
            case _:
                pass

    async def hidden(self, subjects: tuple[Subject, ...], said: str, now: float) -> frozenset[str]:
        """Return the rows that can't be told now: about a banned topic, disputed, or brought up too often.

        Args:
            subjects: where is searched.
            said: the person's words, which may raise a banned topic; empty where nobody asked.
            now: in seconds since the epoch.
        """
        reflections = self._reflections.values()
        rejected = frozenset(one.id for one in reflections if self._rejected.says(one))
        banned = await self._banned.hidden(subjects, said, now)
        return banned | rejected | held_back(reflections, now, self._settings)

    def withhold_rejected(self, rows: Iterable[str]) -> bool:
        """Take those turns out of the index that say what was rejected, and return whether there were any."""
        if not self._rejected:
            return False
        found = map(self.memories.get, rows)
        rejected = {turn.id for turn in found if isinstance(turn, Turn) and self._rejected.says(turn)}
        self._rejected_turns |= rejected
        self._leave(rejected)
        return bool(rejected)

    def embed(self, rows: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep the vectors of rows, of shape (n, dimension)."""
        self.index.embed(rows, vectors)
        self._passed.update([row for row in rows if row not in self.index])

    def _load(self, stored: Stored) -> None:
        self._withheld.load(stored.turns)
        self._places = len(stored.turns)
        self._reflections.update({one.id: one for one in stored.reflections if takes_part(one)})
        of_subject: defaultdict[Subject, list[Memory]] = defaultdict(list)
        for turn in stored.turns:
            if not turn.wishes:
                of_subject[turn.subject].append(turn)
        dead: list[Fact] = []
        for fact in stored.facts:
            if is_dead(fact):
                dead.append(fact)
            else:
                of_subject[fact.subject].append(fact)
        for reflection in self._reflections.values():
            of_subject[reflection.subject].append(reflection)
        lexicon = Lexicon(self.names)
        for subject, memories in of_subject.items():
            self.memories.update({memory.id: memory for memory in memories})
            self.index.extend(subject, self._pieces(memories, lexicon), lexicon.vocabulary)
        self._banned.load({row: memory.text for row, memory in self.memories.items()})
        for rejection in stored.rejections:
            self._rejected.take(rejection)
        for fact in dead:
            self._leave(self._withheld.bury(fact))
        self._leave(self._withheld.meant_by(stored.turns))

    def _take_fact(self, fact: Fact) -> None:
        if is_dead(fact):
            self._leave({fact.id})
            self._leave(self._withheld.bury(fact))
            return
        self._enter(fact)
        self._look_again(self._withheld.revive(fact))

    def _take_reflection(self, reflection: Reflection) -> None:
        if takes_part(reflection):
            self._enter(reflection)
        else:
            self._leave({reflection.id})

    def _take_turn(self, turn: Turn) -> None:
        if self._withheld.turn(turn.id) is not None:
            return
        self._withheld.put(turn, self._places)
        self._places += 1
        self._leave(self._withheld.meant_by((turn,)))
        self._look_again({turn.id})

    def _look_again(self, turns: Iterable[TurnId]) -> None:
        for turn_id in turns:
            turn = self._withheld.turn(turn_id)
            if turn is not None and turn_id not in self.memories and not self._withheld.is_withheld(turn):
                self._enter(turn)

    def _describe(self, memory: Memory) -> Entry:
        self.memories[memory.id] = memory
        self._tellings.pop(memory.id, None)
        if isinstance(memory, Reflection):
            self._reflections[memory.id] = memory
        self._banned.put(memory.id, memory.text)
        return entry_of(memory, self._owner, self.names, self._withheld.places.get(memory.id, NOWHERE))

    def _pieces(self, memories: Sequence[Memory], lexicon: Lexicon) -> Iterator[Piece]:
        """Yield many memories piece by piece, and let others have the interpreter between two."""
        for start in range(0, len(memories), PIECE_ROWS):
            pause()
            some = memories[start : start + PIECE_ROWS]
            yield piece_of(some, self._owner, lexicon, self._withheld.places)

    def _enter(self, memory: Memory) -> None:
        known = self.memories.get(memory.id)
        if known is None or _rests_on(known) != _rests_on(memory):
            self.index.enter(memory.subject, self._describe(memory))
            if known is not None or memory.id in self._passed:
                self.entered.add(memory.id)
            return
        self.memories[memory.id] = memory
        self._tellings.pop(memory.id, None)
        if isinstance(memory, Reflection):
            self._reflections[memory.id] = memory

    def _leave(self, rows: Iterable[str]) -> None:
        for row in rows:
            if self.memories.pop(row, None) is not None:
                self._reflections.pop(row, None)
                self._tellings.pop(row, None)
                self._passed.add(row)
                self.index.remove(row)
                self._banned.remove(row)


def _rests_on(memory: Memory) -> tuple[object, ...]:
    """Return what the entry of a memory is made of; where that stays, so does the entry."""
    match memory:
        case Fact():
            return (
                memory.text,
                memory.speaker,
                memory.said_at,
                memory.last_said_at,
                memory.event_from,
                memory.event_until,
                memory.sources[:1],
            )
        case Reflection():
            return (memory.text, memory.created_at, memory.event_at)
        case Turn():
            return (memory.text,)
