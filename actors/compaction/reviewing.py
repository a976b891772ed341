"""When the recent window is reviewed, and which turns a review takes out of briefings. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...protocols.memos import ConversationMemo
from ...protocols.records import Role, Turn, TurnId
from ...protocols.settings import WindowSettings
from ...protocols.tasks import Overtaken


def review_due(turns: Sequence[Turn], memo: ConversationMemo | None, now: float, settings: WindowSettings) -> bool:
    """Return whether a window is to be reviewed now.

    It is where it is wanted and long enough, and people said enough since the last review, or anything at all
    before a long silence.

    Args:
        turns: the window, oldest first.
        memo: holds when it was reviewed last, None where it never was.
        now: seconds since the epoch.
        settings: how much is enough.
    """
    if not settings.review or len(turns) < settings.review_least:
        return False
    new = sum(turn.role is Role.PERSON for turn in _unreviewed(turns, memo))
    silent = now - turns[-1].heard_at >= settings.review_idle_s
    return new >= settings.review_after or (silent and new > 0)


def still_overtaken(
    found: Iterable[Overtaken], memo: ConversationMemo | None, turns: Sequence[Turn]
) -> tuple[TurnId, ...]:
    """Return the turns of a window that needn't be told, those of earlier reviews among them.

    A turn that stands for others is told, whatever an answer says of it; so no two turns take each other out.

    Args:
        found: what a mind answered about turns of this window.
        memo: holds what earlier reviews found, None where there were none.
        turns: the window, oldest first.
    """
    places = {turn.id: at for at, turn in enumerate(turns)}
    new = [one for one in found if one.turn in places and one.by in places and places[one.turn] < places[one.by]]
    standing = {one.by for one in new} - {one.turn for one in new}
    kept = set(() if memo is None else memo.overtaken) | {one.turn for one in new}
    return tuple(turn.id for turn in turns if turn.id in kept - standing)


def _unreviewed(turns: Sequence[Turn], memo: ConversationMemo | None) -> Sequence[Turn]:
    upto = None if memo is None else memo.reviewed_upto
    return turns[next((at + 1 for at, turn in enumerate(turns) if turn.id == upto), 0) :]
