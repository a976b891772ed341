"""From a turn to what is learned of it."""

from __future__ import annotations

from ..records import Entity, OpId, Turn
from .message import Message, Request


class Candidate(Message, frozen=True, kw_only=True):
    """A statement that extraction found in a turn."""

    text: str
    entity: Entity
    importance: int


class NearValue(Message, frozen=True, kw_only=True):
    """A rejection whose value candidates may say in other words, as their vectors have it; by their places."""

    rejection: str
    candidates: tuple[int, ...]


class Learn(Request["Learned"], frozen=True, kw_only=True):
    """Store what is new in these candidates and settle the op that they came from. Reply: `Learned`.

    Where `settles` is false there are more to come, and the op stays pending. `near` are rejections to look at.
    """

    op: OpId
    turn: Turn
    candidates: tuple[Candidate, ...]
    settles: bool = True
    near: tuple[NearValue, ...] = ()


class Learned(Message, frozen=True, kw_only=True):
    """What became of the candidates, as counts."""

    added: int = 0
    repeated: int = 0
    already_settled: bool = False
