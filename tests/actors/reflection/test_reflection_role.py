"""The reflection role on real journals: judgements come, are answered, and what was denied stays denied."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from omoide.protocols.errors import InvalidRequestError, ModelError, NotFoundError
from omoide.protocols.evidence import Signal
from omoide.protocols.records import ReflectionStatus
from omoide.protocols.work import OpState, Synthesise

Lives = Callable[..., AbstractAsyncContextManager[Any]]

RIVER = "Sam loves running along the river."
RUNS = (
    "I went running along the river.",
    "I ran ten kilometres along the river again.",
    "Running by the river clears my head.",
    "I bought new running shoes for the river path.",
    "I signed up for a river half marathon.",
)
MORE_RUNS = tuple(
    f"I ran at the river on {day}." for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
)
BREAD = (
    "I bake sourdough bread every Sunday.",
    "My sourdough starter is called Otto.",
    "I sell sourdough bread to my neighbours.",
    "I want to open a sourdough bakery.",
    "I dream of sourdough bread.",
)


async def test_five_facts_make_one_pending_reflection_that_rests_on_them(life: Lives) -> None:
    async with life(RIVER) as it:
        await it.hear(*RUNS)
        (made,) = await it.character.reflections()
        facts = {fact.id for fact in await it.character.facts()}
        assert (made.text, made.status, set(made.sources)) == (RIVER, ReflectionStatus.PENDING, facts)


async def test_four_facts_make_none_and_the_mind_is_not_asked(life: Lives) -> None:
    async with life(RIVER) as it:
        await it.hear(*RUNS[:4])
        assert (await it.character.reflections(), it.mind.asked) == ((), [])


async def test_a_fact_is_used_in_one_reflection_only(life: Lives) -> None:
    async with life(RIVER, "Sam is into sourdough bread.") as it:
        await it.hear(*RUNS)
        await it.hear(*BREAD)
        first, second = await it.character.reflections()
        assert set(first.sources).isdisjoint(second.sources)


async def test_a_mind_that_makes_nothing_of_some_facts_is_asked_once_for_them(life: Lives) -> None:
    async with life() as it:
        await it.hear(*RUNS)
        await it.character.hear("What a day!")
        await it.settle()
        await it.wait(days=3)
        assert len(it.mind.asked) == 1


async def test_one_more_fact_is_a_reason_to_ask_again(life: Lives) -> None:
    async with life(None, RIVER) as it:
        await it.hear(*RUNS)
        await it.hear("I ran around the lake too.")
        assert [len(asked) for asked in it.mind.asked] == [5, 6]


async def test_a_mind_that_fails_for_good_is_parked_and_tried_again_on_a_later_day(life: Lives) -> None:
    async with life(*[ModelError("out of order")] * 5, RIVER) as it:
        await it.hear(*RUNS)
        parked = await it.character.outbox(states=[OpState.PARKED])
        assert [type(op.work) for op in parked] == [Synthesise]
        await it.wait(days=2)
        assert [one.text for one in await it.character.reflections()] == [RIVER]


@pytest.mark.parametrize("invented", ["Sam is a vegan from Lisbon.", "   ", "\x00"])
async def test_an_invented_judgement_is_an_error_and_stores_nothing(life: Lives, invented: str) -> None:
    async with life(*[invented] * 5) as it:
        await it.hear(*RUNS)
        (parked,) = await it.character.outbox(states=[OpState.PARKED])
        assert ("ModelOutputError" in parked.error, await it.character.reflections()) == (True, ())


async def test_a_judgement_that_is_made_again_is_not_believed_twice(life: Lives) -> None:
    async with life(RIVER, "Sam loves running along the river!") as it:
        await it.hear(*RUNS)
        await it.hear(*MORE_RUNS)
        every = await it.every_reflection()
        assert sorted(one.status for one in every.values()) == ["archived", "pending"]
        assert (await it.recalled("river running")).count(RIVER) == 1


async def test_an_ignored_reflection_is_still_recalled_and_a_denied_one_is_not(life: Lives) -> None:
    async with life(RIVER) as it:
        await it.hear(*RUNS)
        found = []
        for signal in (Signal.IGNORED, Signal.DENIED):
            it.mind.reads(signal)
            await it.character.say("You love the river!", surfaced=["along the river"])
            await it.hear("What is for dinner?")
            found.append(RIVER in await it.recalled("river running"))
        assert found == [True, False]


async def test_what_was_denied_comes_back_by_no_later_facts(life: Lives) -> None:
    async with life(RIVER, "Sam loves running along the river!") as it:
        await it.hear(*RUNS)
        it.mind.reads(Signal.DENIED)
        await it.character.say("You love the river!", surfaced=["along the river"])
        await it.hear("No.")
        await it.hear(*MORE_RUNS)
        (again,) = [one for one in await it.character.reflections() if one.text.endswith("!")]
        assert again.evidence.disputation == 1.0
        assert not [text for text in await it.recalled("river running") if text.startswith("Sam loves")]


async def test_what_was_never_denied_does_come_again(life: Lives) -> None:
    async with life(RIVER, "Sam is into sourdough bread.") as it:
        await it.hear(*RUNS)
        it.mind.reads(Signal.DENIED)
        await it.character.say("You love the river!", surfaced=["along the river"])
        await it.hear("No.")
        await it.hear(*BREAD)
        assert "Sam is into sourdough bread." in await it.recalled("sourdough")


async def test_a_denial_is_one_commit_of_evidence_status_and_rejection(life: Lives) -> None:
    async with life(RIVER) as it:
        await it.hear(*RUNS)
        it.mind.reads(Signal.DENIED)
        await it.character.say("You love the river!", surfaced=["along the river"])
        receipt = await it.character.hear("No.")
        await it.settle()
        denial = [event for event in await it.character.events() if event.cause == receipt.turn]
        (moved,) = [event.change.reflection for event in denial if event.kind == "reflection_evidence_updated"]
        assert (moved.status, moved.evidence.disputation, moved.awaiting) == ("denied", 1.0, None)
        assert any(event.kind == "value_rejected" for event in await it.character.events())


async def test_a_confirmed_answer_confirms(life: Lives) -> None:
    async with life(RIVER) as it:
        await it.hear(*RUNS)
        it.mind.reads(Signal.CONFIRMED)
        await it.character.say("You love the river!", surfaced=["along the river"])
        await it.hear("Yes, so much!")
        (one,) = await it.character.reflections(tier="confirmed")
        assert one.status is ReflectionStatus.CONFIRMED


async def test_a_reflection_is_found_by_the_tier_of_the_moment(life: Lives) -> None:
    async with life(RIVER) as it:
        await it.hear(*RUNS)
        it.mind.reads(Signal.CONFIRMED)
        await it.character.say("You love the river!", surfaced=["along the river"])
        await it.hear("Yes, so much!")
        await it.wait(days=31)
        tiers = {tier: len(await it.character.reflections(tier=tier)) for tier in ("confirmed", "pending")}
        assert tiers == {"confirmed": 0, "pending": 1}


async def test_a_tier_that_does_not_exist_is_refused_by_name(life: Lives) -> None:
    async with life() as it:
        with pytest.raises(InvalidRequestError, match="archive_candidate, pending, confirmed, promoted"):
            await it.character.reflections(tier="certain")


async def test_the_interface_rejects_a_reflection_for_good_and_affirms_it_again(life: Lives) -> None:
    async with life(RIVER, "Sam loves running along the river!") as it:
        await it.hear(*RUNS)
        (made,) = await it.character.reflections()
        await it.character.reject(made.id)
        await it.settle()
        rejected = RIVER in await it.recalled("river running")
        await it.character.affirm(made.id)
        await it.settle()
        assert (rejected, RIVER in await it.recalled("river running")) == (False, True)


async def test_what_is_affirmed_takes_part_at_once_and_is_confirmed_once(life: Lives) -> None:
    async with life(RIVER) as it:
        await it.hear(*RUNS)
        (made,) = await it.character.reflections()
        await it.character.reject(made.id)
        await it.settle()
        await it.character.affirm(made.id)
        at_once = await it.character.reflections()
        await it.settle()
        (later,) = await it.character.reflections()
        assert ([one.id for one in at_once], later.evidence) == ([made.id], at_once[0].evidence)


async def test_a_decision_on_a_reflection_that_is_not_there_is_refused(life: Lives) -> None:
    async with life() as it:
        with pytest.raises(NotFoundError, match="ref_nothing"):
            await it.character.reject("ref_nothing")


async def test_what_a_person_rejects_disputes_the_reflections_that_say_it(life: Lives) -> None:
    async with life("Sam works as a nurse.") as it:
        await it.hear(
            "I work as a nurse at Saint Mary's hospital.",
            "I bought new nurse shoes.",
            "I like the other nurse on my ward.",
            "I met a nurse from Oslo.",
            "I read a book about a nurse.",
        )
        before = "Sam works as a nurse." in await it.recalled("work nurse")
        await it.hear("I don't work as a nurse.")
        assert (before, "Sam works as a nurse." in await it.recalled("work nurse")) == (True, False)


@pytest.mark.parametrize(
    "point",
    [
        "signals.received",
        "signals.judged",
        "reflection.received",
        "reflection.synthesised",
        "reflection.before_commit",
        "reflection.after_commit",
    ],
)
@pytest.mark.parametrize("skip", [0, 1, 2])
async def test_a_crash_anywhere_leaves_what_an_undisturbed_run_leaves(life: Lives, point: str, skip: int) -> None:
    from omoide.runtime.failpoints import Fault  # noqa: PLC0415 - beside its one use

    async with life(RIVER) as it:
        it.mind.judgements = [RIVER] * 9
        it.failpoints.arm(point, Fault.CRASH, skip=skip)
        await it.hear(*RUNS)
        it.mind.reads(Signal.CONFIRMED)
        await it.character.say("You love the river!", surfaced=["along the river"])
        await it.hear("Yes.")
        it.mind.reads(Signal.IGNORED)
        await it.character.say("You love the river!", surfaced=["along the river"])
        await it.hear("Hm.")
        (one,) = (await it.every_reflection()).values()
        agreed = round(one.evidence.reinforcement, 3)
        assert (one.text, one.status, agreed, one.awaiting) == (RIVER, "confirmed", 0.8, None)


async def test_a_reflection_that_rests_on_forgotten_facts_alone_goes_with_them_at_once(life: Lives) -> None:
    async with life("Sam loves running.") as it:
        await it.hear(*RUNS)
        assert [hit.text for hit in (await it.character.recall("running")).hits][:1] != []
        receipt = await it.character.hear("Please forget everything about the river.")

        assert len(receipt.forgotten) == len(RUNS)
        assert (await it.character.recall("Does Sam love running?")).hits == ()
        assert "running" not in (await it.character.briefing(cue="Let's go running.")).text.replace("Let's go", "")
        await it.settle()
        denied = [
            event.change.reflection.status
            for event in await it.character.events()
            if event.kind == "reflection_evidence_updated"
        ]
        assert (denied[-1], await it.character.reflections()) == (ReflectionStatus.DENIED, ())


async def test_a_reflection_that_rests_on_more_than_what_is_forgotten_stays(life: Lives) -> None:
    async with life("Sam loves running.") as it:
        await it.hear(*RUNS)
        receipt = await it.character.hear("Please forget about my half marathon.")
        await it.settle()

        assert len(receipt.forgotten) == 1
        assert [one.status for one in await it.character.reflections()] == [ReflectionStatus.PENDING]


async def test_a_reflection_that_names_what_is_forgotten_goes_whatever_it_rests_on(life: Lives) -> None:
    async with life("Sam is training for a half marathon.") as it:
        await it.hear(*RUNS)
        await it.character.hear("Please forget about my half marathon.")

        assert not [hit for hit in (await it.character.recall("Is Sam training?")).hits if "training" in hit.text]
