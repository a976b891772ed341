"""How much of memory and of the conversation goes into a prompt."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from .section import Section


class RenderSettings(Section):
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


class WindowSettings(Section):
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

    review: bool = Field(
        default=False,
        description="Whether a mind looks through the recent turns for those that a later one repeats or takes "
        "back, which briefings then leave out (baseline: a switch of its own).",
    )
    review_least: int = Field(default=8, ge=2, description="Turns from which a window is reviewed (baseline: 8).")
    review_after: int = Field(
        default=5, ge=1, description="New turns of people after which it is reviewed again (baseline: 5)."
    )
    review_idle_s: float = Field(
        default=1_800.0,
        gt=0,
        description="Silence after which a window is reviewed for any new turn, in seconds (baseline: 30 min).",
    )

    @model_validator(mode="after")
    def _keeps_fewer_than_it_holds(self) -> Self:
        if self.kept >= self.most:
            raise ValueError(f"kept {self.kept} must be below most {self.most}")
        return self
