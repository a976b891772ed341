"""What a mind says of beliefs counts where it keeps to the question; what it invents moves nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

import pytest

from omoide.protocols.errors import ModelError, ModelOutputError, StorageFullError
from omoide.protocols.evidence import Signal
from omoide.protocols.messages import Commit
from omoide.protocols.records import FactId, Reflection, ReflectionId, TurnId
from omoide.protocols.tasks import (
    FactSignal,
    NegativeTarget,
    NegativeTargetsRequest,
    RebutRequest,
    Rebuttal,
    SignalRequest,
    Target,
    TargetKind,
)
from omoide.protocols.work import CheckRebuttals, OpState
from omoide.tests.actors.answering import answering

Lives = Callable[..., AbstractAsyncContextManager[Any]]
DiskRefuses = Callable[[Callable[[Commit], bool]], None]

TEA = "Sam likes green tea."
TEAS = (
    "I drink green tea every morning.",
    "My green tea comes from Uji.",
    "I bought a pot for green tea.",
    "I spilled green tea on the carpet.",
    "I read a book about green tea.",
)


def signals(it: Any, answer: Callable[[SignalRequest], Sequence[FactSignal]]) -> list[SignalRequest]:
    """Have the mind answer so to what facts say of beliefs; return what it is asked."""
    return answering(it, "signal", answer)


def each(request: SignalRequest, signal: Signal) -> list[FactSignal]:
    return [
        FactSignal(fact=fact.id, target=belief.target, signal=signal)
        for fact in request.facts
        for belief in request.beliefs
    ]


def rebuttals(it: Any, answer: Callable[[RebutRequest], Sequence[Rebuttal]]) -> list[RebutRequest]:
    """Have the mind answer so when it looks for rebuttals; return what it is asked."""
    return answering(it, "rebut", answer)


async def the_one(it: Any) -> Reflection:
    (one,) = (await it.every_reflection()).values()
    reflection: Reflection = one
    return reflection


async def confirmed(it: Any) -> None:
    """Let the belief be made and confirmed by answers."""
    await it.hear(*TEAS)
    it.mind.reads(Signal.CONFIRMED)
    for _ in range(2):
        await it.character.say("You like green tea.", surfaced=["green tea"])
        await it.hear("Yes.")


async def test_a_mind_hears_agreement_that_rules_do_not(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        before = (await the_one(it)).evidence
        asked = signals(it, lambda request: each(request, Signal.FACT_REINFORCES))
        await it.hear("A day without a cup of sencha is a sad day.")
        after = (await the_one(it)).evidence
        assert [belief.text for belief in asked[0].beliefs] == [TEA]
        assert after.reinforcement == pytest.approx(before.reinforcement + 0.5)
        assert after.disputation == 0.0


async def test_what_the_person_plainly_denies_is_denied_though_the_mind_overlooks_it(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        signals(it, lambda request: each(request, Signal.FACT_REINFORCES))
        await it.hear("I don't like green tea.")
        evidence = (await the_one(it)).evidence
        assert evidence.disputation == 1.0
        assert TEA not in (await it.character.briefing()).text


def _wild(request: SignalRequest) -> list[FactSignal]:
    (belief, *_), (fact, *_) = request.beliefs, request.facts
    invented = Target(TargetKind.REFLECTION, "ref_of_somebody_else")
    return [
        FactSignal(fact=fact.id, target=invented, signal=Signal.FACT_NEGATES),
        FactSignal(fact=FactId("fact_invented"), target=belief.target, signal=Signal.FACT_NEGATES),
        FactSignal(fact=fact.id, target=Target(TargetKind.PERSONA, belief.target.id), signal=Signal.FACT_NEGATES),
        FactSignal(fact=fact.id, target=belief.target, signal=Signal.DENIED),
        FactSignal(fact=fact.id, target=belief.target, signal=Signal.FACT_REINFORCES),
        FactSignal(fact=fact.id, target=belief.target, signal=Signal.FACT_REINFORCES),
    ]


async def test_wrong_ids_and_foreign_signals_are_dropped_and_counted_and_the_rest_counts_once(
    life: Lives, caplog: pytest.LogCaptureFixture
) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        before = (await the_one(it)).evidence
        signals(it, _wild)
        with caplog.at_level(logging.WARNING):
            await it.hear("A day without a cup of sencha is a sad day.")
        after = (await the_one(it)).evidence
        (warning,) = [one for one in caplog.records if one.message == "signals.dropped"]
        counts = {name: getattr(warning, name) for name in ("kept", "invented", "misplaced", "repeated")}
        assert counts == {"kept": 1, "invented": 3, "misplaced": 1, "repeated": 1}
        assert after.reinforcement - before.reinforcement == pytest.approx(0.5)
        assert after.disputation == 0.0


async def test_ten_thousand_signals_on_one_belief_are_one(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        before = (await the_one(it)).evidence
        signals(it, lambda request: each(request, Signal.FACT_REINFORCES) * 10_000)
        await it.hear("A day without a cup of sencha is a sad day.")
        after = (await the_one(it)).evidence
        assert after.reinforcement - before.reinforcement == pytest.approx(0.5)


@pytest.mark.parametrize("error", [ModelError("no answer"), ModelOutputError("prose around no JSON")])
async def test_a_mind_that_answers_nothing_usable_half_applies_nothing_and_keeps_the_facts(
    life: Lives, error: Exception
) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        before = await the_one(it)

        def fail(_: SignalRequest) -> Sequence[FactSignal]:
            raise error

        signals(it, fail)
        await it.hear("A day without a cup of sencha is a sad day.")
        parked = await it.character.outbox(states=[OpState.PARKED])
        assert [op.work.__class__.__name__ for op in parked] == ["JudgeFacts"]
        assert (await the_one(it), len(await it.character.facts())) == (before, 6)
        signals(it, lambda request: each(request, Signal.FACT_REINFORCES))
        await it.character.retry(parked[0].id)
        await it.settle()
        assert (await the_one(it)).evidence.reinforcement > before.evidence.reinforcement


async def test_a_mind_speaks_for_a_persona_entry_and_never_of_the_card(life: Lives) -> None:
    async with life(TEA) as it:
        await it.character.describe(card=["Yui loves rain."])
        await confirmed(it)
        await it.hear("Yes.")
        (entry,) = [one for one in await it.character.persona() if one.text == TEA]
        asked = signals(it, lambda request: each(request, Signal.FACT_REINFORCES))
        await it.hear("A day without a cup of sencha is a sad day.")
        (after,) = [one for one in await it.character.persona() if one.text == TEA]
        shown = [belief.text for request in asked for belief in request.beliefs]
        assert after.evidence.reinforcement > entry.evidence.reinforcement
        assert shown == [TEA]


# --- rebuttals ----------------------------------------------------------------------------------


async def test_after_ten_turns_a_mind_finds_what_they_deny_and_it_is_rejected(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        it.mind.reads(Signal.CONFIRMED)
        await it.character.say("You like green tea.", surfaced=["green tea"])
        await it.hear("Yes.")
        asked = rebuttals(it, lambda its: [Rebuttal(reflection=its.reflections[0].id, turn=its.turns[-1].id)])
        for number in range(14):
            await it.hear(f"These days I can't stand the smell of it, day {number}.")
        denied = await the_one(it)
        assert (len(asked), len(asked[0].turns)) == (1, 10)
        assert (denied.status, denied.evidence.disputation) == ("denied", 1.0)
        assert TEA not in (await it.character.briefing()).text


@pytest.mark.parametrize("kind", ["reflection", "turn", "old turn"])
async def test_an_invented_or_early_rebuttal_denies_nothing(
    life: Lives, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        early = (await it.character.turns(newest=99))[0]
        it.mind.reads(Signal.CONFIRMED)
        it.clock.advance_to(it.clock.now() + 60)
        await it.character.say("You like green tea.", surfaced=["green tea"])
        await it.hear("Yes.")

        async def rebut(request: RebutRequest) -> Sequence[Rebuttal]:
            known, turn = request.reflections[0].id, request.turns[-1].id
            return [
                Rebuttal(
                    reflection=ReflectionId("ref_invented") if kind == "reflection" else known,
                    turn={"reflection": turn, "turn": TurnId("turn_invented"), "old turn": early.id}[kind],
                )
            ]

        it.mind.rebut = rebut
        with caplog.at_level(logging.WARNING):
            for number in range(10):
                await it.hear(f"It rained on day {number}.")
        assert (await the_one(it)).status == "confirmed"
        assert "signals.dropped" in [record.message for record in caplog.records]


async def test_a_failing_look_for_rebuttals_is_parked_with_the_turns_that_it_is_about(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        it.mind.reads(Signal.CONFIRMED)
        await it.character.say("You like green tea.", surfaced=["green tea"])
        await it.hear("Yes.")

        async def rebut(_: RebutRequest) -> Sequence[Rebuttal]:
            raise ModelError("out of order")

        it.mind.rebut = rebut
        await it.hear("Hm.", "Well.", "I see.", "So.")
        parked = await it.character.outbox(states=[OpState.PARKED])
        assert ([type(op.work) for op in parked], len(parked[0].work.turns)) == ([CheckRebuttals], 10)
        assert (await the_one(it)).status == "confirmed"


async def test_a_look_for_rebuttals_that_the_disk_refuses_is_due_with_the_next_attempt(
    life: Lives, disk_refuses: DiskRefuses
) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)
        it.mind.reads(Signal.CONFIRMED)
        await it.character.say("You like green tea.", surfaced=["green tea"])
        await it.hear("Yes.")
        asked = rebuttals(it, lambda _: ())
        disk_refuses(lambda commit: any(isinstance(work, CheckRebuttals) for work in commit.enqueues))
        for text in ("Hm.", "Well.", "I see.", "So."):
            await it.character.hear(text)
        with suppress(StorageFullError):  # unless the work went on before anybody waited for it
            await it.settle()
        await it.settle()
        assert [len(request.turns) for request in asked] == [10]


# --- unwelcome topics -----------------------------------------------------------------------------


@pytest.mark.parametrize(("found", "disputation"), [(True, 1.0), (False, 0.0)])
async def test_a_mind_says_whether_words_of_annoyance_have_a_target(
    life: Lives, found: bool, disputation: float
) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)

        def answer(request: NegativeTargetsRequest) -> Sequence[NegativeTarget]:
            invented = NegativeTarget(target=Target(TargetKind.PERSONA, "prom_invented"))
            return [invented, *(NegativeTarget(target=one.target) for one in request.candidates if found)]

        asked = answering(it, "negative_targets", answer)
        await it.character.say("A cup again?", surfaced=["green tea"])
        await it.hear("Stop it, that's annoying.")
        assert (await the_one(it)).evidence.disputation == disputation
        assert [turn.text for turn in asked[0].turns][-1] == "Stop it, that's annoying."
        assert len(asked[0].turns) == 3


async def test_a_lasting_entry_that_was_just_brought_up_can_be_the_target(life: Lives) -> None:
    async with life(TEA) as it:
        await confirmed(it)
        await it.hear("Yes.")
        await it.character.say("Sam likes green tea, I know.")
        await it.hear("Enough about green tea, it's annoying.")
        (entry,) = [one for one in await it.character.persona() if one.text == TEA]
        assert entry.evidence.disputation == 1.0


async def test_without_a_negative_keyword_no_mind_is_asked_for_targets(life: Lives) -> None:
    async with life(TEA) as it:
        await it.hear(*TEAS)

        async def negative_targets(_: NegativeTargetsRequest) -> Sequence[NegativeTarget]:
            raise AssertionError

        it.mind.negative_targets = negative_targets
        await it.character.say("A cup again?", surfaced=["green tea"])
        await it.hear("With pleasure.")
        assert (await it.character.settle()).parked == 0
