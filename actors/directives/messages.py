"""What is asked of the directives role, and what it answers.

Messages between rooms of one process: some carry a compiled matcher, which never leaves it.
"""

from __future__ import annotations

from typing import TypeAlias

from ...protocols.messages import Delivery, Message, Prepared, Request
from ...protocols.records import Directive
from ...protocols.scopes import PRIVATE, Subject
from .gates import Verdict
from .matcher import Matcher


class AddDirective(Request[tuple[Directive, ...]], frozen=True, kw_only=True):
    """The owner bans a topic in the interface. Sent to the scribe. Reply: the directive, as the only one."""

    term: str
    aliases: tuple[str, ...] = ()
    delivery: Delivery | None = None


class RemoveDirective(Request[tuple[Directive, ...]], frozen=True, kw_only=True):
    """The owner deletes a directive by its id, or all on a term. Sent to the scribe. Reply: those deleted."""

    name: str
    delivery: Delivery | None = None


Edit: TypeAlias = AddDirective | RemoveDirective


class PrepareEdit(Request[Prepared], frozen=True, kw_only=True):
    """Prepare what an edit changes. Reply: `Prepared`; the scribe commits it, as it does with wishes."""

    edit: Edit


class JudgeDraft(Request[Verdict], frozen=True, kw_only=True):
    """Judge what the character would say. Reply: `Verdict`.

    `said` is what the person said in this turn; None takes the newest turn that was heard in the subject.
    """

    draft: str
    unprompted: bool
    subject: Subject = PRIVATE
    said: str | None = None


class OpenGate(Request["Opening"], frozen=True, kw_only=True):
    """Ask what a stream is to be held to. Reply: `Opening`, which is `known` itself while nothing changed.

    `said` is as in `JudgeDraft`, and is looked at only where there is no `known`.
    """

    unprompted: bool
    subject: Subject = PRIVATE
    said: str | None = None
    known: Opening | None = None


class Opening(Message, frozen=True, kw_only=True):
    """What finds the topics that a stream must not name, and which the person raised.

    `said` is what the person had said when the stream began.
    """

    matcher: Matcher
    raised: frozenset[str]
    said: str


class ShowBlock(Request[str], frozen=True, kw_only=True):
    """Ask for the block of a prompt that tells a model what not to mention. Reply: the text, or an empty one.

    `locale` is None for the language of the character.
    """

    subjects: tuple[Subject, ...] = (PRIVATE,)
    locale: str | None = None
