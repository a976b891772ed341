"""What requests carry: the body or the query string of each endpoint, checked field by field."""

from __future__ import annotations

from msgspec import Struct

from ...protocols.records import Speaker
from ...protocols.scopes import PRIVATE


class Fields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of what a request carries. A field that isn't known is refused."""


class NoFields(Fields, frozen=True, kw_only=True):
    """Nothing."""


class DescribeBody(Fields, frozen=True, kw_only=True):
    """What the host says about a character; what is left out stays."""

    owner: str | None = None
    locale: str | None = None
    card: tuple[str, ...] | None = None


class HearBody(Fields, frozen=True, kw_only=True):
    """An utterance. `speaker` left out is the owner, and `said_at` is in seconds.

    `trust` is the name of a tier or a number from 0 to 1, and left out it abstains.
    """

    text: str
    speaker: Speaker | None = None
    subject: str = PRIVATE
    trust: float | str | None = None
    said_at: float | None = None
    message_id: str | None = None


class SayBody(Fields, frozen=True, kw_only=True):
    """The character's own words, and the reflections that they brought up."""

    text: str
    subject: str = PRIVATE
    surfaced: tuple[str, ...] = ()
    said_at: float | None = None
    message_id: str | None = None


class RecallBody(Fields, frozen=True, kw_only=True):
    """What to remember, and of which subjects; left out, of `private` alone."""

    query: str
    subjects: tuple[str, ...] | None = None
    limit: int | None = None


class BriefingBody(Fields, frozen=True, kw_only=True):
    """For whom the next line is, and what the person just said."""

    subjects: tuple[str, ...] | None = None
    cue: str | None = None


class GateBody(Fields, frozen=True, kw_only=True):
    """What the character is about to say, and where."""

    draft: str
    unprompted: bool
    subject: str = PRIVATE
    said: str | None = None


class DirectiveBody(Fields, frozen=True, kw_only=True):
    """A topic that isn't to be mentioned, and other names of it."""

    term: str
    aliases: tuple[str, ...] = ()


class EraseBody(Fields, frozen=True, kw_only=True):
    """What to erase for good: exactly one of the four. With `dry_run` nothing is."""

    subject: str | None = None
    account: str | None = None
    memory: str | None = None
    words: str | None = None
    dry_run: bool = False


class SubjectsQuery(Fields, frozen=True, kw_only=True):
    """Whose memory; `subject` may be repeated and left out is `private` alone."""

    subject: tuple[str, ...] | None = None


class ReflectionsQuery(SubjectsQuery, frozen=True, kw_only=True):
    """The same, and of which tier."""

    tier: str | None = None


class TurnsQuery(SubjectsQuery, frozen=True, kw_only=True):
    """The same, and how many of the newest turns."""

    newest: int = 50


class EventsQuery(Fields, frozen=True, kw_only=True):
    """A page of the journal: entries after a seq."""

    after: int = 0
    limit: int = 100


class ChangesQuery(Fields, frozen=True, kw_only=True):
    """After which entry the stream begins."""

    after: int = 0


class ExplainQuery(Fields, frozen=True, kw_only=True):
    """An id, the beginning of one, or words of a text."""

    what: str
