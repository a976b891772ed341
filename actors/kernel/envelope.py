"""What a mailbox holds: a message with who waits for the answer, what caused it, and until when it counts.

It owns the variable that says which envelope the current task is handling. It must not know of actors.
"""

# ruff: noqa: ANN401 - messages and replies are whatever their users say

from __future__ import annotations

from contextvars import ContextVar
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from pykka._envelope import Envelope as PykkaEnvelope

if TYPE_CHECKING:
    from .future import Future

__all__ = ["Envelope", "current_envelope"]

_handling: Final[ContextVar[Envelope | None]] = ContextVar("omoide_envelope", default=None)
_next_id = count(1).__next__


class Envelope(PykkaEnvelope[Any]):
    """A message under way.

    Attributes:
        message: what was sent.
        reply_to: the asker's future, or None for a tell.
        id: a number that no other envelope of this process has.
        cause: the id of the envelope that was being handled when this one was sent, or None.
        deadline: when the answer is of no use any more, in seconds of the system's Trio clock, or None.
        trace: an opaque trace context. Taken from the causing envelope unless the sender gives one.
        deferred: whether the handler took the duty to answer with `reply_later()`.
    """

    __slots__ = ("cause", "deadline", "deferred", "id", "trace")

    reply_to: Future | None

    def __init__(
        self,
        message: Any,
        reply_to: Future | None = None,
        *,
        deadline: float | None = None,
        trace: str | None = None,
    ) -> None:
        self.message = message
        self.reply_to = reply_to
        self.deadline = deadline
        self.deferred = False
        self.id = _next_id()
        handled = _handling.get()
        if handled is None:
            self.cause: int | None = None
            self.trace = trace
        else:
            self.cause = handled.id
            self.trace = handled.trace if trace is None else trace

    def __repr__(self) -> str:
        return f"<Envelope {self.id} {type(self.message).__name__} cause={self.cause}>"


def current_envelope() -> Envelope | None:
    """Return the envelope that this task is handling or was started for, or None."""
    return _handling.get()


#: Says which envelope the current task handles; the actor's loop alone calls it.
set_current_envelope = _handling.set
