"""What is asked of the scribe beside hearing and saying."""

from __future__ import annotations

from ...protocols.memos import ConversationMemo
from ...protocols.messages import Message, Request
from ...protocols.records import OpId, Profile, TurnId


class SwitchStrongMemory(Request[Profile], frozen=True, kw_only=True):
    """Switch strong memory on or off. Reply: the `Profile` as it is then."""

    on: bool


class StoreMemo(Request["MemoStored"], frozen=True, kw_only=True):
    """Store a memo and settle the op that it comes from. Reply: `MemoStored`.

    It isn't stored where the memo isn't `base` any more, or a turn of `rests_on` is gone: words were taken back
    meanwhile. `base` is None where there was none.
    """

    op: OpId
    base: ConversationMemo | None
    memo: ConversationMemo
    rests_on: tuple[TurnId, ...]


class MemoStored(Message, frozen=True, kw_only=True):
    """Whether the memo was stored; the op is settled either way."""

    stored: bool
