"""How memories are ranked, and which model turns texts into vectors."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from .section import Section

NO_MODEL: Final = "none"
"""The value of `embeddings.model` for no embeddings."""


class RecallSettings(Section):
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
    meaning_margin: float = Field(
        default=0.05,
        ge=0,
        le=1,
        description="How much nearer than other memories one must be that only its vector finds, of a model whose "
        "unrelated texts lie near each other; as a share of the span of its cosines (measured).",
    )
    meaning_surely: float = Field(
        default=0.3,
        ge=0,
        le=1,
        description="Way from the least related cosine to 1 from which on this isn't asked (measured).",
    )
    told_share: float = Field(
        default=0.9,
        gt=0,
        le=1,
        description="Share of a turn's score that counts where facts tell what it said (ours).",
    )
    past_share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="Share of a score that counts of what tells of another time than is asked for (ours).",
    )
    other_share: float = Field(
        default=0.8,
        gt=0,
        le=1,
        description="Share of a score that counts of what others said than the person whom a question names "
        "(measured).",
    )
    other_time_share: float = Field(
        default=0.8,
        gt=0,
        le=1,
        description="Share of a score that counts of what is more than a week away from the time that a question "
        "names (measured).",
    )
    repeat_share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="Share of a score that counts where a better hit is from the same turn (ours).",
    )
    beside_share: float = Field(
        default=0.92,
        gt=0,
        le=1,
        description="Share of a score that counts up to two turns from a hit (measured).",
    )
    beside_after: int = Field(
        default=4, ge=0, description="First hits that are chosen without this (measured: none loses at 4)."
    )
    focus: int = Field(default=8, ge=0, description="First hits that go to the best scores alone (baseline: 8).")
    focus_by_words: int = Field(
        default=7,
        ge=0,
        description="The same where words alone rank; breadth begins that much earlier (measured).",
    )
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


class EmbeddingSettings(Section):
    """Which embedding model turns texts into vectors, and how much it may take of the machine."""

    model: str = Field(
        default=NO_MODEL,
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
