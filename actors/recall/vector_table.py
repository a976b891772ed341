"""The vectors of the rows of one subject, by slot, so that one product compares them all with a query."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .column import Column

_BLOCK: Final = 256
"""Lines of one block of the matrix: it grows by blocks, since a copy of it takes longer than a search does."""

_NONE: Final = -1


class VectorTable:
    """One vector a slot, or none. Knows no texts; all vectors are of one space, and a new one starts empty.

    Slots of equal vectors share one line of the matrix: a fact mostly has the words of its turn, and what a search
    takes is the time in which the matrix comes from memory.
    """

    __slots__ = ("_blocks", "_dimension", "_free", "_keys", "_line_of_key", "_lines", "_users")

    def __init__(self) -> None:
        self._start(dimension=0)

    def put(self, slots: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Keep vectors, of shape (n, dimension), in slots, of shape (n,), each of them another."""
        if not slots.size:
            return
        if self._dimension != vectors.shape[1]:
            self._start(vectors.shape[1])
        self._lines.grow(max(0, int(slots.max()) + 1 - len(self._lines)))
        lines = self._lines_for(vectors)
        np.add.at(self._users.values, lines, 1)
        for slot in slots[self._lines.values[slots] != _NONE].tolist():
            self.remove(slot)
        self._lines[slots] = lines

    def remove(self, slot: int) -> None:
        """Take out the vector of a slot; one that has none changes nothing."""
        line = int(self._lines[slot]) if slot < len(self._lines) else _NONE
        if line == _NONE:
            return
        self._lines[slot] = _NONE
        self._users.values[line] -= 1
        if not self._users[line]:
            block, at = divmod(line, _BLOCK)
            self._blocks[block][at] = 0.0
            if self._line_of_key.get(self._keys[line]) == line:
                del self._line_of_key[self._keys[line]]
            self._free.append(line)

    @property
    def lines(self) -> int:
        """Most distinct vectors that were ever kept at once."""
        return len(self._users)

    def held(self, capacity: int) -> NDArray[np.bool_]:
        """Return which slots have a vector, shape (capacity,)."""
        held: NDArray[np.bool_] = self._lines_of(capacity) != _NONE
        return held

    def cosines(self, query: NDArray[np.float32], capacity: int) -> NDArray[np.float32]:
        """Return the cosine of each slot's vector and a query's, shape (capacity,); 0 for a slot without one."""
        of_lines = np.zeros(self.lines + 1, dtype=np.float32)
        if self._dimension == query.shape[0]:
            for first, block in zip(range(0, self.lines, _BLOCK), self._blocks, strict=True):
                taken = block[: self.lines - first]
                # Not by `@`: its threads wait for each other where a core is taken, such as by what was heard.
                np.vecdot(taken, query, out=of_lines[first : first + len(taken)])
        # Slots without a line take the last value, which is 0.
        return of_lines[self._lines_of(capacity)]

    def _start(self, dimension: int) -> None:
        self._dimension = dimension
        self._blocks: list[NDArray[np.float32]] = []
        self._lines = Column(np.int64, _NONE)
        self._users = Column(np.int64)
        self._keys: list[int] = []
        self._line_of_key: dict[int, int] = {}
        self._free: list[int] = []

    def _lines_of(self, capacity: int) -> NDArray[np.int64]:
        """Return the line of each slot, shape (capacity,)."""
        self._lines.grow(max(0, capacity - len(self._lines)))
        return self._lines.values[:capacity]

    def _lines_for(self, vectors: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the lines of vectors, new ones for those that no line is equal to, shape (n,)."""
        lines, fresh = [], []
        for number, key in enumerate(_keys_of(vectors)):
            line = self._line_of_key.get(key)
            if line is None:
                line = self._line_of_key[key] = self._new_line(key)
                fresh.append(number)
            lines.append(line)
        found = np.array(lines)
        self._write(found[fresh], vectors[fresh])
        others = np.flatnonzero(self._differ(found, vectors))
        found[others] = [self._new_line(0) for _ in others]
        self._write(found[others], vectors[others])
        return found

    def _new_line(self, key: int) -> int:
        if self._free:
            line = self._free.pop()
            self._keys[line] = key
            return line
        line = self.lines
        if line == len(self._blocks) * _BLOCK:
            self._blocks.append(np.empty((_BLOCK, self._dimension), dtype=np.float32))
        self._users.grow(1)
        self._keys.append(key)
        return line

    def _write(self, lines: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        for block, there in self._by_block(lines):
            block[lines[there] % _BLOCK] = vectors[there]

    def _differ(self, lines: NDArray[np.int64], vectors: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Return which vectors their lines are not equal to: two vectors may have one key."""
        differ = np.zeros(lines.size, dtype=np.bool_)
        for block, there in self._by_block(lines):
            differ[there] = (block[lines[there] % _BLOCK] != vectors[there]).any(axis=1)
        return differ

    def _by_block(self, lines: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int64]]]:
        """Yield each block that some lines are in, and which of them are."""
        numbers = lines // _BLOCK
        for number in np.unique(numbers).tolist():
            yield self._blocks[number], np.flatnonzero(numbers == number)


def _keys_of(vectors: NDArray[np.float32]) -> list[int]:
    """Return a number for each vector, the same for equal ones, and seldom for others."""
    rows = np.ascontiguousarray(vectors)
    return list(map(hash, rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel().tolist()))
