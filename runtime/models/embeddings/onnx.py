"""Embedding models as an ONNX graph and a tokenizer, run by onnxruntime on the CPU.

Owns the step from texts to one vector each: prefixes, tokens, the graph, pooling. Needs the extra `onnx`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ....protocols.errors import ModelError
from ....protocols.ports import Likeness
from .manifest import HOW_TO, ModelFiles, fingerprint

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_TOKEN_OUTPUTS: Final = ("last_hidden_state", "token_embeddings")
"""Names under which graphs give the vectors of the tokens; else it is the first output of three axes."""

_TEXT_OUTPUTS: Final = ("sentence_embedding", "pooler_output")
"""Names under which graphs give one vector a text; else it is the first output of two axes."""


class OnnxEngine:
    """An ONNX graph with its tokenizer.

    Args:
        files: where they lie and how vectors are made.
        threads: threads that compute one call.

    Raises:
        ModelError: if a file can't be read.
    """

    def __init__(self, files: ModelFiles, *, threads: int) -> None:
        self._files = files
        self._threads = threads
        self._loading = threading.Lock()
        self._loaded: tuple[Tokenizer, InferenceSession, str] | None = None
        self.id = f"{files.manifest.id}@{fingerprint(files)}"
        self.dimension = files.manifest.dimension

    @property
    def likeness(self) -> Likeness:
        """What a cosine of its vectors means."""
        return self._files.manifest.likeness

    def load(self) -> None:
        """Load the tokenizer and the graph unless they are loaded; takes half a second or more.

        Raises:
            ModelError: if the extra isn't installed, a file is damaged, or the graph isn't of an embedding model.
        """
        with self._loading:
            if self._loaded is None:
                tokenizer = _tokenizer(self._files)
                session = _session(self._files, self._threads)
                self._loaded = (tokenizer, session, self._output(session))

    def compute(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """Return one vector a text as a matrix of shape (n, dimension).

        Raises:
            ModelError: if the model can't be loaded or fails.
        """
        self.load()
        if self._loaded is None or not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        tokenizer, session, output = self._loaded
        manifest = self._files.manifest
        prefix = manifest.query_prefix if query else manifest.passage_prefix
        try:
            encoded = tokenizer.encode_batch([prefix + text for text in texts])
            mask = np.array([each.attention_mask for each in encoded], dtype=np.int64)
            known = {
                "input_ids": np.array([each.ids for each in encoded], dtype=np.int64),
                "attention_mask": mask,
                "token_type_ids": np.zeros_like(mask),
            }
            wanted = {each.name: known[each.name] for each in session.get_inputs()}
            (raw,) = session.run([output], wanted)
        except Exception as error:  # onnxruntime and tokenizers raise plain exceptions of many kinds
            raise ModelError(
                f"the embedding model {manifest.id} failed: {error}. `omoide models check` tries it again"
            ) from error
        return _pooled(np.asarray(raw, dtype=np.float32), mask, manifest.pooling)

    def _output(self, session: InferenceSession) -> str:
        """Return the name of the output to use, after a look at whether the graph is what the manifest says."""
        path, manifest = self._files.model, self._files.manifest
        unknown = {each.name for each in session.get_inputs()} - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown:
            raise ModelError(
                f"{path} needs inputs that no text embedding model needs ({', '.join(sorted(unknown))}): "
                f"take a graph that was exported for feature extraction ({HOW_TO})"
            )
        axes = 2 if manifest.pooling == "none" else 3
        outputs = {each.name: each.shape for each in session.get_outputs()}
        named = _TEXT_OUTPUTS if manifest.pooling == "none" else _TOKEN_OUTPUTS
        fitting = [name for name in (*named, *outputs) if len(outputs.get(name) or ()) == axes]
        if not fitting:
            raise ModelError(
                f"{path} gives no output of {axes} axes, as pooling = {manifest.pooling!r} in its manifest needs: "
                f"its outputs are {', '.join(f'{name} {shape}' for name, shape in outputs.items())}"
            )
        chosen = str(fitting[0])
        width = outputs[chosen][-1]
        if isinstance(width, int) and width != manifest.dimension:
            raise ModelError(
                f"{path} gives vectors of {width} components, and its manifest says dimension = "
                f"{manifest.dimension}: write dimension = {width}"
            )
        return chosen


def _tokenizer(files: ModelFiles) -> Tokenizer:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise _not_installed("tokenizers", error) from error
    try:
        tokenizer = Tokenizer.from_file(str(files.tokenizer))
    except Exception as error:  # it raises plain `Exception`
        raise ModelError(
            f"{files.tokenizer} is no tokenizer ({error}): copy it again from where the model was published"
        ) from error
    # What a file says of padding is for its own pipeline: one of 128 tokens makes short texts ten times as slow.
    tokenizer.enable_padding(**{"length": None, **_padding(tokenizer)})
    tokenizer.enable_truncation(max_length=files.manifest.max_tokens)
    return tokenizer


def _padding(tokenizer: Tokenizer) -> dict[str, Any]:
    given = tokenizer.padding or {}
    return {key: given[key] for key in ("direction", "pad_id", "pad_token", "pad_type_id") if key in given}


def _session(files: ModelFiles, threads: int) -> InferenceSession:
    try:
        import onnxruntime  # noqa: PLC0415 - an extra, and half a second
    except ImportError as error:
        raise _not_installed("onnxruntime", error) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors alone: warnings go to stderr, past logging
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # an idle model costs no CPU
    try:
        return onnxruntime.InferenceSession(str(files.model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common root of their own
        raise ModelError(
            f"{files.model} can't be loaded ({error}): copy it again from where the model was published, with "
            f"its {files.model.name}_data if there is one"
        ) from error


def _not_installed(package: str, error: ImportError) -> ModelError:
    return ModelError(
        f"{package} isn't there ({error}), which runs embedding models: `pip install 'omoide[onnx]'` brings it"
    )


def _pooled(raw: NDArray[np.float32], mask: NDArray[np.int64], pooling: str) -> NDArray[np.float32]:
    """Return one vector a text.

    Args:
        raw: what the graph gave, of shape (n, dimension), or of shape (n, tokens, dimension).
        mask: 1 for each token and 0 for padding, of shape (n, tokens).
        pooling: as the manifest says.
    """
    if pooling == "none":
        return raw
    if pooling == "cls":
        return raw[:, 0]
    weights = mask[:, :, np.newaxis].astype(np.float32)
    total: NDArray[np.float32] = (raw * weights).sum(axis=1, dtype=np.float32)
    mean: NDArray[np.float32] = total / np.maximum(weights.sum(axis=1), 1.0)
    return mean
