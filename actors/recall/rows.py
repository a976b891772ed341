"""What the index is told of a row, and of many rows at once. Pure; knows no terms of a query and no layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .numbering import Shared

NOWHERE: Final = -1
"""Place of a row that is no turn, and anchor of one that rests on none."""


class Voice(NamedTuple):
    """Who said something: a key that is this one's alone, and the terms of its name."""

    key: str
    name: tuple[str, ...] = ()


class Entry(Struct, frozen=True, gc=False):
    """What a partition keeps of a row.

    `terms` are those of its text and `byline` those of who said it and when. `place` is where a turn stands in the
    order of what was said, `NOWHERE` for other rows, and `at` when it was said, in seconds since the epoch. What
    it tells of happened between `begins` and `ends`. `anchor` is the id of the turn that the row rests on, empty
    for none. A row that is `aside` is never a hit: it only stands beside others. `voice` is who said it, None for
    nobody, and `asks` says whether it asks something.
    """

    doc_id: str
    terms: Sequence[str]
    byline: tuple[str, ...] = ()
    place: int = NOWHERE
    at: float = 0.0
    anchor: str = ""
    begins: float = 0.0
    ends: float = 0.0
    aside: bool = False
    voice: Voice | None = None
    asks: bool = False


class Rows(NamedTuple):
    """Many rows: a value of each for what an `Entry` says of one, and how many terms it has, byline's too."""

    doc_ids: Sequence[str]
    lengths: Sequence[float] | NDArray[np.int64]
    bylines: Shared[tuple[str, ...]]
    places: Sequence[int]
    ats: Sequence[float]
    anchors: Sequence[str]
    begins: Sequence[float]
    ends: Sequence[float]
    asides: Sequence[bool]
    voices: Shared[Voice | None]
    asks: Sequence[bool]


class Piece(NamedTuple):
    """Many rows with the terms of their texts and bylines, one row behind the other, as numbers of a lexicon."""

    rows: Rows
    terms: NDArray[np.uintc]
