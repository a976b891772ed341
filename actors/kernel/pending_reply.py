"""A reply that a handler promised to give later. It must not know of actors: it answers one envelope."""

# ruff: noqa: ANN401 - messages and replies are whatever their users say

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ...protocols.errors import CallerError

if TYPE_CHECKING:
    from .future import Future

__all__ = ["PendingReply"]


class PendingReply:
    """The duty to answer one message, held by whoever the handler gives it to.

    It outlives the actor: if the actor stops or crashes, the answer is still the holder's to give. Under
    a tell nobody waits, and the answer goes nowhere. If the handler itself raised a `CallerError` or an
    `OutsideError` after taking it, that error was the answer and the holder's is dropped.
    """

    __slots__ = ("_answered", "_lock", "_reply_to")

    def __init__(self, reply_to: Future | None) -> None:
        self._reply_to = reply_to
        self._answered = False
        self._lock = threading.Lock()

    def set(self, value: Any = None) -> None:
        """Answer with a value; once, from any thread.

        Raises:
            CallerError: it was answered before.
        """
        self._claim()
        if self._reply_to is not None:
            self._reply_to.settle(value)

    def set_exception(self, error: BaseException) -> None:
        """Answer with an exception, which the asker gets raised; once, from any thread.

        Raises:
            CallerError: it was answered before.
        """
        self._claim()
        if self._reply_to is not None:
            self._reply_to.settle(error=error)

    def _claim(self) -> None:
        with self._lock:
            if self._answered:
                raise CallerError("this reply was already given; a message is answered once")
            self._answered = True
