"""What the actors need from the world, as `typing.Protocol`s. The runtime implements them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct

from .cursors import Cursor
from .erasure import Erasure
from .errors import OmoideError
from .events import Event
from .evidence import Signal, Tier
from .memos import ConversationMemo
from .messages import Candidate, Commit, Committed
from .people import Person
from .records import (
    Directive,
    Entity,
    Fact,
    FactId,
    FactStatus,
    OpId,
    PersonaEntry,
    Profile,
    Reflection,
    Rejection,
    TemporalScope,
    Turn,
    TurnId,
)
from .scopes import Subject
from .tasks import (
    ArbitrateRequest,
    Arbitration,
    Correction,
    CorrectRequest,
    ExtractSelfRequest,
    FactSignal,
    Memo,
    MergeDecision,
    MergeRequest,
    NegativeTarget,
    NegativeTargetsRequest,
    Overtaken,
    OwnStatement,
    RebutRequest,
    Rebuttal,
    Refinement,
    RefineRequest,
    RerankRequest,
    ReviewRequest,
    SignalRequest,
    SummariseRequest,
    Target,
)
from .vectors import Embeddable, Space, VectorCounts, Vectors
from .work import OpState, OutboxOp

if TYPE_CHECKING:  # else whoever only reads would wait for it
    import numpy as np
    from numpy.typing import NDArray


class Clock(Protocol):
    """Wall-clock time. The only source of `now` in the program."""

    def now(self) -> float:
        """Return seconds since the epoch (UTC)."""
        ...

    async def sleep_until(self, at: float) -> None:
        """Return once `now()` has reached `at`, or as much time has passed as lay between.

        Where a clock is set back, its sleepers would otherwise wait for as much longer. Who is woken looks at the
        time again.
        """
        ...


class ExtractRequest(Struct, frozen=True, kw_only=True):
    """One turn to extract facts from, with what the host says about the character."""

    turn: Turn
    profile: Profile


class SynthesiseRequest(Struct, frozen=True, kw_only=True):
    """Facts of one subject to make one judgement of.

    `related` are older facts that reflections rest on already: context, and nothing to judge.
    """

    facts: tuple[Fact, ...]
    profile: Profile
    related: tuple[Fact, ...] = ()


class Synthesis(Struct, frozen=True, kw_only=True):
    """A judgement made of several facts."""

    text: str
    entity: Entity
    temporal_scope: TemporalScope = TemporalScope.PATTERN


class FeedbackRequest(Struct, frozen=True, kw_only=True):
    """What a person said after the character had brought reflections up."""

    turn: Turn
    reflections: tuple[Reflection, ...]
    profile: Profile


class Feedback(Struct, frozen=True, kw_only=True):
    """How the person answered to one reflection: `Signal.CONFIRMED`, `Signal.DENIED` or `Signal.IGNORED`."""

    reflection: str
    signal: Signal


class LanguageModel(Protocol):
    """A mind: one method a task. May be slow and may fail; never called while a person waits.

    What an answer names was in the request: an invented id or place is dropped before it is returned.
    """

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        """Return the statements that the turn makes; none where it states nothing.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def extract_self(self, request: ExtractSelfRequest) -> Sequence[OwnStatement]:
        """Return what the character said or promised of itself; nothing of what it said of anybody else.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        """Return one honest judgement that the facts support together, or None where they support none.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def judge_feedback(self, request: FeedbackRequest) -> Sequence[Feedback]:
        """Return how the person answered to each reflection; one that isn't named was ignored.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def signal(self, request: SignalRequest) -> Sequence[FactSignal]:
        """Return which of the facts speak for or against which of the beliefs; most say nothing of any.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def rebut(self, request: RebutRequest) -> Sequence[Rebuttal]:
        """Return which reflections the turns deny, each once.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def negative_targets(self, request: NegativeTargetsRequest) -> Sequence[NegativeTarget]:
        """Return which candidates the person doesn't want to be told; none where it was just a mood.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def merge(self, request: MergeRequest) -> MergeDecision:
        """Return whether a reflection becomes an entry of its own, goes into one of the pool, or is rejected.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def correct(self, request: CorrectRequest) -> Sequence[Correction]:
        """Return decisions on the pairs, at most one for each; a pair without one stays undecided.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def summarise(self, request: SummariseRequest) -> Memo:
        """Return a memo of the turns and of the earlier memo, within the tokens that were asked for.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def review(self, request: ReviewRequest) -> Sequence[Overtaken]:
        """Return which turns a later one repeats or contradicts, each once; mostly none.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def refine(self, request: RefineRequest) -> Sequence[Refinement]:
        """Return what to change in a cluster of beliefs; none where it is well as it is.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def arbitrate(self, request: ArbitrateRequest) -> Sequence[Arbitration]:
        """Return decisions on pairs of facts, at most one for each; a pair without one stays undecided.

        Raises:
            ModelError: if no usable answer came.
        """
        ...

    async def rerank(self, request: RerankRequest) -> Sequence[Target]:
        """Return the targets of at most `limit` candidates, the most relevant first; the rest was left out.

        Raises:
            ModelError: if no usable answer came.
        """
        ...


class Likeness(Struct, frozen=True, kw_only=True):
    """What a cosine means with one embedding model, for models spread texts differently.

    `same` is the least cosine of two texts that say the same in other words, `related` the least of a text that
    has anything to do with a query. The defaults are the baseline's, for models whose unrelated texts lie near 0.
    """

    same: float = 0.85
    related: float = 0.3


class Embedder(Protocol):
    """An embedding model. May be slow at its first use and may fail; hearing and saying never wait for it."""

    @property
    def id(self) -> str:
        """Id of the model and of everything that decides what its vectors are, such as its quantisation."""
        ...

    @property
    def dimension(self) -> int:
        """Number of components of a vector."""
        ...

    @property
    def likeness(self) -> Likeness:
        """What a cosine of this model's vectors means."""
        ...

    async def embed(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """Return one vector a text, of length 1, as the rows of a matrix of shape (n, dimension).

        Can be cancelled at any moment. What is longer than the model reads is cut.

        Args:
            texts: what to embed.
            query: whether they are questions, and not what answers them: some models tell the two apart.

        Raises:
            ModelError: if the model can't be loaded or fails; the message names it and the next step.
        """
        ...


class Counts(Struct, frozen=True, kw_only=True):
    """How much a journal holds."""

    turns: int
    facts: int
    events: int
    pending: int
    parked: int


Kept = TypeVar("Kept", Rejection, Reflection, PersonaEntry, Directive, Erasure, Person, ConversationMemo)
"""A kind of record that is read as a whole: there are few of each."""


class Journal(Protocol):
    """One character's durable memory. Reads see what was committed; every write is one `Commit`."""

    @property
    def character(self) -> str:
        """Name of the character."""
        ...

    @property
    def last_seq(self) -> int:
        """Seq of the newest committed event, 0 for an empty journal. Costs nothing."""
        ...

    async def grown(self, beyond: int) -> None:
        """Return once an event with a seq above `beyond` is committed.

        Raises:
            ActorDeadError: if the journal is closed before.
        """
        ...

    async def commit(self, commit: Commit) -> Committed:
        """Apply a commit in one fsynced transaction, grouped with others that are waiting.

        Raises:
            IdempotencyConflictError: if its idempotency key was used for other content.
            StorageFullError: if the disk is full; nothing of the commit landed.
            StorageError: if the database refused; nothing of the commit landed.
        """
        ...

    async def commit_all(self, commits: Sequence[Commit]) -> tuple[Committed | OmoideError, ...]:
        """Apply several commits in this order, and return each one's outcome or why it was refused.

        One that is refused harms none of the others.
        """
        ...

    async def events(self, *, after: int = 0, limit: int | None = None) -> tuple[Event, ...]:
        """Return events with a seq above `after`, oldest first."""
        ...

    async def profile(self) -> Profile:
        """Return what the host said about the character, or an empty profile."""
        ...

    async def turn(self, turn: TurnId) -> Turn | None:
        """Return one turn."""
        ...

    async def turns(
        self, *, subjects: Sequence[Subject] | None = None, newest: int, before: TurnId | None = None
    ) -> tuple[Turn, ...]:
        """Return the newest turns of the subjects (all subjects for None), oldest first; those before one."""
        ...

    async def facts(
        self,
        *,
        subjects: Sequence[Subject] | None = None,
        statuses: Sequence[FactStatus] = (FactStatus.ACTIVE,),
    ) -> tuple[Fact, ...]:
        """Return the facts of the subjects (all for None) in these statuses, in order of storing."""
        ...

    async def facts_by_id(self, ids: Sequence[FactId]) -> dict[FactId, Fact]:
        """Return those of the facts that are stored, whatever their status."""
        ...

    async def subjects(self) -> tuple[Subject, ...]:
        """Return the subjects that hold facts in force, sorted."""
        ...

    async def snapshot(self) -> tuple[int, tuple[Fact, ...]]:
        """Return the active facts together with the seq that they reflect, read in one transaction."""
        ...

    async def records(self, kind: type[Kept]) -> tuple[Kept, ...]:
        """Return every record of a kind, whatever its status, in order of storing."""
        ...

    async def record(self, kind: type[Kept], record_id: str) -> Kept | None:
        """Return one record of a kind, whatever its status."""
        ...

    async def reflections(
        self, *, subjects: Sequence[Subject] | None = None, tier: Tier | None = None, now: float
    ) -> tuple[Reflection, ...]:
        """Return the pending and confirmed reflections of the subjects (all for None), in order of storing.

        With `tier`, only those whose evidence makes that tier at `now` (seconds since the epoch).
        """
        ...

    @property
    def vector_seq(self) -> int:
        """Seq of the newest committed vector, 0 for none. Costs nothing; grows whenever vectors were stored."""
        ...

    async def vectors(self, space: Space, *, after: int = 0, limit: int | None = None) -> Vectors:
        """Return the vectors of a space with a seq above `after`, oldest first; the first `limit` of them."""
        ...

    async def vectors_of(self, space: Space, records: Sequence[str]) -> Vectors:
        """Return the vectors that these records have in a space, in no order."""
        ...

    async def embedded(self, space: Space, passages: Sequence[tuple[str, str]]) -> frozenset[str]:
        """Return which records have the vector of just that passage; `passages` are ids with their passages."""
        ...

    async def unembedded(self, space: Space, *, limit: int) -> tuple[int, tuple[Embeddable, ...]]:
        """Return records that take part and have no vector in a space, and the seq that they reflect.

        At most `limit`, those first that guard corrections. One whose text has changed since is not among them.
        """
        ...

    async def vector_counts(self, space: Space) -> VectorCounts:
        """Return how many records have a vector in a space, and how many lack one."""
        ...

    async def cursor(self, source: str) -> Cursor | None:
        """Return how far a stream was taken up or told, None where it never was."""
        ...

    async def op(self, op: OpId) -> OutboxOp | None:
        """Return one outbox op."""
        ...

    async def ops(
        self,
        *,
        states: Sequence[OpState],
        due_at: float | None = None,
        longest_s: float = math.inf,
        limit: int | None = None,
    ) -> tuple[OutboxOp, ...]:
        """Return outbox ops in these states, in order of their seq; with `due_at`, only those due by then.

        Due is also what has never failed, and what would wait for longer than `longest_s`: the clock was set back.
        """
        ...

    async def next_due(self) -> float | None:
        """Return the earliest `not_before` of the pending ops, or None where nothing is pending."""
        ...

    async def counts(self) -> Counts:
        """Return how much is stored."""
        ...


class Failpoints(Protocol):
    """Named points of the durable path at which a soak test or a scenario makes things fail."""

    def reach(self, point: str) -> None:
        """Pass a point named `<role>.<moment>`; raises or kills the process where it is armed."""
        ...
