"""Which of the last turns state what was rejected since, so that a briefing doesn't quote them.

The facts themselves are retracted; a model that reads the words in which they were told would believe them all the
same. The turn that corrects them states something else, and stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...protocols.facts import speaker_key
from ...protocols.records import Role, Turn, TurnId
from ..compaction.heeding import Rejects


def corrected_turns(turns: Sequence[Turn], rejects: Rejects) -> frozenset[TurnId]:
    """Return the turns of persons that state what is rejected and wasn't affirmed since.

    Args:
        turns: the last turns.
        rejects: says whether words that somebody said in a subject tell what is rejected.
    """
    return frozenset(
        turn.id
        for turn in turns
        if turn.role is Role.PERSON and rejects(turn.text, turn.subject, speaker_key(turn))
    )
