"""The kernel's errors that Pykka's users catch by Pykka's names.

The tree in `protocols/errors.py` knows nothing of Pykka; these two stand in both trees, so that
`except ActorDeadError` and `except pykka.ActorDeadError` both work.
"""

from __future__ import annotations

import pykka

from ...protocols.errors import ActorDeadError, DeadlineExceededError

__all__ = ["AskTimeoutError", "DeadActorError"]


class DeadActorError(ActorDeadError, pykka.ActorDeadError):
    """The actor is stopped and will not handle the message. Its message names why the actor stopped."""


class AskTimeoutError(DeadlineExceededError, pykka.Timeout):
    """No answer came before the deadline. The message may or may not have been handled."""
