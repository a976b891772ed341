"""Which of the last turns tell what a person asked to forget, so that a briefing doesn't quote them.

The facts themselves are retracted where the wish is heard; this is about the words in which they were told,
which are still among the last turns. The wish is among these as well, for as long as what it is about can be.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet

import trio

from ...protocols.records import Role, Turn, TurnId
from ..dedup.forgetting import names_topic
from ..directives.stated import understand
from ..directives.wishes import Forget


async def forgotten_turns(
    turns: Sequence[Turn], cue: str, *, among: Collection[TurnId] | None = None
) -> frozenset[TurnId]:
    """Return the turns that tell what a later turn, or the cue, asks to forget.

    Args:
        turns: the last turns, oldest first.
        cue: what the owner just said, heard already or not.
        among: the turns that are asked about; None for all. Others may be among what is returned.
    """
    asked = frozenset((turn.id for turn in turns) if among is None else among)
    forgotten: set[TurnId] = set()
    for at, turn in enumerate(turns):
        if turn.role is Role.PERSON:
            forgotten |= await _meant(turn.text, turns[:at], asked, by=_account(turn))
    # The cue may be among the turns already. It names what it is about, and tells nothing of it.
    return frozenset(forgotten | await _meant(cue, [turn for turn in turns if turn.text != cue], asked, by=""))


async def _meant(said: str, before: Sequence[Turn], asked: AbstractSet[TurnId], *, by: str) -> set[TurnId]:
    # A window of hundreds of turns is read in some 50 ms: others have their turn in between.
    await trio.lowlevel.checkpoint()
    wishes = [wish for wish in (await understand(said)).wishes if isinstance(wish, Forget)]
    if not wishes:
        return set()
    named = [wish.object for wish in wishes if not wish.bare]
    meant = {
        turn.id for turn in before if turn.id in asked and any(names_topic(turn.text, each) for each in named)
    }
    if any(wish.bare for wish in wishes):
        own = [turn.id for turn in before if turn.role is Role.PERSON and _account(turn) == by]
        meant.update(own[-1:])
    return meant


def _account(turn: Turn) -> str:
    return "" if turn.speaker is None else turn.speaker.key
