"""Stored things, as frozen msgspec Structs.

Times named `*_at` are seconds since the epoch (UTC). Ids are final: a record keeps its id through
every later change. Tuples, not lists, so that a record can't change behind its event. A new field
gets a default, so that an old journal still reads.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NewType, TypeAlias, assert_never

from msgspec import Struct

from .scopes import PRIVATE, Subject

TurnId = NewType("TurnId", str)
FactId = NewType("FactId", str)
OpId = NewType("OpId", str)
DirectiveId = NewType("DirectiveId", str)
ReflectionId = NewType("ReflectionId", str)
EntryId = NewType("EntryId", str)
RejectionId = NewType("RejectionId", str)


SOURCES_KEPT: Final = 16
"""Turns that a fact lists as its sources; a habit said daily must not grow without bound."""


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
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
    the host's word; `heard_at` is when it was acknowledged. `wishes` says that it voices a wish about memory (not
    to mention, to mention again, to forget), and `forgets` are what it asks to forget.
    """

    id: TurnId
    role: Role
    text: str
    subject: Subject = PRIVATE
    speaker: Speaker | None = None
    trust: float | None = None
    said_at: float
    heard_at: float
    wishes: bool = False
    forgets: tuple[str, ...] = ()


class Entity(StrEnum):
    """Whom a memory is about."""

    OWNER = "owner"
    CHARACTER = "character"
    RELATIONSHIP = "relationship"
    OTHER = "other"


class FactStatus(StrEnum):
    """Whether a fact is in force. Facts are never deleted by the program's own judgement.

    A retracted fact is one that the person said is wrong, a superseded one gave way to a newer or better
    believed one, a disputed one says what a rejection in force holds back, and an archived one was put away with
    its subject. None of the four is recalled.
    """

    ACTIVE = "active"
    RETRACTED = "retracted"
    SUPERSEDED = "superseded"
    DISPUTED = "disputed"
    ARCHIVED = "archived"


class FactSource(Record, frozen=True, kw_only=True):
    """One turn that a fact rests on, with that turn's wording of it.

    `trust` and `label` are what the envelope of that turn said of its speaker. `event_from` and `event_until` are
    the first and last moment of the days that its words name ("yesterday"), None where they name none.
    """

    turn: TurnId
    said_at: float
    text: str
    importance: int
    entity: Entity
    trust: float | None = None
    label: str = ""
    event_from: float | None = None
    event_until: float | None = None


class Fact(Record, frozen=True, kw_only=True):
    """One atomic statement, with every turn that it rests on.

    `key` is the statement's canonical form: two statements with the same subject, speaker and key
    are one fact, and `id` is the digest of the three. `sources` holds the `SOURCES_KEPT` least turns
    by (`said_at`, `turn`), in that order. `text`, `entity`, `said_at`, `trust`, the event's time and the
    speaker's label are those of the first source; `importance` (1 to 10) is the largest and `last_said_at`
    the latest ever heard; `created_at` is the earliest. Two states of one fact are joined by `facts.join_fact`,
    whose result depends on neither order nor repetition. `contested_at` is when another person's fact last gave
    way to it, None where none did.
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
    status_at: float | None = None
    reason: str = ""
    event_from: float | None = None
    event_until: float | None = None
    contested_at: float | None = None


class DirectiveKind(StrEnum):
    """What a directive forbids."""

    MENTION = "mention"


class DirectivePolicy(StrEnum):
    """How long a directive holds: until it is lifted, or for a time that grows with its hits."""

    PERMANENT = "permanent"
    TTL = "ttl"


class DirectiveStatus(StrEnum):
    """Whether a directive is in force. A lifted or deleted one is kept, so that its history has an answer."""

    ACTIVE = "active"
    LIFTED = "lifted"
    DELETED = "deleted"


class Directive(Record, frozen=True, kw_only=True):
    """A topic that the person does not want to hear of.

    `key` is the folded term and `term` the term as it was last said; `aliases` are other names of the
    topic that the person gave. `bare` marks a term that only points ("this", それ) or is too short to
    block by: it is told to the model and never blocks. `locale` is that of the phrase that was matched
    first, "und" where a person entered the term. `hits` counts how often it was said. `turn` is the
    turn that said it last, None where it came from the interface. `expires_at` is None under the
    permanent policy. `status_at` is when it was lifted or deleted last, None if never. All times are those of
    speaking, so that what is heard late changes nothing that was said after it.
    """

    id: DirectiveId
    kind: DirectiveKind = DirectiveKind.MENTION
    key: str
    term: str
    aliases: tuple[str, ...] = ()
    bare: bool = False
    locale: str = "und"
    subject: Subject = PRIVATE
    hits: int
    first_said_at: float
    last_said_at: float
    turn: TurnId | None
    policy: DirectivePolicy = DirectivePolicy.PERMANENT
    expires_at: float | None = None
    status: DirectiveStatus = DirectiveStatus.ACTIVE
    status_at: float | None = None


class Profile(Record, frozen=True, kw_only=True):
    """What the host says about a character: how its owner is called, its language and its card.

    `weak_since` is when strong memory was switched off (seconds since the epoch), None while it is on.
    `member_memory` says whether members of a group have a memory of their own, None where nobody switched it.
    """

    owner: str = ""
    locale: str = "en"
    card: tuple[str, ...] = ()
    weak_since: float | None = None
    member_memory: bool | None = None


# --- belief --------------------------------------------------------------------------------------


class Evidence(Record, frozen=True, kw_only=True):
    """What speaks for and against a belief: two counters, each with its own clock.

    Counters are as of their clock; what is left of them now is computed when read (`evidence`), never
    stored. `rein_last_signal_at` and `disp_last_signal_at` are seconds since the epoch, None for a side
    that had no signal; such a side doesn't decay. `reinforcement` may be negative through being ignored,
    `disputation` is at least 0. `sub_zero_days` counts the UTC days on which the score was seen below zero
    and is never reset; `sub_zero_last_day` is the last of them (ISO date). `fact_reinforcements` counts for
    life and never decays. A `protected` belief is certain: it takes no signal and its score is infinite.
    """

    reinforcement: float = 0.0
    disputation: float = 0.0
    rein_last_signal_at: float | None = None
    disp_last_signal_at: float | None = None
    sub_zero_days: int = 0
    sub_zero_last_day: str | None = None
    fact_reinforcements: int = 0
    protected: bool = False


class Mention(Record, frozen=True, kw_only=True):
    """One turn of the character that brought a belief up."""

    turn: TurnId
    at: float


class Mentions(Record, frozen=True, kw_only=True):
    """How often a belief was brought up lately, one entry a turn; `suppressed_at` is None while it may be."""

    recent: tuple[Mention, ...] = ()
    suppressed_at: float | None = None


class TemporalScope(StrEnum):
    """How long what a reflection says stays true: for good, for a while, or for one occasion."""

    PATTERN = "pattern"
    STATE = "state"
    EPISODE = "episode"


class ReflectionStatus(StrEnum):
    """Where a reflection stands in its life. The tier is another thing, and follows from the evidence alone."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    PROMOTED = "promoted"
    MERGED = "merged"
    DENIED = "denied"
    ARCHIVED = "archived"
    PROMOTE_BLOCKED = "promote_blocked"


class Reflection(Record, frozen=True, kw_only=True):
    """A judgement synthesised from several facts.

    `id` is the digest of `sources`, the sorted ids of its facts, and `importance` the largest of theirs.
    `status_at` is when the status was entered and `reason` why; `age_anchor_at` is where its age counts
    from. `auto_confirmed` says that age confirmed it, not evidence. It isn't brought up before
    `next_eligible_at`. `awaiting` is the character's turn that brought it up last, until the person's answer is
    judged. `absorbed_into` is the persona entry that it became or was merged into. `event_at` is when what it
    tells of happened, where that is known. `archived_from` is the status that it had when it was put away with its
    subject. `related` are facts that the mind was shown as context: it rests on none of them, but may hold words
    of them, so that it is erased with them.
    """

    id: ReflectionId
    text: str
    entity: Entity
    subject: Subject
    sources: tuple[FactId, ...]
    importance: int
    evidence: Evidence
    created_at: float
    status: ReflectionStatus = ReflectionStatus.PENDING
    status_at: float
    reason: str = ""
    age_anchor_at: float
    auto_confirmed: bool = False
    next_eligible_at: float
    awaiting: TurnId | None = None
    promote_attempts: int = 0
    last_promote_attempt_at: float | None = None
    absorbed_into: EntryId | None = None
    temporal_scope: TemporalScope = TemporalScope.PATTERN
    event_at: float | None = None
    mentions: Mentions = Mentions()
    archived_from: ReflectionStatus | None = None
    related: tuple[FactId, ...] = ()


class EntrySource(StrEnum):
    """Where a persona entry came from."""

    CARD = "card"
    REFLECTION = "reflection"
    CORRECTION = "correction"
    MANUAL = "manual"


class EntryStatus(StrEnum):
    """Whether a persona entry is in force."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"


class EntryVersion(Record, frozen=True, kw_only=True):
    """A wording that a persona entry had before."""

    text: str
    replaced_at: float
    reason: str


VERSIONS_KEPT: Final = 5
"""Earlier wordings that a persona entry keeps, the newest (baseline: 5)."""


class PersonaEntry(Record, frozen=True, kw_only=True):
    """Lasting knowledge about the owner, the character or what they are to each other.

    Entries of the character card are protected. `lineage` names the reflections that it was made of or that
    were merged into it, in that order; `versions` are its earlier wordings, oldest first.
    """

    id: EntryId
    text: str
    entity: Entity
    subject: Subject
    source: EntrySource
    importance: int
    evidence: Evidence
    created_at: float
    status: EntryStatus = EntryStatus.ACTIVE
    status_at: float
    reason: str = ""
    lineage: tuple[ReflectionId, ...] = ()
    versions: tuple[EntryVersion, ...] = ()
    mentions: Mentions = Mentions()


class Rejection(Record, frozen=True, kw_only=True):
    """A value that a person said is wrong. It outlives whatever held the value.

    It keeps words, and what they claim is read when it is compared (`rejections`), so that a better reader reads
    old rejections better. `text` is the value as it was believed; `denial` are the person's own words where they
    denied it in words of their own ("I'm not a nurse" denies more than one hospital's), else empty. `names` are
    what whom it is about was called then. `about` is the account key of whom it is about and `by` of who rejected
    it, both empty for the owner. A `firm` one was made on purpose, in the interface or by a wish to forget, and
    saying the value again in passing doesn't lift it.

    `reworded` are digests of statements that were found to say the same in other words (`rejections.wording_of`),
    which are known again wherever they turn up, without a model.

    `disputation` is as of `disputed_at`: whatever would bring the value back starts with both. `cause` is the turn
    or the request that rejected it last. It is in force while `lifted_at` is None; the person's own affirmation in
    `lifted_by` lifts it, and rejecting the value again puts it in force again.
    """

    id: RejectionId
    text: str
    denial: str = ""
    names: tuple[str, ...] = ()
    about: str = ""
    by: str = ""
    firm: bool = False
    entity: Entity
    subject: Subject
    disputation: float
    disputed_at: float
    cause: str
    created_at: float
    lifted_at: float | None = None
    lifted_by: str = ""
    reworded: tuple[str, ...] = ()


# --- durable work -------------------------------------------------------------------------------


class Work(Record, frozen=True, kw_only=True, tag_field="kind"):
    """Base of what an outbox op asks for."""


class ExtractTurn(Work, frozen=True, kw_only=True, tag="extract_turn"):
    """Extract the facts that one turn states."""

    turn: TurnId


class JudgeTurn(Work, frozen=True, kw_only=True, tag="judge_turn"):
    """Judge what a person's turn says of the reflections that were brought up and of what is believed."""

    turn: TurnId


class RecordSurfaced(Work, frozen=True, kw_only=True, tag="record_surfaced"):
    """Record that a turn of the character brought reflections up, so that the next answer is feedback on them."""

    turn: TurnId
    surfaced: tuple[str, ...]


class RejectValue(Work, frozen=True, kw_only=True, tag="reject_value"):
    """Reject what a text claims: facts that claim it are retracted, and it doesn't come back.

    `cause` is the turn or request that rejected it.
    """

    text: str
    entity: Entity
    subject: Subject
    cause: str


class ForgetTopic(Work, frozen=True, kw_only=True, tag="forget_topic"):
    """Forget what was learned of a topic late: from turns that were heard before the wish in `turn`.

    `objects` are what the wish names, such as "my old number".
    """

    turn: TurnId
    subject: Subject
    objects: tuple[str, ...]


class JudgeFacts(Work, frozen=True, kw_only=True, tag="judge_facts"):
    """Judge what new facts of a subject say of what is believed, and whether they make something new to believe.

    `turn` is the turn that they were learned from.
    """

    subject: Subject
    turn: TurnId
    facts: tuple[FactId, ...]


class Synthesise(Work, frozen=True, kw_only=True, tag="synthesise"):
    """Synthesise a reflection from a subject's fresh facts.

    `pool` is a digest of all of them, so that a mind which made nothing of them isn't asked again before one
    more is there, and failures are counted for these facts alone.
    """

    subject: Subject
    pool: str


class FollowRejection(Work, frozen=True, kw_only=True, tag="follow_rejection"):
    """Bring reflections in line with a rejection that a turn or request `by` put in force, or lifted."""

    rejection: RejectionId
    by: str


class Sweep(Work, frozen=True, kw_only=True, tag="sweep"):
    """Count the negative day `day` (ISO date, UTC) of the reflections, and do what is due with them."""

    day: str


class SyncCard(Work, frozen=True, kw_only=True, tag="sync_card"):
    """Bring the protected persona entries in line with the card, after the change of it that `setting` names."""

    setting: str


class CountMentions(Work, frozen=True, kw_only=True, tag="count_mentions"):
    """Count what a turn of the character brought up."""

    turn: TurnId


class Promote(Work, frozen=True, kw_only=True, tag="promote"):
    """Make a reflection lasting knowledge, if that is still due. `at` is when it fell due."""

    reflection: ReflectionId
    at: float


class JudgePersona(Work, frozen=True, kw_only=True, tag="judge_persona"):
    """Judge what new facts, learned from a turn, say of the persona entries."""

    turn: TurnId
    facts: tuple[FactId, ...]


class CorrectPersona(Work, frozen=True, kw_only=True, tag="correct_persona"):
    """Bring persona entries in line with a rejection that a turn or request `by` put in force, or lifted."""

    rejection: RejectionId
    by: str


class ArchiveSubject(Work, frozen=True, kw_only=True, tag="archive_subject"):
    """Put a subject's memory away, if nobody has added to it since `last_write`."""

    subject: Subject
    last_write: float


class ErasedWork(Work, frozen=True, kw_only=True, tag="erased"):
    """What is left of work that was erased; it is done or discarded, and nobody does it."""


class RecogniseValue(Work, frozen=True, kw_only=True, tag="recognise_value"):
    """Look whether records whose vectors are near a rejected value's say it in other words.

    `cause` is what put the rejection in force, so that one that comes into force again is looked at again.
    """

    rejection: RejectionId
    cause: str
    records: tuple[str, ...]


class EmbedRecords(Work, frozen=True, kw_only=True, tag="embed_records"):
    """Embed the next batch of what lacks a vector of a model. `stamp` tells one batch from another."""

    model: str
    stamp: str


class ReportMessage(Work, frozen=True, kw_only=True, tag="report_message"):
    """Report to the pool of accounts that an account spoke in a turn."""

    account: str
    turn: TurnId


class ReportAttestation(Work, frozen=True, kw_only=True, tag="report_attestation"):
    """Report to the pool that the owner said the same as an account, or corrected it. `event` counts once."""

    account: str
    corrects: bool
    event: str


class CompactWindow(Work, frozen=True, kw_only=True, tag="compact_window"):
    """Make a memo of the turns of a subject that leave its recent window. `turn` is the one with which they do."""

    subject: Subject
    turn: TurnId


class CheckRebuttals(Work, frozen=True, kw_only=True, tag="check_rebuttals"):
    """Look through turns of the owner, oldest first, for what denies a confirmed reflection."""

    turns: tuple[TurnId, ...]


class DisputeEntries(Work, frozen=True, kw_only=True, tag="dispute_entries"):
    """Dispute persona entries that the words of a turn made plain to be unwelcome."""

    turn: TurnId
    entries: tuple[EntryId, ...]


class ResolveContradiction(Work, frozen=True, kw_only=True, tag="resolve_contradiction"):
    """Decide between a persona entry and a reflection that contradicts it, and was confirmed at `at`."""

    entry: EntryId
    reflection: ReflectionId
    at: float


AnyWork: TypeAlias = (
    ExtractTurn
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
)
"""The closed union of durable work; a later kind joins it here."""


def work_key(work: AnyWork) -> str:  # noqa: C901, PLR0911, PLR0912 - one kind a branch
    """Return the idempotency key of a piece of work: work of the same key is never queued twice."""
    match work:
        case ExtractTurn(turn=turn):
            return f"extract_turn:{turn}"
        case JudgeTurn(turn=turn):
            return f"judge_turn:{turn}"
        case RecordSurfaced(turn=turn):
            return f"record_surfaced:{turn}"
        case RejectValue(text=text, subject=subject, cause=cause):
            return f"reject_value:{cause}:{subject}:{text}"
        case ForgetTopic(turn=turn, objects=objects):
            return f"forget_topic:{turn}:{chr(0).join(objects)}"
        case JudgeFacts(turn=turn, facts=facts):
            return f"judge_facts:{turn}:{','.join(facts)}"
        case Synthesise(subject=subject, pool=pool):
            return f"synthesise:{subject}:{pool}"
        case FollowRejection(rejection=rejection, by=by):
            return f"follow_rejection:{rejection}:{by}"
        case Sweep(day=day):
            return f"sweep:{day}"
        case SyncCard(setting=setting):
            return f"sync_card:{setting}"
        case CountMentions(turn=turn):
            return f"count_mentions:{turn}"
        case Promote(reflection=reflection, at=at):
            return f"promote:{reflection}:{at!r}"
        case JudgePersona(turn=turn, facts=facts):
            return f"judge_persona:{turn}:{','.join(facts)}"
        case CorrectPersona(rejection=rejection, by=by):
            return f"correct_persona:{rejection}:{by}"
        case ErasedWork():
            return "erased"
        case RecogniseValue(rejection=rejection, cause=cause, records=records):
            return f"recognise_value:{rejection}:{cause}:{','.join(records)}"
        case EmbedRecords(model=model, stamp=stamp):
            return f"embed_records:{model}:{stamp}"
        case ArchiveSubject(subject=subject, last_write=last_write):
            return f"archive_subject:{subject}:{last_write!r}"
        case ReportMessage(account=account, turn=turn):
            return f"report_message:{turn}:{account}"
        case ReportAttestation(account=account, corrects=corrects, event=event):
            return f"report_attestation:{event}:{'-' if corrects else '+'}{account}"
        case CompactWindow(subject=subject, turn=turn):
            return f"compact_window:{subject}:{turn}"
        case CheckRebuttals(turns=turns):
            return f"check_rebuttals:{','.join(turns)}"
        case DisputeEntries(turn=turn, entries=entries):
            return f"dispute_entries:{turn}:{','.join(entries)}"
        case ResolveContradiction(entry=entry, reflection=reflection, at=at):
            return f"resolve_contradiction:{entry}:{reflection}:{at!r}"
        case _:
            assert_never(work)


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
