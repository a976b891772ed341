"""The vectors of the rows of one subject, by slot, so that one product compares them all with a query."""

from __future__ import annotations

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
        """Keep vectors, of shape (n, dimension), in slots, of shape (n,)."""
        if not slots.size:
            return
        if self._dimension != vectors.shape[1]:
            self._start(vectors.shape[1])
        self._lines.grow(max(0, int(slots.max()) + 1 - len(self._lines)))
        for slot, vector in zip(slots.tolist(), vectors, strict=True):
            line = self._line(vector)
            self._users[line] += 1
            self.remove(slot)
            self._lines[slot] = line

    def remove(self, slot: int) -> None:
        """Take out the vector of a slot; one that has none changes nothing."""
        line = int(self._lines[slot]) if slot < len(self._lines) else _NONE
        if line == _NONE:
            return
        self._lines[slot] = _NONE
        self._users[line] -= 1
        if not self._users[line]:
            self._of_line(line)[:] = 0.0
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
        self._users: list[int] = []
        self._keys: list[int] = []
        self._line_of_key: dict[int, int] = {}
        self._free: list[int] = []

    def _lines_of(self, capacity: int) -> NDArray[np.int64]:
        """Return the line of each slot, shape (capacity,)."""
        self._lines.grow(max(0, capacity - len(self._lines)))
        return self._lines.values[:capacity]

    def _line(self, vector: NDArray[np.float32]) -> int:
        """Return the line of a vector, a new one where no slot has an equal vector."""
        key = hash(vector.tobytes())
        known = self._line_of_key.get(key)
        if known is not None and np.array_equal(self._of_line(known), vector):
            return known
        line = self._free.pop() if self._free else self._new_line()
        self._of_line(line)[:] = vector
        self._keys[line] = key
        self._line_of_key[key] = line
        return line

    def _new_line(self) -> int:
        line = self.lines
        if line == len(self._blocks) * _BLOCK:
            self._blocks.append(np.empty((_BLOCK, self._dimension), dtype=np.float32))
        self._users.append(0)
        self._keys.append(0)
        return line

    def _of_line(self, line: int) -> NDArray[np.float32]:
        """Return the place of one vector in the matrix, shape (dimension,)."""
        block, at = divmod(line, _BLOCK)
        return self._blocks[block][at, :]
