"""Whether a model's vectors mean anything: a paraphrase must be nearer than what has nothing to do with it.

A folder with the wrong pooling or prefixes loads well and ranks badly, and nothing else would tell.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from .engine import Engine

SAMPLES: Final = (
    ("en", "She works as a nurse in a hospital", "Her job is nursing at a clinic", "The cat sleeps on the sofa"),
    ("zh", "她在医院当护士", "她的工作是在诊所护理病人", "那只猫在沙发上睡觉"),
    ("ja", "彼女は病院で看護師として働いている", "彼女の仕事は診療所での看護です", "猫がソファで眠っている"),
)
"""A language, a text, what says the same in other words, and what has nothing to do with it."""

WARM_QUERIES: Final = 20
"""Queries whose median time is told."""


class Sample(Struct, frozen=True, kw_only=True):
    """Cosines of one language's paraphrase and of what has nothing to do with it."""

    language: str
    paraphrase: float
    unrelated: float

    @property
    def sane(self) -> bool:
        """Whether the paraphrase is nearer."""
        return self.paraphrase > self.unrelated


class Checkup(Struct, frozen=True, kw_only=True):
    """What a look at a model found. Times are milliseconds on this machine; `query_ms` is a median."""

    id: str
    dimension: int
    load_ms: float
    query_ms: float
    samples: tuple[Sample, ...]


def checkup(engine: Engine) -> Checkup:
    """Load a model, embed samples with it, and return what that showed. Takes a second or more.

    Raises:
        ModelError: if the model can't be loaded or fails.
    """
    started = time.perf_counter()
    engine.load()
    load_ms = 1_000 * (time.perf_counter() - started)
    samples = tuple(_sample(engine, language, texts) for language, *texts in SAMPLES)
    spans = []
    for number in range(WARM_QUERIES):
        started = time.perf_counter()
        engine.compute((f"what did she tell me about work on day {number}?",), query=True)
        spans.append(1_000 * (time.perf_counter() - started))
    return Checkup(
        id=engine.id,
        dimension=engine.dimension,
        load_ms=load_ms,
        query_ms=float(np.median(spans)),
        samples=samples,
    )


def _sample(engine: Engine, language: str, texts: Sequence[str]) -> Sample:
    text, same, other = engine.compute(texts, query=False)
    lengths = [float(np.linalg.norm(each)) for each in (text, same, other)]
    return Sample(
        language=language,
        paraphrase=float(text @ same) / (lengths[0] * lengths[1]),
        unrelated=float(text @ other) / (lengths[0] * lengths[2]),
    )
