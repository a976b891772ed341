"""Where messages end that nobody will answer for: counted by reason, the latest kept, open to subscribers.

It must not know why an actor refused; it is told the reason. Any thread may record; subscribers are
served on the system's loop.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import trio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .envelope import Envelope

__all__ = ["DeadLetter", "DeadLetterReason", "DeadLetters"]

logger = logging.getLogger(__name__)

KEPT: Final = 256
"""Latest dead letters kept for a person to look at."""


class DeadLetterReason(StrEnum):
    """Why a message was not delivered, or its failure had nobody to be told to."""

    STOPPED = "stopped"
    """A tell was queued when its actor stopped."""
    SUSPENDED = "suspended"
    """A tell to a suspended actor."""
    EXPIRED = "expired"
    """An ask whose deadline passed while it was queued."""
    UNEXPECTED = "unexpected"
    """A tell of a type that the actor doesn't accept."""
    REFUSED = "refused"
    """A tell whose handler raised a `CallerError` or an `OutsideError`."""
    CRASHED = "crashed"
    """A tell whose handler crashed the actor."""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that was not delivered.

    Attributes:
        message: what was sent.
        recipient: the actor's name and URN.
        reason: why.
        detail: the error in words, or an empty string.
        envelope_id: the id of its envelope.
        cause: the id of the envelope that caused it, or None.
    """

    message: Any
    recipient: str
    reason: DeadLetterReason
    detail: str
    envelope_id: int
    cause: int | None


class DeadLetters:
    """The dead letters of one system."""

    def __init__(self, token: trio.lowlevel.TrioToken, loop_thread: int) -> None:
        self._token = token
        self._loop_thread = loop_thread
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._latest: deque[DeadLetter] = deque(maxlen=KEPT)
        self._subscribers: list[trio.MemorySendChannel[DeadLetter]] = []

    @property
    def counts(self) -> Mapping[str, int]:
        """How many were recorded, by reason; a snapshot. Reasons that never occurred count 0."""
        with self._lock:
            return Counter(self._counts)

    @property
    def latest(self) -> tuple[DeadLetter, ...]:
        """The latest ones, oldest first; at most 256."""
        with self._lock:
            return tuple(self._latest)

    def record(self, envelope: Envelope, recipient: str, reason: DeadLetterReason, detail: str = "") -> None:
        """Take a message that was not delivered; from any thread."""
        letter = DeadLetter(envelope.message, recipient, reason, detail, envelope.id, envelope.cause)
        with self._lock:
            self._counts[reason] += 1
            self._latest.append(letter)
        logger.debug("dead letter: %s to %s: %s %s", type(envelope.message).__name__, recipient, reason, detail)
        if not self._subscribers:
            return
        if threading.get_ident() == self._loop_thread:
            self._publish(letter)
            return
        try:
            self._token.run_sync_soon(self._publish, letter)
        except trio.RunFinishedError:
            logger.debug("a dead letter came after the Trio run had ended; nobody is subscribed")

    def subscribe(self, buffer: int = KEPT) -> trio.MemoryReceiveChannel[DeadLetter]:
        """Receive every dead letter from now on: `async for letter in channel`. Close it to unsubscribe.

        Args:
            buffer: letters held for a slow subscriber; those beyond it are counted but not sent.

        Returns:
            A Trio channel, to be read on the system's loop.
        """
        send, receive = trio.open_memory_channel[DeadLetter](buffer)
        self._subscribers.append(send)
        return receive

    def _publish(self, letter: DeadLetter) -> None:
        for subscriber in tuple(self._subscribers):
            try:
                subscriber.send_nowait(letter)
            except trio.WouldBlock:
                logger.debug("a subscriber of dead letters is too slow; one was not sent to it")
            except trio.BrokenResourceError:
                self._subscribers.remove(subscriber)
