"""Omoide, embedded in a program with threads. Adding is hearing; what is made of the turn follows behind it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import trio
from numpy.typing import NDArray

from omoide.protocols.ports import Likeness
from omoide.protocols.settings import Settings
from omoide.runtime.blocking import Character, open_runtime

from .hashed import DIMENSION, embed
from .serving import folder_and_answers, ready, serve

START: Final = 1_700_000_000.0
"""When turn 0 was said; each is said a minute after the one before it."""
STEP: Final = 60.0


class HashedEmbedder:
    """The vectors that every peer has."""

    id = "hashed"
    dimension = DIMENSION
    likeness = Likeness()

    async def embed(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        del query
        await trio.lowlevel.checkpoint()
        return np.stack([embed(text) for text in texts])


class OmoideStore:
    """One character; the number of a turn is the minute it was said in."""

    def __init__(self, character: Character) -> None:
        self._character = character
        self._numbers = {turn.id: _number(turn.said_at) for turn in character.turns(newest=1_000_000)}

    def add(self, number: int, text: str) -> None:
        receipt = self._character.hear(text, said_at=START + number * STEP, message_id=str(number))
        self._numbers[receipt.turn] = number

    def settle(self) -> None:
        self._character.settle()

    def search(self, text: str, limit: int) -> Sequence[int]:
        hits = self._character.recall(text, limit=limit).hits
        return [self._numbers[turn] for hit in hits for turn in hit.turns]

    def present(self) -> Sequence[int]:
        return [_number(turn.said_at) for turn in self._character.turns(newest=1_000_000)]


def _number(said_at: float) -> int:
    return round((said_at - START) / STEP)


def main() -> None:
    folder, answers = folder_and_answers()
    with open_runtime(Settings(data_dir=Path(folder)), embedder=HashedEmbedder()) as runtime:
        store = OmoideStore(runtime.character("peer", owner="Sam"))
        ready(answers)
        serve(store, answers)


if __name__ == "__main__":
    main()
