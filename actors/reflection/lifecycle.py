"""The life of a reflection: where it may go from where it stands, and when it is due to go there.

A status changes by the table alone; the tier follows from the evidence and is another thing. Pure: what is
due is told, and done by whoever asked. Knows neither storage nor model.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from ...protocols.errors import IllegalTransitionError
from ...protocols.evidence import DAY_S, archive_due, is_disputed, score
from ...protocols.records import EntryId, Reflection, ReflectionStatus, TemporalScope
from ...protocols.scopes import PRIVATE
from ...protocols.settings import EvidenceSettings, ReflectionSettings


class Step(StrEnum):
    """What can happen to a reflection."""

    CONFIRM = "confirm"
    PROMOTE = "promote"
    MERGE = "merge"
    DENY = "deny"
    BLOCK = "block"
    UNBLOCK = "unblock"
    ARCHIVE = "archive"
    AFFIRM = "affirm"
    RESTORE = "restore"


_S = ReflectionStatus

TRANSITIONS: Final[Mapping[ReflectionStatus, Mapping[Step, ReflectionStatus]]] = MappingProxyType(
    {
        _S.PENDING: {Step.CONFIRM: _S.CONFIRMED, Step.DENY: _S.DENIED, Step.ARCHIVE: _S.ARCHIVED},
        _S.CONFIRMED: {
            Step.PROMOTE: _S.PROMOTED,
            Step.MERGE: _S.MERGED,
            Step.DENY: _S.DENIED,
            Step.BLOCK: _S.PROMOTE_BLOCKED,
            Step.ARCHIVE: _S.ARCHIVED,
        },
        _S.PROMOTED: {Step.DENY: _S.DENIED},
        _S.MERGED: {},
        _S.PROMOTE_BLOCKED: {Step.UNBLOCK: _S.CONFIRMED, Step.DENY: _S.DENIED, Step.ARCHIVE: _S.ARCHIVED},
        _S.DENIED: {Step.AFFIRM: _S.PENDING},
        _S.ARCHIVED: {Step.RESTORE: _S.PENDING},
    },
)
"""Every legal step. What is denied comes back by the person's own affirmation alone."""

ACTIVE: Final = frozenset({_S.PENDING, _S.CONFIRMED})
"""Statuses in which a reflection takes part; in all others it reaches no recall."""


def stepped(
    reflection: Reflection, step: Step, now: float, *, reason: str = "", absorbed_into: EntryId | None = None
) -> Reflection:
    """Return the reflection after a step. Its age counts from now on.

    Args:
        reflection: the reflection as it is.
        step: what happens to it.
        now: when, in seconds since the epoch.
        reason: why, for `explain`.
        absorbed_into: the persona entry that it became or was merged into; needed for these two steps.

    Raises:
        IllegalTransitionError: if the table has no such step from where it stands, or a promotion or merge names
            no entry.
    """
    status = TRANSITIONS[reflection.status].get(step)
    if status is None:
        legal = ", ".join(TRANSITIONS[reflection.status]) or "nothing"
        raise IllegalTransitionError(
            f"reflection {reflection.id} is {reflection.status}: it can't {step}, only {legal}",
        )
    if (status in {_S.PROMOTED, _S.MERGED}) != (absorbed_into is not None):
        raise IllegalTransitionError(
            f"reflection {reflection.id} can't {step} with absorbed_into={absorbed_into!r}: a promotion or merge "
            "names the persona entry, and no other step does",
        )
    return replace(
        reflection,
        status=status,
        status_at=now,
        age_anchor_at=now,
        reason=reason,
        absorbed_into=absorbed_into,
        promote_attempts=0 if status is not _S.PROMOTE_BLOCKED else reflection.promote_attempts,
    )


# --- confirmation and promotion -----------------------------------------------------------------


def confirmation_due(
    reflection: Reflection,
    now: float,
    settings: ReflectionSettings,
    weights: EvidenceSettings,
    *,
    weak_since: float | None,
) -> bool:
    """Return whether a pending reflection is to be confirmed: by its score, or by its age where that decides.

    Age decides outside the private corpus, where no signals come in, and everywhere while strong memory is off.
    There it counts from the switching off at the earliest, so that nothing old rises in a rush. It never confirms
    what a person disputed.

    Args:
        reflection: the reflection.
        now: when, in seconds since the epoch.
        settings: the ages.
        weights: which score confirms.
        weak_since: when strong memory was switched off, None while it is on.
    """
    if reflection.status is not _S.PENDING:
        return False
    if weak_since is None and reflection.subject == PRIVATE:
        return score(reflection.evidence, now, weights) >= weights.confirmed_score
    return _is_aged(reflection, now, settings.confirm_after_d, weak_since) and not is_disputed(
        reflection.evidence, now, weights
    )


def promotion_due(
    reflection: Reflection,
    now: float,
    settings: ReflectionSettings,
    weights: EvidenceSettings,
    *,
    weak_since: float | None,
) -> bool:
    """Return whether a confirmed reflection is to be promoted now: as `confirmation_due`, and not throttled."""
    if reflection.status is not _S.CONFIRMED or is_throttled(reflection, now, settings):
        return False
    if weak_since is None and reflection.subject == PRIVATE:
        return score(reflection.evidence, now, weights) >= weights.promoted_score
    return _is_aged(reflection, now, settings.promote_after_d, weak_since) and not is_disputed(
        reflection.evidence, now, weights
    )


def is_throttled(reflection: Reflection, now: float, settings: ReflectionSettings) -> bool:
    """Return whether the last attempt to promote is too recent for another, or was the last one of all."""
    if block_due(reflection, settings):
        return True
    last = reflection.last_promote_attempt_at
    return last is not None and 0 <= now - last < settings.promote_backoff_s


def block_due(reflection: Reflection, settings: ReflectionSettings) -> bool:
    """Return whether the attempts to promote are used up."""
    return reflection.status is _S.CONFIRMED and reflection.promote_attempts >= settings.promote_attempts


def attempted(reflection: Reflection, now: float) -> Reflection:
    """Return the reflection with one more attempt to promote, counted before the model is asked."""
    return replace(
        reflection,
        promote_attempts=reflection.promote_attempts + 1,
        last_promote_attempt_at=now,
    )


# --- the end ------------------------------------------------------------------------------------


def sweep_due(reflection: Reflection, settings: EvidenceSettings) -> bool:
    """Return whether a reflection that may be archived has been negative for long enough."""
    return Step.ARCHIVE in TRANSITIONS[reflection.status] and archive_due(reflection.evidence, settings)


def is_outdated(reflection: Reflection, now: float, settings: ReflectionSettings) -> bool:
    """Return whether a reflection tells of the past: a state or an episode whose time is over."""
    match reflection.temporal_scope:
        case TemporalScope.PATTERN:
            return False
        case TemporalScope.STATE:
            days = settings.state_d
        case TemporalScope.EPISODE:
            days = settings.episode_d
    since = reflection.created_at if reflection.event_at is None else reflection.event_at
    return now - since >= days * DAY_S


def _is_aged(reflection: Reflection, now: float, days: float, weak_since: float | None) -> bool:
    anchor = reflection.age_anchor_at
    if weak_since is not None and reflection.subject == PRIVATE:
        anchor = max(anchor, weak_since)
    return now - anchor >= days * DAY_S
