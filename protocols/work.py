"""Durable work: the kinds of op in the outbox, and the idempotency key of each. Knows nothing of who does it."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from enum import StrEnum
from typing import Final, TypeAlias

from .records import Entity, EntryId, FactId, OpId, Record, ReflectionId, RejectionId, TurnId
from .scopes import Subject


class Work(Record, frozen=True, kw_only=True, tag_field="kind"):
    """Base of what an outbox op asks for."""

    @property
    def key(self) -> str:
        """Return the idempotency key: work of the same key is never queued twice."""
        return ":".join((str(self.__struct_config__.tag), *self._distinct()))

    @abstractmethod
    def _distinct(self) -> tuple[str, ...]:
        """Return what tells one piece of this kind of work from another."""


class ExtractTurn(Work, frozen=True, kw_only=True, tag="extract_turn"):
    """Extract the facts that one turn states."""

    turn: TurnId

    def _distinct(self) -> tuple[str, ...]:
        return (self.turn,)


class ExtractSelf(Work, frozen=True, kw_only=True, tag="extract_self"):
    """Extract what the character said or promised of itself in turns of its own, which are of one subject."""

    turns: tuple[TurnId, ...]

    def _distinct(self) -> tuple[str, ...]:
        return (",".join(self.turns),)


class JudgeTurn(Work, frozen=True, kw_only=True, tag="judge_turn"):
    """Judge what a person's turn says of the reflections that were brought up and of what is believed."""

    turn: TurnId

    def _distinct(self) -> tuple[str, ...]:
        return (self.turn,)


class RecordSurfaced(Work, frozen=True, kw_only=True, tag="record_surfaced"):
    """Record that a turn of the character brought reflections up, so that the next answer is feedback on them."""

    turn: TurnId
    surfaced: tuple[str, ...]

    def _distinct(self) -> tuple[str, ...]:
        return (self.turn,)


class RejectValue(Work, frozen=True, kw_only=True, tag="reject_value"):
    """Reject what a text claims: facts that claim it are retracted, and it doesn't come back.

    `cause` is the turn or request that rejected it.
    """

    text: str
    entity: Entity
    subject: Subject
    cause: str

    def _distinct(self) -> tuple[str, ...]:
        return (self.cause, self.subject, self.text)


class ForgetTopic(Work, frozen=True, kw_only=True, tag="forget_topic"):
    """Forget what was learned of a topic late: from turns that were heard before the wish in `turn`.

    `objects` are what the wish names, such as "my old number".
    """

    turn: TurnId
    subject: Subject
    objects: tuple[str, ...]

    def _distinct(self) -> tuple[str, ...]:
        return (self.turn, "\0".join(self.objects))


class JudgeFacts(Work, frozen=True, kw_only=True, tag="judge_facts"):
    """Judge what new facts of a subject say of what is believed, and whether they make something new to believe.

    `turn` is the turn that they were learned from.
    """

    subject: Subject
    turn: TurnId
    facts: tuple[FactId, ...]

    def _distinct(self) -> tuple[str, ...]:
        return (self.turn, ",".join(self.facts))


class Synthesise(Work, frozen=True, kw_only=True, tag="synthesise"):
    """Synthesise a reflection from a subject's fresh facts.

    `pool` is a digest of all of them, so that a mind which made nothing of them isn't asked again before one
    more is there, and failures are counted for these facts alone.
    """

    subject: Subject
    pool: str

    def _distinct(self) -> tuple[str, ...]:
        return (self.subject, self.pool)


class FollowRejection(Work, frozen=True, kw_only=True, tag="follow_rejection"):
    """Bring reflections in line with a rejection that a turn or request `by` put in force, or lifted."""

    rejection: RejectionId
    by: str

    def _distinct(self) -> tuple[str, ...]:
        return (self.rejection, self.by)


class Sweep(Work, frozen=True, kw_only=True, tag="sweep"):
    """Count the negative day `day` (ISO date, UTC) of the reflections, and do what is due with them."""

    day: str

    def _distinct(self) -> tuple[str, ...]:
        return (self.day,)


class SyncCard(Work, frozen=True, kw_only=True, tag="sync_card"):
    """Bring the protected persona entries in line with the card, after the change of it that `setting` names."""

    setting: str

    def _distinct(self) -> tuple[str, ...]:
        return (self.setting,)


class CountMentions(Work, frozen=True, kw_only=True, tag="count_mentions"):
    """Count what a turn of the character brought up."""

    turn: TurnId

    def _distinct(self) -> tuple[str, ...]:
        return (self.turn,)


class Promote(Work, frozen=True, kw_only=True, tag="promote"):
    """Make a reflection lasting knowledge, if that is still due. `at` is when it fell due."""

    reflection: ReflectionId
    at: float

    def _distinct(self) -> tuple[str, ...]:
        return (self.reflection, repr(self.at))


class JudgePersona(Work, frozen=True, kw_only=True, tag="judge_persona"):
    """Judge what new facts, learned from a turn, say of the persona entries."""

    turn: TurnId
    facts: tuple[FactId, ...]

    def _distinct(self) -> tuple[str, ...]:
        return (self.turn, ",".join(self.facts))


class CorrectPersona(Work, frozen=True, kw_only=True, tag="correct_persona"):
    """Bring persona entries in line with a rejection that a turn or request `by` put in force, or lifted."""

    rejection: RejectionId
    by: str

    def _distinct(self) -> tuple[str, ...]:
        return (self.rejection, self.by)


class ArchiveSubject(Work, frozen=True, kw_only=True, tag="archive_subject"):
    """Put a subject's memory away, if nobody has added to it since `last_write`."""

    subject: Subject
    last_write: float

    def _distinct(self) -> tuple[str, ...]:
        return (self.subject, repr(self.last_write))


class ErasedWork(Work, frozen=True, kw_only=True, tag="erased"):
    """What is left of work that was erased; it is done or discarded, and nobody does it."""

    def _distinct(self) -> tuple[str, ...]:
        return ()


class RecogniseValue(Work, frozen=True, kw_only=True, tag="recognise_value"):
    """Look whether records whose vectors are near a rejected value's say it in other words.

    `cause` is what put the rejection in force, so that one that comes into force again is looked at again.
    """

    rejection: RejectionId
    cause: str
    records: tuple[str, ...]

    def _distinct(self) -> tuple[str, ...]:
        return (self.rejection, self.cause, ",".join(self.records))


class EmbedRecords(Work, frozen=True, kw_only=True, tag="embed_records"):
    """Embed the next batch of what lacks a vector of a model. `stamp` tells one batch from another."""

    model: str
    stamp: str

    def _distinct(self) -> tuple[str, ...]:
        return (self.model, self.stamp)


class ReportMessage(Work, frozen=True, kw_only=True, tag="report_message"):
    """Report to the pool of accounts that an account spoke in a turn."""

    account: str
    turn: TurnId

    def _distinct(self) -> tuple[str, ...]:
        return (self.turn, self.account)


class ReportAttestation(Work, frozen=True, kw_only=True, tag="report_attestation"):
    """Report to the pool that the owner said the same as an account, or corrected it. `event` counts once."""

    account: str
    corrects: bool
    event: str

    def _distinct(self) -> tuple[str, ...]:
        return (self.event, f"{'-' if self.corrects else '+'}{self.account}")


class CompactWindow(Work, frozen=True, kw_only=True, tag="compact_window"):
    """Make a memo of the turns of a subject that leave its recent window. `turn` is the one with which they do."""

    subject: Subject
    turn: TurnId

    def _distinct(self) -> tuple[str, ...]:
        return (self.subject, self.turn)


class ReviewWindow(Work, frozen=True, kw_only=True, tag="review_window"):
    """Look through a subject's recent window for turns that a later one repeats or takes back, up to `turn`."""

    subject: Subject
    turn: TurnId

    def _distinct(self) -> tuple[str, ...]:
        return (self.subject, self.turn)


class Refine(Work, frozen=True, kw_only=True, tag="refine"):
    """Have a mind look at beliefs that are close to each other: reflections, or persona entries.

    `members` are their ids, sorted, and `round` counts how often such a cluster was due since the epoch.
    """

    subject: Subject
    members: tuple[str, ...]
    round: int
    persona: bool

    def _distinct(self) -> tuple[str, ...]:
        return (self.subject, str(self.round), ",".join(self.members))


class CheckRebuttals(Work, frozen=True, kw_only=True, tag="check_rebuttals"):
    """Look through turns of the owner, oldest first, for what denies a confirmed reflection."""

    turns: tuple[TurnId, ...]

    def _distinct(self) -> tuple[str, ...]:
        return (",".join(self.turns),)


class DisputeEntries(Work, frozen=True, kw_only=True, tag="dispute_entries"):
    """Dispute persona entries that the words of a turn made plain to be unwelcome."""

    turn: TurnId
    entries: tuple[EntryId, ...]

    def _distinct(self) -> tuple[str, ...]:
        return (self.turn, ",".join(self.entries))


class ResolveContradiction(Work, frozen=True, kw_only=True, tag="resolve_contradiction"):
    """Decide between a persona entry and a reflection that contradicts it, and was confirmed at `at`."""

    entry: EntryId
    reflection: ReflectionId
    at: float

    def _distinct(self) -> tuple[str, ...]:
        return (self.entry, self.reflection, repr(self.at))


AnyWork: TypeAlias = (
    ExtractTurn
    | ExtractSelf
    | JudgeTurn
    | RecordSurfaced
    | RejectValue
    | ForgetTopic
    | JudgeFacts
    | Synthesise
    | FollowRejection
    | Sweep
    | SyncCard
    | CountMentions
    | Promote
    | JudgePersona
    | CorrectPersona
    | ErasedWork
    | EmbedRecords
    | RecogniseValue
    | ArchiveSubject
    | ReportMessage
    | ReportAttestation
    | CompactWindow
    | CheckRebuttals
    | DisputeEntries
    | ResolveContradiction
    | ReviewWindow
    | Refine
)
"""The closed union of durable work; a later kind joins it here."""


_DIGEST_HEX: Final = 24
"""Hexadecimal digits of an op's id: 96 bits make two ops of one id as good as impossible."""


def op_id(work: AnyWork) -> OpId:
    """Return the id of a piece of work: a digest of its key, so that the same work is the same op."""
    return OpId("op_" + hashlib.sha256(work.key.encode()).hexdigest()[:_DIGEST_HEX])


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
