"""Embedding models for tests that are not about a model: exact, instant, and as broken as a test wants."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import trio
from numpy.typing import NDArray

from omoide.protocols.errors import ModelError
from omoide.protocols.ports import Likeness
from omoide.protocols.tokens import terms
from omoide.protocols.vectors import normalised


class WordEmbedder:
    """Texts of the same words have the same vector; those that share some are near.

    `failure` is raised instead of an answer, and `blocked` keeps every answer waiting;
    `kept_waiting` are the passages of those.
    """

    def __init__(self, model: str = "words", dimension: int = 64) -> None:
        self.id = model
        self.dimension = dimension
        self.likeness = Likeness()
        self.failure: str = ""
        self.blocked = False
        self.kept_waiting: list[str] = []
        self.passages: list[str] = []
        self.queries: list[str] = []
        self.batches: list[int] = []

    async def embed(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        await trio.lowlevel.checkpoint()
        if self.blocked:
            self.kept_waiting.extend([] if query else texts)
            await trio.sleep_forever()
        if self.failure:
            raise ModelError(self.failure)
        (self.queries if query else self.passages).extend(texts)
        if not query:
            self.batches.append(len(texts))
        matrix = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(matrix, texts, strict=True):
            for term in terms(text):
                row[int.from_bytes(hashlib.sha256(term.encode()).digest()[:4]) % self.dimension] += 1.0
        return normalised(matrix)
