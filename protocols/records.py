"""Stored things, as frozen msgspec Structs.

Times named `*_at` are seconds since the epoch (UTC). Ids are final: a record keeps its id through
every later change. Tuples, not lists, so that a record can't change behind its event. A new field
gets a default, so that an old journal still reads.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NewType, TypeAlias

from msgspec import Struct

from .scopes import PRIVATE, Subject

TurnId = NewType("TurnId", str)
FactId = NewType("FactId", str)
OpId = NewType("OpId", str)


SOURCES_KEPT: Final = 16
"""Turns that a fact lists as its sources; a habit said daily must not grow without bound."""


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=False):
    """Base of everything that is stored."""


class Speaker(Record, frozen=True, kw_only=True):
    """Who spoke, as the host's envelope says; never read from text or from a model."""

    platform: str
    account: str
    label: str = ""

    @property
    def key(self) -> str:
        """Platform-neutral account key, `<platform>:<account>`."""
        return f"{self.platform}:{self.account}"


class Role(StrEnum):
    """Which side of the conversation a turn is from."""

    PERSON = "person"
    CHARACTER = "character"


class Turn(Record, frozen=True, kw_only=True):
    """One utterance as it was heard, or one line that the character said.

    `speaker` is None for the owner and for the character itself. `said_at` is when it was said by
    the host's word; `heard_at` is when it was acknowledged.
    """

    id: TurnId
    role: Role
    text: str
    subject: Subject = PRIVATE
    speaker: Speaker | None = None
    trust: float | None = None
    said_at: float
    heard_at: float


class Entity(StrEnum):
    """Whom a memory is about."""

    OWNER = "owner"
    CHARACTER = "character"
    RELATIONSHIP = "relationship"
    OTHER = "other"


class FactStatus(StrEnum):
    """Whether a fact is in force. Facts are never deleted by the program's own judgement."""

    ACTIVE = "active"


class FactSource(Record, frozen=True, kw_only=True):
    """One turn that a fact rests on, with that turn's wording of it.

    `trust` and `label` are what the envelope of that turn said of its speaker.
    """

    turn: TurnId
    said_at: float
    text: str
    importance: int
    entity: Entity
    trust: float | None = None
    label: str = ""


class Fact(Record, frozen=True, kw_only=True):
    """One atomic statement, with every turn that it rests on.

    `key` is the statement's canonical form: two statements with the same subject, speaker and key
    are one fact, and `id` is the digest of the three. `sources` holds the `SOURCES_KEPT` least turns
    by (`said_at`, `turn`), in that order. `text`, `entity`, `said_at`, `trust` and the speaker's label
    are those of the first source; `importance` (1 to 10) is the largest and `last_said_at` the latest
    ever heard; `created_at` is the earliest. Two states of one fact are joined by `facts.join_fact`,
    whose result depends on neither order nor repetition.
    """

    id: FactId
    key: str
    text: str
    entity: Entity
    importance: int
    subject: Subject
    speaker: Speaker | None
    trust: float | None
    sources: tuple[FactSource, ...]
    said_at: float
    last_said_at: float
    created_at: float
    status: FactStatus = FactStatus.ACTIVE


class Profile(Record, frozen=True, kw_only=True):
    """What the host says about a character: how its owner is called, its language and its card."""

    owner: str = ""
    locale: str = "en"
    card: tuple[str, ...] = ()


# --- durable work -------------------------------------------------------------------------------


class Work(Record, frozen=True, kw_only=True, tag_field="kind"):
    """Base of what an outbox op asks for."""


class ExtractTurn(Work, frozen=True, kw_only=True, tag="extract_turn"):
    """Extract the facts that one turn states."""

    turn: TurnId


AnyWork: TypeAlias = ExtractTurn
"""The closed union of durable work; a later kind joins it here."""


def work_key(work: AnyWork) -> str:
    """Return the idempotency key of a piece of work: work of the same key is never queued twice."""
    return f"extract_turn:{work.turn}"


class OpState(StrEnum):
    """Where an outbox op stands."""

    PENDING = "pending"
    DONE = "done"
    PARKED = "parked"
    DISCARDED = "discarded"


class OutboxOp(Record, frozen=True, kw_only=True):
    """One durable piece of background work.

    `seq` is its place in the order of enqueueing, `attempts` how often it failed, `not_before` the
    earliest time of the next attempt, `error` what the last failure said.
    """

    id: OpId
    seq: int
    work: AnyWork
    cause: str
    state: OpState
    attempts: int
    not_before: float
    enqueued_at: float
    error: str = ""
