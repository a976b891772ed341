"""What a model's folder says of itself in `omoide.toml`: how its vectors are made and what their cosines mean.

Owns the file's format and the words in which a folder that can't be used is refused. Loads no model.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from ....protocols.errors import ModelError
from ....protocols.ports import Likeness

MANIFEST: Final = "omoide.toml"
MODEL: Final = "model.onnx"
TOKENIZER: Final = "tokenizer.json"
HOW_TO: Final = "docs/how-to/use-embeddings.md"

_END_BYTES: Final = 1 << 16
"""Bytes from each end of a weights file that tell it from another: reading gigabytes would hold up every start."""

_Cosine = Annotated[float, Meta(ge=-1, le=1)]


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a model's vectors are made.

    `pooling` makes one vector of those of the tokens: their mean, that of the first token (`cls`), or nothing
    where the model gives one vector a text already. `max_tokens` is the most that the model reads of a text,
    `same` and `related` are the cosines of `Likeness`.
    """

    id: Annotated[str, Meta(min_length=1, max_length=100)]
    dimension: Annotated[int, Meta(ge=1, le=16_384)]
    pooling: Literal["mean", "cls", "none"] = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: Annotated[int, Meta(ge=8, le=131_072)] = 512
    same: _Cosine = Likeness().same
    related: _Cosine = Likeness().related

    @property
    def likeness(self) -> Likeness:
        """What a cosine of this model's vectors means."""
        return Likeness(same=self.same, related=self.related)


class ModelFiles(NamedTuple):
    """A model's manifest and where its parts lie."""

    manifest: Manifest
    model: Path
    tokenizer: Path


def read_folder(folder: Path) -> ModelFiles:
    """Return what is in a model's folder.

    Raises:
        ModelError: if it lacks a part, or its manifest can't be read; the message names the next step.
    """
    if not folder.is_dir():
        raise ModelError(
            f"the embedding model's folder {folder} isn't there: check embeddings.model, or put the model there "
            f"({HOW_TO})"
        )
    manifest, model, tokenizer = (folder / name for name in (MANIFEST, MODEL, TOKENIZER))
    for part in (model, tokenizer):
        if not part.is_file():
            raise ModelError(
                f"the embedding model's folder {folder} holds no {part.name}: copy it there from where the model "
                f"was published ({HOW_TO} names where such files lie in a repository)"
            )
    if not manifest.is_file():
        raise ModelError(
            f"the embedding model's folder {folder} holds no {MANIFEST}, which says how its vectors are made: "
            f'write one, such as\n  id = "{folder.name}"\n  dimension = 384\n  pooling = "mean"\n'
            f"({HOW_TO} has those of well-known models)"
        )
    return ModelFiles(_read(manifest), model, tokenizer)


def fingerprint(files: ModelFiles) -> str:
    """Return eight hexadecimal digits that change with the weights and with how vectors are made of them.

    Weights beside the graph (`model.onnx_data`) count too; of each file its length and its ends.

    Raises:
        ModelError: if a file can't be read.
    """
    digest = hashlib.sha256(msgspec.json.encode(files.manifest))
    try:
        for path in sorted(files.model.parent.glob(f"{files.model.name}*")):
            size = path.stat().st_size
            digest.update(f"{path.name}:{size}".encode())
            with path.open("rb") as file:
                digest.update(file.read(_END_BYTES))
                file.seek(max(0, size - _END_BYTES))
                digest.update(file.read(_END_BYTES))
    except OSError as error:
        raise ModelError(f"the embedding model {files.model} can't be read: {error.strerror}") from error
    return digest.hexdigest()[:8]


def _read(path: Path) -> Manifest:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Manifest)
    except OSError as error:
        raise ModelError(f"{path} can't be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is no TOML: {error}. {HOW_TO} shows how it looks") from error
    except msgspec.ValidationError as error:
        raise ModelError(f"{path} is no manifest of a model: {error}. {HOW_TO} names what it may hold") from error
