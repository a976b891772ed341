"""The memo of a conversation: what is kept in mind of turns that left the recent window.

One a subject, so that nothing said in one place is told in another. It is a digest of words, so whatever takes
words back takes it back as a whole; it is then made anew from what may still be told.
"""

from __future__ import annotations

import hashlib
from typing import NewType

from msgspec.structs import replace

from .records import Record, TurnId
from .scopes import Subject

MemoId = NewType("MemoId", str)


class ConversationMemo(Record, frozen=True, kw_only=True):
    """What is kept in mind of the turns of a subject up to `upto`, line by line.

    `turns` counts those that it was made of, over all its makings. `made_at` is when what it rests on was read, in
    seconds since the epoch. An empty `text` says that there is nothing to tell, or that it was dropped at
    `dropped_at` for `reason`; it is then made anew from turns alone.

    `overtaken` are turns of the recent window that a later one repeats or takes back, so that the later one alone
    is told; `reviewed_upto` is the newest turn that was looked through for them, and `reviewed_at` when.
    """

    id: MemoId
    subject: Subject
    text: str
    upto: TurnId | None
    turns: int
    made_at: float
    dropped_at: float | None = None
    reason: str = ""
    overtaken: tuple[TurnId, ...] = ()
    reviewed_upto: TurnId | None = None
    reviewed_at: float | None = None


def memo_id(subject: Subject) -> MemoId:
    """Return the id of a subject's memo: `memo_` and 64 bits of SHA-256 in hex."""
    return MemoId(f"memo_{hashlib.sha256(subject.encode()).hexdigest()[:16]}")


def reviewed(
    memo: ConversationMemo | None, subject: Subject, now: float, *, upto: TurnId, overtaken: tuple[TurnId, ...]
) -> ConversationMemo:
    """Return the memo with what a review of the recent window found, also where there was none.

    Args:
        memo: the memo as it is, None where there is none.
        subject: whose it is.
        now: when the window was read, in seconds since the epoch.
        upto: the newest turn of the window.
        overtaken: the turns of the window that needn't be told any more.
    """
    known = memo or ConversationMemo(
        id=memo_id(subject), subject=subject, text="", upto=None, turns=0, made_at=now
    )
    return replace(known, overtaken=overtaken, reviewed_upto=upto, reviewed_at=now)


def dropped(memo: ConversationMemo | None, subject: Subject, now: float, *, reason: str) -> ConversationMemo:
    """Return the memo without its text, also where there was none, so that one in the making isn't stored.

    Args:
        memo: the memo as it is, None where there is none.
        subject: whose it is.
        now: when, in seconds since the epoch.
        reason: the turn that took words back.
    """
    known = memo or ConversationMemo(
        id=memo_id(subject), subject=subject, text="", upto=None, turns=0, made_at=now
    )
    return replace(known, text="", upto=None, dropped_at=now, reason=reason)
