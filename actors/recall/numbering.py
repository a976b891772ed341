"""Which objects among many are one, and runs of numbers that are put one behind the other. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .column import Column

T = TypeVar("T")


class Shared(NamedTuple, Generic[T]):
    """A value for each row: the different ones, and which of them each row has, shape (n,)."""

    values: Sequence[T]
    of_row: NDArray[np.intp]


def distinct(values: Sequence[T]) -> Shared[T]:
    """Return values, one a row, as the different objects among them."""
    which = np.fromiter(map(id, values), dtype=np.uintp, count=len(values))
    _, firsts, numbers = np.unique(which, return_index=True, return_inverse=True)
    return Shared([values[at] for at in firsts.tolist()], numbers)


class Runs:
    """Runs of numbers, each known by its place in the order in which they came."""

    __slots__ = ("_lengths", "_numbers", "_starts")

    def __init__(self) -> None:
        self._numbers = Column(np.uintc)
        self._starts = Column(np.int64)
        self._lengths = Column(np.int64)

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How long each run is, shape (n,)."""
        return self._lengths.values

    def extend(
        self, numbers: Sequence[int] | NDArray[np.uintc], lengths: Sequence[int] | NDArray[np.int64]
    ) -> None:
        """Add runs that stand one behind the other, of some lengths."""
        sizes = np.array(lengths, dtype=np.int64)
        self._starts.extend(len(self._numbers) + np.cumsum(sizes) - sizes)
        self._lengths.extend(sizes)
        self._numbers.extend(numbers)

    def joined(self, runs: NDArray[np.int64]) -> NDArray[np.uintc]:
        """Return the numbers of runs, of shape (n,), one behind the other."""
        lengths = self._lengths.values[runs]
        ends = np.cumsum(lengths)
        shifts = self._starts.values[runs] - (ends - lengths)
        numbers: NDArray[np.uintc] = self._numbers.values[np.repeat(shifts, lengths) + np.arange(lengths.sum())]
        return numbers
