"""What a host asks of a character's judgements: which are believed, how firmly, and by what they are moved."""

from __future__ import annotations

from collections.abc import Sequence

from ..actors.reflection.messages import OfferedMemory, OfferMemories
from ..actors.scribe.messages import SwitchStrongMemory
from ..protocols.errors import InvalidRequestError
from ..protocols.evidence import Tier
from ..protocols.records import Profile, Reflection
from ..protocols.scopes import PRIVATE, parse_subject, parse_subjects
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
        async with self.resident() as resident:
            return await resident.journal.reflections(
                subjects=wanted, tier=its_tier, now=self._runtime.clock.now()
            )

    async def offers(self, *, subject: str = PRIVATE, limit: int | None = None) -> tuple[OfferedMemory, ...]:
        """Return memories that the character may bring up of its own accord, drawn at random by their weight.

        Left out is what the person banned or rejected, and whatever the character brought up in the last
        `mentions.window_s`, in these words or others. Being offered changes nothing: hand what was really said to
        `say`, with the id in `surfaced`, and what the person answers is judged.

        Args:
            subject: where it would be said.
            limit: most that are wanted; None takes `reflections.surfaced`.

        Raises:
            CallerError: if the subject or the limit is malformed.
        """
        most = self._runtime.settings.reflections.surfaced if limit is None else limit
        if isinstance(most, bool) or not isinstance(most, int) or most < 0:
            raise InvalidRequestError(f"limit is a whole number from 0 on, got {limit!r:.60}")
        return await self._ask("reflection", OfferMemories(subject=parse_subject(subject), limit=most))

    async def set_strong_memory(self, on: bool) -> Profile:  # noqa: FBT001 - as with a switch, the only argument
        """Switch strong memory on or off, from now on and durably; return the profile as it is then.

        Off, no words but answers to what was brought up move what is believed, and no model decides what becomes
        of it: a reflection is confirmed after `reflections.confirm_after_d` and becomes lasting knowledge
        `promote_after_d` later, each counted from the switching off at the earliest. What a person denies or
        rejects is held back all the same.

        Raises:
            InvalidRequestError: if `on` is neither true nor false.
            StorageError: if the disk refused; nothing was changed.
        """
        if not isinstance(on, bool):
            raise InvalidRequestError(f"strong memory is switched with True or False, got {on!r:.60}")
        return await self._ask("scribe", SwitchStrongMemory(on=on))


def parse_tier(tier: str) -> Tier:
    """Return the tier of that name.

    Raises:
        InvalidRequestError: if there is none.
    """
    try:
        return Tier(tier)
    except ValueError as error:
        raise InvalidRequestError(f"there is no tier {tier!r}; the tiers are {', '.join(Tier)}") from error
