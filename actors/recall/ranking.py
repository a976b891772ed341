"""Which of the rows that may be read are the hits of a query, and in which order.

Scores of several fields are added, each as a share of the most that it could be: rank fusion with a weaker list
loses against the better list alone. Then the order is made of use to a reader: of a turn and the facts that were
made of it, one is told; what was said beside a hit comes later; and after the first hits, some places go to
conversations that no hit is from yet. Pure; knows rows by their places in a `Reading`, no texts.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...protocols.messages import Reason, ScoreParts
from ...protocols.settings import RecallSettings
from .arrangement import REACH
from .index import best
from .reading import Reading
from .repeats import Telling, Tells, Told
from .tense import Asked

_Real = TypeVar("_Real", np.float32, np.float64)

_DAY_S: Final = 86_400.0

_AROUND_S: Final = 7 * _DAY_S
"""How long before and after a time people talk of it, in seconds (3 and 14 days find as much)."""

_SPARE: Final = 2
"""Rows that are considered for each hit, since some of them tell what a better one tells."""

_WIDER: Final = 3
"""Rows for each that is considered among which a fact is looked for that tells what a turn says."""

_UNSEEN: Final = 2
"""Rows that are taken to be at the limit of what is related, beside those that are there."""


class Query(NamedTuple):
    """What is asked for, as the index knows it.

    `terms` are the distinct terms of the query, and `content` those of them that are no names of the two who talk:
    a row must hold one of these, or be near in meaning. `vector` is the query's, of shape (dimension,), None where
    there is none; `related` is the least cosine of what has anything to do with it. `question` is its words:
    a turn that says just these is the question heard, and no answer. `tense` says which time it is about, and
    `spans` are the first and the last moment of each time that it names, in seconds since the epoch.
    """

    terms: Sequence[str]
    content: frozenset[str]
    vector: NDArray[np.float32] | None = None
    related: float = 0.3
    question: str = ""
    tense: Asked = Asked.ANY
    spans: Sequence[tuple[float, float]] = ()


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


class _Part(NamedTuple):
    """What the rows that were found have in one part, shape (n,), and the most that they could have."""

    sizes: NDArray[np.float64]
    bound: float

    def shares(self, some: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what some rows have of that, 0 to 1, by their numbers here."""
        return self.sizes[some] / (self.bound or 1.0)


class _Found(NamedTuple):
    """The rows that can be hits, and what each of them scores in each part and in all; arrays of shape (n,).

    `places` are where they are in the reading, ascending, and `total` is 0 to 1. `held` tells which hold a term
    that the query is about. The parts are by words and by what is around them, and where the query's vector was
    there, by meaning and by what is around that. `tense` says which time the query is about.
    """

    places: NDArray[np.int64]
    total: NDArray[np.float64]
    held: NDArray[np.bool_]
    parts: tuple[_Part, ...]
    tense: Asked

    @property
    def has_vector(self) -> bool:
        """Whether they are ranked by meaning too."""
        return len(self.parts) > 2


def rank(reading: Reading, query: Query, settings: RecallSettings, limit: int, tells: Tells) -> Ranking:
    """Return the best hits on a query.

    Args:
        reading: the rows that may be read.
        query: what is asked for.
        settings: the weights and budgets.
        limit: most hits wanted, at least 1.
        tells: what a row tells.
    """
    found = _scored(reading, query, settings)
    wanted = limit + 1
    if settings.fusion == "ranks":
        found = _by_ranks(reading, found, query, settings)
        wanted = min(wanted, settings.rank_hits + 1)
    # As many for a few hits as for ten, so that fewer are asked for without another order of the first.
    considered = max(wanted, settings.focus + settings.breadth) * _SPARE + settings.focus
    candidates = _candidates(reading, found, considered, settings, tells)
    picked = _Picking(found, candidates, settings, Told(query.question)).picked(wanted)
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
    found = np.flatnonzero(reading.findable)
    order = found[np.lexsort((reading.turns[found], -first[found], away[found]))]
    told = Told()
    hits: list[Ranked] = []
    for place in order.tolist():
        telling = tells(reading.doc_id(place))
        if told.is_told(telling):
            continue
        told.add(telling)
        days = float(away[place]) / _DAY_S
        reason = Reason.NEAR_TIME if days else Reason.TIME
        hits.append(Ranked(place, round(1.0 / (1.0 + days), 6), ScoreParts(), reason))
        if len(hits) > limit:
            break
    return Ranking(tuple(hits[:limit]), truncated=len(hits) > limit)


def _scored(reading: Reading, query: Query, settings: RecallSettings) -> _Found:
    own = reading.own(query.terms, counting=query.content)
    around = reading.around(query.terms, counting=query.content, least=settings.around_terms)
    matches = own.held | around.held_by_rows()
    answers, questions = reading.answers
    matches[answers] |= own.held[questions]
    nearness = None if query.vector is None else reading.cosines(query.vector)
    if nearness is not None:
        matches |= _stands_out(nearness[0], query.related, settings)
    matches &= reading.findable
    (places,) = matches.nonzero()
    _bring_as_near_as_asked(own.sizes, answers, questions)
    parts = [_Part(field.sizes_at(places), field.bound) for field in (own, around)]
    weights = [settings.words_weight, settings.around_weight]
    if nearness is not None:
        _bring_as_near_as_asked(nearness[0], answers, questions)
        parts += [_Part(_spread_out(cosines[places], query.related), 1.0) for cosines in nearness]
        weights += [settings.meaning_weight, settings.meaning_around_weight]
    total = _fused(parts, weights)
    by_voice = _by_voice(reading, query, settings.other_share)
    if by_voice is not None:
        total *= by_voice[places]
    if query.spans:
        total *= _by_time(reading, query, settings.other_time_share)[places]
    return _Found(places, total, own.held[places], tuple(parts), query.tense)


def _fused(parts: Sequence[_Part], weights: Sequence[float]) -> NDArray[np.float64]:
    """Return the weighted mean of the shares that rows have in each part, shape (n,)."""
    of_all = sum(weights) or 1.0
    total, *others = (
        part.sizes * (weight / of_all / (part.bound or 1.0)) for part, weight in zip(parts, weights, strict=True)
    )
    for each in others:
        total += each
    return total


def _bring_as_near_as_asked(
    values: NDArray[_Real], answers: NDArray[np.int64], questions: NDArray[np.int64]
) -> None:
    """Let rows that answer a question score at least what that does: "three times a week"."""
    values[answers] = np.maximum(values[answers], values[questions])


def _by_voice(reading: Reading, query: Query, others: float) -> NDArray[np.float64] | None:
    """Return the share of each row's score that counts: less where another said it than whom a query names first.

    People tell of themselves, and a word of somebody else with their name in it mostly calls them.
    """
    weights = (reading.weights_of_voices(term, others) for term in query.terms)
    return next((its for its in weights if its is not None), None)


def _by_time(reading: Reading, query: Query, others: float) -> NDArray[np.float64]:
    """Return the share of each row's score that counts: less of what is not of a time that a query names.

    People tell of what happened some days later, or of what is to come.
    """
    first, last = reading.spans()
    near = [(first <= ends + _AROUND_S) & (last >= begins - _AROUND_S) for begins, ends in query.spans]
    return np.where(np.logical_or.reduce(near), 1.0, others)


def _stands_out(cosines: NDArray[np.float32], related: float, settings: RecallSettings) -> NDArray[np.bool_]:
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


def _spread_out(cosines: NDArray[np.float32], related: float) -> NDArray[np.float64]:
    """Return cosines as shares, 0 to 1, that tell as much apart as those of words do.

    Models that put all texts near each other ask for a high cosine of what is related; of theirs, what lies twice
    as far below 1 as that counts as nothing. Cosines of a model whose unrelated texts lie near 0 stay as they are.
    """
    nothing = max(0.0, 2.0 * related - 1.0)
    shares = (cosines.astype(np.float64) - nothing) / max(1.0 - nothing, 1e-6)
    return np.clip(shares, 0.0, 1.0)


def _by_ranks(reading: Reading, found: _Found, query: Query, settings: RecallSettings) -> _Found:
    """Return scores by reciprocal rank fusion (Cormack et al., SIGIR 2009) of the best by words and by meaning."""
    total = np.zeros(found.places.size)
    own = reading.own(query.terms).scores_at(found.places)
    lists = [(np.flatnonzero(found.held & (own >= settings.rank_words_floor)), own, settings.rank_words)]
    if found.has_vector:
        related = _spread_out(np.array([query.related], dtype=np.float32), query.related)
        nearness = found.parts[2].sizes
        lists.append((np.flatnonzero(nearness >= related), nearness, settings.rank_meaning))
    for some, values, most in lists:
        order = best(reading, found.places[some], values[some], found.held[some], most)
        for rank_, at in enumerate(some[order].tolist(), 1):
            total[at] += 1.0 / (settings.rank_k + rank_)
    (some,) = total.nonzero()
    parts = tuple(_Part(part.sizes[some], part.bound) for part in found.parts)
    return _Found(found.places[some], total[some], found.held[some], parts, found.tense)


class _Candidates:
    """The rows that may become hits, best first, each by its number.

    Args:
        reading: what they are rows of.
        found: what they are picked from.
        some: where each stands in that, best first, shape (n,).
        totals: what each scores, shape (n,).
        tells: what a row tells; reading a text closely takes long, so that it is asked of a few.

    Attributes:
        totals: what each scores, 0 to 1.
        windows: the cell of the window by which each is found.
        conversations: what those of one talk share.
    """

    __slots__ = ("_held", "_parts", "_places", "_rows", "_tells", "conversations", "totals", "windows")

    def __init__(
        self, reading: Reading, found: _Found, some: NDArray[np.int64], totals: NDArray[np.float64], tells: Tells
    ) -> None:
        places = found.places[some]
        self.totals: list[float] = totals.tolist()
        self.windows: list[int] = reading.windows[places].tolist()
        self.conversations: list[int] = reading.conversations(places).tolist()
        self._places: list[int] = places.tolist()
        self._held: list[bool] = found.held[some].tolist()
        self._parts: list[list[float]] = [part.shares(some).tolist() for part in found.parts]
        self._rows = reading.doc_ids(self._places)
        self._tells = tells

    def telling(self, at: int) -> Telling:
        """Return what one tells."""
        return self._tells(self._rows[at])

    def said_again(self) -> frozenset[str]:
        """Return the turns in which a fact among them was said again."""
        return frozenset().union(*(self._tells(row).again for row in self._rows))

    def hit(self, at: int, score: float, reason: Reason | None) -> Ranked:
        """Return one as a hit; without a reason, it is found for its words, its meaning or what is around it."""
        words, around, *meanings = [round(part[at], 6) for part in self._parts]
        meaning, meaning_around = meanings or (0.0, 0.0)
        parts = ScoreParts(words=words, around=around, meaning=meaning, meaning_around=meaning_around)
        if reason is None:
            beside = Reason.MEANING if parts.meaning > parts.around else Reason.AROUND
            reason = Reason.WORDS if self._held[at] else beside
        return Ranked(self._places[at], round(score, 6), parts, reason)


def _candidates(reading: Reading, found: _Found, most: int, settings: RecallSettings, tells: Tells) -> _Candidates:
    """Return the best of what was found; a turn that a fact beside it tells counts for less."""
    some = np.arange(found.places.size)
    if some.size > most * _WIDER:
        (some,) = (found.total >= np.partition(found.total, -most * _WIDER)[-most * _WIDER]).nonzero()
    places, total = found.places[some], found.total[some]
    total[reading.told_by(places)[places]] *= settings.told_share
    order = np.array(best(reading, places, total, found.held[some], most), dtype=np.int64)
    return _Candidates(reading, found, some[order], total[order], tells)


class _Picking:
    """The hits of one query, as they are picked one by one.

    Args:
        found: what they are picked from.
        candidates: the best of it, best first.
        settings: what makes them differ.
        told: what the hits tell.
    """

    def __init__(self, found: _Found, candidates: _Candidates, settings: RecallSettings, told: Told) -> None:
        self._candidates = candidates
        self._settings = settings
        self._told = told
        self._tense = found.tense
        self._conversations: set[int] = set()
        self._beside: set[int] = set()
        self._hits: list[Ranked] = []
        focus = settings.focus if found.has_vector else min(settings.focus, settings.focus_by_words)
        self._for_breadth = range(focus, settings.focus + settings.breadth if settings.breadth else 0)

    @cached_property
    def _said_again(self) -> frozenset[str]:
        """The turns in which facts were said again; one in which a fact was said first counts for less already."""
        return self._candidates.said_again()

    def picked(self, wanted: int) -> list[Ranked]:
        """Return at most so many hits, best first."""
        totals = self._candidates.totals
        queue = [(-total, at) for at, total in enumerate(totals)]
        shares = [1.0] * len(queue)
        while queue and len(self._hits) < wanted:
            if len(self._hits) in self._for_breadth and (other := self._elsewhere(queue)) is not None:
                score, at = other
                self._take(at, self._candidates.telling(at), score, Reason.BREADTH)
                continue
            negative, at = heapq.heappop(queue)
            telling = self._candidates.telling(at)
            if self._told.is_told(telling):
                continue
            # A share only becomes less, so that whoever still comes first with its own is the best.
            share = self._share(telling) * self._beside_hits(at, telling)
            if share < shares[at]:
                shares[at] = share
                heapq.heappush(queue, (-totals[at] * share, at))
                continue
            self._take(at, telling, -negative, None)
        return self._hits

    def _share(self, telling: Telling) -> float:
        """Return the share of a row's score that counts: less where a fact tells it, or it is of another time."""
        share = 1.0
        if telling.is_turn and not self._said_again.isdisjoint(telling.turns):
            share *= self._settings.told_share
        tense = self._tense
        if tense is not Asked.ANY and tense is (Asked.PRESENT if telling.is_past else Asked.FORMER):
            share *= self._settings.past_share
        return share

    def _beside_hits(self, at: int, telling: Telling) -> float:
        """Return the share of a row's score that counts beside the hits so far; it only becomes less."""
        if self._told.is_near(telling):
            return self._settings.repeat_share
        # A neighbour is found by the words of its hit.
        if len(self._hits) < self._settings.beside_after:
            return 1.0
        return self._settings.beside_share if self._candidates.windows[at] in self._beside else 1.0

    def _elsewhere(self, queue: Sequence[tuple[float, int]]) -> tuple[float, int] | None:
        """Return the best that is left of the conversations that no hit is from, or None where there is none."""
        found: tuple[float, int] | None = None
        for negative, at in sorted(queue):
            if found is not None and negative >= found[0]:
                break
            if self._candidates.conversations[at] in self._conversations:
                continue
            telling = self._candidates.telling(at)
            if self._told.is_told(telling):
                continue
            its = (-self._candidates.totals[at] * self._share(telling), at)
            found = its if found is None else min(found, its)
        return None if found is None else (-found[0], found[1])

    def _take(self, at: int, telling: Telling, score: float, reason: Reason | None) -> None:
        self._told.add(telling)
        self._conversations.add(self._candidates.conversations[at])
        window = self._candidates.windows[at]
        self._beside.update(range(window - REACH, window + REACH + 1))
        self._hits.append(self._candidates.hit(at, score, reason))
