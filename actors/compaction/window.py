"""Which turns leave the recent window, in which pieces they are read, and what of a memo has room. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ...protocols.memos import ConversationMemo
from ...protocols.prompt_tokens import estimated_tokens
from ...protocols.records import Turn
from ...protocols.settings import WindowSettings
from ..briefing.quoting import cut, quotable


def leaving(turns: Sequence[Turn], memo: ConversationMemo | None, settings: WindowSettings) -> tuple[Turn, ...]:
    """Return the turns that a memo is to be made of: those after what it covers, without the newest that are kept.

    Args:
        turns: the newest turns of the subject, oldest first.
        memo: the memo that they are added to, None where it is made anew of all of them.
        settings: how many are kept.
    """
    covered = 0 if memo is None else next((at + 1 for at, turn in enumerate(turns) if turn.id == memo.upto), 0)
    fresh = turns[covered:]
    return tuple(fresh[: max(0, len(fresh) - settings.kept)])


def shortened(turns: Iterable[Turn], settings: WindowSettings) -> tuple[Turn, ...]:
    """Return the newest turns that may go in at all, each cut to what it may cost, oldest first."""
    left = settings.most_tokens
    kept: list[Turn] = []
    for turn in reversed(tuple(turns)):
        text = cut(quotable(turn.text), settings.turn_tokens)
        left -= estimated_tokens(text)
        if left < 0:
            break
        kept.append(replace(turn, text=text))
    return tuple(reversed(kept))


def pieces(turns: Iterable[Turn], settings: WindowSettings) -> tuple[tuple[Turn, ...], ...]:
    """Return turns in pieces, in their order, each of which goes in at once."""
    found: list[list[Turn]] = []
    left = 0
    for turn in turns:
        tokens = estimated_tokens(turn.text)
        if not found or tokens > left:
            found.append([])
            left = settings.piece_tokens
        found[-1].append(turn)
        left -= tokens
    return tuple(map(tuple, found))


def fitted(lines: Iterable[str], settings: WindowSettings) -> tuple[str, ...]:
    """Return the lines of a memo that have room, in their order: the last ones, which tell of the newest."""
    left = settings.memo_tokens
    kept: list[str] = []
    for line in reversed([cut(quotable(line), settings.memo_tokens // 2) for line in lines]):
        left -= estimated_tokens(line)
        if left < 0:
            break
        if line:
            kept.append(line)
    return tuple(reversed(kept))
