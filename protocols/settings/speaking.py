"""What the character keeps from saying: topics that are banned, and lines that it said lately."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .section import Section


class DirectiveSettings(Section):
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
        default=60,
        ge=1,
        description="Directives kept: past it those that hold no more go, the longest silent first, each with an "
        "event; those in force all stay, with a warning (baseline: 60).",
    )


class RepetitionSettings(Section):
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
