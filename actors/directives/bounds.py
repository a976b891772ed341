"""Which directives hold, and what is told and what goes when there are too many.

Pure: the time and the limits are arguments. What a directive matches is not known here.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.records import Directive, DirectiveStatus


def is_active(directive: Directive, now: float) -> bool:
    """Return whether a directive is in force at a time."""
    if directive.status is not DirectiveStatus.ACTIVE:
        return False
    return directive.expires_at is None or now < directive.expires_at


class Bounded(Struct, frozen=True, kw_only=True):
    """The directives that stay and those that go, in the order in which they were given.

    `over` is by how many the active ones exceed the bound. `warning` says so to the person; empty
    while there is room. It names no term.
    """

    kept: tuple[Directive, ...]
    lapsed_removed: tuple[Directive, ...]
    over: int = 0
    warning: str = ""


def drop(directive: Directive) -> Directive:
    """Return a directive as it is once it made room for others."""
    return replace(directive, status=DirectiveStatus.DROPPED)


def bound(directives: Sequence[Directive], now: float, max_stored: int) -> Bounded:
    """Return what stays of the stored directives.

    Of those that are no longer in force the ones that were said longest ago go first. One in force is
    never removed, however many there are: the person would hear of the topic again and not know why.

    Args:
        directives: all that are stored.
        now: in seconds since the epoch.
        max_stored: how many may stay.
    """
    lapsed = sorted(
        (directive for directive in directives if not is_active(directive, now)),
        key=lambda directive: (directive.last_said_at, directive.id),
    )
    excess = max(0, len(directives) - max_stored)
    gone = {directive.id for directive in lapsed[:excess]}
    kept = tuple(directive for directive in directives if directive.id not in gone)
    active = len(directives) - len(lapsed)
    over = max(0, active - max_stored)
    warning = ""
    if active >= max_stored:
        warning = (
            f"{active} directives are in force and {max_stored} are planned for: all of them hold, "
            "but lift or delete what is no longer needed (omoide directives list)"
        )
    return Bounded(
        kept=kept,
        lapsed_removed=tuple(directive for directive in directives if directive.id in gone),
        over=over,
        warning=warning,
    )
