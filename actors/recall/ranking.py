"""Which of the rows that may be read are the hits of a query, and in which order.

Scores of several fields are added, each as a share of the most that it could be: rank fusion with a weaker list
loses against the better list alone. Then the order is made of use to a reader: of a turn and the facts that were
made of it, one is told; what was said beside a hit comes later; and after the first hits, some places go to
conversations that no hit is from yet. Pure; knows rows by their places in a `Reading`, no texts.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...protocols.messages import Reason, ScoreParts
from ...protocols.settings import RecallSettings
from .arrangement import REACH
from .index import best
from .reading import Reading
from .repeats import Tells, Told
from .tense import Asked

_DAY_S: Final = 86_400.0

_SPARE: Final = 3
"""Rows that are considered for each hit, since some of them tell what a better one tells."""

_UNSEEN: Final = 2
"""Rows that are taken to be at the limit of what is related, beside those that are there."""


class Query(NamedTuple):
    """What is asked for, as the index knows it.

    `terms` are the distinct terms of the query, and `content` those of them that are no names of the two who talk:
    a row must hold one of these, or be near in meaning. `vector` is the query's, of shape (dimension,), None where
    there is none; `related` is the least cosine of what has anything to do with it. `asked` is its canonical form:
    a turn that says just these is the question heard, and no answer. `tense` says which time it is about.
    """

    terms: Sequence[str]
    content: frozenset[str]
    vector: NDArray[np.float32] | None = None
    related: float = 0.3
    asked: str = ""
    tense: Asked = Asked.ANY


class Ranked(NamedTuple):
    """One hit. `place` is where its row is in the reading."""

    place: int
    score: float
    parts: ScoreParts
    reason: Reason


class Ranking(NamedTuple):
    """The hits, best first, and whether there were more than asked for."""

    hits: tuple[Ranked, ...]
    truncated: bool


class _Scores(NamedTuple):
    """What every row scores, arrays of shape (n,): in each part, in all, and whether it can be a hit.

    `has_vector` says whether the query's vector was there, so that the parts by meaning are known, and `tense`
    which time it is about.
    """

    words: NDArray[np.float64]
    around: NDArray[np.float64]
    meaning: NDArray[np.float64]
    meaning_around: NDArray[np.float64]
    total: NDArray[np.float64]
    matched: NDArray[np.int32]
    is_hit: NDArray[np.bool_]
    has_vector: bool
    tense: Asked


def rank(reading: Reading, query: Query, settings: RecallSettings, limit: int, tells: Tells) -> Ranking:
    """Return the best hits on a query.

    Args:
        reading: the rows that may be read.
        query: what is asked for.
        settings: the weights and budgets.
        limit: most hits wanted, at least 1.
        tells: what a row tells.
    """
    scores = _scored(reading, query, settings)
    wanted = limit + 1
    if settings.fusion == "ranks":
        scores = _by_ranks(reading, scores, query, settings)
        wanted = min(wanted, settings.rank_hits + 1)
    found = np.flatnonzero(scores.is_hit)
    # As many for a few hits as for ten, so that fewer are asked for without another order of the first.
    considered = max(wanted, settings.focus + settings.breadth) * _SPARE + settings.focus
    places = best(reading, found, scores.total[found], scores.matched[found], considered)
    picked = _Picking(reading, scores, settings, Told(tells, query.asked)).picked(places, wanted)
    most = wanted - 1
    return Ranking(tuple(picked[:most]), truncated=len(picked) > most)


def at_time(reading: Reading, begins: float, ends: float, limit: int, tells: Tells) -> Ranking:
    """Return what happened between two moments, and after it what happened nearest to them.

    Args:
        reading: the rows that may be read.
        begins: the first moment, in seconds since the epoch.
        ends: the last.
        limit: most hits wanted, at least 1.
        tells: what a row tells; of a turn and the facts that were made of it, the facts are told.
    """
    first, last = reading.spans()
    away = np.maximum(np.maximum(begins - last, first - ends), 0.0)
    found = np.flatnonzero(reading.shown & ~reading.asides)
    order = found[np.lexsort((reading.turns[found], -first[found], away[found]))]
    told = Told(tells)
    hits: list[Ranked] = []
    for place in order.tolist():
        row = reading.doc_id(place)
        if told.is_told(row):
            continue
        told.add(row)
        days = float(away[place]) / _DAY_S
        reason = Reason.NEAR_TIME if days else Reason.TIME
        hits.append(Ranked(place, round(1.0 / (1.0 + days), 6), ScoreParts(), reason))
        if len(hits) > limit:
            break
    return Ranking(tuple(hits[:limit]), truncated=len(hits) > limit)


def _scored(reading: Reading, query: Query, settings: RecallSettings) -> _Scores:
    own = reading.own(query.terms, counting=query.content)
    around = reading.around(query.terms, counting=query.content)
    words, near = own.shares, around.shares
    matches = (own.matched > 0) | (around.matched >= settings.around_terms)
    total = settings.words_weight * words + settings.around_weight * near
    weight = settings.words_weight + settings.around_weight
    meaning = meaning_around = np.zeros(reading.size)
    if query.vector is not None:
        cosines, around_them = reading.cosines(query.vector)
        matches |= _stands_out(cosines, query.related, settings)
        meaning, meaning_around = _spread_out(cosines, query.related), _spread_out(around_them, query.related)
        total += settings.meaning_weight * meaning + settings.meaning_around_weight * meaning_around
        weight += settings.meaning_weight + settings.meaning_around_weight
    total /= weight or 1.0
    is_hit = matches & reading.shown & ~reading.asides
    return _Scores(
        words,
        near,
        meaning,
        meaning_around,
        total,
        own.matched,
        is_hit,
        query.vector is not None,
        query.tense,
    )


def _stands_out(cosines: NDArray[np.float64], related: float, settings: RecallSettings) -> NDArray[np.bool_]:
    """Return which rows are near enough to a query to be found by that alone.

    Of a model that puts all texts near each other hardly any lies below `related`, and where the unrelated ones
    lie differs from query to query: a row must be nearer than the others are on average, or near beyond doubt.

    Args:
        cosines: of every row; 0 for those that have no vector or may not be read.
        related: the least cosine of what has anything to do with a query.
        settings: how far above the others a row must be.
    """
    near: NDArray[np.bool_] = cosines >= related
    nothing = max(0.0, 2.0 * related - 1.0)
    if not nothing or not near.any():
        return near
    others = max(int(np.count_nonzero(cosines > 0.0)) - 1, 0)
    # As if two more lay at the limit, so that of few rows one isn't measured by the others alone.
    average = (cosines.sum() - cosines + _UNSEEN * related) / (others + _UNSEEN)
    surely = related + settings.meaning_surely * (1.0 - related)
    clear: NDArray[np.bool_] = cosines >= average + settings.meaning_margin * (1.0 - nothing)
    return near & (clear | (cosines >= surely))


def _spread_out(cosines: NDArray[np.float64], related: float) -> NDArray[np.float64]:
    """Return cosines as shares, 0 to 1, that tell as much apart as those of words do.

    Models that put all texts near each other ask for a high cosine of what is related; of theirs, what lies twice
    as far below 1 as that counts as nothing. Cosines of a model whose unrelated texts lie near 0 stay as they are.
    """
    nothing = max(0.0, 2.0 * related - 1.0)
    shares: NDArray[np.float64] = np.clip((cosines - nothing) / max(1.0 - nothing, 1e-6), 0.0, 1.0)
    return shares


def _by_ranks(reading: Reading, scores: _Scores, query: Query, settings: RecallSettings) -> _Scores:
    """Return scores by reciprocal rank fusion (Cormack et al., SIGIR 2009) of the best by words and by meaning."""
    total = np.zeros(reading.size)
    own = reading.own(query.terms).scores
    by_words = np.flatnonzero(scores.is_hit & (scores.matched > 0) & (own >= settings.rank_words_floor))
    related = _spread_out(np.array([query.related]), query.related)
    by_meaning = np.flatnonzero(scores.is_hit & (scores.meaning >= related))
    for found, values, most in (
        (by_words, own, settings.rank_words),
        (by_meaning, scores.meaning, settings.rank_meaning),
    ):
        for rank_, place in enumerate(best(reading, found, values[found], scores.matched[found], most), 1):
            total[place] += 1.0 / (settings.rank_k + rank_)
    return scores._replace(total=total, is_hit=total > 0)


class _Picking:
    """The hits of one query, as they are picked one by one."""

    def __init__(self, reading: Reading, scores: _Scores, settings: RecallSettings, told: Told) -> None:
        self._reading = reading
        self._scores = scores
        self._settings = settings
        self._told = told
        self._conversations: set[tuple[int, int]] = set()
        self._windows: set[tuple[int, int]] = set()
        self._hits: list[Ranked] = []

    def picked(self, places: Sequence[int], wanted: int) -> list[Ranked]:
        """Return at most so many hits of some places, best first."""
        queue = self._queue(places)
        lowered: dict[int, float] = {}
        while queue and len(self._hits) < wanted:
            if self._is_for_breadth() and (other := self._elsewhere(queue)) is not None:
                self._take(other[2], -other[0], Reason.BREADTH)
                continue
            negative, at, place = heapq.heappop(queue)
            row = self._reading.doc_id(place)
            if self._told.is_told(row):
                continue
            share, so_far = self._share(place, row), lowered.get(place, 1.0)
            if share < so_far:
                lowered[place] = share
                heapq.heappush(queue, (negative * share / so_far, at, place))
                continue
            self._take(place, -negative, _reason(self._scores, place))
        return self._hits

    def _queue(self, places: Sequence[int]) -> list[tuple[float, int, int]]:
        """Return the places with their scores, negative; lower where a fact tells it, or it is of another time."""
        tellings = [(place, self._told.telling(self._reading.doc_id(place))) for place in places]
        facts = frozenset().union(*(telling.turns for _, telling in tellings if not telling.is_turn))
        queue = []
        for at, (place, telling) in enumerate(tellings):
            score = float(self._scores.total[place])
            if telling.is_turn and not facts.isdisjoint(telling.turns):
                score *= self._settings.told_share
            if self._scores.tense is (Asked.PRESENT if telling.is_past else Asked.FORMER):
                score *= self._settings.past_share
            queue.append((-score, at, place))
        heapq.heapify(queue)
        return queue

    def _share(self, place: int, row: str) -> float:
        """Return the share of a row's score that counts beside the hits so far; it only becomes less."""
        if self._told.is_near(row):
            return self._settings.repeat_share
        # A neighbour is found by the words of its hit; vectors tell the two apart, so that they lose by this.
        if self._scores.has_vector or len(self._hits) < self._settings.beside_after:
            return 1.0
        which, window = self._reading.window(place)
        beside = range(window - REACH, window + REACH + 1)
        is_beside = any((which, other) in self._windows for other in beside)
        return self._settings.beside_share if is_beside else 1.0

    def _is_for_breadth(self) -> bool:
        focus, ends = self._settings.focus, self._settings.focus + self._settings.breadth
        begins = focus if self._scores.has_vector else min(focus, self._settings.focus_by_words)
        return bool(self._settings.breadth) and begins <= len(self._hits) < ends

    def _elsewhere(self, queue: Sequence[tuple[float, int, int]]) -> tuple[float, int, int] | None:
        """Return the best that is left of the conversations that no hit is from, or None where there is none."""
        return next(
            (
                one
                for one in sorted(queue)
                if self._reading.conversation(one[2]) not in self._conversations
                and not self._told.is_told(self._reading.doc_id(one[2]))
            ),
            None,
        )

    def _take(self, place: int, score: float, reason: Reason) -> None:
        self._told.add(self._reading.doc_id(place))
        self._conversations.add(self._reading.conversation(place))
        self._windows.add(self._reading.window(place))
        self._hits.append(_hit(self._scores, place, score, reason))


def _reason(scores: _Scores, place: int) -> Reason:
    if scores.matched[place]:
        return Reason.WORDS
    return Reason.MEANING if scores.meaning[place] > scores.around[place] else Reason.AROUND


def _hit(scores: _Scores, place: int, score: float, reason: Reason) -> Ranked:
    parts = ScoreParts(
        words=round(float(scores.words[place]), 6),
        around=round(float(scores.around[place]), 6),
        meaning=round(float(scores.meaning[place]), 6),
        meaning_around=round(float(scores.meaning_around[place]), 6),
    )
    return Ranked(place, round(score, 6), parts, reason)
