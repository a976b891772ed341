"""Vectors of a text without a model, the same for each peer: what is compared is storing and searching."""

from __future__ import annotations

import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

DIMENSION: Final = 384


def embed(text: str) -> NDArray[np.float32]:
    """Return the vector of a text, of length 1: its words and their three-letter pieces, hashed (CRC-32)."""
    vector = np.zeros(DIMENSION, np.float32)
    for word in text.casefold().split():
        padded = f"<{word.strip('.,?!')}>"
        for piece in (padded, *(padded[at : at + 3] for at in range(len(padded) - 2))):
            digest = zlib.crc32(piece.encode())
            vector[digest % DIMENSION] += 1.0 if digest & 0x1_0000 else -1.0
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector
