"""When a failed op is tried again. Pure."""

from __future__ import annotations

from random import Random

from ...protocols.errors import (
    ActorSuspendedError,
    MailboxFullError,
    ModelWaitError,
    OmoideError,
    PoolAwaitedError,
)
from ...protocols.messages import OpFailure
from ...protocols.settings import OutboxSettings
from ...protocols.work import OutboxOp

MAX_ERROR_CHARS = 500
"""Longest error text kept with an op (characters)."""


def failure_of(
    op: OutboxOp, error: OmoideError, *, now: float, settings: OutboxSettings, random: Random
) -> OpFailure:
    """Return the record of one failed attempt: when to try again, or that it was the last.

    The wait grows by `backoff_factor` from `backoff_min_s` up to `backoff_max_s`, and up to `jitter` of it is
    added at random, so that work which failed together does not come back together. A worker that is suspended or
    overrun, a model that can't be asked, or a history that is awaited, says nothing about the op: such an attempt
    is not counted. Where the error knows when trying again makes sense, the op doesn't come back before,
    unless that is more than `longest_wait_s` ahead.
    """
    counts = not isinstance(error, ActorSuspendedError | MailboxFullError | ModelWaitError | PoolAwaitedError)
    failed = op.attempts + counts
    wait_s = min(settings.backoff_max_s, settings.backoff_min_s * settings.backoff_factor**op.attempts)
    asked_s = error.not_before - now if isinstance(error, ModelWaitError) and error.not_before is not None else 0.0
    return OpFailure(
        op=op.id,
        error=f"{type(error).__name__}: {error}"[:MAX_ERROR_CHARS],
        not_before=now
        + min(settings.longest_wait_s, max(asked_s, wait_s * (1 + settings.jitter * random.random()))),
        parks=failed >= settings.attempts,
        counts=counts,
    )
