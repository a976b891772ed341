"""The message by which a watcher learns that an actor is gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .ref import ActorRef

__all__ = ["Terminated"]


@dataclass(frozen=True, slots=True)
class Terminated:
    """An actor that was watched has stopped for good. A restart or a suspension is not told.

    Attributes:
        ref: the actor.
        reason: what crashed it or what its `on_stop` raised; None if it stopped in order.
    """

    ref: ActorRef
    reason: BaseException | None
