"""Whom to believe: bases, what a person's record adds to them, bands, and which of two is believed more.

The host's word on a speaker is a base: a tier that a human gave, or a figure that was reported. What the pool of
accounts knows of a person moves it a little. None abstains, is never a number, and takes part in no comparison.
Knows no pool, no storage and no clock.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from enum import StrEnum
from typing import Final

from msgspec import Struct

from .errors import InvalidRequestError
from .records import Record, Speaker
from .settings import TrustSettings

MAX_ACCOUNT_CHARS: Final = 96
"""Longest account key that the pool knows (characters; baseline: 96)."""

_STABLE: Final = re.compile(r"[a-z0-9_.-]+:[A-Za-z0-9_.:@-]+")
"""An account key that stays with one account: no blanks, and no letters that look like others (baseline: 19.2)."""

_PLACES: Final = Decimal("0.000001")


class TrustTier(StrEnum):
    """How far the host's people trust an account; a human decides on it."""

    ADMIN = "admin"
    TRUSTED = "trusted"
    NORMAL = "normal"
    NONE = "none"


class TrustBand(StrEnum):
    """A trust in words."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Base(Struct, frozen=True, kw_only=True):
    """Where a speaker's trust starts, 0 to 1: a tier, or a figure that was `reported` and that no human gave."""

    value: float
    reported: bool = False


class Tally(Record, frozen=True, kw_only=True):
    """What a person's accounts have done together: messages, and the owner's confirmations and corrections."""

    messages: int = 0
    confirmations: int = 0
    corrections: int = 0

    def plus(self, other: Tally) -> Tally:
        """Return what both have done together."""
        return Tally(
            messages=self.messages + other.messages,
            confirmations=self.confirmations + other.confirmations,
            corrections=self.corrections + other.corrections,
        )


def account_key(speaker: Speaker) -> str | None:
    """Return the key under which the pool knows a speaker, or None where the account isn't a stable id.

    A nickname with blanks or letters of other scripts identifies nobody.
    """
    key = f"{speaker.platform.strip().lower()}:{speaker.account.strip()}"
    return key if len(key) <= MAX_ACCOUNT_CHARS and _STABLE.fullmatch(key) else None


def base_of(given: object, settings: TrustSettings) -> Base | None:
    """Return the base that a host's word on a speaker gives; None abstains.

    Args:
        given: a tier by its name, a number from 0 to 1, or None.
        settings: what the tiers are worth.

    Raises:
        InvalidRequestError: if it is anything else.
    """
    if given is None:
        return None
    if isinstance(given, str):
        try:
            return Base(value=getattr(settings, TrustTier(given).value))
        except ValueError:
            names = ", ".join(repr(tier.value) for tier in TrustTier)
            raise InvalidRequestError(
                f"trust is a number between 0 and 1 or one of {names}, got {given!r:.60}"
            ) from None
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise InvalidRequestError(f"trust is a finite number or the name of a tier, got {given!r}")
    if not 0.0 <= given <= 1.0:
        raise InvalidRequestError(f"trust is between 0 and 1, got {given!r}")
    return Base(value=float(given), reported=True)


def trust_of(base: Base, tally: Tally, settings: TrustSettings) -> float:
    """Return how far a speaker is believed, 0 to 1, rounded to 6 decimals.

    It is the base, moved by what the owner confirmed and corrected, by `adjustment_limit` at most, plus a bonus
    for activity (baseline: 20.2). A reported base never ends above `reported_max`.

    Args:
        base: where it starts.
        tally: what all accounts of the person have done together, so that it doesn't matter which did what.
        settings: what each weighs.
    """
    limit = _exact(settings.adjustment_limit)
    adjustment = tally.confirmations * _exact(settings.confirmation) + tally.corrections * _exact(
        settings.correction
    )
    bonus = min(_exact(settings.activity_max), tally.messages * _exact(settings.activity))
    highest = _exact(settings.reported_max) if base.reported else Decimal(1)
    start = min(_exact(base.value), highest)
    moved = start + max(-limit, min(limit, adjustment)) + bonus
    return float(max(Decimal(0), min(highest, moved)).quantize(_PLACES))


def messages_counted(settings: TrustSettings) -> int:
    """Return how many messages of an account count; more would add nothing."""
    return math.ceil(_exact(settings.activity_max) / _exact(settings.activity))


def band_of(trust: float | None, settings: TrustSettings) -> TrustBand | None:
    """Return the band of a trust, or None where the host abstained."""
    if trust is None or not math.isfinite(trust):
        return None
    if trust >= settings.high:
        return TrustBand.HIGH
    return TrustBand.MEDIUM if trust >= settings.medium else TrustBand.LOW


def is_doubtful(contested_at: float | None, trust: float | None, settings: TrustSettings) -> bool:
    """Return whether a statement is to be told as doubtful: another person contests it, and little trust backs it.

    Args:
        contested_at: when another person's word last gave way to it, None where none did.
        trust: how far its speaker is believed; who abstains is not of little trust.
        settings: what is little.
    """
    return contested_at is not None and band_of(trust, settings) is TrustBand.LOW


def is_preferred(one: float | None, other: float | None, settings: TrustSettings) -> bool | None:
    """Return whether one trust is preferred to another, or None where trust doesn't decide.

    It decides where both are finite and differ by `margin` or more, counted in decimal (baseline: 20.5).
    """
    if one is None or other is None or not (math.isfinite(one) and math.isfinite(other)):
        return None
    difference = _exact(one) - _exact(other)
    return None if abs(difference) < _exact(settings.margin) else difference > 0


def _exact(number: float) -> Decimal:
    return Decimal(repr(number))
