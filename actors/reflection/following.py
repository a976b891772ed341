"""What becomes of a reflection when what it says is rejected, or affirmed again. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from ...protocols.evidence import Signal
from ...protocols.records import Reflection, ReflectionStatus, Rejection
from ...protocols.rejections import holds_back
from ...protocols.settings import EvidenceSettings, ReflectionSettings
from ...protocols.statements import statement_key
from .answers import affirmed_again, held_back, signalled
from .lifecycle import ACTIVE

_IN_PERSONA = frozenset({ReflectionStatus.PROMOTED, ReflectionStatus.MERGED})
"""Statuses in which a reflection is the history of a persona entry, and moves no more."""


def followed(
    reflection: Reflection,
    rejection: Rejection,
    names: tuple[str, ...],
    now: float,
    settings: ReflectionSettings,
    weights: EvidenceSettings,
    *,
    weak_since: float | None,
) -> Reflection:
    """Return the reflection in line with a rejection as it is now; unchanged where it says something else.

    Also one that is out of the way is disputed, so that nothing is believed by bringing it back. One that itself
    was rejected on purpose, such as by a wish to forget all that it rests on, is denied.

    Args:
        reflection: the reflection as it is.
        rejection: in force, or lifted by the person's affirmation.
        names: the owner's names.
        now: seconds since the epoch.
        settings: what confirms by age.
        weights: half-lives and what an affirmation weighs.
        weak_since: when strong memory was switched off, None while it is on.
    """
    if reflection.subject != rejection.subject or reflection.status in _IN_PERSONA:
        return reflection
    in_force = replace(rejection, lifted_at=None)
    if not holds_back(in_force, reflection.text, entity=reflection.entity, names=names):
        return reflection
    if rejection.lifted_at is None:
        held = held_back(reflection, (rejection,), now, weights)
        if not (rejection.firm and held.status in ACTIVE and _says(held, rejection)):
            return held
        cause = rejection.cause
        return signalled(held, Signal.DENIED, now, settings, weights, reason=cause, weak_since=weak_since)
    if reflection.status is ReflectionStatus.DENIED or reflection.evidence.disputation > 0:
        return affirmed_again(
            reflection, now, settings, weights, reason=rejection.lifted_by, weak_since=weak_since
        )
    return reflection


def _says(reflection: Reflection, rejection: Rejection) -> bool:
    return statement_key(reflection.text) == statement_key(rejection.text)
