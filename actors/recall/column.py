"""An array that grows at its end, for what is kept of every row under its slot. Knows nothing of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

_Scalar = TypeVar("_Scalar", bound=np.generic)

_LEAST_ROOM = 16


class Column(Generic[_Scalar]):
    """One value a slot, in one piece of memory, so that a search looks at it without copying.

    Args:
        dtype: the type of a value.
        empty: what a slot holds that nothing was put in.
    """

    __slots__ = ("_empty", "_room", "_used")

    def __init__(self, dtype: type[_Scalar], empty: float = 0) -> None:
        self._empty = empty
        self._room: NDArray[_Scalar] = np.full(_LEAST_ROOM, empty, dtype=dtype)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def grow(self, number: int) -> None:
        """Add so many empty slots."""
        self._used += number
        if self._used > self._room.size:
            room = np.full(max(self._used, self._room.size * 3 // 2), self._empty, dtype=self._room.dtype)
            room[: self._room.size] = self._room
            self._room = room

    def put(self, first: int, values: Sequence[float] | NDArray[_Scalar]) -> None:
        """Set the values of the slots from `first` on."""
        self._room[first : first + len(values)] = values

    def extend(self, values: Sequence[float] | NDArray[_Scalar]) -> None:
        """Add slots with these values."""
        first = self._used
        self.grow(len(values))
        self.put(first, values)

    def __setitem__(self, slot: int | NDArray[np.int64], value: float | NDArray[_Scalar]) -> None:
        self._room[slot] = value

    def __getitem__(self, slot: int) -> _Scalar:
        value: _Scalar = self._room[slot]
        return value

    @property
    def values(self) -> NDArray[_Scalar]:
        """The values of all slots, shape (n,); not a copy, and good until the column grows."""
        return self._room[: self._used]
