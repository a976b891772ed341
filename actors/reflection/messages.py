"""What a host asks of the reflection role."""

from __future__ import annotations

from ...protocols.messages import MemoryKind, Message, Request
from ...protocols.scopes import PRIVATE, Subject


class OfferMemories(Request[tuple["OfferedMemory", ...]], frozen=True, kw_only=True):
    """Offer what the character may bring up of its own accord in a subject, `limit` at most.

    Reply: a tuple of `OfferedMemory`. Nothing is changed by it.
    """

    subject: Subject = PRIVATE
    limit: int


class OfferedMemory(Message, frozen=True, kw_only=True):
    """A memory that the character may bring up. `id` is that of the reflection or fact."""

    kind: MemoryKind
    id: str
    text: str
