"""Embedding models on the CPU, behind the `Embedder` port: any ONNX folder, and those that extras bring."""

from .catalogue import PACKAGED, Packaged, engine_of, open_embedder
from .engine import Engine
from .manifest import Manifest, ModelFiles, read_folder
from .onnx import OnnxEngine
from .sanity import Checkup, checkup
from .worker import WorkerEmbedder

__all__ = [
    "PACKAGED",
    "Checkup",
    "Engine",
    "Manifest",
    "ModelFiles",
    "OnnxEngine",
    "Packaged",
    "WorkerEmbedder",
    "checkup",
    "engine_of",
    "open_embedder",
    "read_folder",
]
