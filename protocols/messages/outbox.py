"""Durable work: done, driven, retried, given up, and queued when it falls due."""

from __future__ import annotations

from ..records import OpId
from ..work import OutboxOp
from .message import Message, Request


class RunOp(Request["OpDone"], frozen=True, kw_only=True):
    """Do one piece of durable work. Reply: `OpDone`; an error means that the attempt failed."""

    op: OutboxOp


class OpDone(Message, frozen=True, kw_only=True):
    """The work and its effects are committed."""


class Wake(Message, frozen=True, kw_only=True):
    """Work may be due. A hint: losing one delays work until the next, and loses nothing."""


class Drain(Request["Drained"], frozen=True, kw_only=True):
    """Do everything that is due now. Reply: `Drained`."""


class Drained(Message, frozen=True, kw_only=True):
    """Nothing is due any more. `next_at` is when pending work falls due, or None where none is left."""

    next_at: float | None
    parked: int


class RetryOp(Request[OutboxOp], frozen=True, kw_only=True):
    """Send parked work again, with its attempts counted anew. Reply: the `OutboxOp` as it is then."""

    op: OpId


class DiscardOp(Request[OutboxOp], frozen=True, kw_only=True):
    """Give up pending or parked work for good. Reply: the `OutboxOp` as it is then."""

    op: OpId


class QueueEmbeddings(Request["EmbeddingsQueued"], frozen=True, kw_only=True):
    """Queue the next batch of what lacks a vector. Reply: `EmbeddingsQueued`."""


class EmbeddingsQueued(Message, frozen=True, kw_only=True):
    """Whether a batch is due now, just queued or before."""

    due: bool


class Tick(Request["Ticked"], frozen=True, kw_only=True):
    """Queue the periodic work that is due. Reply: `Ticked`."""


class Ticked(Message, frozen=True, kw_only=True):
    """Periodic work that is due is queued; `next_at` is when the next may fall due."""

    next_at: float
