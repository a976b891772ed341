"""The plain reference: one SQLite file with FTS5, vectors in numpy, a commit with fsync for each turn."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np

from .hashed import DIMENSION, embed
from .serving import folder_and_answers, ready, serve


class SqliteStore:
    """Words and vectors, fused by the sum of their scores' shares."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path)
        self._db.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
            "CREATE TABLE IF NOT EXISTS turns (number INTEGER PRIMARY KEY, text TEXT, vector BLOB);"
            "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(text);"
        )
        rows = self._db.execute("SELECT number, vector FROM turns ORDER BY number").fetchall()
        self._numbers = [number for number, _ in rows]
        self._vectors = np.zeros((max(1_024, 2 * len(rows)), DIMENSION), np.float32)
        for at, (_, vector) in enumerate(rows):
            self._vectors[at] = np.frombuffer(vector, np.float32)

    def add(self, number: int, text: str) -> None:
        vector = embed(text)
        with self._db:
            self._db.execute("INSERT OR IGNORE INTO turns VALUES (?, ?, ?)", (number, text, vector.tobytes()))
            self._db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (number, text))
        if len(self._numbers) == len(self._vectors):
            self._vectors = np.concatenate((self._vectors, np.zeros_like(self._vectors)))
        self._vectors[len(self._numbers)] = vector
        self._numbers.append(number)

    def settle(self) -> None:
        """All is searchable as soon as it is stored."""

    def search(self, text: str, limit: int) -> Sequence[int]:
        query = " OR ".join(f'"{word.strip(".,?!")}"' for word in text.split())
        found = self._db.execute(
            "SELECT rowid, -bm25(words) FROM words WHERE words MATCH ? ORDER BY 2 DESC LIMIT ?",
            (query, 4 * limit),
        ).fetchall()
        best = max((score for _, score in found), default=1.0)
        scores = {number: score / best for number, score in found}
        likeness = self._vectors[: len(self._numbers)] @ embed(text)
        for at in np.argsort(likeness)[::-1][: 4 * limit]:
            number = self._numbers[int(at)]
            scores[number] = scores.get(number, 0.0) + float(likeness[at])
        return sorted(scores, key=lambda number: -scores[number])[:limit]

    def present(self) -> Sequence[int]:
        return [number for (number,) in self._db.execute("SELECT number FROM turns")]


if __name__ == "__main__":
    folder, answers = folder_and_answers()
    store = SqliteStore(str(folder / "memory.db"))
    ready(answers)
    serve(store, answers)
