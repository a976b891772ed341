"""What speaks for and against a belief: how signals add up, how they fade, and what score and tier follow.

Two counters with two clocks, so that a fresh objection doesn't renew old agreement. Decay is computed
where it is read and folded in only where a signal adds to what is left. Knows nothing of storage, and
takes `now` (seconds since the epoch) from its caller.

A time that isn't in the past has age 0: a clock that was set back neither amplifies a counter nor fails.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, assert_never

from msgspec.structs import replace

from .records import Evidence
from .settings import EvidenceSettings

DAY_S: Final = 86_400.0
"""Seconds in a day (UTC days, without leap seconds)."""


class Tier(StrEnum):
    """What a score makes of a belief. Derived, never stored; where it stands in its life is another thing."""

    ARCHIVE_CANDIDATE = "archive_candidate"
    PENDING = "pending"
    CONFIRMED = "confirmed"
    PROMOTED = "promoted"


class Signal(StrEnum):
    """What a person's words did to a belief. The character's own words are no signal."""

    FACT_REINFORCES = "fact_reinforces"
    FACT_NEGATES = "fact_negates"
    CONFIRMED = "confirmed"
    DENIED = "denied"
    IGNORED = "ignored"
    KEYWORD_REBUTS = "keyword_rebuts"


DISPUTING: Final = frozenset({Signal.FACT_NEGATES, Signal.DENIED, Signal.KEYWORD_REBUTS})
"""The signals that move disputation; all others move reinforcement."""


# --- reading ------------------------------------------------------------------------------------


def effective_reinforcement(evidence: Evidence, now: float, settings: EvidenceSettings) -> float:
    """Return what is left of the reinforcement, `x * 0.5 ** (age / half-life)`."""
    return _left(evidence.reinforcement, evidence.rein_last_signal_at, now, settings.reinforcement_half_life_d)


def effective_disputation(evidence: Evidence, now: float, settings: EvidenceSettings) -> float:
    """Return what is left of the disputation, `x * 0.5 ** (age / half-life)`."""
    return _left(evidence.disputation, evidence.disp_last_signal_at, now, settings.disputation_half_life_d)


def score(evidence: Evidence, now: float, settings: EvidenceSettings) -> float:
    """Return effective reinforcement less effective disputation, or infinity for a protected belief."""
    if evidence.protected:
        return float("inf")
    agreed = effective_reinforcement(evidence, now, settings)
    return agreed - effective_disputation(evidence, now, settings)


def tier_of(value: float, settings: EvidenceSettings) -> Tier:
    """Return the tier of a score."""
    if value >= settings.promoted_score:
        return Tier.PROMOTED
    if value >= settings.confirmed_score:
        return Tier.CONFIRMED
    if value <= settings.archive_score:
        return Tier.ARCHIVE_CANDIDATE
    return Tier.PENDING


def tier(evidence: Evidence, now: float, settings: EvidenceSettings) -> Tier:
    """Return the tier that the evidence makes now."""
    return tier_of(score(evidence, now, settings), settings)


def is_disputed(evidence: Evidence, now: float, settings: EvidenceSettings) -> bool:
    """Return whether the score is negative through dispute: what keeps a belief out of every recall.

    A belief that is negative through being ignored alone isn't disputed: silence is no objection.
    """
    return evidence.disputation > 0 and score(evidence, now, settings) < 0


# --- signals ------------------------------------------------------------------------------------


def weight(signal: Signal, settings: EvidenceSettings) -> float:
    """Return what a signal adds to its side, without the bonus for repeated facts."""
    match signal:
        case Signal.FACT_REINFORCES:
            return settings.fact_reinforces
        case Signal.FACT_NEGATES:
            return settings.fact_negates
        case Signal.CONFIRMED:
            return settings.confirmed
        case Signal.DENIED:
            return settings.denied
        case Signal.IGNORED:
            return settings.ignored
        case Signal.KEYWORD_REBUTS:
            return settings.keyword_rebuts
        case _:
            assert_never(signal)


def apply_signal(evidence: Evidence, signal: Signal, now: float, settings: EvidenceSettings) -> Evidence:
    """Return the evidence after a signal: its side is decayed to now, added to, and its clock set to now.

    The other side stays as it is, bit for bit. From the fact reinforcement after `combo_after` on, each
    adds `combo_bonus` more. A protected belief takes no signal and is returned unchanged.
    """
    if evidence.protected:
        return evidence
    added = weight(signal, settings)
    if signal in DISPUTING:
        left = effective_disputation(evidence, now, settings)
        return replace(evidence, disputation=left + added, disp_last_signal_at=now)
    count = evidence.fact_reinforcements
    if signal is Signal.FACT_REINFORCES:
        count += 1
        added += settings.combo_bonus if count > settings.combo_after else 0.0
    left = effective_reinforcement(evidence, now, settings)
    return replace(
        evidence,
        reinforcement=left + added,
        rein_last_signal_at=now,
        fact_reinforcements=count,
    )


def seeded(importance: int, now: float, settings: EvidenceSettings) -> Evidence:
    """Return the evidence that a new reflection starts with.

    Args:
        importance: the largest importance among its facts, 1 to 10.
        now: when it is synthesised; a seed fades from then on like any agreement.
        settings: where the seeds are.
    """
    seed = settings.seeds.get(importance, 0.0)
    return Evidence(reinforcement=seed, rein_last_signal_at=now) if seed else Evidence()


# --- joining ------------------------------------------------------------------------------------


def merged(target: Evidence, other: Evidence, now: float, settings: EvidenceSettings) -> Evidence:
    """Return the evidence of a belief that another one is merged into: the larger of each side, never the sum.

    Sides are compared by what is left of them now, and the larger is taken together with its clock. As
    both fade at one rate, it stays the larger whatever the time. (By stored counters, as the baseline does, a
    faded 3.0 would beat a fresh 1.0.) Protection and negative days are the target's own.
    """
    if target.protected:
        return target
    return replace(
        inheriting(target, other.disputation, other.disp_last_signal_at, now, settings),
        **_larger_reinforcement(target, other, now, settings),
        fact_reinforcements=max(target.fact_reinforcements, other.fact_reinforcements),
    )


def inheriting(
    evidence: Evidence, disputation: float, at: float | None, now: float, settings: EvidenceSettings
) -> Evidence:
    """Return the evidence with at least this disputation and its clock, as a rejected value starts.

    Args:
        evidence: what the belief has of its own.
        disputation: the counter of the rejection, as of its clock.
        at: that clock.
        now: when the two are compared.
        settings: the half-lives.
    """
    inherited = Evidence(disputation=disputation, disp_last_signal_at=at)
    if evidence.protected or _disputed(evidence, now, settings) >= _disputed(inherited, now, settings):
        return evidence
    return replace(evidence, disputation=disputation, disp_last_signal_at=at)


# --- negative days ------------------------------------------------------------------------------


def marked_day(evidence: Evidence, now: float, settings: EvidenceSettings) -> Evidence:
    """Return the evidence with today counted if its score is negative and today wasn't counted yet.

    Days are UTC. A day before the last counted one isn't counted: a clock that was set back would count it
    twice. A protected belief has no negative day, and a score that recovers resets nothing.
    """
    if score(evidence, now, settings) >= 0:
        return evidence
    today = datetime.fromtimestamp(now, UTC).date().isoformat()
    if evidence.sub_zero_last_day is not None and today <= evidence.sub_zero_last_day:
        return evidence
    return replace(evidence, sub_zero_days=evidence.sub_zero_days + 1, sub_zero_last_day=today)


def archive_due(evidence: Evidence, settings: EvidenceSettings) -> bool:
    """Return whether enough negative days were counted for the archive."""
    return not evidence.protected and evidence.sub_zero_days >= settings.archive_after_d


# --- parts --------------------------------------------------------------------------------------


def _left(value: float, at: float | None, now: float, half_life_d: float) -> float:
    if value == 0 or at is None or now <= at:
        return value
    return value * float(0.5 ** ((now - at) / (half_life_d * DAY_S)))


def _disputed(evidence: Evidence, now: float, settings: EvidenceSettings) -> tuple[float, float]:
    at = evidence.disp_last_signal_at
    return effective_disputation(evidence, now, settings), float("-inf") if at is None else at


def _reinforced(evidence: Evidence, now: float, settings: EvidenceSettings) -> tuple[float, float]:
    at = evidence.rein_last_signal_at
    return effective_reinforcement(evidence, now, settings), float("-inf") if at is None else at


def _larger_reinforcement(
    target: Evidence, other: Evidence, now: float, settings: EvidenceSettings
) -> dict[str, float | None]:
    larger = max(target, other, key=lambda one: _reinforced(one, now, settings))
    return {"reinforcement": larger.reinforcement, "rein_last_signal_at": larger.rein_last_signal_at}
