"""The vectors of the rows of one subject, by slot, so that one product compares them all with a query."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

_LEAST_ROWS: Final = 64


class VectorTable:
    """One vector a slot, or none. Knows no texts; all vectors are of one space, and a new one starts empty."""

    __slots__ = ("_held", "_matrix")

    def __init__(self) -> None:
        self._matrix: NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)
        self._held: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)

    def put(self, slots: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Keep vectors, of shape (n, dimension), in slots, of shape (n,)."""
        if not slots.size:
            return
        rows, dimension = int(slots.max()) + 1, vectors.shape[1]
        if self._matrix.shape[1] != dimension:
            self._matrix = np.zeros((0, dimension), dtype=np.float32)
            self._held = np.zeros(0, dtype=np.bool_)
        if rows > len(self._matrix):
            room = max(_LEAST_ROWS, rows, len(self._matrix) * 3 // 2)
            matrix = np.zeros((room, dimension), dtype=np.float32)
            matrix[: len(self._matrix)] = self._matrix
            held = np.zeros(room, dtype=np.bool_)
            held[: len(self._held)] = self._held
            self._matrix, self._held = matrix, held
        self._matrix[slots] = vectors
        self._held[slots] = True

    def remove(self, slot: int) -> None:
        """Take out the vector of a slot; one that has none changes nothing."""
        if slot < len(self._held):
            self._held[slot] = False
            self._matrix[slot] = 0.0

    def clear(self) -> None:
        """Take out every vector."""
        self._matrix = np.zeros((0, 0), dtype=np.float32)
        self._held = np.zeros(0, dtype=np.bool_)

    def held(self, capacity: int) -> NDArray[np.bool_]:
        """Return which slots have a vector, shape (capacity,)."""
        held = np.zeros(capacity, dtype=np.bool_)
        known = min(capacity, len(self._held))
        held[:known] = self._held[:known]
        return held

    def cosines(self, query: NDArray[np.float32], capacity: int) -> NDArray[np.float64]:
        """Return the cosine of each slot's vector and a query's, shape (capacity,); 0 for a slot without one."""
        cosines = np.zeros(capacity)
        known = min(capacity, len(self._matrix))
        if known and self._matrix.shape[1] == query.shape[0]:
            cosines[:known] = self._matrix[:known] @ query
        return cosines
