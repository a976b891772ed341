"""Which statements that are about to be stored have vectors near a rejected value's.

Whoever stores them decides by rules before anything of them is in force. What can't be embedded in time is
compared once it is stored (`nearness`).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

import trio

from ...protocols.errors import ModelError
from ...protocols.messages import NearValue
from ...protocols.records import Rejection
from ...protocols.scopes import Subject
from ...protocols.vectors import space_of
from ..role import Surroundings

logger = logging.getLogger(__name__)

TIMEOUT_S: Final = 5.0
"""Longest wait for the vectors of a turn's statements, in seconds; nobody waits for what is learned of them."""


async def near_values(world: Surroundings, subject: Subject, texts: Sequence[str]) -> tuple[NearValue, ...]:
    """Return the rejections in force that statements may say the value of, with these statements' places.

    Args:
        world: has the embedding model and what is stored.
        subject: of the statements.
        texts: the statements.
    """
    embedder = world.embedder
    if embedder is None or not texts:
        return ()
    rejections = await world.journal.records(Rejection)
    in_force = [one.id for one in rejections if one.subject == subject and one.lifted_at is None]
    if not in_force:
        return ()
    values = await world.journal.vectors_of(space_of(embedder), in_force)
    if not values.records:
        return ()
    with trio.move_on_after(TIMEOUT_S):
        try:
            matrix = await embedder.embed(texts, query=False)
        except ModelError as error:
            logger.warning("embedding.statements_failed", extra={"error": type(error).__name__})
            return ()
        near = values.matrix @ matrix.T >= embedder.likeness.same
        return tuple(
            NearValue(rejection=rejection, candidates=tuple(row.nonzero()[0].tolist()))
            for rejection, row in zip(values.records, near, strict=True)
            if row.any()
        )
    logger.info("embedding.statements_too_slow")
    return ()
