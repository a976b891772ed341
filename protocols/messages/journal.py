"""What the journal is asked for: one atomic change."""

from __future__ import annotations

from ..cursors import Cursor
from ..events import AnyChange, Event
from ..records import OpId, PersonaEntry, Reflection
from ..vectors import Vector
from ..work import AnyWork
from .message import Message, Request


class IdempotencyKey(Message, frozen=True, kw_only=True):
    """Makes a commit happen once: the same key with the same fingerprint again changes nothing.

    `fingerprint` is a digest of the content; the same key with another one is the caller's fault.
    """

    key: str
    fingerprint: str


class Delivery(Message, frozen=True, kw_only=True):
    """Where in a stream a request comes from, if it does, and what makes it happen once: both for its commit."""

    cursor: Cursor | None
    key: IdempotencyKey


class OpFailure(Message, frozen=True, kw_only=True):
    """One failed attempt at an op.

    `parks` says that it was the last one. Where `counts` is false the op was not at fault, and is just
    tried again later.
    """

    op: OpId
    error: str
    not_before: float
    parks: bool
    counts: bool = True


class Commit(Request["Committed"], frozen=True, kw_only=True):
    """One atomic change of a character's journal. Reply: `Committed`.

    Changes are appended and folded into the views, ops in `settles` become done and work in
    `enqueues` is queued, all in one transaction. Where an op of `settles` is not pending any more,
    or the idempotency key is known, nothing at all happens and the reply says so. `vectors` are kept beside
    the views, without an event. `expects` are records as the changes were made of them: where one of them is
    another by now, or gone, the commit is refused with `ChangedMeanwhileError`, and whoever asked does it again.
    the views, without an event. `cursor` is where in a stream the commit comes from: it lands with it, also where
    the key is known, and a commit whose cursor isn't ahead of the one that is stored is refused.
    """

    actor: str
    cause: str
    changes: tuple[AnyChange, ...] = ()
    settles: tuple[OpId, ...] = ()
    enqueues: tuple[AnyWork, ...] = ()
    failures: tuple[OpFailure, ...] = ()
    retries: tuple[OpId, ...] = ()
    discards: tuple[OpId, ...] = ()
    idempotency: IdempotencyKey | None = None
    vectors: tuple[Vector, ...] = ()
    expects: tuple[Reflection | PersonaEntry, ...] = ()
    cursor: Cursor | None = None


class Committed(Message, frozen=True, kw_only=True):
    """What landed. `repeated` means that the work had been committed before, and `events` are those of then."""

    events: tuple[Event, ...] = ()
    enqueued: int = 0
    repeated: bool = False
