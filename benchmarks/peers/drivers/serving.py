"""What every driver is: a process that opens a store, answers one request a line, and may be killed at any time.

    python DRIVER.py FOLDER     requests on standard input, answers on standard output, one JSON object a line

    {"do": "add", "number": 3, "text": "..."}   ->  {"seconds": 0.002}     once the store says that it has it
    {"do": "settle"}                            ->  {"seconds": 0.5}       once all that was added can be found
    {"do": "search", "text": "...", "limit": 10}->  {"seconds": 0.01, "numbers": [3, 17]}
    {"do": "present"}                           ->  {"numbers": [0, 1, 2, 3]}

Nothing of Omoide is imported here, since a driver runs in its peer's environment.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol


class Store(Protocol):
    """A memory of one kind, opened on a folder that may hold what an earlier process left."""

    def add(self, number: int, text: str) -> None:
        """Return once the store says that it has the turn."""

    def settle(self) -> None:
        """Return once all that was added can be found."""

    def search(self, text: str, limit: int) -> Sequence[int]:
        """Return the numbers of the turns that match best."""

    def present(self) -> Sequence[int]:
        """Return the numbers of all turns that are stored."""


def serve(store: Store, answers: int) -> None:
    """Answer requests until standard input ends. `answers` is the file descriptor for them."""
    for line in sys.stdin:
        request = json.loads(line)
        begun = time.perf_counter()
        answer = _answer(store, request)
        answer["seconds"] = time.perf_counter() - begun
        os.write(answers, (json.dumps(answer) + "\n").encode())


def _answer(store: Store, request: dict[str, Any]) -> dict[str, Any]:
    match request["do"]:
        case "add":
            store.add(request["number"], request["text"])
            return {}
        case "settle":
            store.settle()
            return {}
        case "search":
            return {"numbers": list(store.search(request["text"], request["limit"]))}
        case _:
            return {"numbers": list(store.present())}


def folder_and_answers() -> tuple[Path, int]:
    """Return the store's folder and where answers go; what libraries print goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    return folder, answers


def ready(answers: int) -> None:
    """Say that the store is open."""
    os.write(answers, b'{"ready": true}\n')
