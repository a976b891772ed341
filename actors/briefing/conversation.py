"""Which of the last turns a briefing tells, and when the conversation before this one ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...protocols.memos import ConversationMemo
from ...protocols.records import Turn


def uncovered(turns: Sequence[Turn], memos: Iterable[ConversationMemo], least: int) -> tuple[Turn, ...]:
    """Return the turns that no memo covers, and the newest in any case, in their order.

    Args:
        turns: the last turns, oldest first.
        memos: the memos of their subjects.
        least: how many of the newest stay whatever the memos cover.
    """
    upto = {memo.subject: memo.upto for memo in memos if memo.text}
    ends = {turn.subject: at for at, turn in enumerate(turns) if turn.id == upto.get(turn.subject)}
    newest = len(turns) - least
    return tuple(turn for at, turn in enumerate(turns) if at >= newest or at > ends.get(turn.subject, -1))


def still_told(turns: Iterable[Turn], memos: Iterable[ConversationMemo]) -> tuple[Turn, ...]:
    """Return the turns without those that a review found overtaken by a later one of them."""
    overtaken = {turn for memo in memos for turn in memo.overtaken}
    return tuple(turn for turn in turns if turn.id not in overtaken)


def last_talk_at(said_at: Sequence[float], now: float, gap_s: float) -> float | None:
    """Return when the conversation before this one ended, or None where these turns are all of one.

    Args:
        said_at: times of the last turns, oldest first, in seconds since the epoch.
        now: the time of the next line.
        gap_s: the silence that ends a conversation, in seconds.
    """
    later = now
    for at in reversed(said_at):
        if later - at >= gap_s:
            return at
        later = at
    return None
