"""What a language model is asked beyond extraction, synthesis and feedback, and what it may answer.

Owns the typed requests and results of these tasks. Knows no prompt, no provider and no actor. An answer names only
what it was shown: an id or a number from outside the request is invented, and whoever asked drops it.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from .evidence import Signal
from .messages import Candidate
from .records import Entity, Fact, FactId, Profile, Reflection, ReflectionId, Turn, TurnId


class TargetKind(StrEnum):
    """What a signal can be about."""

    REFLECTION = "reflection"
    PERSONA = "persona"


class Target(Struct, frozen=True):
    """A belief that was offered."""

    kind: TargetKind
    id: str


class Belief(Struct, frozen=True, kw_only=True):
    """A reflection or persona entry as a model is shown it.

    `score` is that of its evidence, None where that is no matter.
    """

    target: Target
    text: str
    entity: Entity
    score: float | None = None


class TrustBand(StrEnum):
    """How far somebody is believed, as much of it as a model is told; never a number."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    UNKNOWN = "unknown"


# --- what words do to beliefs --------------------------------------------------------------------


class SignalRequest(Struct, frozen=True, kw_only=True):
    """New facts of one subject, and the beliefs of that subject that they may speak for or against."""

    facts: tuple[Fact, ...]
    beliefs: tuple[Belief, ...]
    profile: Profile


class FactSignal(Struct, frozen=True, kw_only=True):
    """One fact speaks for or against one belief: `Signal.FACT_REINFORCES` or `Signal.FACT_NEGATES`."""

    fact: FactId
    target: Target
    signal: Signal
    reason: str = ""


class RebutRequest(Struct, frozen=True, kw_only=True):
    """Turns of the owner, oldest first, and the confirmed reflections that they may deny."""

    turns: tuple[Turn, ...]
    reflections: tuple[Reflection, ...]
    profile: Profile


class Rebuttal(Struct, frozen=True, kw_only=True):
    """A turn denies a reflection."""

    reflection: ReflectionId
    turn: TurnId
    reason: str = ""


class NegativeTargetsRequest(Struct, frozen=True, kw_only=True):
    """Turns in the last of which somebody is annoyed or wants another topic, and what that may be about."""

    turns: tuple[Turn, ...]
    candidates: tuple[Belief, ...]
    profile: Profile


class NegativeTarget(Struct, frozen=True, kw_only=True):
    """A belief that the person doesn't want to be told. None of them means that it was just a mood."""

    target: Target
    reason: str = ""


# --- what becomes of beliefs ---------------------------------------------------------------------


class MergeRequest(Struct, frozen=True, kw_only=True):
    """A reflection that is to become lasting knowledge, and what is known of the same entity and subject."""

    reflection: Reflection
    pool: tuple[Belief, ...]
    profile: Profile


class MergeAction(StrEnum):
    """What becomes of a reflection that is stable enough to last."""

    NEW = "new"
    MERGE = "merge"
    REJECT = "reject"


class MergeDecision(Struct, frozen=True, kw_only=True):
    """A reflection becomes an entry of its own, goes into the persona entry `into`, or neither.

    `into` and the `text` that it then reads are given for a merge alone.
    """

    action: MergeAction
    into: Target | None = None
    text: str = ""
    reason: str = ""


class Claimed(Struct, frozen=True, kw_only=True):
    """One side of a contradiction: the words, and how far who said them is believed."""

    text: str
    band: TrustBand = TrustBand.UNKNOWN


class Contradiction(Struct, frozen=True, kw_only=True):
    """Two statements about one entity that may contradict each other."""

    old: Claimed
    new: Claimed
    entity: Entity


class CorrectRequest(Struct, frozen=True, kw_only=True):
    """Pairs of one subject to decide on; an answer names each by its place, from 0."""

    pairs: tuple[Contradiction, ...]
    profile: Profile


class CorrectAction(StrEnum):
    """Which side of a contradiction stands. `REPLACE` puts one wording in place of both."""

    KEEP_OLD = "keep_old"
    KEEP_NEW = "keep_new"
    KEEP_BOTH = "keep_both"
    REPLACE = "replace"


class Correction(Struct, frozen=True, kw_only=True):
    """What was decided on the pair at place `pair`. `text` is given for `REPLACE` alone."""

    pair: int
    action: CorrectAction
    text: str = ""
    reason: str = ""


class RefineRequest(Struct, frozen=True, kw_only=True):
    """Beliefs that are close to each other, and the facts that they rest on, which only inform."""

    cluster: tuple[Belief, ...]
    facts: tuple[Fact, ...]
    profile: Profile


class RefineAction(StrEnum):
    """What refining does: several beliefs become one, one becomes several, one is reworded, one is dropped."""

    MERGE = "merge"
    SPLIT = "split"
    MODIFY = "modify"
    DISCARD = "discard"


class Refinement(Struct, frozen=True, kw_only=True):
    """One change of a cluster; each belief of it is in at most one.

    A merge has two targets or more and one text, a split one target and two texts or more, a modification one of
    each, and a discard one target and no text.
    """

    action: RefineAction
    targets: tuple[Target, ...]
    texts: tuple[str, ...] = ()
    reason: str = ""


# --- paraphrases -----------------------------------------------------------------------------------


class FactPair(Struct, frozen=True, kw_only=True):
    """A new fact and a stored one that may say the same."""

    candidate: Fact
    existing: Fact


class ArbitrateRequest(Struct, frozen=True, kw_only=True):
    """Pairs of facts of one subject to decide on; an answer names each by its place, from 0."""

    pairs: tuple[FactPair, ...]
    profile: Profile


class ArbitrateAction(StrEnum):
    """What becomes of two facts: the candidate goes into the existing one, takes its place, or both stay."""

    MERGE = "merge"
    REPLACE = "replace"
    KEEP_BOTH = "keep_both"


class Arbitration(Struct, frozen=True, kw_only=True):
    """What was decided on the pair at place `pair`."""

    pair: int
    action: ArbitrateAction


# --- the conversation ------------------------------------------------------------------------------


class SummariseRequest(Struct, frozen=True, kw_only=True):
    """Turns, oldest first, to keep as a memo together with the memo of what came before them.

    `elapsed_s` is the time since that memo was written, in seconds, None where there is none. `max_tokens` is the
    longest memo, as `estimated_tokens` counts.
    """

    turns: tuple[Turn, ...]
    earlier: str = ""
    elapsed_s: float | None = None
    max_tokens: int = 1_000
    profile: Profile


class Memo(Struct, frozen=True, kw_only=True):
    """What is kept of turns that leave the recent window. An empty `text` says that nothing was worth it."""

    text: str


class ExtractSelfRequest(Struct, frozen=True, kw_only=True):
    """Turns, oldest first, of which those of the character may say or promise something of itself.

    The others are shown for what the character answers, and are no source.
    """

    turns: tuple[Turn, ...]
    profile: Profile


class OwnStatement(Struct, frozen=True, kw_only=True):
    """What the character said or promised of itself in one of its turns; its entity is always the character."""

    turn: TurnId
    candidate: Candidate


class ReviewRequest(Struct, frozen=True, kw_only=True):
    """The turns of the recent window, oldest first, to be looked through for what needn't be told again."""

    turns: tuple[Turn, ...]
    profile: Profile


class Overtaken(Struct, frozen=True, kw_only=True):
    """A turn that a later one repeats or contradicts, so that the later one alone is told."""

    turn: TurnId
    by: TurnId


class RerankRequest(Struct, frozen=True, kw_only=True):
    """Beliefs in their coarse order, of which the `limit` that matter most to the queries are wanted."""

    queries: tuple[str, ...]
    candidates: tuple[Belief, ...]
    limit: int
    profile: Profile
