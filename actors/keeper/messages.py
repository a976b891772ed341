"""What the keeper is asked about subjects that nobody added to for long."""

from __future__ import annotations

from ...protocols.messages import Message, Request
from ...protocols.scopes import Subject


class StaleSubject(Message, frozen=True, kw_only=True):
    """A subject that would be put away now, with when it was last added to (seconds since the epoch)."""

    subject: Subject
    last_write: float


class FindStale(Request[tuple[StaleSubject, ...]], frozen=True, kw_only=True):
    """Find what would be put away now. Reply: the subjects, sorted; nothing is changed."""


class RestoreSubject(Request["Restored"], frozen=True, kw_only=True):
    """Bring back what was put away of a subject. Reply: `Restored`."""

    subject: Subject


class Restored(Message, frozen=True, kw_only=True):
    """How many facts, reflections and persona entries are in force again."""

    rows: int
