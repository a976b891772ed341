"""What actors say to each other: tagged, frozen msgspec Structs. A request names the type of its reply.

Commands are verbs, replies are nouns. Every message is immutable, so that it can be sent on as it is.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, TypeVar

from msgspec import Struct

from .events import AnyChange, Event
from .evidence import Signal, Tier
from .records import Directive, Entity, EntryId, Mentions, OpId, Profile, ReflectionId, Role, Speaker, Turn, TurnId
from .scopes import PRIVATE, Subject
from .trust import TrustBand
from .vectors import Vector
from .work import AnyWork, OutboxOp


class Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Base of everything that one actor sends to another."""


Reply = TypeVar("Reply")


class Request(Message, Generic[Reply], frozen=True, kw_only=True):
    """A message that is answered with a `Reply`."""


# --- the journal ---------------------------------------------------------------------------------


class IdempotencyKey(Message, frozen=True, kw_only=True):
    """Makes a commit happen once: the same key with the same fingerprint again changes nothing.

    `fingerprint` is a digest of the content; the same key with another one is the caller's fault.
    """

    key: str
    fingerprint: str


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
    the views, without an event.
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


class Committed(Message, frozen=True, kw_only=True):
    """What landed. `repeated` means that the work had been committed before, and `events` are those of then."""

    events: tuple[Event, ...] = ()
    enqueued: int = 0
    repeated: bool = False


# --- hearing and saying ---------------------------------------------------------------------------


class Utterance(Message, frozen=True, kw_only=True):
    """What the host's envelope says about something that was said: who, where, when, which words.

    `speaker` is None for the character's owner. `trust` is the host's word for how far the speaker is
    believed: a tier by its name or a number, 0 to 1, and None abstains. `id` is the host's id of the message: the
    same id again is the same message. `said_at` is None for "now". `surfaced` names the reflections that a line
    of the character brought up, each by its id or by words of it.
    """

    text: str
    speaker: Speaker | None = None
    subject: Subject = PRIVATE
    trust: float | str | None = None
    said_at: float | None = None
    id: str | None = None
    surfaced: tuple[str, ...] = ()


class Hear(Request["Receipt"], frozen=True, kw_only=True):
    """Somebody said something. Reply: `Receipt`, once it is on disk."""

    utterance: Utterance


class Say(Request["Receipt"], frozen=True, kw_only=True):
    """The character said something. Reply: `Receipt`, once it is on disk."""

    utterance: Utterance


class Receipt(Message, frozen=True, kw_only=True):
    """The turn and the work that it implies are on disk.

    `seq` is the place of its event in the journal. `repeated` means that the same message had been
    heard before, and that the receipt is the one of then. `directives` are those that the turn changed, as
    they are since: in force where it gave them, else lifted. `forgotten` are the texts of the facts that it
    asked to forget. `notes` are what the person can be told about it.
    """

    turn: TurnId
    role: Role
    seq: int
    heard_at: float
    repeated: bool = False
    directives: tuple[Directive, ...] = ()
    forgotten: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


# --- learning --------------------------------------------------------------------------------------


class Candidate(Message, frozen=True, kw_only=True):
    """A statement that extraction found in a turn."""

    text: str
    entity: Entity
    importance: int


class RunOp(Request["OpDone"], frozen=True, kw_only=True):
    """Do one piece of durable work. Reply: `OpDone`; an error means that the attempt failed."""

    op: OutboxOp


class OpDone(Message, frozen=True, kw_only=True):
    """The work and its effects are committed."""


class NearValue(Message, frozen=True, kw_only=True):
    """A rejection whose value candidates may say in other words, as their vectors have it; by their places."""

    rejection: str
    candidates: tuple[int, ...]


class Learn(Request["Learned"], frozen=True, kw_only=True):
    """Store what is new in these candidates and settle the op that they came from. Reply: `Learned`.

    Where `settles` is false there are more to come, and the op stays pending. `near` are rejections to look at.
    """

    op: OpId
    turn: Turn
    candidates: tuple[Candidate, ...]
    settles: bool = True
    near: tuple[NearValue, ...] = ()


class Learned(Message, frozen=True, kw_only=True):
    """What became of the candidates, as counts."""

    added: int = 0
    repeated: int = 0
    already_settled: bool = False


# --- the outbox ------------------------------------------------------------------------------------


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


# --- vectors ---------------------------------------------------------------------------------------


class QueueEmbeddings(Request["EmbeddingsQueued"], frozen=True, kw_only=True):
    """Queue the next batch of what lacks a vector. Reply: `EmbeddingsQueued`."""


class EmbeddingsQueued(Message, frozen=True, kw_only=True):
    """Whether a batch is due now, just queued or before."""

    due: bool


# --- recall ----------------------------------------------------------------------------------------


class Recall(Request["Recollection"], frozen=True, kw_only=True):
    """Find what is remembered. Reply: `Recollection`.

    `subjects` is what the caller may read, decided by the host. What is about a topic that the person banned
    is left out, unless `said` names it: the person's words that this recall answers. None takes the query for
    them, and an empty text means that nobody asked. `time` narrows to a time, or asks for it where the query is
    blank: YYYY, YYYY-MM, YYYY-MM-DD, an ISO time, two of these joined by `/` or `..`, or words such as
    "last summer".
    """

    query: str
    subjects: tuple[Subject, ...] = (PRIVATE,)
    limit: int = 8
    said: str | None = None
    time: str = ""


class MemoryKind(StrEnum):
    """What kind of memory a hit is: a statement, a judgement made of several, or what was said word for word."""

    FACT = "fact"
    REFLECTION = "reflection"
    TURN = "turn"


class Reason(StrEnum):
    """Why a memory is a hit.

    Its own words matched, or what was said around it, or its meaning; it is of the time that was asked for, or
    near to it; or it is the best of a conversation that no better hit is from.
    """

    WORDS = "words"
    AROUND = "around"
    MEANING = "meaning"
    TIME = "time"
    NEAR_TIME = "near_time"
    BREADTH = "breadth"


class ScoreParts(Message, frozen=True, kw_only=True):
    """What a score is made of, each 0 to 1: a share of the most that the query's words could score, or a cosine.

    `words` is of the memory's own words with who said it and when, `around` of what was said around it; `meaning`
    and `meaning_around` are the same of vectors.
    """

    words: float = 0.0
    around: float = 0.0
    meaning: float = 0.0
    meaning_around: float = 0.0


class Hit(Message, frozen=True, kw_only=True):
    """One memory that matched.

    `id` is that of the fact, the reflection or the turn, `entity` whom it is about, and `turns` those that it
    rests on. A fact was first and last said at `said_at` and `last_said_at` (seconds since the epoch) by
    `speaker`, None for the owner, believed as far as `trust` says, None where the host abstained. A reflection was
    said by nobody: both times are when it was made, and `tier` is what its evidence makes it now. What it tells of
    happened between `event_from` and `event_until`, None where that isn't known. `score` is the weighted mean of
    its `parts`, less where another hit tells nearly the same; `matched` are the query's terms found in it.
    `band` is the trust in words, and `doubtful` says that it is low and that another person says otherwise.
    """

    kind: MemoryKind
    id: str
    text: str
    entity: Entity
    subject: Subject
    speaker: Speaker | None = None
    trust: float | None = None
    band: TrustBand | None = None
    doubtful: bool = False
    tier: Tier | None = None
    said_at: float
    last_said_at: float
    score: float
    matched: tuple[str, ...] = ()
    turns: tuple[TurnId, ...] = ()
    event_from: float | None = None
    event_until: float | None = None
    reason: Reason = Reason.WORDS
    parts: ScoreParts = ScoreParts()


class Recollection(Message, frozen=True, kw_only=True):
    """The hits, best first; `truncated` if more matched than asked for; `degraded` names what was missing.

    `text` is all of that for a model's tool result, in the language of the character, with what people said as
    quoted data.
    """

    hits: tuple[Hit, ...] = ()
    truncated: bool = False
    degraded: tuple[str, ...] = ()
    text: str = ""


class Describe(Request[Profile], frozen=True, kw_only=True):
    """Set what the host says about the character. Reply: `Profile`."""

    profile: Profile


# --- briefing --------------------------------------------------------------------------------------


class Brief(Request["Briefing"], frozen=True, kw_only=True):
    """Tell what the character should have in mind for its next line. Reply: `Briefing`.

    `subjects` is what the caller may read, decided by the host, in order of priority. `cue` is what the person
    just said, or empty.
    """

    subjects: tuple[Subject, ...] = (PRIVATE,)
    cue: str = ""


class BriefingEntry(Message, frozen=True, kw_only=True):
    """One memory of a briefing, as it is stored.

    `id` is that of the persona entry, reflection or fact, and `speaker` who said it, None for the owner and for
    what nobody said. `at` is when it was said or happened, in seconds since the epoch, where that matters.
    `doubtful` says that another person says otherwise and that little trust backs it.
    """

    id: str
    text: str
    entity: Entity
    subject: Subject
    quoted: bool = False
    speaker: Speaker | None = None
    at: float | None = None
    doubtful: bool = False


class BriefingTurn(Message, frozen=True, kw_only=True):
    """One of the last turns. `text` is cut where `cut`, and empty where it is `withheld` for a banned topic."""

    id: TurnId
    role: Role
    text: str
    subject: Subject
    speaker: Speaker | None
    said_at: float
    cut: bool = False
    withheld: bool = False


class Briefing(Message, frozen=True, kw_only=True):
    """What the character should have in mind for its next line.

    Each part is in the order of worth, and keeps to its budget: `persona` is who the character is and what is
    lastingly known, `known` the important facts, `certain` and `impressions` the confirmed and the pending
    reflections, `past` what was so, `quiet` what isn't to be brought up, `associated` what the cue brings to
    mind, `memo` what is kept of turns before the `recent` ones, which are the last, oldest first. `last_talk_at`
    is when the conversation before this one ended, None where there was none lately. `left_out` counts what
    didn't fit, `degraded` names what was missing.

    `text` is all of that for a prompt, in the language of the character, with what people said as quoted data.
    """

    now: float
    persona: tuple[BriefingEntry, ...] = ()
    known: tuple[BriefingEntry, ...] = ()
    certain: tuple[BriefingEntry, ...] = ()
    impressions: tuple[BriefingEntry, ...] = ()
    past: tuple[BriefingEntry, ...] = ()
    quiet: tuple[BriefingEntry, ...] = ()
    associated: tuple[BriefingEntry, ...] = ()
    memo: tuple[BriefingEntry, ...] = ()
    recent: tuple[BriefingTurn, ...] = ()
    last_talk_at: float | None = None
    left_out: int = 0
    degraded: tuple[str, ...] = ()
    text: str = ""


# --- belief ----------------------------------------------------------------------------------------


class ReflectionSignal(Message, frozen=True, kw_only=True):
    """One signal for or against a reflection. `reason` is the turn or the fact that it comes from."""

    reflection: ReflectionId
    signal: Signal
    reason: str


class ApplySignals(Request["SignalsApplied"], frozen=True, kw_only=True):
    """Apply what was judged and settle the op that it comes from. Reply: `SignalsApplied`.

    `turn` is the turn whose words were judged, and `subject` that of its facts. Where it only `rejects`, what the
    words deny is rejected, and no signal moves anything: that is so without strong memory. `enqueues` is work that
    follows from the same words.
    """

    op: OpId
    turn: TurnId
    subject: Subject
    signals: tuple[ReflectionSignal, ...]
    rejects: bool = False
    enqueues: tuple[AnyWork, ...] = ()


class SignalsApplied(Message, frozen=True, kw_only=True):
    """How many of the signals moved a reflection that still takes part."""

    applied: int = 0
    already_settled: bool = False


class Tick(Request["Ticked"], frozen=True, kw_only=True):
    """Queue the periodic work that is due. Reply: `Ticked`."""


class Ticked(Message, frozen=True, kw_only=True):
    """Periodic work that is due is queued; `next_at` is when the next may fall due."""

    next_at: float


class Decide(Request["Decided"], frozen=True, kw_only=True):
    """The person rejects or affirms, in the interface, what is stored under an id. Reply: `Decided`."""

    record: str
    affirms: bool


class Decided(Message, frozen=True, kw_only=True):
    """What the decision changed: the ids of the records, the one that was named first."""

    records: tuple[str, ...]


class PrepareForgetting(Request["Prepared"], frozen=True, kw_only=True):
    """Prepare what the person asked to forget in a turn. Reply: `Prepared`; whoever asks commits it.

    `objects` are what the wishes name, such as "my old number".
    """

    turn: Turn
    objects: tuple[str, ...]


class PrepareWishes(Request["Prepared"], frozen=True, kw_only=True):
    """Prepare what a turn changes in the directives. Reply: `Prepared`; whoever asks commits it with the turn."""

    turn: Turn


class ReflectionMentions(Message, frozen=True, kw_only=True):
    """How often a reflection was brought up lately, after a line of the character that did so once more."""

    reflection: ReflectionId
    mentions: Mentions


class PrepareMentions(Request["Prepared"], frozen=True, kw_only=True):
    """Prepare that a line brought reflections up. Reply: `Prepared`; whoever asks commits it."""

    brought_up: tuple[ReflectionMentions, ...]


class PreparePromotion(Request["Prepared"], frozen=True, kw_only=True):
    """Prepare that a confirmed reflection became a persona entry, was merged into one, or spoke against the card.

    Reply: `Prepared`; whoever asks commits it. Without `absorbed_into` it is denied; `merges` tells the other two
    apart. Where a mind `failed` to decide, it is an attempt more, and the last one of all blocks it.
    """

    reflection: ReflectionId
    reason: str
    absorbed_into: EntryId | None = None
    merges: bool = False
    failed: bool = False


class Prepared(Message, frozen=True, kw_only=True):
    """A role's part of somebody else's commit. `notes` is what the person can be told about it."""

    changes: tuple[AnyChange, ...] = ()
    enqueues: tuple[AnyWork, ...] = ()
    notes: tuple[str, ...] = ()
