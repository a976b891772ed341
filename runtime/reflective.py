"""What a host asks of a character's judgements: which are believed, and how firmly."""

from __future__ import annotations

from collections.abc import Sequence

from ..protocols.errors import InvalidRequestError
from ..protocols.evidence import Tier
from ..protocols.records import Reflection
from ..protocols.scopes import parse_subjects
from .handle import Handle


class Reflective(Handle):
    """The part of a character's handle that is about reflections."""

    async def reflections(
        self, *, subjects: Sequence[str] | None = None, tier: str | None = None
    ) -> tuple[Reflection, ...]:
        """Return the reflections that take part, pending or confirmed, in order of storing.

        Disputed ones are among them, though recall leaves them out.

        Args:
            subjects: whose memory, at most eight; None is all.
            tier: only those whose evidence makes this tier now: archive_candidate, pending, confirmed or promoted.
                It follows from the score alone, so that a pending reflection can be of the confirmed tier.

        Raises:
            CallerError: if the subjects are malformed or there is no such tier.
        """
        wanted = None if subjects is None else parse_subjects(subjects)
        its_tier = None if tier is None else parse_tier(tier)
        async with self._runtime.resident(self.name) as resident:
            return await resident.journal.reflections(
                subjects=wanted, tier=its_tier, now=self._runtime.clock.now()
            )


def parse_tier(tier: str) -> Tier:
    """Return the tier of that name.

    Raises:
        InvalidRequestError: if there is none.
    """
    try:
        return Tier(tier)
    except ValueError as error:
        raise InvalidRequestError(f"there is no tier {tier!r}; the tiers are {', '.join(Tier)}") from error
