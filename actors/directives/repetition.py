"""Whether a draft says again what the character said lately.

Owns the corpus of the character's own output and its score. Count-capped: age never empties the
background, so that what is usual stays known after a quiet week. Only the foreground ages, because an
idle character whose drafts are dropped would otherwise be held against the same lines for ever.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from rank_bm25 import BM25Okapi

from ...protocols.settings import RepetitionSettings
from ...protocols.tokens import terms

MAX_LINES: Final = 3
"""Most earlier lines that are shown for a draft: enough to write around."""

MAX_TOPICS: Final = 6
"""Most terms in common that are named (baseline, section 22: the top six)."""


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

    action: Literal["allow", "regenerate", "drop"]
    score: float
    earlier: tuple[Output, ...] = ()
    topics: tuple[str, ...] = ()


class Corpus:
    """What the character said lately to one audience, oldest first, ready to be compared with.

    Args:
        settings: thresholds, windows and the cap.
    """

    def __init__(self, settings: RepetitionSettings) -> None:
        self._settings = settings
        self._said: deque[_Said] = deque(maxlen=settings.background)
        self._index: _Index | None = None

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The outputs that are kept, oldest first."""
        return tuple(said.output for said in self._said)

    def add(self, output: Output) -> None:
        """Keep a new output, and let the oldest past the cap go; too short ones aren't kept."""
        its_terms = terms(output.text)
        if _size(output.text, its_terms) >= self._settings.min_terms:
            self._said.append(_Said(output, its_terms))
            self._index = None

    def judge(self, draft: str, now: float) -> Repetition:
        """Return whether a draft goes back to what was said lately, by words in any form and order.

        Score: sum over the draft's distinct terms of idf over the whole corpus times the saturated frequency
        in each foreground output: Okapi BM25, k1 1.5, b 0.75, with ln((N - n + 0.5) / (n + 0.5) + 1), which stays
        above zero also while the corpus is small (baseline, sections 11.3 and 22).

        Args:
            draft: what would be said.
            now: in seconds since the epoch.
        """
        settings = self._settings
        foreground = [
            at for at, said in enumerate(self._said) if now - said.output.said_at <= settings.foreground_s
        ][-settings.foreground :]
        if not foreground:
            return Repetition(action="allow", score=0.0)
        wanted = terms(draft)
        if _size(draft, wanted) < settings.min_terms:
            return Repetition(action="allow", score=0.0)
        if self._index is None:
            self._index = _Index([said.terms for said in self._said])
        weights, scores = self._index.compare(wanted, foreground)
        score = float(sum(scores.values()))
        if score <= settings.regenerate_above:
            return Repetition(action="allow", score=score)
        nearest = sorted((at for at in foreground if scores[at] > 0), key=lambda at: (-scores[at], -at))[
            :MAX_LINES
        ]
        shared = {term for at in nearest for term in self._said[at].terms}
        topics = sorted((term for term in weights if term in shared), key=lambda term: (-weights[term], term))
        return Repetition(
            action="drop" if score > settings.drop_above else "regenerate",
            score=score,
            earlier=tuple(self._said[at].output for at in nearest),
            topics=tuple(topics[:MAX_TOPICS]),
        )


class _Said(NamedTuple):
    output: Output
    terms: list[str]


class _Index:
    """The corpus under BM25, with how rare each term is in it."""

    def __init__(self, corpus: list[list[str]]) -> None:
        self._okapi = BM25Okapi(corpus)
        held = Counter(term for counts in self._okapi.doc_freqs for term in counts)
        self._okapi.idf = {term: math.log((len(corpus) - n + 0.5) / (n + 0.5) + 1) for term, n in held.items()}

    def compare(self, draft: list[str], foreground: list[int]) -> tuple[dict[str, float], dict[int, float]]:
        """Return the weights of the draft's terms that the foreground holds, and the score of each place in it."""
        okapi = self._okapi
        okapi.avgdl = sum(okapi.doc_len[at] for at in foreground) / len(foreground)
        lately = {term for at in foreground for term in okapi.doc_freqs[at]}
        weights = {term: okapi.idf[term] for term in dict.fromkeys(draft) if term in lately}
        # As `get_batch_scores`, which makes arrays for every term: five outputs are faster by hand.
        scores = dict.fromkeys(foreground, 0.0)
        for at in foreground:
            counts, norm = (
                okapi.doc_freqs[at],
                okapi.k1 * (1 - okapi.b + okapi.b * okapi.doc_len[at] / okapi.avgdl),
            )
            for term, weight in weights.items():
                if count := counts.get(term):
                    scores[at] += weight * count * (okapi.k1 + 1) / (count + norm)
        return weights, scores


def _size(text: str, its_terms: list[str]) -> int:
    """Return how many different words a text has, stop words included; terms, where no blanks part words."""
    return max(len(set(its_terms)), len(set(text.casefold().split())))
