"""Signals, decisions, and each role's part of somebody else's commit."""

from __future__ import annotations

from ..events import AnyChange
from ..evidence import Signal
from ..records import EntryId, Mentions, OpId, Reflection, ReflectionId, Turn, TurnId
from ..scopes import Subject
from ..work import AnyWork
from .journal import Delivery
from .message import Message, Request


class ReflectionSignal(Message, frozen=True, kw_only=True):
    """One signal for or against a reflection. `reason` is the turn or the fact that it comes from."""

    reflection: ReflectionId
    signal: Signal
    reason: str


class ApplySignals(Request["SignalsApplied"], frozen=True, kw_only=True):
    """Apply what was judged and settle the op that it comes from. Reply: `SignalsApplied`.

    `turn` is the turn whose words were judged, and `subject` that of its facts. Where it only `rejects`, what the
    words deny is rejected, and no signal moves anything: that is so without strong memory. `enqueues` is work that
    follows from the same words.
    """

    op: OpId
    turn: TurnId
    subject: Subject
    signals: tuple[ReflectionSignal, ...]
    rejects: bool = False
    enqueues: tuple[AnyWork, ...] = ()


class SignalsApplied(Message, frozen=True, kw_only=True):
    """How many of the signals moved a reflection that still takes part."""

    applied: int = 0
    already_settled: bool = False


class Decide(Request["Decided"], frozen=True, kw_only=True):
    """The person rejects or affirms, in the interface, what is stored under an id. Reply: `Decided`."""

    record: str
    affirms: bool
    delivery: Delivery | None = None


class Decided(Message, frozen=True, kw_only=True):
    """What the decision changed: the ids of the records, the one that was named first."""

    records: tuple[str, ...]


class PrepareForgetting(Request["Prepared"], frozen=True, kw_only=True):
    """Prepare what the person asked to forget in a turn. Reply: `Prepared`; whoever asks commits it.

    `objects` are what the wishes name, such as "my old number".
    """

    turn: Turn
    objects: tuple[str, ...]


class PrepareWishes(Request["Prepared"], frozen=True, kw_only=True):
    """Prepare what a turn changes in the directives. Reply: `Prepared`; whoever asks commits it with the turn."""

    turn: Turn


class ReflectionMentions(Message, frozen=True, kw_only=True):
    """How often a reflection was brought up lately, after a line of the character that did so once more."""

    reflection: ReflectionId
    mentions: Mentions


class PrepareMentions(Request["Prepared"], frozen=True, kw_only=True):
    """Prepare that a line brought reflections up. Reply: `Prepared`; whoever asks commits it."""

    brought_up: tuple[ReflectionMentions, ...]


class PreparePromotion(Request["Prepared"], frozen=True, kw_only=True):
    """Prepare that a confirmed reflection became a persona entry, was merged into one, or spoke against the card.

    Reply: `Prepared`; whoever asks commits it. Without `absorbed_into` it is denied; `merges` tells the other two
    apart. Where a mind `failed` to decide, it is an attempt more, and the last one of all blocks it. `seen` is the
    reflection as it was decided on; `ChangedMeanwhileError` says that what is believed of it has changed since.
    """

    reflection: ReflectionId
    seen: Reflection
    reason: str
    absorbed_into: EntryId | None = None
    merges: bool = False
    failed: bool = False


class Prepared(Message, frozen=True, kw_only=True):
    """A role's part of somebody else's commit, with what it `expects` to be as it was read.

    `notes` is what the person can be told about it.
    """

    changes: tuple[AnyChange, ...] = ()
    expects: tuple[Reflection, ...] = ()
    enqueues: tuple[AnyWork, ...] = ()
    notes: tuple[str, ...] = ()
