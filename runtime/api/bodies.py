"""What requests carry: the body or the query string of each endpoint, checked field by field."""

from __future__ import annotations

from typing import Any

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


class SwitchesBody(Fields, frozen=True, kw_only=True):
    """What is switched on or off; what is left out stays."""

    strong_memory: bool | None = None
    member_memory: bool | None = None


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
    """What to remember, and of which subjects; left out, of `private` alone.

    `said` are the person's words of this turn where the query isn't made of them, and `time` is of when: 2023-05,
    2023-05-01..2023-06-01, "last summer".
    """

    query: str
    subjects: tuple[str, ...] | None = None
    limit: int | None = None
    said: str | None = None
    time: str | None = None


class ToolBody(Fields, frozen=True, kw_only=True):
    """What a model sent when it called the recall tool, and of which subjects its host lets it read."""

    arguments: Any
    subjects: tuple[str, ...] | None = None
    said: str | None = None


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


class GateStreamQuery(Fields, frozen=True, kw_only=True):
    """Where the character is about to say what the body holds, and whether of its own accord."""

    unprompted: bool = False
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


class SettleBody(Fields, frozen=True, kw_only=True):
    """How long to wait for background work, in seconds."""

    within_s: float = 30.0


class BindBody(Fields, frozen=True, kw_only=True):
    """Whose the account is, by another account of theirs, their id or `owner`, and which human says so."""

    to: str
    by: str | None = None


class MergeBody(Fields, frozen=True, kw_only=True):
    """Who the other one is, by an account or their id, and which human says that they are one person."""

    other: str
    by: str | None = None


class UnbindBody(Fields, frozen=True, kw_only=True):
    """Which human says that the account is a person of its own."""

    by: str | None = None


class PageQuery(Fields, frozen=True, kw_only=True):
    """A page of a list: `limit` items after the one of that id."""

    after: str | None = None
    limit: int = 100


class SubjectsQuery(PageQuery, frozen=True, kw_only=True):
    """The same, and whose memory; `subject` may be repeated and left out is `private` alone."""

    subject: tuple[str, ...] | None = None


class ReflectionsQuery(SubjectsQuery, frozen=True, kw_only=True):
    """The same, and of which tier."""

    tier: str | None = None


class DirectivesQuery(PageQuery, frozen=True, kw_only=True):
    """A page of the directives; with `all` also what lapsed, was lifted or deleted."""

    all: bool = False


class BlockQuery(Fields, frozen=True, kw_only=True):
    """Where a prompt is for, and in which language; left out, the character's."""

    subject: tuple[str, ...] | None = None
    locale: str | None = None


class TurnsQuery(Fields, frozen=True, kw_only=True):
    """Whose turns, how many, and before which: left out, the newest."""

    subject: tuple[str, ...] | None = None
    limit: int = 50
    before: str | None = None


class OffersQuery(Fields, frozen=True, kw_only=True):
    """Where the character would bring something up, and how much of it."""

    subject: str = PRIVATE
    limit: int | None = None


class ReadableQuery(Fields, frozen=True, kw_only=True):
    """Where a conversation is, and who speaks there as `<platform>:<account>`; left out, the owner."""

    where: str
    speaker: str | None = None


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


class MatchingQuery(Fields, frozen=True, kw_only=True):
    """The same, and whether it is to be affirmed or rejected."""

    what: str
    affirms: bool
