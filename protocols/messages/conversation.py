"""Hearing, saying, and what the host says about the character."""

from __future__ import annotations

from ..cursors import Cursor
from ..records import Directive, Profile, Role, Speaker, TurnId
from ..scopes import PRIVATE, Subject
from .message import Message, Request


class Utterance(Message, frozen=True, kw_only=True):
    """What the host's envelope says about something that was said: who, where, when, which words.

    `speaker` is None for the character's owner. `trust` is the host's word for how far the speaker is
    believed: a tier by its name or a number, 0 to 1, and None abstains. `id` is the host's id of the message: the
    same id again is the same message. `said_at` is None for "now". `surfaced` names the reflections that a line
    of the character brought up, each by its id or by words of it.
    """

    text: str
    speaker: Speaker | None = None
    subject: Subject = PRIVATE
    trust: float | str | None = None
    said_at: float | None = None
    id: str | None = None
    surfaced: tuple[str, ...] = ()


class Hear(Request["Receipt"], frozen=True, kw_only=True):
    """Somebody said something. Reply: `Receipt`, once it is on disk. `cursor` is where in a stream it was read."""

    utterance: Utterance
    cursor: Cursor | None = None


class Say(Request["Receipt"], frozen=True, kw_only=True):
    """The character said something. Reply: `Receipt`, once it is on disk. `cursor` is as in `Hear`."""

    utterance: Utterance
    cursor: Cursor | None = None


class Receipt(Message, frozen=True, kw_only=True):
    """The turn and the work that it implies are on disk.

    `seq` is the place of its event in the journal. `repeated` means that the same message had been
    heard before, and that the receipt is the one of then. `directives` are those that the turn changed, as
    they are since: in force where it gave them, else lifted. `forgotten` are the texts of the facts that it
    asked to forget. `notes` are what the person can be told about it.
    """

    turn: TurnId
    role: Role
    seq: int
    heard_at: float
    repeated: bool = False
    directives: tuple[Directive, ...] = ()
    forgotten: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Describe(Request[Profile], frozen=True, kw_only=True):
    """Replace what is given of what the host says about the character; None leaves a part. Reply: `Profile`."""

    owner: str | None = None
    locale: str | None = None
    card: tuple[str, ...] | None = None
    member_memory: bool | None = None
