"""How the journal lies on disk, how durable work is tried again, and what is never written down."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from .section import Section


class StorageSettings(Section):
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
    scrub_attempts: int = Field(
        default=60,
        ge=1,
        description="Attempts at making the bytes go that give way to commits of other characters in a shared "
        "file; the last of them doesn't, and holds these up for some seconds in a large file.",
    )
    scrub_wait_s: float = Field(
        default=2.0,
        ge=0,
        description="Longest that an erasure in a shared file waits for its bytes to go, in seconds; then they go "
        "in the background.",
    )


LONGEST_WAIT_S: Final = 3_600.0
"""Longest time for which work waits that was asked to come back later, in seconds: a server that asks for more is
asked again then, and a clock that was set back holds work up for no longer."""


class OutboxSettings(Section):
    """How durable work is tried again."""

    attempts: int = Field(default=5, ge=1, description="Failed attempts before an op is parked (baseline: 5).")
    backoff_min_s: float = Field(default=1.0, gt=0, description="Wait after the first failure, in seconds.")
    backoff_max_s: float = Field(default=300.0, gt=0, description="Longest wait between attempts, in seconds.")
    backoff_factor: float = Field(
        default=4.0, ge=1, description="Growth of the wait from one failure to the next."
    )
    jitter: float = Field(default=0.2, ge=0, lt=1, description="Share of the wait that is random.")
    at_once: int = Field(
        default=2,
        ge=1,
        description="Pieces of background work that compute at the same time over all characters; one that takes "
        "longer than 50 ms, as when it waits for a model, leaves its place to the next.",
    )
    attempt_timeout_s: float = Field(
        default=120.0,
        gt=0,
        description="Longest time for one attempt, in seconds (baseline: model calls end after 110 s).",
    )

    @property
    def longest_wait_s(self) -> float:
        """Longest time between two attempts, in seconds."""
        return max(LONGEST_WAIT_S, self.backoff_max_s * (1 + self.jitter))


class SecretSettings(Section):
    """What must not be remembered at all."""

    redact: bool = Field(
        default=True,
        description="Whether card numbers, keys, tokens and spoken passwords are taken out of texts before these "
        "are stored or sent to a model.",
    )
