"""What computes vectors, without threads and without waiting: the part that differs from model to model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....protocols.ports import Likeness


class Engine(Protocol):
    """One embedding model. Every method may be called from any thread, also at the same time."""

    @property
    def id(self) -> str:
        """Id of the model and of everything that decides what its vectors are."""
        ...

    @property
    def dimension(self) -> int:
        """Number of components of a vector."""
        ...

    @property
    def likeness(self) -> Likeness:
        """What a cosine of its vectors means."""
        ...

    def load(self) -> None:
        """Load the model unless it is loaded.

        Raises:
            ModelError: if it can't be loaded.
        """
        ...

    def compute(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """Return one vector a text as a matrix of shape (n, dimension), loading the model if need be.

        Raises:
            ModelError: if the model can't be loaded or fails.
        """
        ...
