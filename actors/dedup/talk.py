"""What was said, read from the journal as far back as is needed: turns that a rule looks at beside its own."""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet
from typing import Final

from ...protocols.ports import Journal
from ...protocols.records import Turn, TurnId
from ...protocols.scopes import Subject
from ...protocols.work import ExtractTurn, OpState
from .brought_up import line_before

TURNS_BEFORE: Final = 32
"""Turns among which the line that a turn answers is looked for first."""

TURNS_READ: Final = 256
"""Turns that are read at once where what was said since something is looked for."""


async def line_answered(journal: Journal, turn: Turn) -> str:
    """Return the line of the character that a turn answers, empty where there is none."""
    newest = TURNS_BEFORE
    while True:
        turns = await journal.turns(subjects=(turn.subject,), newest=newest)
        line = line_before(turn, turns)
        found = any(one.id == turn.id for one in turns)
        if line is not None or (found and turns[0].id != turn.id) or len(turns) < newest:
            return "" if line is None else line.text
        newest *= 8


async def wishes_since(journal: Journal, turn: Turn) -> list[Turn]:
    """Return the wishes to forget that were said after a turn, in the order of hearing."""
    since = await _turns_back_to(journal, turn.subject, {turn.id})
    return [one for one in since if one.forgets and one.said_at >= turn.said_at]


async def last_said(journal: Journal, subject: Subject) -> float:
    """Return the latest time of what was said lately or isn't learned yet, in seconds since the epoch.

    It is not always the newest turn's: the clock may have been set back. Minus infinity where nothing was said.
    """
    waiting = await journal.ops(states=(OpState.PENDING, OpState.PARKED))
    unlearned = {op.work.turn for op in waiting if isinstance(op.work, ExtractTurn)}
    turns = await _turns_back_to(journal, subject, unlearned)
    return max((turn.said_at for turn in turns), default=-math.inf)


async def _turns_back_to(journal: Journal, subject: Subject, wanted: AbstractSet[TurnId]) -> list[Turn]:
    """Return the newest turns of a subject, in the order of hearing, as far back as those wanted are found.

    At least `TURNS_READ`, where there are so many; all where one that is wanted is of another subject.
    """
    turns: list[Turn] = []
    missing = set(wanted)
    while True:
        before = turns[0].id if turns else None
        page = await journal.turns(subjects=(subject,), newest=TURNS_READ, before=before)
        turns[:0] = page
        missing.difference_update(one.id for one in page)
        if not missing or len(page) < TURNS_READ:
            return turns
