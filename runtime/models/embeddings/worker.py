"""The `Embedder` port over an engine: worker threads, chunks, and a rest after a failure to load.

Queries and passages have a thread each, so that a person who waits is not behind a backlog.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import trio
from numpy.typing import NDArray

from ....protocols.errors import ModelError
from ....protocols.ports import Likeness
from ....protocols.vectors import normalised
from .engine import Engine

RELOAD_AFTER_S: Final = 30.0
"""Time for which a model that couldn't be loaded isn't tried again, so that not every query pays for it."""

EXIT_S: Final = 5.0
"""Longest wait at the program's exit for threads that still compute, in seconds."""


class _Running:
    """Calls into native code that are under way; a thread cut off inside one at exit aborts the process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls = 0
        atexit.register(self._wait)

    def __enter__(self) -> None:
        with self._changed:
            self._calls += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._calls -= 1
            self._changed.notify_all()

    def _wait(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._calls, timeout=EXIT_S)


_running: Final = _Running()


class WorkerEmbedder:
    """An embedding model whose engine runs in worker threads, loaded at the first use.

    Args:
        engine: computes the vectors.
        chunk: passages computed in one call; whoever cancels, or asks in between, waits for no more.
    """

    def __init__(self, engine: Engine, *, chunk: int) -> None:
        self._engine = engine
        self._chunk = chunk
        self._queries = trio.CapacityLimiter(1)
        self._passages = trio.CapacityLimiter(1)
        self._failure: ModelError | None = None
        self._failed_at = 0.0

    @property
    def id(self) -> str:
        """Id of the model and of everything that decides what its vectors are."""
        return self._engine.id

    @property
    def dimension(self) -> int:
        """Number of components of a vector."""
        return self._engine.dimension

    @property
    def likeness(self) -> Likeness:
        """What a cosine of its vectors means."""
        return self._engine.likeness

    async def embed(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """Return one vector a text, of length 1, as the rows of a matrix of shape (n, dimension).

        Raises:
            ModelError: if the model can't be loaded or fails.
        """
        limiter = self._queries if query else self._passages
        await self._load(limiter)
        # Texts of a length go together: a chunk costs as much as its longest text, times its size.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        matrix = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(order), self._chunk):
            places = order[start : start + self._chunk]
            matrix[places] = await trio.to_thread.run_sync(
                partial(self._compute, [texts[place] for place in places], query=query),
                abandon_on_cancel=True,
                limiter=limiter,
            )
        return normalised(matrix)

    async def _load(self, limiter: trio.CapacityLimiter) -> None:
        now = trio.current_time()
        if self._failure is not None and now - self._failed_at < RELOAD_AFTER_S:
            raise ModelError(str(self._failure))
        try:
            await trio.to_thread.run_sync(self._load_engine, abandon_on_cancel=True, limiter=limiter)
        except ModelError as error:
            self._failure, self._failed_at = error, now
            raise
        self._failure = None

    def _compute(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        with _running:
            return self._engine.compute(texts, query=query)

    def _load_engine(self) -> None:
        with _running:
            self._engine.load()
