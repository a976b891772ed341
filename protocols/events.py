"""The tagged union of state changes that the journal keeps.

An event carries the whole record after the change, never a difference, so that folding it again
overwrites and never counts twice. Which record a change carries is decided in one place, `record_of`;
the journal folds it into its view live, and `doctor` folds it again into a scratch copy.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from .erasure import Erasure
from .memos import ConversationMemo
from .people import Person
from .records import Directive, Fact, PersonaEntry, Profile, Reflection, Rejection, Turn


class Change(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="kind"):
    """Base of every state change. The first field of each is the record, as it is after the change."""


class ProfileSet(Change, frozen=True, kw_only=True, tag="profile_set"):
    """The host described the character."""

    profile: Profile


class TurnHeard(Change, frozen=True, kw_only=True, tag="turn_heard"):
    """Somebody said something to the character."""

    turn: Turn


class TurnSaid(Change, frozen=True, kw_only=True, tag="turn_said"):
    """The character said something."""

    turn: Turn


class FactAdded(Change, frozen=True, kw_only=True, tag="fact_added"):
    """A statement was stored for the first time."""

    fact: Fact


class FactRepeated(Change, frozen=True, kw_only=True, tag="fact_repeated"):
    """A stored statement was made again; the fact now rests on one more turn."""

    fact: Fact


class FactRetracted(Change, frozen=True, kw_only=True, tag="fact_retracted"):
    """The person said that a fact is wrong."""

    fact: Fact


class FactSuperseded(Change, frozen=True, kw_only=True, tag="fact_superseded"):
    """A fact gave way to a newer one in the same slot."""

    fact: Fact


class FactDisputed(Change, frozen=True, kw_only=True, tag="fact_disputed"):
    """A fact says what a rejection in force holds back."""

    fact: Fact


class FactContested(Change, frozen=True, kw_only=True, tag="fact_contested"):
    """What another person said against a fact gave way to it."""

    fact: Fact


class FactArchived(Change, frozen=True, kw_only=True, tag="fact_archived"):
    """A fact was put away with its subject, which nobody had added to for long."""

    fact: Fact


class FactRestored(Change, frozen=True, kw_only=True, tag="fact_restored"):
    """The person affirmed what a fact says."""

    fact: Fact


class ValueRejected(Change, frozen=True, kw_only=True, tag="value_rejected"):
    """A value was rejected; whatever claims it is held back."""

    rejection: Rejection


class RejectionLifted(Change, frozen=True, kw_only=True, tag="rejection_lifted"):
    """The person affirmed what they had rejected."""

    rejection: Rejection


class ReflectionSynthesised(Change, frozen=True, kw_only=True, tag="reflection_synthesised"):
    """Several facts were synthesised into a reflection."""

    reflection: Reflection


class ReflectionSurfaced(Change, frozen=True, kw_only=True, tag="reflection_surfaced"):
    """The character brought a reflection up."""

    reflection: Reflection


class ReflectionEvidenceUpdated(Change, frozen=True, kw_only=True, tag="reflection_evidence_updated"):
    """A signal moved what speaks for or against a reflection, and perhaps its status with it."""

    reflection: Reflection
    signal: str


class ReflectionStateChanged(Change, frozen=True, kw_only=True, tag="reflection_state_changed"):
    """A reflection entered another status without a signal."""

    reflection: Reflection


class PersonaEntryAdded(Change, frozen=True, kw_only=True, tag="persona_entry_added"):
    """Something became lasting knowledge, by the character card, by promotion or by hand."""

    entry: PersonaEntry


class PersonaEntryChanged(Change, frozen=True, kw_only=True, tag="persona_entry_changed"):
    """A persona entry was reworded, mentioned, taken out of force or brought back; its `reason` says why."""

    entry: PersonaEntry


class DirectiveGiven(Change, frozen=True, kw_only=True, tag="directive_given"):
    """A person asked not to hear of something, for the first time or again."""

    directive: Directive


class DirectiveLifted(Change, frozen=True, kw_only=True, tag="directive_lifted"):
    """A person said that it may be mentioned again."""

    directive: Directive


class DirectiveDeleted(Change, frozen=True, kw_only=True, tag="directive_deleted"):
    """A directive was deleted in the interface."""

    directive: Directive


class DirectiveDropped(Change, frozen=True, kw_only=True, tag="directive_dropped"):
    """A directive that held no more made room for others; it leaves the view."""

    directive: Directive


class FactReduced(Change, frozen=True, kw_only=True, tag="fact_reduced"):
    """A turn that a fact rested on was erased; it goes on resting on the others."""

    fact: Fact


class MemoryErased(Change, frozen=True, kw_only=True, tag="memory_erased"):
    """A person had something erased: records are gone, and the payloads of their events with them."""

    erasure: Erasure


class TrustMoved(Change, frozen=True, kw_only=True, tag="trust_moved"):
    """An account of a person spoke, or was confirmed or corrected by the owner; the event's cause says which."""

    person: Person


class AccountsLinked(Change, frozen=True, kw_only=True, tag="accounts_linked"):
    """A human said which accounts are one person; one change a person."""

    person: Person


class MemoWritten(Change, frozen=True, kw_only=True, tag="memo_written"):
    """Turns left the recent window and are kept in mind as a memo."""

    memo: ConversationMemo


class MemoDropped(Change, frozen=True, kw_only=True, tag="memo_dropped"):
    """A memo may hold words that were taken back, and is made anew."""

    memo: ConversationMemo


AnyFactChange: TypeAlias = (
    FactAdded
    | FactRepeated
    | FactRetracted
    | FactSuperseded
    | FactDisputed
    | FactContested
    | FactArchived
    | FactRestored
)
AnyRejectionChange: TypeAlias = ValueRejected | RejectionLifted
AnyReflectionChange: TypeAlias = (
    ReflectionSynthesised | ReflectionSurfaced | ReflectionEvidenceUpdated | ReflectionStateChanged
)
AnyPersonaChange: TypeAlias = PersonaEntryAdded | PersonaEntryChanged
AnyDirectiveChange: TypeAlias = DirectiveGiven | DirectiveLifted | DirectiveDeleted | DirectiveDropped
AnyTrustChange: TypeAlias = TrustMoved | AccountsLinked
AnyMemoChange: TypeAlias = MemoWritten | MemoDropped
AnyChange: TypeAlias = (
    ProfileSet
    | TurnHeard
    | TurnSaid
    | AnyFactChange
    | AnyRejectionChange
    | AnyReflectionChange
    | AnyPersonaChange
    | AnyDirectiveChange
    | FactReduced
    | MemoryErased
    | AnyTrustChange
    | AnyMemoChange
)

AnyRecord: TypeAlias = (
    Profile | Turn | Fact | Rejection | Reflection | PersonaEntry | Directive | Erasure | Person | ConversationMemo
)
"""What a change can carry; each kind is one view."""


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """One entry of a character's journal.

    `digest` is the SHA-256 of the encoded change and `chain` that of this entry's header, its digest
    and the chain before it (both hexadecimal), so that erasing a payload leaves the chain whole.
    `change` is None where the payload was erased.
    """

    seq: int
    at: float
    actor: str
    cause: str
    kind: str
    subject: str
    record_ids: tuple[str, ...]
    change: AnyChange | None
    digest: str
    chain: str


def record_of(change: AnyChange) -> AnyRecord:
    """Return the record that a change carries, as it is after the change: its first field."""
    record: AnyRecord = getattr(change, change.__struct_fields__[0])
    return record


def subject_of(record: AnyRecord) -> str:
    """Return the subject key of a record, or an empty string where it has none."""
    return "" if isinstance(record, Profile | Person) else record.subject


def record_ids_of(record: AnyRecord) -> tuple[str, ...]:
    """Return the ids that a change of a record touches: the record's own, then those it rests on."""
    match record:
        case Turn(id=turn_id):
            return (turn_id,)
        case Fact(id=fact_id, sources=sources):
            return (fact_id, *(source.turn for source in sources))
        case Reflection(id=reflection_id, sources=facts):
            return (reflection_id, *facts)
        case Profile():
            return ()
        case _:
            return (record.id,)
