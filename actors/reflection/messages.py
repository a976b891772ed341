"""What a host asks of the reflection role, and what the role tells itself."""

from __future__ import annotations

from ...protocols.messages import MemoryKind, Message, OpDone, Request
from ...protocols.ports import Synthesis
from ...protocols.records import Fact, Reflection
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.tasks import Refinement
from ...protocols.work import OutboxOp


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


class Conclude(Request[OpDone], frozen=True, kw_only=True):
    """A mind was asked to judge facts, beside related ones, and `made` this of them. Reply: `OpDone`."""

    op: OutboxOp
    facts: tuple[Fact, ...]
    related: tuple[Fact, ...]
    made: Synthesis | None


class ConcludeRefinement(Request[OpDone], frozen=True, kw_only=True):
    """A mind was shown reflections as they were `read`, and would make these changes. Reply: `OpDone`."""

    op: OutboxOp
    read: tuple[Reflection, ...]
    changes: tuple[Refinement, ...]
