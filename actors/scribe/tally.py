"""How much was said in a subject since it was last taken up, and what is due with one turn more. Pure."""

from __future__ import annotations

from typing import NamedTuple

from ...protocols.records import Role, Turn, TurnId
from ...protocols.settings import Settings
from ...protocols.work import AnyWork, CompactWindow, ExtractSelf, ReviewWindow


class Tally(NamedTuple):
    """What was said in one subject since it was last taken up.

    Attributes:
        uncovered: turns since the memo.
        own: the character's own lines since the look for what it says of itself.
        unreviewed: turns of people since the review.
    """

    uncovered: int = 0
    own: tuple[TurnId, ...] = ()
    unreviewed: int = 0

    def after(self, turn: Turn, settings: Settings) -> tuple[Tally, tuple[AnyWork, ...]]:
        """Return what it is once a turn is stored, and the work that must be stored with that turn.

        Args:
            turn: the turn.
            settings: how much has to be said.
        """
        window, most = settings.window, settings.signals.self_turns
        work: list[AnyWork] = []
        uncovered, own, unreviewed = self.uncovered + 1, self.own, self.unreviewed
        if self.uncovered >= window.most:
            work.append(CompactWindow(subject=turn.subject, turn=turn.id))
            uncovered = window.kept
        if turn.role is Role.CHARACTER:
            own = (*(one for one in own if one != turn.id), turn.id)
            if len(own) >= most:
                work.append(ExtractSelf(turns=own))
                own = ()
        elif window.review:
            unreviewed += 1
            if unreviewed >= window.review_after:
                work.append(ReviewWindow(subject=turn.subject, turn=turn.id))
                unreviewed = 0
        return Tally(uncovered, own, unreviewed), tuple(work)
