"""Which rows of one subject were said beside each other, so that a row can be found by what stood around it.

A turn's window is the turn with its neighbours in the same conversation; a row that is no turn and rests on none
is a window of its own. Rows that are left out of a search leave no gap: their neighbours stand beside each other.
Pure; knows slots and numbers, no terms.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .partition import NOWHERE, Partition

REACH: Final = 2
"""Neighbours on either side of a turn that belong to its window (measured: 1 finds less, 3 no more)."""


class Arrangement(Struct, frozen=True):
    """The windows of one subject, m of them.

    `slots` (m,) are the rows in whose middle each window stands and `conversations` (m,) number the conversation
    that it belongs to; only windows of one conversation overlap. `places` (capacity,) is the window around each
    row that is the middle of one, and `windows` (capacity,) the window by which each row is found, its own or that
    of the turn that it rests on; `NOWHERE` for none.
    """

    slots: NDArray[np.int64]
    conversations: NDArray[np.int64]
    places: NDArray[np.int64]
    windows: NDArray[np.int64]

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for every window the sum of a value over its rows, shape (m,), from one value a row, (m,)."""
        total = values.copy()
        for away in range(1, REACH + 1):
            near = self.conversations[away:] == self.conversations[:-away]
            total[away:] += np.where(near, values[:-away], 0.0)
            total[:-away] += np.where(near, values[away:], 0.0)
        return total

    def spread_some(self, places: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what `spread` does where only the rows at these places have a value, each place once."""
        total = np.zeros(self.slots.size)
        total[places] = values
        conversations = self.conversations[places]
        for away in range(1, REACH + 1):
            for target in (places + away, places - away):
                inside = (target >= 0) & (target < total.size)
                inside[inside] = self.conversations[target[inside]] == conversations[inside]
                total[target[inside]] += values[inside]
        return total


def arrange(partition: Partition, shown: NDArray[np.bool_], gap_s: float) -> Arrangement:
    """Return the windows over the rows that may be read.

    Args:
        partition: the rows.
        shown: which slots hold a row that may be read, shape (capacity,).
        gap_s: the silence that ends a conversation, in seconds.
    """
    order, anchors = partition.places(), partition.anchors()
    turns = np.flatnonzero(shown & (order != NOWHERE))
    turns = turns[np.argsort(order[turns], kind="stable")]
    rests = shown & (anchors != NOWHERE)
    rests[rests] = shown[anchors[rests]]
    alone = np.flatnonzero(shown & (order == NOWHERE) & ~rests)
    silence = np.abs(np.diff(partition.ats()[turns], prepend=0.0)) >= gap_s
    talked = np.cumsum(silence)
    last = int(talked[-1]) if talked.size else 0
    slots = np.concatenate((turns, alone))
    places = np.full(partition.capacity, NOWHERE, dtype=np.int64)
    places[slots] = np.arange(slots.size)
    windows = places.copy()
    windows[rests] = places[anchors[rests]]
    return Arrangement(
        slots, np.concatenate((talked, np.arange(last + 1, last + 1 + alone.size))), places, windows
    )
