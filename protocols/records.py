"""Stored things, as frozen msgspec Structs.

Times named `*_at` are seconds since the epoch (UTC). Ids are final: a record keeps its id through
every later change. Tuples, not lists, so that a record can't change behind its event. A new field
gets a default, so that an old journal still reads.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NewType

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
    trust: float | None = None
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
    """Whether a directive is in force.

    A lifted or deleted one is kept, so that its history has an answer, until it makes room for others: a dropped
    one is in no view any more, and its events still tell of it.
    """

    ACTIVE = "active"
    LIFTED = "lifted"
    DELETED = "deleted"
    DROPPED = "dropped"


class Directive(Record, frozen=True, kw_only=True):
    """A topic that the person does not want to hear of.

    `key` is the folded term and `term` the term as it was last said; `aliases` are other names of the
    topic that the person gave. `bare` marks a term that only points ("this", それ) or is too short to
    block by: it is told to the model and never blocks. `locale` is that of the phrase that was matched
    first, "und" where a person entered the term. `hits` counts how often it was said. `turn` is the
    turn that said it last, None where it came from the interface. `expires_at` is None under the
    permanent policy unless the person said until when. `status_at` is when it was lifted or deleted last,
    None if never. All times are those of speaking, so that what is heard late changes nothing that was said
    after it.
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


class Provenance(Record, frozen=True, kw_only=True):
    """Whose words a belief rests on: one person's, or several people's where it is `mixed`.

    `speaker` is None for the owner and where it is mixed, `trust` the least that backs it, None where one of its
    facts has none.
    """

    speaker: Speaker | None = None
    trust: float | None = None
    mixed: bool = False


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
    of them, so that it is erased with them. `provenance` says whose words its facts are, None where nobody knows.
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
    provenance: Provenance | None = None


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
    were merged into it, in that order; `versions` are its earlier wordings, oldest first. `provenance` is what
    those of its reflections fold into.
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
    provenance: Provenance | None = None


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
