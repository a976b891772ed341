"""When a belief's tier changed, also between its events, and when it will change next.

Between two events the score is a sum of two exponentials, so its moments of change can be computed from
the snapshots that the events carry. Knows nothing of storage.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from .evidence import DAY_S, Tier, tier
from .records import Evidence
from .settings import EvidenceSettings

_GONE_AFTER_HALF_LIVES: Final = 1_100.0
"""Half-lives after which any counter is exactly 0: the smallest positive double is 2**-1074."""


class Transition(Struct, frozen=True, kw_only=True):
    """One change of the derived tier.

    `at` is the first moment (seconds since the epoch) of the new tier. `before` is None where the belief
    began. `by` is the index, in the history, of the event that changed it, or None for decay.
    """

    at: float
    before: Tier | None
    after: Tier
    by: int | None


class Timeline(Struct, frozen=True, kw_only=True):
    """Every change up to a moment, oldest first, and the next that decay alone will bring (or None)."""

    past: tuple[Transition, ...]
    upcoming: Transition | None


def transitions(history: Sequence[tuple[float, Evidence]], until: float, settings: EvidenceSettings) -> Timeline:
    """Return when the tier changed by events and by decay.

    Moments are exact: at `at` the computed tier is the new one, and one representable moment earlier it
    is the old one. An event is taken to have happened no earlier than the one before it in the history,
    so that a clock that was set back leaves one line of time.

    Args:
        history: time and evidence after each event, in the order of the journal.
        until: the end of the past, in seconds since the epoch; later events are left out.
        settings: half-lives and thresholds, the same for the whole history.
    """
    past: list[Transition] = []
    current: Tier | None = None
    evidence: Evidence | None = None
    reached = -math.inf
    for index, (at, after) in enumerate(history):
        happened = max(at, reached)
        if happened > until:
            break
        if evidence is not None:
            for change in _decays(evidence, reached, happened, settings):
                if change.at < happened:
                    past.append(change)
                    current = change.after
        new = tier(after, happened, settings)
        if new is not current:
            past.append(Transition(at=happened, before=current, after=new, by=index))
        current, evidence, reached = new, after, happened
    if evidence is None:
        return Timeline(past=(), upcoming=None)
    past.extend(_decays(evidence, reached, until, settings))
    end = _end(evidence, until, settings)
    return Timeline(past=tuple(past), upcoming=next(_decays(evidence, until, end, settings), None))


def _decays(evidence: Evidence, start: float, end: float, settings: EvidenceSettings) -> Iterator[Transition]:
    """Yield the changes by decay after `start` and up to `end`."""
    current = tier(evidence, start, settings)
    low = start
    for high in (*_turning_points(evidence, start, end, settings), end):
        final = tier(evidence, high, settings)
        while current is not final:
            at, new = _first_change(evidence, current, low, high, settings)
            yield Transition(at=at, before=current, after=new, by=None)
            current, low = new, at
        low = high


def _first_change(
    evidence: Evidence, current: Tier, low: float, high: float, settings: EvidenceSettings
) -> tuple[float, Tier]:
    """Return the first moment, in a span of monotone score, whose tier isn't the one at `low`, and that tier.

    Halving ends at neighbouring doubles, so the moment is exact: some 0.2 microseconds in this century.
    """
    while low < (middle := low + (high - low) / 2) < high:
        if tier(evidence, middle, settings) is current:
            low = middle
        else:
            high = middle
    return high, tier(evidence, high, settings)


def _turning_points(evidence: Evidence, start: float, end: float, settings: EvidenceSettings) -> list[float]:
    """Return, in order, the moments inside a span between which the score only rises or only falls.

    A side whose clock lies ahead stands still until then. Where both sides fade, the score
    r 2^(-t/a) - d 2^(-t/b) has its one extremum where (r / a) 2^(-t/a) = (d / b) 2^(-t/b).
    """
    clocks = [at for at in (evidence.rein_last_signal_at, evidence.disp_last_signal_at) if at is not None]
    points = [at for at in clocks if start < at < end]
    if len(clocks) == 2 and evidence.reinforcement > 0 and evidence.disputation > 0:
        extremum = _extremum(evidence, max(*clocks, start), settings)
        if extremum is not None and start < extremum < end:
            points.append(extremum)
    return sorted(points)


def _extremum(evidence: Evidence, from_: float, settings: EvidenceSettings) -> float | None:
    """Return when the score stops rising or falling at or after a moment from which both sides fade, or None."""
    a = settings.reinforcement_half_life_d * DAY_S
    b = settings.disputation_half_life_d * DAY_S
    if a == b:
        return None
    log_r = math.log2(evidence.reinforcement) - (from_ - (evidence.rein_last_signal_at or 0.0)) / a
    log_d = math.log2(evidence.disputation) - (from_ - (evidence.disp_last_signal_at or 0.0)) / b
    after = (log_r - log_d + math.log2(b) - math.log2(a)) / (1 / a - 1 / b)
    return from_ + after if after > 0 else None


def _end(evidence: Evidence, until: float, settings: EvidenceSettings) -> float:
    """Return a moment after which nothing changes any more."""
    half_life_s = max(settings.reinforcement_half_life_d, settings.disputation_half_life_d) * DAY_S
    latest = max(until, evidence.rein_last_signal_at or until, evidence.disp_last_signal_at or until)
    return latest + _GONE_AFTER_HALF_LIVES * half_life_s
