"""Whether a draft says again what the character said lately.

Owns the corpus of the character's own output and its score. Count-capped: age never empties the
background, so that what is usual stays known after a quiet week. Only the foreground ages, because an
idle character whose drafts are dropped would otherwise be held against the same lines for ever.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rank_bm25 import BM25Okapi

from ...protocols.settings import RepetitionSettings
from ...protocols.tokens import terms

MAX_LINES: Final = 3
"""Most earlier lines that are shown for a draft: enough to write around."""


class Output(Struct, frozen=True, kw_only=True):
    """One thing that the character said: when (seconds since the epoch), and the words."""

    text: str
    said_at: float


class Repetition(Struct, frozen=True, kw_only=True):
    """How much a draft repeats.

    `action` is `allow`, `regenerate` (write it once more, away from `topics`) or `drop`. `score` is the
    sum that was compared with the thresholds. `earlier` are the lines that it goes back to, the nearest
    first, and `topics` the terms in common, the weightiest first; both empty where it is allowed.
    """

    action: str
    score: float
    earlier: tuple[Output, ...] = ()
    topics: tuple[str, ...] = ()


def remember(outputs: Sequence[Output], said: Output, settings: RepetitionSettings) -> tuple[Output, ...]:
    """Return the corpus with a new output, without the oldest past the cap; too short ones aren't kept."""
    if _size(said.text) < settings.min_terms:
        return tuple(outputs)[-settings.background :]
    return (*outputs, said)[-settings.background :]


def judge(draft: str, outputs: Sequence[Output], now: float, settings: RepetitionSettings) -> Repetition:
    """Return whether a draft goes back to what was said lately, by words in any form and order.

    Score: sum over the draft's distinct terms of idf over the whole corpus times the saturated frequency
    in each foreground output: Okapi BM25, k1 1.5, b 0.75, with ln((N - n + 0.5) / (n + 0.5) + 1), which stays
    above zero also while the corpus is small (baseline, sections 11.3 and 22).

    Args:
        draft: what would be said.
        outputs: the corpus, oldest first, from `remember`.
        now: in seconds since the epoch.
        settings: thresholds and windows.
    """
    wanted = list(dict.fromkeys(terms(draft)))
    foreground = [at for at, output in enumerate(outputs) if now - output.said_at <= settings.foreground_s][
        -settings.foreground :
    ]
    if not foreground or _size(draft) < settings.min_terms:
        return Repetition(action="allow", score=0.0)
    corpus = [terms(output.text) for output in outputs]
    index = BM25Okapi(corpus)
    index.avgdl = sum(index.doc_len[at] for at in foreground) / len(foreground)
    held = Counter(term for counts in index.doc_freqs for term in counts)
    index.idf = {term: math.log((len(corpus) - n + 0.5) / (n + 0.5) + 1) for term, n in held.items()}
    weights = {term: index.idf[term] for term in wanted if term in index.idf}
    scores = dict(zip(foreground, index.get_batch_scores(list(weights), foreground), strict=True))
    score = float(sum(scores.values()))
    if score <= settings.regenerate_above:
        return Repetition(action="allow", score=score)
    nearest = sorted((at for at in foreground if scores[at] > 0), key=lambda at: (-scores[at], -at))[:MAX_LINES]
    said = {term for at in nearest for term in corpus[at]}
    topics = sorted((term for term in weights if term in said), key=lambda term: (-weights[term], term))
    return Repetition(
        action="drop" if score > settings.drop_above else "regenerate",
        score=score,
        earlier=tuple(outputs[at] for at in nearest),
        topics=tuple(topics[:6]),
    )


def _size(text: str) -> int:
    """Return how many different words a text has, stop words included; terms, where no blanks part words."""
    return max(len(set(terms(text))), len(set(text.casefold().split())))
