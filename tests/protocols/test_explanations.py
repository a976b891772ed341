"""Why a memory is as it is: sources, events, what holds it back, and its tiers, from the events alone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from omoide.protocols.events import (
    AnyChange,
    Event,
    FactAdded,
    FactRetracted,
    ReflectionEvidenceUpdated,
    ReflectionSynthesised,
    TurnHeard,
    ValueRejected,
    record_ids_of,
    record_of,
)
from omoide.protocols.evidence import DAY_S, Signal, Tier
from omoide.protocols.explanations import Explanation, explain
from omoide.protocols.facts import fact_of, with_status
from omoide.protocols.messages import Candidate
from omoide.protocols.records import (
    Entity,
    Evidence,
    FactStatus,
    Reflection,
    ReflectionId,
    Rejection,
    RejectionId,
    Role,
    Speaker,
    Turn,
    TurnId,
)
from omoide.protocols.rejections import identified
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import EvidenceSettings

SETTINGS = EvidenceSettings()
MALLORY = Speaker(platform="qq", account="666", label="Mallory")
SAID = Turn(id=TurnId("turn_1"), role=Role.PERSON, text="I work as a nurse.", said_at=1.0, heard_at=1.0, trust=0.7)
DENIED = Turn(id=TurnId("turn_2"), role=Role.PERSON, text="I'm not a nurse!", said_at=2.0, heard_at=2.0)
FACT = fact_of(SAID, Candidate(text="I work as a nurse", entity=Entity.OWNER, importance=8), 1.0)
REJECTION = identified(
    Rejection(
        id=RejectionId(""),
        text=FACT.text,
        denial="i'm not a nurse",
        names=("Sam",),
        entity=Entity.OWNER,
        subject=PRIVATE,
        disputation=1.0,
        disputed_at=2.0,
        cause="turn_2",
        created_at=2.0,
    )
)
RETRACTED = with_status(FACT, FactStatus.RETRACTED, 2.0, "rejected in turn_2")
REFLECTION = Reflection(
    id=ReflectionId("ref_1"),
    text="Sam cares for people",
    entity=Entity.OWNER,
    subject=PRIVATE,
    sources=(FACT.id,),
    importance=8,
    evidence=Evidence(reinforcement=1.5, rein_last_signal_at=0.0),
    created_at=0.0,
    status_at=0.0,
    age_anchor_at=0.0,
    next_eligible_at=0.0,
)


def journal(*changes: AnyChange) -> tuple[Event, ...]:
    return tuple(
        Event(
            seq=seq,
            at=float(seq),
            actor="dedup",
            cause=f"op_{seq}",
            kind=str(type(change).__struct_config__.tag),
            subject=PRIVATE,
            record_ids=record_ids_of(record_of(change)),
            change=change,
            digest="",
            chain="",
        )
        for seq, change in enumerate(changes, start=1)
    )


EVENTS = journal(
    TurnHeard(turn=SAID),
    FactAdded(fact=FACT),
    TurnHeard(turn=DENIED),
    ValueRejected(rejection=REJECTION),
    FactRetracted(fact=RETRACTED),
)


def explained(what: str, events: tuple[Event, ...] = EVENTS, now: float = 10.0) -> tuple[Explanation, ...]:
    return explain(what, events, now=now, settings=SETTINGS, owner="Sam")


def test_a_fact_tells_its_status_its_reason_with_the_words_its_source_and_what_holds_it_back() -> None:
    (one,) = explained("as a nurse")
    assert (one.status, one.since, one.trust) == ("retracted", 2.0, 0.7)
    assert one.reason == 'rejected in turn_2 ("I\'m not a nurse!")'
    assert [(support.id, support.text) for support in one.supports] == [("turn_1", "I work as a nurse.")]
    assert [(event.kind, event.status) for event in one.history] == [
        ("fact_added", "active"),
        ("fact_retracted", "retracted"),
    ]
    assert one.held_back_by == (REJECTION,)


@pytest.mark.parametrize(
    ("speaker", "trust", "told"),
    [
        (None, None, "said by the owner, in private"),
        (None, 0.5, "said by the owner, trust 0.5, in private"),
        (MALLORY, None, "said by qq:666, trust abstained, in private"),
        (MALLORY, 0.2, "said by qq:666, trust 0.2, in private"),
    ],
)
def test_a_fact_tells_how_far_its_speaker_was_trusted_and_nobody_abstains_from_the_owner(
    speaker: Speaker | None, trust: float | None, told: str
) -> None:
    fact = replace(FACT, speaker=speaker, trust=trust)
    (one,) = explained("as a nurse", journal(TurnHeard(turn=SAID), FactAdded(fact=fact)))
    assert told in "\n".join(one.lines())


@pytest.mark.parametrize("what", [FACT.id, FACT.id[:9], "A NURSE", "ｎｕｒｓｅ"])
def test_a_memory_is_found_by_its_id_the_beginning_of_it_or_words(what: str) -> None:
    assert [one.id for one in explained(what)] == [FACT.id]


@pytest.mark.parametrize("what", ["", "   ", "zebra", "fact_zzz"])
def test_what_nothing_has_is_no_memory(what: str) -> None:
    assert explained(what) == ()


def test_a_rejection_is_explained_by_its_id() -> None:
    (one,) = explained(REJECTION.id)
    assert (one.kind, one.status, [support.id for support in one.supports]) == (
        "rejection",
        "in force",
        ["turn_2"],
    )


def test_a_belief_tells_every_change_of_its_tier_also_by_decay_and_the_next() -> None:
    disputed = Evidence(
        reinforcement=1.5, rein_last_signal_at=0.0, disputation=3.0, disp_last_signal_at=60 * DAY_S
    )
    synthesised = journal(ReflectionSynthesised(reflection=REFLECTION))[0]
    updated = Event(
        seq=2,
        at=60 * DAY_S,
        actor="reflection",
        cause="turn_2",
        kind="reflection_evidence_updated",
        subject=PRIVATE,
        record_ids=(REFLECTION.id,),
        change=ReflectionEvidenceUpdated(reflection=replace(REFLECTION, evidence=disputed), signal="denied"),
        digest="",
        chain="",
    )
    (one,) = explained("cares for", (synthesised, updated), now=61 * DAY_S)
    assert one.timeline is not None
    assert [(change.after, change.by) for change in one.timeline.past] == [
        (Tier.CONFIRMED, 0),
        (Tier.PENDING, None),
        (Tier.ARCHIVE_CANDIDATE, 1),
    ]
    assert one.timeline.upcoming is not None
    assert one.tier == Tier.ARCHIVE_CANDIDATE
    told = "\n".join(one.lines())
    assert "tier confirmed → pending by decay" in told
    assert "is coming by decay" in told


def test_each_signal_is_told_with_its_side_and_what_it_changed() -> None:
    agreed = replace(REFLECTION, evidence=replace(REFLECTION.evidence, reinforcement=2.0, rein_last_signal_at=2.0))
    passed_over = replace(agreed, evidence=replace(agreed.evidence, reinforcement=1.8, rein_last_signal_at=3.0))
    denied = replace(passed_over, evidence=replace(passed_over.evidence, disputation=1.0, disp_last_signal_at=4.0))
    events = journal(
        ReflectionSynthesised(reflection=REFLECTION),
        ReflectionEvidenceUpdated(reflection=agreed, signal=Signal.FACT_REINFORCES),
        ReflectionEvidenceUpdated(reflection=passed_over, signal=Signal.IGNORED),
        ReflectionEvidenceUpdated(reflection=denied, signal=Signal.DENIED),
    )

    (found,) = explain("ref_1", events, now=5.0, settings=SETTINGS)

    assert [one.signal for one in found.history] == [
        "",
        "fact_reinforces, reinforced: reinforcement 1.5 to 2",
        "ignored, ignored: reinforcement 2 to 1.8",
        "denied, negated: disputation 0 to 1",
    ]


def test_an_erased_event_leaves_the_rest_of_the_history() -> None:
    erased = replace(EVENTS[1], change=None)
    (one,) = explained("as a nurse", (EVENTS[0], erased, *EVENTS[2:]))
    assert [event.kind for event in one.history] == ["fact_retracted"]
