"""mem0 on a local store, qdrant or faiss by the second argument, keeping what is said as it is."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mem0 import Memory

from .hashed import DIMENSION, embed
from .serving import folder_and_answers, ready, serve

EVERYTHING: Final = 1_000_000
OWNER: Final = {"user_id": "sam"}


class HashedEmbedding:
    """Stands where mem0 keeps its embedding model."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        del memory_action
        vector: list[float] = embed(text).tolist()
        return vector


class Mem0Store:
    """One user's memories. No model is ever asked, so the keys are none."""

    def __init__(self, folder: Path, kind: str) -> None:
        keyless = {"provider": "openai", "config": {"api_key": "none"}}
        place = {"path": str(folder / kind), "embedding_model_dims": DIMENSION, "collection_name": "turns"}
        options = {"on_disk": True} if kind == "qdrant" else {"distance_strategy": "cosine"}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": kind, "config": place | options},
                "embedder": keyless,
                "llm": keyless,
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = HashedEmbedding()

    def add(self, number: int, text: str) -> None:
        said = [{"role": "user", "content": text}]
        self._memory.add(said, user_id=OWNER["user_id"], metadata={"number": number}, infer=False)

    def settle(self) -> None:
        """All is searchable as soon as it is stored."""

    def search(self, text: str, limit: int) -> Sequence[int]:
        found = self._memory.search(text, top_k=limit, filters=OWNER)["results"]
        return [hit["metadata"]["number"] for hit in found]

    def present(self) -> Sequence[int]:
        kept = self._memory.get_all(filters=OWNER, top_k=EVERYTHING)["results"]
        return [row["metadata"]["number"] for row in kept]


if __name__ == "__main__":
    folder, answers = folder_and_answers()
    store = Mem0Store(folder, sys.argv[2])
    ready(answers)
    serve(store, answers)
