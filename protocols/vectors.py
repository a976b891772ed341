"""Vectors of stored texts: which text of a record is embedded, and how a vector is kept.

A vector is derived from a text and a model alone, so it is a cache: no event tells of it, it is not exported,
and whatever lacks one is embedded again in the background. Vectors are compared within one space only. Knows no
model and no storage.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from msgspec import Struct

from .records import (
    EntryStatus,
    Fact,
    FactStatus,
    PersonaEntry,
    Reflection,
    ReflectionStatus,
    Rejection,
    Role,
    Turn,
)

if TYPE_CHECKING:  # else whoever only reads would wait for it
    import numpy as np
    from numpy.typing import NDArray

Embeddable: TypeAlias = Turn | Fact | Reflection | PersonaEntry | Rejection
"""What is embedded, as long as it takes part."""

STORED_TYPE: Final = "<f2"
"""Components as they are kept. Rounding to 11 bits moves a cosine by less than 0.001, for half the space."""

DIGEST_BYTES: Final = 16

_LIVE_REFLECTIONS: Final = frozenset({ReflectionStatus.PENDING, ReflectionStatus.CONFIRMED})


class Space(Struct, frozen=True):
    """Where vectors can be compared: those of one model, of one dimension."""

    model: str
    dimension: int


class Model(Protocol):
    """What of an embedding model says where its vectors can be compared."""

    @property
    def id(self) -> str:
        """Id of the model and of everything that decides what its vectors are."""
        ...

    @property
    def dimension(self) -> int:
        """Number of components of a vector."""
        ...


def space_of(model: Model) -> Space:
    """Return the space of a model's vectors."""
    return Space(model.id, model.dimension)


class Vector(Struct, frozen=True, kw_only=True, gc=False):
    """The vector of one record, as it is kept.

    `digest` is that of the embedded passage, so that a record which was reworded is known to need another;
    `components` are `space.dimension` floats of `STORED_TYPE`.
    """

    record: str
    space: Space
    digest: bytes
    components: bytes


class Vectors(Struct, frozen=True):
    """Vectors of one space: that of `records[i]` is row i of `matrix`, of shape (n, dimension), float32, length 1.

    Reading after `seq` finds what isn't among them: it is that of the newest vector stored, of whatever space, or
    of the last of these where no more were asked for.
    """

    seq: int
    records: tuple[str, ...]
    matrix: NDArray[np.float32]


class VectorCounts(Struct, frozen=True, kw_only=True):
    """How many records that take part have a current vector, and how many wait for one."""

    done: int
    pending: int


class Names(Struct, frozen=True, kw_only=True):
    """How the owner and the character are called; either may be empty."""

    owner: str = ""
    character: str = ""


def passage_of(record: Embeddable, names: Names) -> str | None:
    """Return the text to embed of a record, or None where it takes no part.

    A turn is told with who spoke, since questions name people.

    Args:
        record: as it is now.
        names: who speaks where a turn names nobody.
    """
    match record:
        case Turn():
            spoken_by = names.character if record.role is Role.CHARACTER else names.owner
            if record.speaker is not None:
                spoken_by = record.speaker.label
            return f"{spoken_by}: {record.text}" if spoken_by else record.text
        case Fact():
            return record.text if record.status is FactStatus.ACTIVE else None
        case Reflection():
            return record.text if record.status in _LIVE_REFLECTIONS else None
        case PersonaEntry():
            return record.text if record.status is EntryStatus.ACTIVE else None
        case Rejection():
            return record.text if record.lifted_at is None else None


def digest_of(passage: str) -> bytes:
    """Return the digest by which an embedded passage is known again."""
    return hashlib.sha256(passage.encode()).digest()[:DIGEST_BYTES]


def packed(components: NDArray[np.float32]) -> bytes:
    """Return the components of one vector, of shape (dimension,), as they are kept."""
    return components.astype(STORED_TYPE).tobytes()


def unpacked(components: Sequence[bytes], dimension: int) -> NDArray[np.float32]:
    """Return kept vectors as a matrix of shape (n, dimension), each row of length 1."""
    import numpy as np  # noqa: PLC0415 - takes a fifth of a command's start, and most need none

    return normalised(np.frombuffer(b"".join(components), dtype=STORED_TYPE).reshape(-1, dimension))


def normalised(matrix: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Return a matrix of shape (n, dimension) with its rows scaled to length 1; a row of zeros stays one."""
    import numpy as np  # noqa: PLC0415 - as above

    scaled = matrix.astype(np.float32)
    lengths = np.sqrt(np.vecdot(scaled, scaled))
    scaled /= np.maximum(lengths, np.finfo(np.float32).tiny)[:, np.newaxis]
    return scaled
