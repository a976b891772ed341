"""Which beliefs a line of the character brought up. Pure.

What is protected is never counted, and a pending reflection may be probed as often as it is due.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ...protocols.records import EntryStatus, Mentions, PersonaEntry, Reflection, ReflectionStatus, Turn
from ...protocols.scopes import PRIVATE, Subject
from ...protocols.settings import MentionSettings
from .mentions import is_mentioned, mentioned, rarity_of


class BroughtUp(Struct, frozen=True, kw_only=True):
    """What a line brought up, with its mentions after it."""

    entries: tuple[PersonaEntry, ...] = ()
    reflections: tuple[Reflection, ...] = ()


def brought_up_by(
    turn: Turn,
    entries: Iterable[PersonaEntry],
    reflections: Iterable[Reflection],
    settings: MentionSettings,
    *,
    names: Iterable[str],
) -> BroughtUp:
    """Return the beliefs that a line of the character brought up; a line that was counted changes nothing.

    Args:
        turn: the line.
        entries: all persona entries.
        reflections: all reflections.
        settings: what makes a mention, and how many of them suppress.
        names: the owner's and the character's, which say nothing of a belief.
    """
    left_out = tuple(names)
    known = [entry for entry in entries if _counts(entry) and _reaches(turn.subject, entry.subject)]
    believed = [one for one in reflections if _counts(one) and _reaches(turn.subject, one.subject)]
    texts = [entry.text for entry in known] + [one.text for one in believed]
    rarity = rarity_of(texts, names=left_out)
    # A host may say that a line is from the future; suppression counts from when it was heard of at the latest.
    at = min(turn.said_at, turn.heard_at)

    def after(belief: PersonaEntry | Reflection) -> Mentions:
        if not is_mentioned(belief.text, turn.text, rarity, settings, names=left_out):
            return belief.mentions
        return mentioned(belief.mentions, turn.id, at, settings)

    return BroughtUp(
        entries=tuple(
            replace(entry, mentions=mentions) for entry in known if (mentions := after(entry)) != entry.mentions
        ),
        reflections=tuple(
            replace(one, mentions=mentions) for one in believed if (mentions := after(one)) != one.mentions
        ),
    )


def _counts(belief: PersonaEntry | Reflection) -> bool:
    if isinstance(belief, Reflection):
        return belief.status is ReflectionStatus.CONFIRMED
    return belief.status is EntryStatus.ACTIVE and not belief.evidence.protected


def _reaches(said_in: Subject, belief: Subject) -> bool:
    """Return whether a line can bring a belief up to those whom it concerns: the private corpus is apart."""
    return (said_in == PRIVATE) == (belief == PRIVATE)
