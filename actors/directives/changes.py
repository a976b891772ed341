"""What the wishes of a turn, and a person's edits in the interface, change in the directives. Pure.

A person reaches what they gave themselves: the owner the directives of the private corpus, another
speaker their own in the subject where they speak. So a guest can't lift what the owner asked for, nor
one member of a group what another did.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, tzinfo
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from ...protocols.errors import InvalidRequestError, NotFoundError
from ...protocols.events import AnyDirectiveChange, DirectiveDeleted, DirectiveGiven, DirectiveLifted
from ...protocols.records import Directive, DirectiveId, DirectiveKind, DirectiveStatus, Turn
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.scripts import CJK
from ...protocols.settings import DirectiveSettings
from ...protocols.text import has_control_or_surrogate
from .bounds import is_active
from .folding import fold_term
from .lifecycle import delete, directive_id, lift, lifted_by, restate
from .limits import limit_ends_at
from .phrasebook import pointers
from .terms import MAX_CHARS, MIN_CHARS
from .wishes import Ban, Lift, Wish

ENTERED: Final = "und"
"""Locale of a term that was entered by hand."""

Stored: TypeAlias = Mapping[DirectiveId, Directive]


def given_id(turn: Turn, key: str) -> DirectiveId:
    """Return the id of the directive that the speaker of a turn gives on a key.

    Each speaker but the owner has directives of their own, so that one can't lift what another gave.
    """
    if turn.speaker is None:
        return directive_id(PRIVATE, DirectiveKind.MENTION, key)
    return directive_id(Subject(f"{turn.subject}\0{turn.speaker.key}"), DirectiveKind.MENTION, key)


class LaterLift(NamedTuple):
    """What the speaker of a turn allowed again after it, though it was heard before; `at` is when it was said."""

    lift: Lift
    at: float


def voiced(
    turn: Turn,
    wishes: Iterable[Wish],
    stored: Stored,
    settings: DirectiveSettings,
    *,
    later: Iterable[LaterLift] = (),
    zone: tzinfo = UTC,
) -> tuple[AnyDirectiveChange, ...]:
    """Return what the wishes of a turn change, in reading order, and what later ones took back of it.

    Args:
        turn: the turn; its `said_at` is when the wishes take effect. Of what was said at the same moment the
            later heard comes later, and what is said as it is heard comes after all before it.
        wishes: what `find_wishes` found in it. Wishes to forget change no directive.
        stored: every directive as it is now, whatever its status.
        settings: the policy and its times.
        later: what was allowed after the turn and heard before it: a lift that found no ban is in no directive.
        zone: the time zone in which the speaker's days begin.
    """
    directives = dict(stored)
    said_at = said_when(turn) if is_late(turn) else moment(said_when(turn), stored)
    changes: list[AnyDirectiveChange] = []
    for wish in wishes:
        if isinstance(wish, Ban):
            given = _given(turn, wish, said_at, directives, settings, zone)
            directives[given.id] = given
            changes.append(DirectiveGiven(directive=given))
        elif isinstance(wish, Lift):
            changes += _lifted(turn, wish, said_at, directives, directives)
    banned = {change.directive.id for change in changes if isinstance(change, DirectiveGiven)}
    for lift_, at in sorted(later, key=lambda one: one.at):
        changes += _lifted(turn, lift_, at, directives, banned)
    return tuple(changes)


def said_when(turn: Turn) -> float:
    """Return when a turn was said: a host's clock may be ahead, and what was heard can't have been said later."""
    return min(turn.said_at, turn.heard_at)


def is_late(turn: Turn) -> bool:
    """Return whether a turn is heard after it was said, so that it may come before what is known."""
    return turn.said_at < turn.heard_at


def moment(now: float, stored: Stored) -> float:
    """Return now, or where the clock was set back the latest time at which anything was said of the directives."""
    times = (time for one in stored.values() for time in (one.last_said_at, one.status_at) if time is not None)
    return max((now, *times))


def _lifted(
    turn: Turn, wish: Lift, at: float, directives: dict[DirectiveId, Directive], among: Collection[DirectiveId]
) -> list[AnyDirectiveChange]:
    """Return what a lift changes in some directives, and put these into all of them as they are after it."""
    reached = [directives[one] for one in list(among) if _reaches(turn, directives[one])]
    changes: list[AnyDirectiveChange] = []
    for directive in lifted_by(reached, wish, at):
        lifted = lift(directive, at)
        directives[lifted.id] = lifted
        changes.append(DirectiveLifted(directive=lifted))
    return changes


def without_name(ban: Ban, own: str) -> Ban:
    """Return a ban without the character's own name among its other names: "not my brother, Yui" calls Yui.

    Args:
        ban: the ban.
        own: the folded name of the character.
    """
    return replace(ban, aliases=tuple(name for name in ban.aliases if fold_term(name) != own))


def entered(
    term: str, aliases: Sequence[str], stored: Stored, now: float, settings: DirectiveSettings
) -> DirectiveGiven:
    """Return the directive that the owner enters in the interface; entered again, its aliases add up.

    Args:
        term: the topic.
        aliases: other names of it.
        stored: every directive as it is now, whatever its status.
        now: in seconds since the epoch.
        settings: the policy and its times.

    Raises:
        InvalidRequestError: if a name is too short, too long, or only points.
    """
    name = _checked(term)
    known = stored.get(directive_id(PRIVATE, DirectiveKind.MENTION, fold_term(name)))
    ban = Ban(term=name, bare=False, locale=ENTERED, aliases=tuple(map(_checked, aliases)))
    directive = restate(known, ban, None, moment(now, stored), settings)
    return DirectiveGiven(directive=directive)


def removed(name: str, stored: Stored, now: float) -> tuple[DirectiveDeleted, ...]:
    """Return the deletion of a directive by its id, or of all on a term, whoever gave them.

    A lapsed one can be deleted too; one that is lifted or deleted is gone already.

    Args:
        name: an id, or a term or an alias in any way of writing.
        stored: every directive as it is now, whatever its status.
        now: in seconds since the epoch.

    Raises:
        NotFoundError: if there is none.
    """
    there = [directive for directive in stored.values() if directive.status is DirectiveStatus.ACTIVE]
    key = fold_term(name)
    found = [directive for directive in there if directive.id == name] or [
        directive for directive in there if key and key in {directive.key, *map(fold_term, directive.aliases)}
    ]
    if not found:
        held = sum(is_active(directive, now) for directive in there)
        raise NotFoundError(
            f"no directive has the id or the term {name!r}: {held} are in force (`omoide directives list NAME`)"
        )
    return tuple(DirectiveDeleted(directive=delete(directive, now)) for directive in found)


def _given(
    turn: Turn, ban: Ban, said_at: float, stored: Stored, settings: DirectiveSettings, zone: tzinfo
) -> Directive:
    own = given_id(turn, fold_term(ban.term))
    subject = PRIVATE if turn.speaker is None else turn.subject
    until = limit_ends_at(ban.limit, said_at, zone) if ban.limit else None
    given = restate(stored.get(own), ban, turn.id, said_at, settings, subject=subject, until=until)
    return replace(given, id=own)


def _reaches(turn: Turn, directive: Directive) -> bool:
    if turn.speaker is None:
        return directive.subject == PRIVATE
    return directive.id == given_id(turn, directive.key)


def _checked(name: str) -> str:
    term = " ".join(name.split())
    if has_control_or_surrogate(term):
        raise InvalidRequestError(f"a directive's term is a text that can be shown, got {term[: 2 * MAX_CHARS]!r}")
    key = fold_term(term)
    if not any(map(str.isalnum, key)) or (len(key) < MIN_CHARS and not CJK.search(key)) or len(term) > MAX_CHARS:
        raise InvalidRequestError(
            f"a directive's term has {MIN_CHARS} to {MAX_CHARS} characters, of which one is a letter or a digit; "
            f"got {name[: 2 * MAX_CHARS]!r}"
        )
    if key in pointers():
        raise InvalidRequestError(f"{term!r} only points at something: name the topic itself")
    return term
