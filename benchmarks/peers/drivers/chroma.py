"""Chroma, embedded, on a folder."""

from __future__ import annotations

from collections.abc import Sequence

import chromadb
from chromadb.config import Settings

from .hashed import embed
from .serving import folder_and_answers, ready, serve


class ChromaStore:
    """One collection with cosine distance."""

    def __init__(self, path: str) -> None:
        client = chromadb.PersistentClient(path, Settings(anonymized_telemetry=False))
        self._turns = client.get_or_create_collection(
            "turns", embedding_function=None, metadata={"hnsw:space": "cosine"}
        )

    def add(self, number: int, text: str) -> None:
        self._turns.add(ids=[str(number)], documents=[text], embeddings=[embed(text)])

    def settle(self) -> None:
        """All is searchable as soon as it is stored."""

    def search(self, text: str, limit: int) -> Sequence[int]:
        return [int(name) for name in self._turns.query(query_embeddings=[embed(text)], n_results=limit)["ids"][0]]

    def present(self) -> Sequence[int]:
        return [int(name) for name in self._turns.get(include=[])["ids"]]


if __name__ == "__main__":
    folder, answers = folder_and_answers()
    store = ChromaStore(str(folder))
    ready(answers)
    serve(store, answers)
