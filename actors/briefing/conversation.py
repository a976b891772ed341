"""When the conversation before this one ended, as far as the last turns tell."""

from __future__ import annotations

from collections.abc import Sequence


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
