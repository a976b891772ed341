"""Which rows hold one term, by slot, and how often each does. Knows slots, no rows.

Packed as `slot << 32 | count`, ascending, 8 bytes each: bytes until the first change, which a garbage collector
needn't know of (a load makes tens of thousands of such lists), an array from then on.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

SLOT_SHIFT: Final = 32
"""Bits of a posting's count."""

_SLOT: Final = 1 if sys.byteorder == "little" else 0
"""Which half of a posting is the slot."""

_BYTES: Final = 8

Packed: TypeAlias = "bytes | array[int]"
"""The rows that hold a term."""


class Postings:
    """What a term's list says.

    Args:
        packed: the list, which isn't changed.
    """

    __slots__ = ("_packed",)

    def __init__(self, packed: Packed) -> None:
        self._packed = packed

    def __len__(self) -> int:
        return length_of(self._packed)

    def decode(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the slots, ascending, and the counts, both of shape (n,); to be looked at, not changed.

        Of an array they are copies, because one that is looked at through its buffer can't be appended to. That
        isn't done even for a moment: whoever looks at this frame, such as a debugger, would keep the buffer.
        """
        packed = self._packed
        halves = np.frombuffer(packed if isinstance(packed, bytes) else packed.tobytes(), dtype=np.int32)
        return halves[_SLOT::2], halves[1 - _SLOT :: 2]


def length_of(packed: Packed) -> int:
    """Return how many rows are in a list."""
    return len(packed) // _BYTES if isinstance(packed, bytes) else len(packed)


def with_row(packed: Packed, slot: int, count: int) -> array[int]:
    """Return a list, changed, with a row that isn't in it yet."""
    postings = _changeable(packed)
    posting = slot << SLOT_SHIFT | count
    if not postings or postings[-1] < posting:
        postings.append(posting)
    else:
        postings.insert(bisect_left(postings, posting), posting)
    return postings


def with_rows(packed: Packed, rows: bytes) -> Packed:
    """Return a list with rows, packed, whose slots are above all that are in it."""
    if isinstance(packed, bytes):
        return packed + rows
    packed.frombytes(rows)
    return packed


def without_row(packed: Packed, slot: int) -> array[int]:
    """Return a list, changed, without a row that is in it."""
    postings = _changeable(packed)
    del postings[bisect_left(postings, slot << SLOT_SHIFT)]
    return postings


def _changeable(packed: Packed) -> array[int]:
    return array("q", packed) if isinstance(packed, bytes) else packed
