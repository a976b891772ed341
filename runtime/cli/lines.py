"""Lines of a file or of standard input, read without holding up the loop or the end of the process."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import trio

from ...protocols.errors import InvalidRequestError

STANDARD_INPUT: Final = "-"

MAX_LINE_BYTES: Final = 1 << 24
"""Longest line: many times the longest turn with every character of it escaped."""

_CHUNK_BYTES: Final = 1 << 16


def open_lines(path: str) -> int:
    """Return a file descriptor to read from; `-` is standard input.

    Raises:
        InvalidRequestError: if the file can't be opened.
    """
    if path == STANDARD_INPUT:
        return os.dup(0)
    try:
        if Path(path).is_dir():
            raise IsADirectoryError(21, "it is a folder")
        return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidRequestError(f"the transcript {path!r} can't be read: {reason}") from error


def count_lines(path: str) -> int | None:
    """Return how many lines a regular file has, or None where that can't be known beforehand."""
    if path == STANDARD_INPUT or not Path(path).is_file():
        return None
    count, last = 0, b"\n"
    with Path(path).open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            count += chunk.count(b"\n")
            last = chunk[-1:]
    return count + (last != b"\n")


async def read_lines(descriptor: int) -> AsyncGenerator[bytes, None]:
    """Yield the lines of an open file without their ends.

    The descriptor is read by itself and not through `sys.stdin`: a thread that waits for input is left
    behind at an interrupt, and must not hold the lock of a buffer that the interpreter wants to flush.

    Raises:
        InvalidRequestError: if a line is longer than `MAX_LINE_BYTES`.
    """
    pieces: list[bytes] = []
    while chunk := await trio.to_thread.run_sync(os.read, descriptor, _CHUNK_BYTES, abandon_on_cancel=True):
        head, *others = chunk.split(b"\n")
        pieces.append(head)
        if sum(map(len, pieces)) > MAX_LINE_BYTES:
            raise InvalidRequestError(f"a line has more than {MAX_LINE_BYTES:,} bytes: is it text, a turn a line?")
        for other in others:
            yield b"".join(pieces)
            pieces = [other]
    if any(pieces):
        yield b"".join(pieces)
