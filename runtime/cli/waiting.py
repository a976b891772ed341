"""What a command says while it waits for background work that itself waits for something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import trio

from ...protocols.work import OpState
from .invocation import Invocation
from .presentation import counted, printable

if TYPE_CHECKING:
    from ..character import Character

PATIENCE_S: Final = 3.0
"""How long work may wait before a person is told why, in seconds."""

_LOOK_EVERY_S: Final = 1.0


async def tell_what_waits(invocation: Invocation, character: Character) -> None:
    """Say, once for each reason, why all work that is left waits, and until when. Never returns."""
    told: set[str] = set()
    while True:
        await trio.sleep(_LOOK_EVERY_S)
        pending = await character.outbox(states=(OpState.PENDING,))
        due = min((op.not_before for op in pending), default=0.0)
        reasons = {op.error for op in pending if op.error}
        if pending and due > invocation.now + PATIENCE_S and reasons - told:
            told |= reasons
            work, first = counted(len(pending), "piece"), printable(min(reasons))
            invocation.note(
                f"Waiting for {due - invocation.now:,.0f} s, with {work} of work: {first}. "
                "Interrupt at will: it is kept, and goes on whenever the character is open",
                style="yellow",
            )
