"""New facts speak for and against persona entries, never against the card."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from omoide.actors.persona.judging import Judged, judged, plain_signals
from omoide.protocols.records import Entity, EntryStatus, Fact, FactStatus, PersonaEntry, Speaker
from omoide.protocols.settings import EvidenceSettings
from omoide.tests.actors.briefing.samples import GROUP, NOW, a_card_line, a_fact, an_entry

WEIGHTS = EvidenceSettings()
BOB = Speaker(platform="qq", account="1002")
NURSE = "Sam works as a nurse."


def judged_plainly(entries: list[PersonaEntry], facts: list[Fact]) -> tuple[Judged, ...]:
    return judged(entries, plain_signals(entries, facts, names=["Sam"]), NOW, WEIGHTS)


def told(fact: str, **fields: Any) -> list[tuple[float, float, bool]]:
    """Return reinforcement, disputation and denial of one entry after one fact."""
    stated = replace(a_fact(fact), **fields)
    return [
        (one.entry.evidence.reinforcement, one.entry.evidence.disputation, one.denied)
        for one in judged_plainly([an_entry(NURSE)], [stated])
    ]


def test_a_fact_that_agrees_reinforces() -> None:
    assert told("I work as a nurse.") == [(2.5, 0.0, False)]


def test_a_fact_that_says_the_opposite_disputes_and_denies() -> None:
    assert told("I don't work as a nurse.") == [(2.0, 1.0, True)]


@pytest.mark.parametrize("fact", ["I know a nurse.", "I work at the harbour.", "I love tea."])
def test_a_fact_about_something_else_says_nothing(fact: str) -> None:
    assert told(fact) == []


@pytest.mark.parametrize(
    "fields", [{"speaker": BOB}, {"subject": GROUP}, {"status": FactStatus.RETRACTED}, {"entity": Entity.OTHER}]
)
def test_what_the_owner_does_not_say_of_themselves_says_nothing(fields: dict[str, Any]) -> None:
    assert told("I don't work as a nurse.", **fields) == []


def test_the_card_and_what_is_out_of_force_take_no_signal() -> None:
    entries = [a_card_line(NURSE), an_entry(NURSE, status=EntryStatus.SUPERSEDED)]

    assert judged_plainly(entries, [a_fact("I don't work as a nurse.")]) == ()
