"""Which beliefs say what a person rejected: the rejections as those who show beliefs need them. Pure.

Holds the rejections of one character and remembers its answers until one of them changes.
"""

from __future__ import annotations

from ...protocols.facts import speaker_key
from ...protocols.records import Entity, PersonaEntry, Reflection, Rejection, RejectionId, Turn
from ...protocols.rejections import holds_back


class RejectedValues:
    """What was rejected and not affirmed since.

    Args:
        owner: how the character's owner is called, or an empty string.
    """

    def __init__(self, owner: str = "") -> None:
        self._owner = owner
        self._rejections: dict[RejectionId, Rejection] = {}
        self._answers: dict[str, tuple[str, bool]] = {}

    def __bool__(self) -> bool:
        return bool(self._rejections)

    def take(self, rejection: Rejection) -> None:
        """Take in a rejection as it is now, new, repeated or lifted."""
        self._rejections[rejection.id] = rejection
        self._answers.clear()

    def rename(self, owner: str) -> None:
        """Take in how the owner is called now."""
        self._owner = owner
        self._answers.clear()

    def says(self, belief: PersonaEntry | Reflection | Turn) -> bool:
        """Return whether a belief, or what somebody said, says what is rejected, however well it is supported."""
        known = self._answers.get(belief.id)
        if known is None or known[0] != belief.text:
            names = (self._owner,) if self._owner else ()
            speaker = speaker_key(belief) if isinstance(belief, Turn) else ""
            entity = (
                (Entity.OTHER if belief.speaker else Entity.OWNER) if isinstance(belief, Turn) else belief.entity
            )
            rejected = any(
                holds_back(rejection, belief.text, entity=entity, speaker=speaker, names=names)
                for rejection in self._rejections.values()
                if rejection.subject == belief.subject
            )
            self._answers[belief.id] = known = (belief.text, rejected)
        return known[1]
