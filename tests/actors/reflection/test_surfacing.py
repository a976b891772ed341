"""The character brings up what is pending, not too often, and rather what has support."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from omoide.actors.reflection.surfacing import Offer, drawn, offers, surfaced
from omoide.protocols.records import Entity, Evidence, FactId, Reflection, ReflectionId, ReflectionStatus
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import EvidenceSettings, ReflectionSettings

SETTINGS = ReflectionSettings()
WEIGHTS = EvidenceSettings()
START = 1_772_442_000.0


def reflection(name: str, score: float = 0.0, text: str = "") -> Reflection:
    return Reflection(
        id=ReflectionId(name),
        text=text or f"Sam likes {name}.",
        entity=Entity.OWNER,
        subject=PRIVATE,
        sources=(FactId("fact_0"),),
        importance=6,
        evidence=Evidence(reinforcement=score),
        created_at=START,
        status_at=START,
        age_anchor_at=START,
        next_eligible_at=START,
    )


def offered(*reflections: Reflection, now: float = START) -> list[tuple[str, float]]:
    return [(one.memory.id, one.weight) for one in offers(reflections, now, SETTINGS, WEIGHTS)]


def test_the_weight_is_the_score_and_a_half() -> None:
    assert offered(reflection("a"), reflection("b", 1.0)) == [("b", 1.5), ("a", 0.5)]


def test_what_its_evidence_would_confirm_is_still_offered() -> None:
    assert offered(reflection("a", 1.4)) == [("a", 1.9)]


def test_what_is_negative_is_not_offered() -> None:
    assert offered(reflection("a", -0.2)) == []


@pytest.mark.parametrize("status", [one for one in ReflectionStatus if one is not ReflectionStatus.PENDING])
def test_what_is_not_pending_is_not_offered(status: ReflectionStatus) -> None:
    assert offered(replace(reflection("a"), status=status)) == []


def test_what_was_brought_up_rests_for_half_an_hour() -> None:
    one = surfaced(reflection("a"), START, SETTINGS)
    assert [len(offered(one, now=START + wait)) for wait in (0, 1_799, 1_800)] == [0, 0, 1]


def test_one_statement_is_offered_once() -> None:
    assert len(offered(reflection("a", text="Sam likes tea."), reflection("b", text="Sam likes TEA!"))) == 1


def test_few_offers_are_all_taken() -> None:
    some = [Offer(memory=reflection(name), weight=0.5) for name in "abc"]
    assert drawn(some, 3, Random(1)) == tuple(some)


def test_offers_are_drawn_by_weight_without_repetition() -> None:
    some = [
        Offer(memory=reflection(name), weight=weight)
        for name, weight in zip("abcd", (0.5, 0.5, 0.5, 4), strict=True)
    ]
    random, first = Random(7), Counter[str]()
    for _ in range(4_000):
        ids = [one.memory.id for one in drawn(some, 2, random)]
        assert len(set(ids)) == 2
        first[ids[0]] += 1
    assert first["d"] / 4_000 == pytest.approx(4 / 5.5, abs=0.03)
