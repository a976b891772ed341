"""What a host asks of a character's knowledge for its next line: the briefing, and the persona behind it."""

from __future__ import annotations

from collections.abc import Sequence

from ..actors.persona.card import with_card
from ..protocols.messages import Brief, Briefing
from ..protocols.records import EntryStatus, PersonaEntry
from ..protocols.scopes import parse_subjects
from ..protocols.text import check_text
from .handle import Handle


class Briefed(Handle):
    """The part of a character's handle that prepares its next line."""

    async def briefing(self, *, subjects: Sequence[str] | None = None, cue: str | None = None) -> Briefing:
        """Return what the character should have in mind for its next line; `.text` of it goes into a prompt.

        Being briefed changes nothing: nothing of it is learned, counted or stored.

        Args:
            subjects: what the caller may read, at most eight, the first served first; None is `private` alone.
                The character card is in every briefing.
            cue: what the person just said. What recall finds for these words is added, as `associated`.

        Raises:
            CallerError: if the subjects or the cue are malformed.
        """
        said = ""
        if cue is not None and not (isinstance(cue, str) and (not cue or cue.isspace())):
            max_chars = self._runtime.settings.limits.text_chars
            said = check_text(cue, max_chars=max_chars, what="cue", setting="limits.text_chars")
        return await self._answer("briefing", Brief(subjects=parse_subjects(subjects), cue=said))

    async def persona(self, *, subjects: Sequence[str] | None = None) -> tuple[PersonaEntry, ...]:
        """Return the persona entries in force, in order of storing; of all subjects for None."""
        wanted = None if subjects is None else parse_subjects(subjects)
        async with self.resident() as resident:
            entries = await resident.journal.records(PersonaEntry)
            card = (await resident.journal.profile()).card
        return tuple(
            entry
            for entry in with_card(card, entries, self._runtime.clock.now())
            if entry.status is EntryStatus.ACTIVE and (wanted is None or entry.subject in wanted)
        )
