"""Which objects among many are one, and the terms of many rows as numbers, each text looked up once. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


def distinct(values: Sequence[T]) -> tuple[list[T], NDArray[np.int64]]:
    """Return the different objects among some, and the number of each of the values among these."""
    which = np.fromiter(map(id, values), dtype=np.uintp, count=len(values))
    _, firsts, numbers = np.unique(which, return_index=True, return_inverse=True)
    return [values[at] for at in firsts.tolist()], numbers


def in_turn(
    texts: Sequence[Sequence[str]],
    ones: NDArray[np.int64],
    others: NDArray[np.int64],
    number_of: Mapping[str, int],
) -> NDArray[np.uintc]:
    """Return the numbers of the terms of two texts a row, one row behind the other.

    Args:
        texts: what rows have, each looked up once.
        ones: which of them a row has first.
        others: which of them it has then.
        number_of: numbers of terms.
    """
    numbers = np.fromiter(map(number_of.__getitem__, chain.from_iterable(texts)), dtype=np.uintc)
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    starts = np.cumsum(lengths) - lengths
    pieces = np.stack((ones, others), axis=1).ravel()
    taken = lengths[pieces]
    flat: NDArray[np.uintc] = numbers[
        np.repeat(starts[pieces] - (np.cumsum(taken) - taken), taken) + np.arange(taken.sum())
    ]
    return flat
