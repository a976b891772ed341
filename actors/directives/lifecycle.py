"""What becomes of a directive: said again, lifted, deleted.

Pure: the time, the ids and the limits are arguments. The record is what the journal keeps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from ...protocols.records import Directive, DirectiveId, DirectiveKind, DirectivePolicy, DirectiveStatus, TurnId
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.settings import DirectiveSettings
from .bounds import is_active
from .folding import fold_term
from .matcher import compile_terms, core_of
from .wishes import Ban, Lift

_COVERS: Final = " \t.,!?'\""


def directive_id(subject: Subject, kind: DirectiveKind, key: str) -> DirectiveId:
    """Return the id of the directive on a key: `directive_` and 64 bits of SHA-256 in hex.

    It follows from the key, so that a directive which is said again after it was lifted is the same one.
    """
    digest = hashlib.sha256(f"{subject}\0{kind}\0{key}".encode())
    return DirectiveId(f"directive_{digest.hexdigest()[:16]}")


def restate(
    existing: Directive | None,
    ban: Ban,
    turn: TurnId | None,
    now: float,
    settings: DirectiveSettings,
    *,
    subject: Subject = PRIVATE,
    until: float | None = None,
) -> Directive:
    """Return the directive after it was voiced: a new one, or the existing one with a hit more.

    A lapsed, lifted or deleted directive comes back with its count resumed: that it had to be said again
    is a reason to hold it longer, not shorter. What was said before it was lifted or deleted, and is only heard
    now, is counted and brings nothing back. Names that the ban gives add up.

    Args:
        existing: the stored directive of the same key, in any state, or None.
        ban: the wish that was heard.
        turn: the turn that voiced it; None where it was entered by hand.
        now: when it was said, in seconds since the epoch.
        settings: the policy and its times.
        subject: whose directive it is; only read for a new one.
        until: when it ends by the person's own words, in seconds since the epoch; None where they set no end. One
            that is in force keeps its end where that is later, and none where it has none.

    Raises:
        ValueError: if the ban's key is not that of `existing`; a defect of the caller.
    """
    if existing is None:
        first = _first(ban, turn, now, settings, subject)
        return first if until is None else replace(first, expires_at=until)
    if existing.key != fold_term(ban.term):
        raise ValueError(f"directive {existing.id} has another key than the ban that restates it")
    again = _again(existing, ban, turn, now, settings)
    if until is None:
        return again
    if not is_active(existing, now):
        return replace(again, expires_at=until)
    ends = existing.expires_at
    return replace(again, expires_at=None if ends is None else max(ends, until))


def _first(ban: Ban, turn: TurnId | None, now: float, settings: DirectiveSettings, subject: Subject) -> Directive:
    """Return the directive of a topic that was never banned."""
    key = fold_term(ban.term)
    return Directive(
        id=directive_id(subject, DirectiveKind.MENTION, key),
        key=key,
        term=ban.term,
        aliases=_names(key, ban.aliases),
        bare=ban.bare,
        locale=ban.locale,
        subject=subject,
        hits=1,
        first_said_at=now,
        last_said_at=now,
        turn=turn,
        policy=DirectivePolicy(settings.policy),
        expires_at=_expiry(1, now, settings),
    )


def _again(was: Directive, ban: Ban, turn: TurnId | None, now: float, settings: DirectiveSettings) -> Directive:
    """Return a directive with a hit more; one before its newest changes neither its words nor its turn."""
    hits, is_newest = was.hits + 1, now >= was.last_said_at
    said_at = max(now, was.last_said_at)
    ended_since = was.status_at is not None and now < was.status_at
    return replace(
        was,
        term=ban.term if is_newest else was.term,
        aliases=_names(was.key, (*was.aliases, *ban.aliases)),
        bare=was.bare and ban.bare,
        hits=hits,
        first_said_at=min(now, was.first_said_at),
        last_said_at=said_at,
        turn=turn if is_newest else was.turn,
        policy=DirectivePolicy(settings.policy),
        expires_at=_expiry(hits, said_at, settings),
        status=was.status if ended_since else DirectiveStatus.ACTIVE,
    )


def lift(directive: Directive, now: float) -> Directive:
    """Return the directive after the person allowed its topic again, said at `now`."""
    return replace(directive, status=DirectiveStatus.LIFTED, status_at=now)


def delete(directive: Directive, now: float) -> Directive:
    """Return the directive after it was deleted in the interface at `now`."""
    return replace(directive, status=DirectiveStatus.DELETED, status_at=now)


def lifted_by(directives: Iterable[Directive], wish: Lift, now: float) -> tuple[Directive, ...]:
    """Return the active directives that a wish lifts: of those, what was last said no later than the wish.

    A wish for everything lifts all. Otherwise those of the same key, and those whose topic the wish
    names in other words: another determiner or another form ("the exams", "my exam"). A wish about a
    part ("Marcus's birthday") leaves the ban on the whole.
    """
    active = [one for one in directives if is_active(one, now) and one.last_said_at <= now]
    if wish.term is None:
        return tuple(active)
    key, core = fold_term(wish.term), core_of(wish.term, wish.locale)
    matcher = compile_terms(active)
    named = {
        span.directive
        for span in matcher.find(core)
        if not (core[: span.start] + core[span.end :]).strip(_COVERS).removeprefix("s").strip(_COVERS)
    }
    return tuple(directive for directive in active if directive.key == key or directive.id in named)


def _names(key: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return other names of a topic, each once."""
    by_key = {fold_term(name): name for name in names}
    by_key.pop(key, None)
    return tuple(by_key.values())


def _expiry(hits: int, said_at: float, settings: DirectiveSettings) -> float | None:
    """Return min(3 days x hits, 30 days) after the last hit under ttl (baseline, section 21.2), else None."""
    if settings.policy == "permanent":
        return None
    return said_at + min(settings.ttl_per_hit_s * hits, settings.ttl_max_s)
