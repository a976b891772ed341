"""Every threshold, limit and interval, with its unit, its source and its default.

The tree is checked once, when it is built: an unknown name or a value out of range is an error that
names its path. Where a figure comes from the baseline system's description, its comment says so;
other figures are ours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from .model_settings import ModelSettings


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StorageSettings(_Section):
    """Where and how a journal lies on disk."""

    layout: Literal["per-character", "shared"] = Field(
        default="per-character",
        description="One file a character, or one file for all (for many characters on slow disks).",
    )
    writer_threads: int = Field(default=4, ge=1, le=64, description="Threads that commit, over all files.")
    reader_threads: int = Field(default=4, ge=1, le=64, description="Threads that read, over all files.")
    batch_commits: int = Field(default=256, ge=1, description="Most commits in one transaction.")
    scrub_retry_s: float = Field(
        default=5.0,
        gt=0,
        description="Wait before the bytes of what was erased are tried again while somebody reads, in seconds.",
    )


class OutboxSettings(_Section):
    """How durable work is tried again."""

    attempts: int = Field(default=5, ge=1, description="Failed attempts before an op is parked (baseline: 5).")
    backoff_min_s: float = Field(default=1.0, gt=0, description="Wait after the first failure, in seconds.")
    backoff_max_s: float = Field(default=300.0, gt=0, description="Longest wait between attempts, in seconds.")
    backoff_factor: float = Field(
        default=4.0, ge=1, description="Growth of the wait from one failure to the next."
    )
    jitter: float = Field(default=0.2, ge=0, lt=1, description="Share of the wait that is random.")
    attempt_timeout_s: float = Field(
        default=120.0,
        gt=0,
        description="Longest time for one attempt, in seconds (baseline: model calls end after 110 s).",
    )


class LimitSettings(_Section):
    """What is refused at the door."""

    text_chars: int = Field(default=65_536, ge=1, description="Longest utterance, in characters.")
    query_chars: int = Field(default=8_192, ge=1, description="Longest recall query, in characters.")
    name_chars: int = Field(default=256, ge=1, le=1024, description="Longest character name, in characters.")
    recall_limit: int = Field(default=100, ge=1, description="Most hits that one recall may ask for.")


class SecretSettings(_Section):
    """What must not be remembered at all."""

    redact: bool = Field(
        default=True,
        description="Whether card numbers, keys, tokens and spoken passwords are taken out of texts before these "
        "are stored or sent to a model.",
    )


class RecallSettings(_Section):
    """How memories are ranked. What is "measured" was measured on LoCoMo by `python -m benchmarks.recall`."""

    limit: int = Field(default=8, ge=1, description="Hits returned where the caller names no limit (baseline: 8).")
    k1: float = Field(default=1.5, gt=0, description="BM25 term saturation (rank_bm25's default).")
    b: float = Field(default=0.5, ge=0, le=1, description="BM25 length normalisation (measured).")
    around_k1: float = Field(
        default=1.2, gt=0, description="BM25 term saturation of what was said around a memory (measured)."
    )
    around_b: float = Field(
        default=0.75, ge=0, le=1, description="BM25 length normalisation of the same (rank_bm25's default)."
    )
    around_terms: int = Field(
        default=2,
        ge=1,
        description="Words of the query that must stand around a memory that has none of them (measured).",
    )
    gap_s: float = Field(
        default=3_600.0,
        gt=0,
        description="Silence that ends a conversation, in seconds (baseline: 1 h).",
    )
    fusion: Literal["scores", "ranks"] = Field(
        default="scores",
        description="Sums of normalised scores, or reciprocal ranks (baseline: ranks, which finds less).",
    )
    words_weight: float = Field(default=1.0, ge=0, description="Weight of a memory's own words (measured).")
    around_weight: float = Field(
        default=1.0, ge=0, description="Weight of the words that were said around it (measured)."
    )
    meaning_weight: float = Field(default=1.0, ge=0, description="Weight of its vector (measured).")
    meaning_around_weight: float = Field(
        default=1.0, ge=0, description="Weight of the vectors of what was said around it (measured)."
    )
    told_share: float = Field(
        default=0.9,
        gt=0,
        le=1,
        description="Share of a turn's score that counts where facts tell what it said (ours).",
    )
    repeat_share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="Share of a score that counts where a better hit is from the same turn (ours).",
    )
    focus: int = Field(default=8, ge=0, description="First hits that go to the best scores alone (baseline: 8).")
    breadth: int = Field(
        default=2, ge=0, description="Hits after these that go to conversations without a hit (measured)."
    )
    rank_k: float = Field(default=60.0, gt=0, description="k of reciprocal rank fusion (baseline: 60).")
    rank_words: int = Field(default=4, ge=1, description="Best by words that are fused by rank (baseline: 4).")
    rank_meaning: int = Field(default=4, ge=1, description="Best by meaning that are fused by rank (baseline: 4).")
    rank_words_floor: float = Field(
        default=0.1, description="Least BM25 score that is fused by rank (baseline: 0.1)."
    )
    rank_hits: int = Field(default=8, ge=1, description="Most hits of fusion by rank (baseline: 8).")
    entry_tokens: int = Field(
        default=400, ge=1, description="Longest hit in the text for a model, in tokens (baseline: 400)."
    )
    text_tokens: int = Field(default=2_204, ge=1, description="That whole text, in tokens (baseline: 2,204).")


class EmbeddingSettings(_Section):
    """Which embedding model turns texts into vectors, and how much it may take of the machine."""

    model: str = Field(
        default="none",
        description="`none`, a model that an extra brings (`minilm`, `multilingual`), or the path of a folder "
        "with `model.onnx` and `tokenizer.json`; `omoide models list` shows them.",
    )
    threads: int = Field(
        default=1, ge=1, le=64, description="Threads that the model computes one batch or query with."
    )
    batch: int = Field(default=32, ge=1, le=1_024, description="Texts embedded for one piece of work.")
    chunk: int = Field(
        default=8, ge=1, le=256, description="Texts computed at once; a query waits for no more than that."
    )
    query_timeout_s: float = Field(
        default=0.3, gt=0, description="Longest wait for the vector of a query, in seconds; then words alone rank."
    )


class EvidenceSettings(_Section):
    """What signals weigh, how they fade, and which score makes which tier. Scores have no unit."""

    reinforcement_half_life_d: float = Field(
        default=30.0,
        gt=0,
        description="Days in which agreement fades to half (baseline: 30).",
    )
    disputation_half_life_d: float = Field(
        default=180.0,
        gt=0,
        description="Days in which disagreement fades to half (baseline: 180).",
    )
    confirmed_score: float = Field(default=1.0, gt=0, description="Least score of 'confirmed' (baseline: 1.0).")
    promoted_score: float = Field(default=2.0, gt=0, description="Least score of 'promoted' (baseline: 2.0).")
    archive_score: float = Field(
        default=-2.0,
        lt=0,
        description="Largest score of 'archive candidate' (baseline: -2.0).",
    )
    archive_after_d: int = Field(
        default=14,
        ge=1,
        description="Days seen below zero after which a belief is archived (baseline: 14).",
    )
    fact_reinforces: float = Field(
        default=0.5,
        gt=0,
        description="Reinforcement by a fact that agrees (baseline: +0.5).",
    )
    combo_after: int = Field(
        default=2,
        ge=0,
        description="Agreeing facts without bonus; each later one has it (baseline: 2).",
    )
    combo_bonus: float = Field(default=0.5, ge=0, description="That bonus, on reinforcement (baseline: +0.5).")
    fact_negates: float = Field(
        default=1.0,
        gt=0,
        description="Disputation by a fact that contradicts (baseline: +1.0).",
    )
    confirmed: float = Field(
        default=1.0,
        gt=0,
        description="Reinforcement where the person confirms what was brought up (baseline: +1.0).",
    )
    denied: float = Field(
        default=1.0,
        gt=0,
        description="Disputation where the person denies it (baseline: +1.0).",
    )
    ignored: float = Field(
        default=-0.2,
        le=0,
        description="Reinforcement, never disputation, where the person passes over it (baseline: -0.2).",
    )
    keyword_rebuts: float = Field(
        default=1.0,
        gt=0,
        description="Disputation by a negative keyword with a target (baseline: +1.0).",
    )
    seeds: dict[int, float] = Field(
        default={10: 0.8, 9: 0.6, 8: 0.4, 7: 0.2},
        description="First reinforcement of a reflection by its facts' largest importance; others start at 0 "
        "(baseline: 10 to 7 start at 0.8, 0.6, 0.4, 0.2).",
    )

    @model_validator(mode="after")
    def _tiers_are_in_order(self) -> Self:
        if self.confirmed_score >= self.promoted_score:
            raise ValueError(
                f"confirmed_score {self.confirmed_score:g} must be below promoted_score {self.promoted_score:g}",
            )
        return self


class SignalSettings(_Section):
    """How much a mind is shown when it judges what words do to beliefs."""

    facts: int = Field(default=20, ge=1, description="Most new facts, the most important (baseline: 20).")
    beliefs: int = Field(
        default=30, ge=1, description="Most beliefs, the nearest or else the best proven (baseline: 30)."
    )
    belief_tokens: int = Field(
        default=200, ge=1, description="Longest belief; a longer one is cut, in tokens (baseline: 200)."
    )
    pool_tokens: int = Field(default=15_000, ge=1, description="All beliefs, in tokens (baseline: 15,000).")
    keyword_turns: int = Field(
        default=3, ge=1, description="Last turns of the person where a topic is unwelcome (baseline: 3)."
    )
    rebuttal_turns: int = Field(
        default=10,
        ge=1,
        le=20,
        description="Turns of the person after which rebuttals are looked for (baseline: 20).",
    )


class DirectiveSettings(_Section):
    """How long a wish not to be reminded holds, and how many are kept."""

    policy: Literal["permanent", "ttl"] = Field(
        default="permanent",
        description="Until it is lifted, or for a time that grows with how often it was said (baseline: ttl).",
    )
    ttl_per_hit_s: float = Field(
        default=259_200.0, gt=0, description="Time that each hit adds under ttl, in seconds (baseline: 3 days)."
    )
    ttl_max_s: float = Field(
        default=2_592_000.0, gt=0, description="Longest time under ttl, in seconds (baseline: 30 days)."
    )
    shown: int = Field(default=20, ge=1, description="Most directives in a prompt (baseline: 20).")
    stored: int = Field(
        default=60, ge=1, description="Directives kept before lapsed ones go and a warning comes (baseline: 60)."
    )


class RepetitionSettings(_Section):
    """When a line that the character is about to say repeats what it said lately."""

    background: int = Field(
        default=100, ge=1, description="Outputs that are kept to know which words are usual (baseline: 100)."
    )
    foreground: int = Field(
        default=5, ge=1, description="Latest outputs that a draft must not repeat (baseline: 5)."
    )
    foreground_s: float = Field(
        default=600.0,
        gt=0,
        description="Age at which an output leaves the foreground, in seconds (baseline: 600).",
    )
    regenerate_above: float = Field(
        default=8.0, gt=0, description="Score above which to write anew (baseline: 8)."
    )
    drop_above: float = Field(default=16.0, gt=0, description="Score above which to stay silent (baseline: 16).")
    min_terms: int = Field(
        default=12, ge=1, description="Distinct terms that a text needs to be scored or kept (baseline: 12)."
    )


class MentionSettings(_Section):
    """How often one belief may be brought up."""

    limit: int = Field(
        default=2, ge=0, description="Mentions in the window that suppress nothing yet (baseline: 2)."
    )
    window_s: float = Field(
        default=18_000.0,
        gt=0,
        description="Time over which mentions are counted, in seconds (baseline: 5 h).",
    )
    cooldown_s: float = Field(
        default=18_000.0,
        gt=0,
        description="Time for which a belief is then suppressed, in seconds (baseline: 5 h).",
    )
    share: float = Field(
        default=0.4,
        gt=0,
        le=1,
        description="Share of a belief's terms, by their rarity, that a text repeats to mention it.",
    )
    least_terms: int = Field(
        default=2,
        ge=1,
        description="Terms that it repeats at least, where the belief has so many.",
    )


class ReflectionSettings(_Section):
    """How judgements are synthesised, brought up, confirmed and promoted."""

    min_facts: int = Field(default=5, ge=1, description="Facts from which one is synthesised (baseline: 5).")
    min_importance: int = Field(default=5, ge=1, le=10, description="Least importance of these (baseline: 5).")
    max_facts: int = Field(default=20, ge=1, description="Most facts in one synthesis (baseline: 20).")
    related_per_fact: int = Field(
        default=3, ge=0, description="Absorbed facts nearest to each, shown beside them as context (baseline: 3)."
    )
    related: int = Field(default=20, ge=0, description="Most absorbed facts that are shown so (baseline: 20).")
    text_tokens: int = Field(
        default=150,
        ge=1,
        description="Longest text that may carry a temporal scope, in tokens (baseline: 150).",
    )
    scoped_seed: float = Field(
        default=0.1,
        gt=0,
        description="Least first reinforcement outside the private corpus (baseline: 0.1).",
    )
    cooldown_s: float = Field(
        default=1_800.0,
        ge=0,
        description="Time before one is brought up, and again, in seconds (baseline: 30 min).",
    )
    surfaced: int = Field(default=3, ge=0, description="Most that are offered to be brought up (baseline: 3).")
    fact_weight: float = Field(
        default=0.05, gt=0, description="Weight of a fact when these are drawn, for each point of its importance."
    )
    surfaced_weight: float = Field(
        default=0.5,
        gt=0,
        description="Weight of a score of 0 when these are drawn (baseline: 0.5).",
    )
    probe_after_s: float = Field(
        default=18_000.0,
        gt=0,
        description="Wait before a synthesis that failed for good is tried again, in seconds (baseline: 5 h).",
    )
    promote_backoff_s: float = Field(
        default=1_800.0,
        ge=0,
        description="Time between attempts to promote, in seconds (baseline: 30 min).",
    )
    merge_tokens: int = Field(
        default=4_000, ge=1, description="What a mind is shown to merge one into, in tokens (baseline: 4,000)."
    )
    corrections: int = Field(
        default=10, ge=1, description="Contradictions that a mind decides at once, at most (baseline: 10)."
    )
    promote_attempts: int = Field(default=5, ge=1, description="Failed attempts that block it (baseline: 5).")
    confirm_after_d: float = Field(
        default=7.0,
        gt=0,
        description="Age at which one is confirmed without strong memory, in days (baseline: 7).",
    )
    promote_after_d: float = Field(
        default=7.0,
        gt=0,
        description="Time after that at which it is promoted, in days (baseline: 7).",
    )
    state_d: float = Field(default=7.0, gt=0, description="Days for which a state is current (baseline: 7).")
    episode_d: float = Field(default=3.0, gt=0, description="Days for which an episode is current (baseline: 3).")


class RenderSettings(_Section):
    """How much of memory goes into a prompt."""

    persona_tokens: int = Field(default=2_000, ge=0, description="Persona of one subject (baseline: 2,000).")
    reflection_tokens: int = Field(
        default=2_000, ge=0, description="Reflections of one subject (baseline: 2,000)."
    )
    total_tokens: int = Field(default=16_000, ge=0, description="All subjects together (baseline: 16,000).")
    least_tokens: int = Field(
        default=200,
        ge=0,
        description="Tokens that must be left for one more subject (baseline: 200).",
    )
    entry_tokens: int = Field(default=12, ge=0, description="Tokens of markup counted an entry (baseline: 12).")
    protected: int = Field(
        default=80, ge=0, description="Most protected entries, whatever their length (baseline: 80)."
    )
    suppressed: int = Field(default=40, ge=0, description="Most suppressed entries (baseline: 40).")
    known_importance: int = Field(
        default=8, ge=1, le=10, description="Least importance of a fact that every briefing tells."
    )
    known_tokens: int = Field(default=1_000, ge=0, description="Such facts of one subject, in tokens.")
    cue_hits: int = Field(default=8, ge=1, description="Memories that a cue may bring to mind (baseline: 8).")
    cue_tokens: int = Field(default=2_204, ge=0, description="All of these, in tokens (baseline: 2,204).")
    cue_entry_tokens: int = Field(
        default=400, ge=1, description="Longest of these; a longer one is cut, in tokens (baseline: 400)."
    )
    cue_timeout_s: float = Field(
        default=1.0, gt=0, description="Longest wait for what a cue brings to mind, in seconds."
    )
    recent_turns: int = Field(
        default=20,
        ge=0,
        description="Most last turns that a briefing tells; a memo leaves 10 of them (baseline: 20).",
    )
    recent_tokens: int = Field(default=5_000, ge=0, description="All of these, in tokens.")
    recent_turn_tokens: int = Field(
        default=500, ge=1, description="Longest of these; a longer one is cut, in tokens (baseline: 500)."
    )
    gap_s: float = Field(
        default=3_600.0, gt=0, description="Silence that ends a conversation, in seconds (baseline: 1 h)."
    )


class ScopeSettings(_Section):
    """Whose memory is read for a turn in a group, and when memory of others is put away."""

    members: bool = Field(
        default=True,
        description="Whether members of a group have a memory of their own there, as long as nobody switches it.",
    )
    recent_members: int = Field(
        default=3, ge=0, le=6, description="Members read beside the one who speaks, the latest (baseline: 3)."
    )
    recent_messages: int = Field(
        default=30, ge=0, description="Last messages of a group among which they are found (baseline: 30)."
    )
    stale: Literal["archive", "dry-run", "off"] = Field(
        default="archive",
        description="What is done with a group's or participant's memory that nobody added to for long: archived "
        "(it can be restored), only reported, or left.",
    )
    stale_after_d: float = Field(
        default=90.0, gt=0, description="Days without an addition after which it is stale (baseline: 90)."
    )
    stale_check_s: float = Field(
        default=21_600.0, gt=0, description="Least time between two looks for it, in seconds (baseline: 6 h)."
    )


class TrustSettings(_Section):
    """How far speakers are believed: 0 to 1, no unit."""

    admin: float = Field(default=1.0, ge=0, le=1, description="Base of the tier 'admin' (baseline: 1.0).")
    trusted: float = Field(default=0.8, ge=0, le=1, description="Base of the tier 'trusted' (baseline: 0.8).")
    normal: float = Field(default=0.5, ge=0, le=1, description="Base of the tier 'normal' (baseline: 0.5).")
    none: float = Field(default=0.3, ge=0, le=1, description="Base of the tier 'none' (baseline: 0.3).")
    reported_max: float = Field(
        default=0.8,
        ge=0,
        le=1,
        description="Most trust of a speaker whose base is a number and no tier (baseline: 0.8).",
    )
    confirmation: float = Field(
        default=0.04, ge=0, description="What it adds that the owner says the same (baseline: +0.04)."
    )
    correction: float = Field(
        default=-0.08, le=0, description="What it takes that the owner says the opposite (baseline: -0.08)."
    )
    adjustment_limit: float = Field(
        default=0.3, ge=0, le=1, description="Most that these can move a base, either way (baseline: 0.30)."
    )
    activity: float = Field(default=0.001, gt=0, description="What a message adds (baseline: 0.001).")
    activity_max: float = Field(
        default=0.02, ge=0, description="Most that messages add, below the margin (baseline: 0.02)."
    )
    margin: float = Field(
        default=0.15,
        gt=0,
        description="Difference from which one of two speakers is believed more than the other (baseline: 0.15).",
    )
    high: float = Field(default=0.75, gt=0, le=1, description="Least trust of the band 'high' (baseline: 0.75).")
    medium: float = Field(
        default=0.45, gt=0, le=1, description="Least trust of the band 'medium'; below is 'low' (baseline: 0.45)."
    )
    accounts_per_platform: int = Field(
        default=8, ge=1, description="Accounts of one platform that can be one person (baseline: 8)."
    )
    wait_s: float = Field(
        default=1.0, gt=0, description="Longest wait for the pool of accounts while somebody speaks, in seconds."
    )
    reopen_after_s: float = Field(
        default=60.0,
        ge=0,
        description="Time after which a pool of accounts that couldn't be opened is tried again, in seconds.",
    )

    @model_validator(mode="after")
    def _messages_alone_decide_nothing(self) -> Self:
        if self.activity_max >= self.margin:
            raise ValueError(
                f"activity_max {self.activity_max:g} must be below margin {self.margin:g}, or talking much would "
                "make somebody believed more"
            )
        if self.medium >= self.high:
            raise ValueError(f"medium {self.medium:g} must be below high {self.high:g}")
        return self


class ServerSettings(_Section):
    """Where the HTTP server listens, who may call, and what a request may cost."""

    host: str = Field(default="127.0.0.1", description="Address to listen at; another than loopback needs tokens.")
    port: int = Field(default=7077, ge=0, le=65_535, description="Port to listen at; 0 takes a free one.")
    tokens_file: Path | None = Field(
        default=None, description="TOML file with the tokens; without one, this machine's programs may do all."
    )
    body_bytes: int = Field(default=1_048_576, ge=1, description="Longest body of a request, in bytes.")
    request_timeout_s: float = Field(default=60.0, gt=0, description="Longest time for one request, in seconds.")
    idle_s: float = Field(
        default=30.0, ge=1, description="Silence after which a connection is closed, in seconds."
    )
    shutdown_s: float = Field(
        default=5.0, ge=0, description="Time that requests under way get when the server stops, in seconds."
    )


class WindowSettings(_Section):
    """How much of a conversation is kept word for word, and what is kept in mind of the rest."""

    most: int = Field(
        default=20, ge=2, description="Turns of a subject above which the older become a memo (baseline: 20)."
    )
    kept: int = Field(default=10, ge=1, description="Turns that are kept word for word then (baseline: 10).")
    memo_tokens: int = Field(default=1_000, ge=1, description="Longest memo, in tokens (baseline: 1,000).")
    again_tokens: int = Field(
        default=500, ge=1, description="What a longer one is asked to be brought to, in tokens (baseline: 500)."
    )
    turn_tokens: int = Field(
        default=500, ge=1, description="Longest turn that goes in; a longer one is cut, in tokens (baseline: 500)."
    )
    piece_tokens: int = Field(
        default=8_000, ge=1, description="Most turns that go in at once, in tokens (baseline: 8,000)."
    )
    most_tokens: int = Field(
        default=60_000, ge=1, description="Most that go in at all, the newest, in tokens (baseline: 60,000)."
    )
    most_turns: int = Field(default=512, ge=2, description="Most turns that go in at all, the newest.")

    @model_validator(mode="after")
    def _keeps_fewer_than_it_holds(self) -> Self:
        if self.kept >= self.most:
            raise ValueError(f"kept {self.kept} must be below most {self.most}")
        return self


class ActorSettings(_Section):
    """How characters live in memory."""

    mailbox_size: int = Field(default=1_000, ge=1, description="Messages that wait for one role.")
    reply_timeout_s: float = Field(default=30.0, gt=0, description="Longest wait for an answer, in seconds.")
    passivate_after_s: float = Field(
        default=600.0,
        gt=0,
        description="Idle time after which a character leaves memory, in seconds.",
    )
    shutdown_s: float = Field(default=5.0, gt=0, description="Time a role gets to stop in order, in seconds.")


class Settings(_Section):
    """The whole tree."""

    data_dir: Path = Field(description="Folder that holds every character's journal.")
    time_zone: str = Field(
        default="UTC",
        description="Where the people's days begin, for what 'yesterday' means; a name such as Asia/Tokyo.",
    )
    strong_memory: bool = Field(
        default=True,
        description="Whether a character that comes into being has strong memory: words move what is believed, "
        "and the mind decides what becomes of it. Later `omoide strong-memory` switches it (baseline: true).",
    )
    storage: StorageSettings = StorageSettings()
    outbox: OutboxSettings = OutboxSettings()
    limits: LimitSettings = LimitSettings()
    secrets: SecretSettings = SecretSettings()
    recall: RecallSettings = RecallSettings()
    embeddings: EmbeddingSettings = EmbeddingSettings()
    directives: DirectiveSettings = DirectiveSettings()
    repetition: RepetitionSettings = RepetitionSettings()
    evidence: EvidenceSettings = EvidenceSettings()
    signals: SignalSettings = SignalSettings()
    mentions: MentionSettings = MentionSettings()
    reflections: ReflectionSettings = ReflectionSettings()
    render: RenderSettings = RenderSettings()
    scopes: ScopeSettings = ScopeSettings()
    trust: TrustSettings = TrustSettings()
    server: ServerSettings = ServerSettings()
    window: WindowSettings = WindowSettings()
    actors: ActorSettings = ActorSettings()
    models: ModelSettings = ModelSettings()

    @field_validator("time_zone")
    @classmethod
    def _is_known(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            message = f"no time zone is called {name!r}; take a name of the IANA database, such as Europe/Berlin"
            raise ValueError(message) from error
        return name
