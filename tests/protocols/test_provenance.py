"""Whose words a belief rests on, when many are behind it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.protocols.provenance import joined, provenance_of
from omoide.protocols.records import Entity, Fact, FactId, FactSource, Provenance, Speaker, TurnId
from omoide.protocols.scopes import PRIVATE

ALICE = Speaker(platform="qq", account="1001", label="Alice")
ALICE_ELSEWHERE = Speaker(platform="discord", account="77", label="alice!")
BOB = Speaker(platform="qq", account="1002", label="Bob")
BOUND = {ALICE.key: "person_1", ALICE_ELSEWHERE.key: "person_1", "qq:9": ""}


def said(speaker: Speaker | None, trust: float | None = None, at: float = 1.0) -> Fact:
    source = FactSource(
        turn=TurnId("turn_1"), said_at=at, text="x", importance=5, entity=Entity.OTHER, trust=trust
    )
    return Fact(
        id=FactId(f"fact_{at}_{speaker and speaker.key}"),
        key="x",
        text="x",
        entity=Entity.OTHER,
        importance=5,
        subject=PRIVATE,
        speaker=speaker,
        trust=trust,
        sources=(source,),
        said_at=at,
        last_said_at=at,
        created_at=at,
    )


MIXED = Provenance(mixed=True)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([said(ALICE, 0.8), said(ALICE, 0.5, 2.0)], Provenance(speaker=ALICE, trust=0.5)),
        ([said(ALICE, 0.8), said(ALICE, None, 2.0)], Provenance(speaker=ALICE)),
        ([said(ALICE, 0.8), said(BOB, 0.8, 2.0)], MIXED),
        ([said(None, 1.0), said(ALICE, 0.8, 2.0)], MIXED),
        ([said(None), said(None, None, 2.0)], Provenance()),
        (
            [said(ALICE, 0.8, 2.0), said(ALICE_ELSEWHERE, 0.4)],
            Provenance(speaker=Speaker(platform="discord", account="77"), trust=0.4),
        ),
        ([said(None), said(Speaker(platform="qq", account="9"), None, 2.0)], Provenance()),
    ],
    ids=["one", "one abstains", "two", "owner and other", "owner", "two accounts of one", "the owner's account"],
)
def test_a_speaker_stays_if_it_is_one_person_and_a_trust_if_all_have_one(
    facts: Sequence[Fact], expected: Provenance
) -> None:
    assert provenance_of(facts, BOUND) == expected
    assert provenance_of(list(reversed(facts)), BOUND) == expected


def test_what_is_not_known_stays_so_and_makes_nothing_known() -> None:
    alices = Provenance(speaker=ALICE, trust=0.8)

    assert joined(None, None, BOUND) is None
    assert joined(None, alices, BOUND) == joined(alices, None, BOUND) == MIXED


speakers = st.sampled_from([None, ALICE, BOB, ALICE_ELSEWHERE])
provenances = st.none() | st.builds(
    Provenance, speaker=speakers, trust=st.none() | st.sampled_from([0.3, 0.8]), mixed=st.booleans()
).map(lambda one: MIXED if one.mixed else one)


@settings(max_examples=60)
@given(provenances, provenances, provenances)
def test_several_people_stay_several_whatever_is_joined_in_whatever_order(
    one: Provenance | None, two: Provenance | None, three: Provenance | None
) -> None:
    left = joined(joined(one, two, BOUND), three, BOUND)
    right = joined(one, joined(two, three, BOUND), BOUND)

    assert (left and (left.mixed, left.trust)) == (right and (right.mixed, right.trust))
    if one is not None and one.mixed:
        assert left == MIXED
