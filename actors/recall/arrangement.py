"""Which rows of one subject were said beside each other, so that a row can be found by what stood around it.

A turn's window is the turn with its neighbours in the same conversation; a row that is no turn and rests on none
is a window of its own. Rows that are left out of a search leave no gap: their neighbours stand beside each other.

Windows lie in cells: first the turns in the order of speaking, then the rows that stand alone, with `REACH` empty
cells behind every conversation and every lone row, so that a sum over neighbours needs no look at where one ends.
What comes at the end of the talk is appended. Pure; knows slots and numbers, no terms.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from .column import Column
from .okapi import Norms, Okapi
from .partition import Partition
from .rows import NOWHERE

REACH: Final = 2
"""Neighbours on either side of a turn that belong to its window (measured: 1 finds less, 3 no more)."""

_SPARE_SHARE: Final = 4
"""One cell is kept free for this many, at the end of the turns and at the end of the lone rows."""

_LEAST_SPARE: Final = 64

_SMALL_MOST: Final = 127 // (2 * REACH + 1)
"""Most that a row may have of a term for a window's sum to be counted in a byte: a quarter of the memory."""

_KEPT_BYTES: Final = 72
"""Bytes of windows that are kept for terms, for each cell that there is: 5 MB at 50,000 memories."""

_Scalar = TypeVar("_Scalar", bound=np.generic)


class Windows(NamedTuple):
    """The windows that hold one term: their cells, ascending, how often each does, and of many, which do."""

    cells: NDArray[np.int64]
    counts: NDArray[np.integer[Any]]
    held: NDArray[np.bool_] | None

    def tally(self, numbers: NDArray[np.unsignedinteger[Any]]) -> None:
        """Add 1 to the numbers of those windows, of one a cell."""
        if self.held is None:
            numbers[self.cells] += 1
        else:
            numbers += self.held.view(np.uint8)


_Kept: TypeAlias = Windows | NDArray[np.integer[Any]]
"""The windows that hold a term, or where they are many, how often each window does: that takes less memory."""


class _Asked:
    """The windows of the terms that were asked for lately: names and common words are in many questions."""

    __slots__ = ("_kept", "_nbytes")

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._nbytes = 0

    def get(self, term: str) -> _Kept | None:
        return self._kept.get(term)

    def put(self, term: str, kept: _Kept, most: int) -> None:
        """Keep the windows of a term, and at most so many bytes of all; what was asked for first goes first."""
        self._kept[term] = kept
        self._nbytes += _nbytes(kept)
        while self._nbytes > most:
            self.forget(next(iter(self._kept)))

    def forget(self, term: str) -> None:
        kept = self._kept.pop(term, None)
        self._nbytes -= 0 if kept is None else _nbytes(kept)


def _nbytes(kept: _Kept) -> int:
    return kept.cells.nbytes + kept.counts.nbytes if isinstance(kept, Windows) else kept.nbytes


class Arrangement:
    """The windows over those rows of a subject that may be read.

    Args:
        partition: the rows.
        shown: which slots hold a row that may be read, shape (capacity,).
        gap_s: the silence that ends a conversation, in seconds.

    Attributes:
        count: number of windows.
        total_length: number of terms in all of them.
        size: number of cells, free ones too; the last is always empty.
    """

    __slots__ = (
        "_alone_end",
        "_answers",
        "_asked",
        "_conversations",
        "_gap_s",
        "_large",
        "_last",
        "_norms",
        "_own_lengths",
        "_partition",
        "_places",
        "_questions",
        "_sizes",
        "_slots",
        "_small",
        "_taken",
        "_turns_room",
        "_windows",
        "count",
        "lengths",
        "size",
        "total_length",
    )

    def __init__(self, partition: Partition, shown: NDArray[np.bool_], gap_s: float) -> None:
        self._partition = partition
        self._gap_s = gap_s
        order, anchors = partition.places, partition.anchors
        turns = np.flatnonzero(shown & (order != NOWHERE))
        turns = turns[np.argsort(order[turns], kind="stable")]
        rests = shown & (anchors != NOWHERE)
        rests[rests] = shown[anchors[rests]]
        alone = np.flatnonzero(shown & (order == NOWHERE) & ~rests)
        opens = np.abs(np.diff(partition.ats[turns], prepend=0.0)) >= gap_s
        opens[:1] = True
        cells = np.arange(turns.size) + REACH * (np.cumsum(opens) - 1)
        last = int(cells[-1]) if cells.size else -1 - REACH
        self._turns_room = last + 1 + REACH + _spare(last)
        behind = self._turns_room + alone.size * (1 + REACH)
        self.size = behind + _spare(alone.size * (1 + REACH)) + REACH + 1
        self._alone_end = behind
        self._last = turns[-1].item() if turns.size else NOWHERE
        self._slots = np.full(self.size, NOWHERE, dtype=np.int64)
        self._conversations = np.full(self.size, NOWHERE, dtype=np.int64)
        lonely = self._turns_room + np.arange(alone.size) * (1 + REACH)
        self._slots[cells], self._slots[lonely] = turns, alone
        self._conversations[cells] = cells[np.flatnonzero(opens)][np.cumsum(opens) - 1]
        self._conversations[lonely] = lonely
        self._places = Column(np.int64, NOWHERE)
        self._places.grow(partition.capacity)
        self._places[turns], self._places[alone] = cells, lonely
        self._windows = Column(np.int64, NOWHERE)
        self._windows.grow(partition.capacity)
        windows = self._windows.values
        windows[:] = self._places.values
        windows[rests] = self._places.values[anchors[rests]]
        self._questions = Column(np.int64, NOWHERE)
        self._questions.grow(partition.capacity)
        before, after = turns[:-1], turns[1:]
        answers = partition.asks[before] & (partition.voices[before] != partition.voices[after]) & ~opens[1:]
        questions = self._questions.values
        questions[after[answers]] = before[answers]
        questions[rests] = questions[anchors[rests]]
        self._answers: NDArray[np.int64] | None = None
        self._asked = _Asked()
        self.count = turns.size + alone.size
        self._taken = self._slots != NOWHERE
        # Room for one term's counts: asking the system for new memory takes longer than what is done with it.
        self._small = np.zeros((2, self.size), dtype=np.int8)
        self._large = np.zeros((2, self.size), dtype=np.int32)
        self._sizes = np.maximum(self.spread(self._taken.astype(np.float32)), np.float32(1.0))
        self._norms = Norms()
        self._own_lengths = np.zeros(self.size)
        self._own_lengths[self._taken] = partition.lengths[self._slots[self._taken]]
        self.lengths = self.spread(self._own_lengths)
        self.total_length = int(self.lengths.sum())

    @property
    def windows(self) -> NDArray[np.int64]:
        """The cell of the window by which each row is found, shape (capacity,); that of the last for none."""
        return self._windows.values

    @property
    def conversations(self) -> NDArray[np.int64]:
        """The first cell of the conversation that every cell is of, shape (size,); `NOWHERE` for an empty one."""
        return self._conversations

    def norms(self, okapi: Okapi, average_length: float) -> NDArray[np.float64]:
        """Return the norms of every cell's window, shape (size,), where windows have so many terms on average."""
        return self._norms.of(okapi, self.lengths, average_length)

    def answers(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the slots of the rows that answer a question, and those of the turns that ask it, both of (m,).

        That is the turn just before in the same conversation, where another speaker asks something. What rests on
        a turn answers what that answers.
        """
        questions = self._questions.values
        if self._answers is None:
            self._answers = np.flatnonzero(questions != NOWHERE)
        return self._answers, questions[self._answers]

    def holding(self, term: str, slots: NDArray[np.integer[Any]], times: NDArray[np.integer[Any]]) -> Windows:
        """Return the windows that hold a term.

        Args:
            term: the term.
            slots: the rows that hold it, each once; those in the middle of no window count for none.
            times: how often each does.
        """
        known = self._asked.get(term)
        if isinstance(known, Windows):
            return known
        counts = self._counts(slots, times) if known is None else known
        held = counts != 0
        (cells,) = held.nonzero()
        windows = Windows(cells, counts.take(cells), held)
        if known is None:
            few = _nbytes(windows) < counts.nbytes
            kept = Windows(cells, windows.counts, None) if few else counts.copy()
            self._asked.put(term, kept, _KEPT_BYTES * self.size)
        return windows

    def _counts(self, slots: NDArray[np.integer[Any]], values: NDArray[np.integer[Any]]) -> NDArray[Any]:
        """Return for every window the sum of a value over its rows, shape (size,); good until the next call."""
        single, total = self._small if self._partition.most_times <= _SMALL_MOST else self._large
        single[:] = 0
        # What stands in the middle of no window falls on the last cell.
        single[self._places.values.take(slots)] = values.astype(single.dtype)
        single[-1] = 0
        return self._spread_into(total, single)

    def means(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for every window the mean of a value over its rows, shape (size,).

        Args:
            values: one a slot, and behind them a 0 for the cells that no row stands in, shape (capacity + 1,).
        """
        means: NDArray[np.float32] = self.spread(values[self._slots]) / self._sizes
        return means

    def spread(self, values: NDArray[_Scalar]) -> NDArray[_Scalar]:
        """Return for every window the sum of a value over its rows, (size,), from one a cell, 0 for empty ones."""
        return self._spread_into(np.empty_like(values), values)

    def _spread_into(self, total: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
        total[:] = values
        for away in range(1, REACH + 1):
            total[away:] += values[:-away]
            total[:-away] += values[away:]
        # Bytes of 0 and 1 need no cast where bytes are counted.
        total *= self._taken.view(np.int8)
        return total

    def append(self, slot: int, hidden: AbstractSet[int]) -> bool:
        """Take in a row that was just added, and return whether it could be: where not, arrange anew.

        Args:
            slot: the row's.
            hidden: the slots of rows that may not be read.
        """
        partition = self._partition
        self._places.grow(partition.capacity - len(self._places))
        self._windows.grow(partition.capacity - len(self._windows))
        self._questions.grow(partition.capacity - len(self._questions))
        self._answers = None
        if partition.is_rested_on(slot):
            return False
        anchor = int(partition.anchors[slot])
        if partition.places[slot] != NOWHERE:
            return self._append_turn(slot)
        if anchor != NOWHERE and anchor not in hidden:
            self._windows[slot] = int(self._places[anchor])
            self._questions[slot] = int(self._questions[anchor])
            return True
        cell = self._alone_end
        if cell + 1 + REACH >= self.size:
            return False
        self._alone_end += 1 + REACH
        self._take(slot, cell, cell)
        return True

    def removed(self, slot: int) -> bool:
        """Take in that a row is gone, and return whether it could be: where not, arrange anew."""
        if slot >= len(self._places) or self._places[slot] != NOWHERE:
            return False
        self._windows[slot] = self._questions[slot] = NOWHERE
        self._answers = None
        return True

    def _append_turn(self, slot: int) -> bool:
        partition, last = self._partition, self._last
        if last == NOWHERE:
            return False
        cell = int(self._places[last]) + 1
        conversation = int(self._conversations[cell - 1])
        if abs(partition.ats[slot] - partition.ats[last]) >= self._gap_s:
            cell += REACH
            conversation = cell
        if partition.places[slot] <= partition.places[last] or cell + REACH >= self._turns_room:
            return False
        self._take(slot, cell, conversation)
        if conversation != cell and partition.asks[last] and partition.voices[last] != partition.voices[slot]:
            self._questions[slot] = last
        self._last = slot
        return True

    def _take(self, slot: int, cell: int, conversation: int) -> None:
        """Put a row in the middle of an empty cell that only cells before it are beside."""
        length = float(self._partition.lengths[slot])
        self._slots[cell], self._conversations[cell] = slot, conversation
        self._taken[cell] = True
        self._places[slot] = self._windows[slot] = cell
        self._questions[slot] = NOWHERE
        self._own_lengths[cell] = length
        self._norms.forget()
        self.count += 1
        before = slice(max(0, cell - REACH), cell)
        # What the windows of the row and of those beside it hold is another now.
        changed = self._slots[before.start : cell + 1]
        for term in self._partition.frequencies_within(changed[changed != NOWHERE].tolist()):
            self._asked.forget(term)
        beside = self._taken[before]
        self.lengths[before][beside] += length
        self.lengths[cell] = self._own_lengths[before].sum() + length
        self._sizes[before][beside] += 1.0
        self._sizes[cell] += np.count_nonzero(beside)
        self.total_length += int(self.lengths[cell] + length * np.count_nonzero(beside))


def _spare(cells: int) -> int:
    return max(_LEAST_SPARE, cells // _SPARE_SHARE)
