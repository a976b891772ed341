"""Which of the last turns state what was rejected since, so that a briefing doesn't quote them.

The facts themselves are retracted; a model that reads the words in which they were told would believe them all the
same. The turn that corrects them states something else, and stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...protocols.facts import speaker_key
from ...protocols.records import Rejection, Role, Turn, TurnId
from ..compaction.heeding import rejected_in


def corrected_turns(
    turns: Sequence[Turn], rejections: Sequence[Rejection], names: tuple[str, ...]
) -> frozenset[TurnId]:
    """Return the turns of persons that state what is rejected and wasn't affirmed since.

    Args:
        turns: the last turns.
        rejections: those of the character; one that isn't in force holds nothing back.
        names: the owner's names.
    """
    return frozenset(
        turn.id
        for turn in turns
        if turn.role is Role.PERSON
        and rejected_in(turn.text, turn.subject, rejections, names, speaker=speaker_key(turn))
    )
