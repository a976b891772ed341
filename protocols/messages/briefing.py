"""What the character should have in mind for its next line."""

from __future__ import annotations

from enum import StrEnum

from ..records import Entity, Role, Speaker, TurnId
from ..scopes import PRIVATE, Subject
from .message import Message, Request


class Brief(Request["Briefing"], frozen=True, kw_only=True):
    """Tell what the character should have in mind for its next line. Reply: `Briefing`.

    `subjects` is what the caller may read, decided by the host, in order of priority. `cue` is what the person
    just said, or empty.
    """

    subjects: tuple[Subject, ...] = (PRIVATE,)
    cue: str = ""


class BriefingEntry(Message, frozen=True, kw_only=True):
    """One memory of a briefing, as it is stored.

    `id` is that of the persona entry, reflection or fact, and `speaker` who said it, None for the owner and for
    what nobody said. `at` is when it was said or happened, in seconds since the epoch, where that matters.
    `doubtful` says that another person says otherwise and that little trust backs it.
    """

    id: str
    text: str
    entity: Entity
    subject: Subject
    quoted: bool = False
    speaker: Speaker | None = None
    at: float | None = None
    doubtful: bool = False


class WithheldFor(StrEnum):
    """Why a turn isn't quoted: a topic is banned, a person asked to forget it, or it was corrected since."""

    BANNED = "banned"
    FORGOTTEN = "forgotten"
    CORRECTED = "corrected"


class BriefingTurn(Message, frozen=True, kw_only=True):
    """One of the last turns. `text` is cut where `cut`, and empty where it is `withheld`, which has a reason."""

    id: TurnId
    role: Role
    text: str
    subject: Subject
    speaker: Speaker | None
    said_at: float
    cut: bool = False
    withheld: bool = False
    withheld_for: WithheldFor | None = None


class Briefing(Message, frozen=True, kw_only=True):
    """What the character should have in mind for its next line.

    Each part is in the order of worth, and keeps to its budget: `persona` is who the character is and what is
    lastingly known, `known` the important facts, `certain` and `impressions` the confirmed and the pending
    reflections, `past` what was so, `quiet` what isn't to be brought up, `associated` what the cue brings to
    mind, `memo` what is kept of turns before the `recent` ones, which are the last, oldest first. `last_talk_at`
    is when the conversation before this one ended, None where there was none lately. `left_out` counts what
    didn't fit, `degraded` names what was missing.

    `text` is all of that for a prompt, in the language of the character, with what people said as quoted data.
    """

    now: float
    persona: tuple[BriefingEntry, ...] = ()
    known: tuple[BriefingEntry, ...] = ()
    certain: tuple[BriefingEntry, ...] = ()
    impressions: tuple[BriefingEntry, ...] = ()
    past: tuple[BriefingEntry, ...] = ()
    quiet: tuple[BriefingEntry, ...] = ()
    associated: tuple[BriefingEntry, ...] = ()
    memo: tuple[BriefingEntry, ...] = ()
    recent: tuple[BriefingTurn, ...] = ()
    last_talk_at: float | None = None
    left_out: int = 0
    degraded: tuple[str, ...] = ()
    text: str = ""
