"""A scripted answer passes the checks of the task's contract, and may quote what it is about."""

from __future__ import annotations

from typing import Any

import pytest

from omoide.protocols.errors import ModelOutputError
from omoide.protocols.evidence import Signal
from omoide.protocols.records import Entity, Fact, Profile
from omoide.protocols.tasks import (
    Belief,
    Claimed,
    Contradiction,
    CorrectAction,
    Correction,
    CorrectRequest,
    FactSignal,
    NegativeTargetsRequest,
    RerankRequest,
    SignalRequest,
    Target,
    TargetKind,
)
from omoide.runtime.models.contracts import CORRECT, NEGATIVE_TARGETS, RERANK, SIGNAL
from omoide.runtime.scenario.answers import answer_to
from omoide.tests.actors.briefing.samples import a_fact

RAIN = Belief(target=Target(TargetKind.REFLECTION, "rain"), text="Sam loves rain.", entity=Entity.OWNER)
TEA = Belief(target=Target(TargetKind.PERSONA, "tea"), text="Sam drinks tea.", entity=Entity.OWNER)
FACT: Fact = a_fact("Sam walked in the rain.")
SIGNALS = SignalRequest(facts=(FACT,), beliefs=(TEA, RAIN), profile=Profile())
SEEN = (FactSignal(fact=FACT.id, target=RAIN.target, signal=Signal.FACT_REINFORCES),)
PAIRS = CorrectRequest(
    pairs=tuple(
        Contradiction(
            old=Claimed(text=f"{name} is old."), new=Claimed(text=f"{name} is new."), entity=Entity.OWNER
        )
        for name in ("Ann", "Bea")
    ),
    profile=Profile(),
)


@pytest.mark.parametrize(
    "element",
    [
        {"fact": "walked in", "belief": "loves rain", "signal": "reinforces"},
        {"fact": "WALKED", "reflection": "rain", "signal": "reinforces"},
        {"fact": "f1", "target": "b2", "signal": "reinforces"},
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_an_answer_quotes_is_what_it_names(element: dict[str, Any], *, wrapped: bool) -> None:
    returned: object = {"signals": [element]} if wrapped else [element]
    assert answer_to(SIGNAL, SIGNALS, returned) == SEEN


@pytest.mark.parametrize(
    "returned",
    [
        "Nice chat!",
        7,
        None,
        {"a": 1},
        [7],
        [{"fact": "walked"}],
        [{"fact": "x", "belief": "y", "signal": "negates"}],
    ],
)
def test_an_answer_of_which_nothing_stands_is_an_error_and_never_nothing(returned: object) -> None:
    with pytest.raises(ModelOutputError):
        answer_to(SIGNAL, SIGNALS, returned)


def test_an_empty_answer_says_nothing() -> None:
    assert answer_to(SIGNAL, SIGNALS, []) == ()


@pytest.mark.parametrize("returned", [["loves rain"], [{"id": "loves rain"}], [{"reflection": "rain"}]])
def test_a_text_alone_names_a_belief(returned: object) -> None:
    request = NegativeTargetsRequest(turns=(), candidates=(TEA, RAIN), profile=Profile())
    (unwelcome,) = answer_to(NEGATIVE_TARGETS, request, returned)
    assert unwelcome.target == RAIN.target


def test_beliefs_are_ranked_by_their_texts() -> None:
    request = RerankRequest(queries=("weather",), candidates=(TEA, RAIN), limit=2, profile=Profile())
    assert answer_to(RERANK, request, ["rain", "tea"]) == (RAIN.target, TEA.target)


@pytest.mark.parametrize("named", [{"pair": 2}, {"pair": "Bea"}, {"pair": "p2"}])
def test_a_pair_is_named_by_its_number_or_its_words(named: dict[str, object]) -> None:
    decided = answer_to(CORRECT, PAIRS, [{**named, "action": "keep_new"}])
    assert decided == (Correction(pair=1, action=CorrectAction.KEEP_NEW),)


def test_decisions_without_a_pair_are_in_the_order_of_the_pairs() -> None:
    decided = answer_to(CORRECT, PAIRS, [{"action": "keep_old"}, {"action": "keep_new"}])
    assert [one.pair for one in decided] == [0, 1]
