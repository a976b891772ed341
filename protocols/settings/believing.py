"""What signals weigh, and how judgements are made, promoted and brought up."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from .section import Section


class EvidenceSettings(Section):
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


class SignalSettings(Section):
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
    self_turns: int = Field(
        default=5,
        ge=1,
        description="Lines of the character after which what it said of itself is looked for (baseline: 30).",
    )
    rebuttal_turns: int = Field(
        default=10,
        ge=1,
        le=20,
        description="Turns of the person after which rebuttals are looked for (baseline: 20).",
    )


class RefinementSettings(Section):
    """When beliefs that are close to each other are put before a mind, to be merged, split or reworded."""

    every_s: float = Field(
        default=1_800.0,
        gt=0,
        description="Time between two looks for such beliefs, in seconds (baseline: 30 min).",
    )
    below_same: float = Field(
        default=0.03,
        ge=0,
        le=1,
        description="How far their cosine may be below that of the same in other words, which is the embedding "
        "model's own (baseline: 0.82 beside 0.85).",
    )
    neighbours: int = Field(
        default=5, ge=1, description="Nearest beliefs that are looked at of each (baseline: 5)."
    )
    most: int = Field(default=6, ge=2, description="Most beliefs in one cluster (baseline: 6).")
    clusters: int = Field(default=3, ge=1, description="Most clusters of one look (baseline: 3).")
    again_after_d: float = Field(
        default=30.0, gt=0, description="Days after which the same cluster is looked at again (baseline: 30)."
    )
    scoped_least: int = Field(
        default=8,
        ge=2,
        description="Beliefs of a group or participant from which these are refined (baseline: 8).",
    )
    scoped_most: int = Field(default=5, ge=2, description="Most beliefs in one of their clusters (baseline: 5).")


class MentionSettings(Section):
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


class ReflectionSettings(Section):
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
