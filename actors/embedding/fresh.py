"""Vectors of what was just heard, beside the stored ones of what it is compared with.

What was just heard has often none stored yet, and is embedded on the spot; nobody waits for whoever asks here.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

import numpy as np
import trio
from numpy.typing import NDArray

from ...protocols.errors import ModelError
from ...protocols.ports import Embedder
from ...protocols.vectors import space_of
from ..role import Surroundings

logger = logging.getLogger(__name__)

TIMEOUT_S: Final = 5.0
"""Longest wait for vectors that are not stored yet, in seconds."""

Embedded = Mapping[str, NDArray[np.float32]]
"""Vectors of length 1 by the records that they are of."""


async def fresh_vectors(world: Surroundings, heard: Mapping[str, str], known: Mapping[str, str]) -> Embedded:
    """Return the vectors of records: stored ones of their present texts, and of what was heard also new ones.

    What can't be embedded in time has none; without an embedding model nothing has.

    Args:
        world: has the embedding model and what is stored.
        heard: what was just heard, texts by their records' ids.
        known: what it is compared with, likewise.
    """
    embedder = world.embedder
    if embedder is None or not heard or not known:
        return {}
    space = space_of(embedder)
    current = await world.journal.embedded(space, (*heard.items(), *known.items()))
    kept = await world.journal.vectors_of(space, tuple(current))
    vectors = dict(zip(kept.records, kept.matrix, strict=True))
    lacking = {record: text for record, text in heard.items() if record not in vectors}
    return {**vectors, **await _embedded_now(embedder, lacking)} if lacking else vectors


async def _embedded_now(embedder: Embedder, texts: Mapping[str, str]) -> Embedded:
    with trio.move_on_after(TIMEOUT_S):
        try:
            matrix = await embedder.embed(tuple(texts.values()), query=False)
        except ModelError as error:
            logger.warning("embedding.fresh_failed", extra={"error": type(error).__name__})
            return {}
        return dict(zip(texts, matrix, strict=True))
    logger.info("embedding.fresh_too_slow")
    return {}
