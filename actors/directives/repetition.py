"""Whether a draft says again what the character said lately.

Owns the corpus of the character's own output and its score. Count-capped: age never empties the
background, so that what is usual stays known after a quiet week. Only the foreground ages, because an
idle character whose drafts are dropped would otherwise be held against the same lines for ever.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from itertools import chain, islice
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from rank_bm25 import BM25Okapi

from ...protocols.settings import RepetitionSettings
from ...protocols.tokens import distinct_terms, terms

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
        self._said: deque[_Said] = deque()
        self._holding: Counter[str] = Counter()
        self._lately: _Lately | None = None

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The outputs that are kept, oldest first."""
        return tuple(said.output for said in self._said)

    def add(self, output: Output) -> None:
        """Keep a new output, and let the oldest past the cap go; too short ones aren't kept."""
        its_terms = terms(output.text)
        if not _is_long_enough(output.text, its_terms, self._settings.min_terms):
            return
        self._said.append(_Said(output, its_terms))
        self._holding.update(set(its_terms))
        if len(self._said) > self._settings.background:
            gone = set(self._said.popleft().terms)
            self._holding.subtract(gone)
            for term in gone:
                if not self._holding[term]:
                    del self._holding[term]
        self._lately = None

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
        foreground = self._foreground(now)
        if not foreground:
            return Repetition(action="allow", score=0.0)
        wanted = distinct_terms(draft)
        if not _is_long_enough(draft, wanted, settings.min_terms):
            return Repetition(action="allow", score=0.0)
        if self._lately is None or self._lately.said != foreground:
            self._lately = _Lately(foreground, self._holding, len(self._said))
        scores = self._lately.scores(wanted)
        score = sum(scores)
        if score <= settings.regenerate_above:
            return Repetition(action="allow", score=score)
        nearest = sorted((at for at, one in enumerate(scores) if one > 0), key=lambda at: (-scores[at], -at))
        shown = [foreground[at] for at in nearest[:MAX_LINES]]
        return Repetition(
            action="drop" if score > settings.drop_above else "regenerate",
            score=score,
            earlier=tuple(said.output for said in shown),
            topics=self._lately.weightiest(wanted, {term for said in shown for term in said.terms})[:MAX_TOPICS],
        )

    def _foreground(self, now: float) -> list[_Said]:
        """Return the latest outputs that are recent as well, oldest first."""
        young = (said for said in reversed(self._said) if now - said.output.said_at <= self._settings.foreground_s)
        return list(islice(young, self._settings.foreground))[::-1]


class _Said(NamedTuple):
    output: Output
    terms: list[str]


class _Lately:
    """What was said lately under BM25, as long as nothing more is said and nothing of it grows old.

    Args:
        said: the foreground, not empty.
        holding: in how many outputs of the corpus each term stands.
        outputs: how many outputs the corpus has.
    """

    def __init__(self, said: list[_Said], holding: Mapping[str, int], outputs: int) -> None:
        self.said = said
        lines = [one.terms for one in said]
        self._idf = {
            term: math.log((outputs - holding[term] + 0.5) / (holding[term] + 0.5) + 1)
            for term in dict.fromkeys(chain.from_iterable(lines))
        }
        # Lines without any term, such as a row of pictures, make a corpus that BM25 has no average for.
        self._okapi = BM25Okapi(lines) if self._idf else None
        self._gains: dict[str, list[float]] = {}

    def scores(self, draft: Iterable[str]) -> list[float]:
        """Return what the distinct terms of a draft score against each line.

        A term's own part never changes while these lines are the latest, so it is asked for once.
        """
        gains = [self._gains.get(term) or self._gain(term) for term in draft if term in self._idf]
        return [sum(line) for line in zip(*gains, strict=True)] if gains else [0.0] * len(self.said)

    def weightiest(self, draft: Iterable[str], shared: Collection[str]) -> tuple[str, ...]:
        """Return the terms of a draft that are among the shared ones, the rarest of the corpus first."""
        return tuple(sorted((term for term in draft if term in shared), key=lambda term: (-self._idf[term], term)))

    def _gain(self, term: str) -> list[float]:
        assert self._okapi is not None
        self._okapi.idf = self._idf
        gain: list[float] = self._okapi.get_scores([term]).tolist()
        self._gains[term] = gain
        return gain


def _is_long_enough(text: str, its_terms: Iterable[str], least: int) -> bool:
    """Return whether a text has enough different words, stop words included; terms, where no blanks part words."""
    return len(set(its_terms)) >= least or len(set(text.casefold().split())) >= least
