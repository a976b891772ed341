"""The vector of a query: the only one that somebody waits for, and never for long."""

from __future__ import annotations

import logging

import numpy as np
import trio
from numpy.typing import NDArray

from ...protocols.errors import ModelError
from ..role import Surroundings

logger = logging.getLogger(__name__)


async def query_vector(world: Surroundings, text: str) -> NDArray[np.float32] | None:
    """Return the vector of a query, of shape (dimension,) and length 1, or None where there is none in time.

    Whoever asks goes on without, and says that it did: `degraded` is for that. A model that is being loaded is
    not waited for either; it goes on being loaded.

    Args:
        world: has the embedding model and its settings.
        text: what is asked.
    """
    if world.embedder is None:
        return None
    with trio.move_on_after(world.settings.embeddings.query_timeout_s):
        try:
            matrix = await world.embedder.embed((text,), query=True)
        except ModelError as error:
            logger.warning("embedding.query_failed", extra={"error": type(error).__name__})
            return None
        vector: NDArray[np.float32] = matrix[0]
        return vector
    logger.info("embedding.query_too_slow")
    return None
