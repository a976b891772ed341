"""Whose memory is read in a group, and how far speakers are believed."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from .section import Section


class ScopeSettings(Section):
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


class TrustSettings(Section):
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
    awaited: frozenset[str] = Field(
        default=frozenset(),
        description="Platforms whose accounts' history is still to be imported: until they are taken out of here, "
        "trust abstains for their accounts, nothing is booked on them, and reports on them wait.",
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
