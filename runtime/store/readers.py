"""Read-only connections beside the writer's, lent to worker threads. They see what was committed."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import trio

from ...protocols.errors import InvalidRequestError
from .faults import translated

T = TypeVar("T")

_IDLE_KEPT: Final = 2
"""Connections that one file keeps open between reads; each holds file descriptors."""


class Readers:
    """The read connections of one file.

    Args:
        connect: opens one more.
        path: of the file, for messages.
        limiter: bounds the threads that read, over all files.
    """

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], *, path: Path, limiter: trio.CapacityLimiter
    ) -> None:
        self._connect = connect
        self._path = path
        self._limiter = limiter
        self._idle: list[sqlite3.Connection] = []
        self._closed = False
        self._lock = threading.Lock()

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run a query in a worker thread, inside one read transaction, and return its result.

        Raises:
            InvalidRequestError: if the file was closed.
            StorageError: if the database refuses.
        """
        return await trio.to_thread.run_sync(self._read, query, limiter=self._limiter)

    def close(self) -> None:
        """Close the connections; a read in flight closes its own."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            if self._closed:
                raise InvalidRequestError(f"{self._path} was closed: open the character again to read it")
            connection = self._idle.pop() if self._idle else None
        with translated(self._path):
            if connection is None:
                connection = self._connect()
            try:
                connection.execute("BEGIN")
                found = query(connection)
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
        with self._lock:
            if not self._closed and len(self._idle) < _IDLE_KEPT:
                self._idle.append(connection)
                return found
        connection.close()
        return found
