"""A mind decides what lasts, among what it was shown; one that fails, or strays, promotes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from omoide.protocols.errors import ModelError
from omoide.protocols.evidence import Signal
from omoide.protocols.records import PersonaEntry, Reflection
from omoide.protocols.tasks import (
    CorrectAction,
    Correction,
    CorrectRequest,
    MergeAction,
    MergeDecision,
    MergeRequest,
    Target,
    TargetKind,
)
from omoide.tests.actors.answering import answering

Lives = Callable[..., AbstractAsyncContextManager[Any]]

TEA = "Sam likes green tea."
SENCHA = "Sam is mad about sencha, a green tea."
NO_TEA = "Sam doesn't like green tea."
TEAS = (
    "I drink green tea every morning.",
    "My green tea comes from Uji.",
    "I bought a pot for green tea.",
    "I spilled green tea on the carpet.",
    "I read a book about green tea.",
)
SENCHAS = tuple(f"The green tea number {number} was sencha." for number in range(5))


async def stable(it: Any, name: str) -> None:
    """Have the person say yes to a reflection until it is to last."""
    it.mind.reads(Signal.CONFIRMED)
    for _ in range(3):
        await it.character.say("Is it so?", surfaced=[name])
        await it.hear("Yes.")


def merges(it: Any, answer: Callable[[MergeRequest], MergeDecision]) -> list[MergeRequest]:
    """Have the mind decide so; return what it is asked."""
    return answering(it, "merge", answer)


async def reflection(it: Any, text: str) -> Reflection:
    (one,) = [one for one in (await it.every_reflection()).values() if one.text == text]
    found: Reflection = one
    return found


async def texts(it: Any) -> list[str]:
    return [entry.text for entry in await it.character.persona()]


async def two(it: Any) -> None:
    """Let one reflection last and another one be made."""
    await it.hear(*TEAS)
    await stable(it, TEA)
    assert await texts(it) == [TEA]
    await it.hear(*SENCHAS)


async def test_a_mind_merges_into_an_entry_that_it_was_shown_and_the_old_wording_is_kept(life: Lives) -> None:
    async with life(TEA, SENCHA) as it:
        await two(it)
        both = "Sam likes green tea, most of all sencha."
        asked = merges(
            it, lambda request: MergeDecision(action=MergeAction.MERGE, into=request.pool[0].target, text=both)
        )
        await stable(it, SENCHA)
        (entry,) = await it.character.persona()
        merged = await reflection(it, SENCHA)
        assert [belief.text for belief in asked[0].pool] == [TEA]
        assert (entry.text, [one.text for one in entry.versions], len(entry.lineage)) == (both, [TEA], 2)
        assert (merged.status, merged.absorbed_into) == ("merged", entry.id)


async def test_a_mind_makes_a_new_entry_or_rejects(life: Lives) -> None:
    async with life(TEA, SENCHA) as it:
        await two(it)
        merges(it, lambda _: MergeDecision(action=MergeAction.REJECT, reason="no lasting trait"))
        await stable(it, SENCHA)
        denied = await reflection(it, SENCHA)
        assert (denied.status, denied.reason, await texts(it)) == ("denied", "no lasting trait", [TEA])


@pytest.mark.parametrize(
    "decision",
    [
        MergeDecision(action=MergeAction.MERGE, into=Target(TargetKind.PERSONA, "prom_invented"), text="Tea."),
        MergeDecision(action=MergeAction.MERGE, into=None, text="Tea."),
        MergeDecision(action=MergeAction.MERGE, into=Target(TargetKind.REFLECTION, "own"), text="Tea."),
        MergeDecision(action=MergeAction.MERGE, into=Target(TargetKind.PERSONA, "own"), text=" "),
        MergeDecision(action=MergeAction.MERGE, into=Target(TargetKind.PERSONA, "own"), text="\ud800"),
        MergeDecision(action=MergeAction.MERGE, into=Target(TargetKind.PERSONA, "own"), text="Sam is a nurse."),
        ModelError("no answer"),
    ],
    ids=["invented", "nowhere", "no entry", "blank", "no text", "rejected", "no answer"],
)
async def test_what_strays_or_fails_changes_nothing_and_is_one_attempt(
    life: Lives, decision: MergeDecision | ModelError
) -> None:
    async with life(TEA, SENCHA) as it:
        await it.hear("I work as a nurse.")
        await it.character.reject(await it.character.meant("as a nurse", affirms=False))
        await two(it)
        (entry,) = await it.character.persona()

        def answer(_: MergeRequest) -> MergeDecision:
            if isinstance(decision, ModelError):
                raise decision
            into = decision.into
            if into is None or into.id != "own":
                return decision
            return MergeDecision(action=decision.action, into=Target(into.kind, entry.id), text=decision.text)

        merges(it, answer)
        await stable(it, SENCHA)
        tried = await reflection(it, SENCHA)
        assert (tried.status, tried.promote_attempts) == ("confirmed", 1)
        assert [one.text for one in await it.character.persona()] == [TEA]
        assert (await it.character.settle()).parked == 0


async def test_the_fifth_failure_blocks_and_none_promotes(life: Lives) -> None:
    async with life(TEA) as it:

        def fail(_: MergeRequest) -> MergeDecision:
            raise ModelError("out of order")

        asked = merges(it, fail)
        await it.hear(*TEAS)
        await stable(it, TEA)
        for _ in range(7):
            await it.wait(days=1)
        blocked = await reflection(it, TEA)
        assert (len(asked), blocked.status, await texts(it)) == (5, "promote_blocked", [])


async def test_without_strong_memory_no_mind_is_asked_what_lasts(life: Lives) -> None:
    async with life(TEA) as it:
        await it.character.set_strong_memory(False)
        asked = merges(it, lambda _: MergeDecision(action=MergeAction.NEW))
        await it.hear(*TEAS)
        await it.wait(days=16)
        assert (asked, await texts(it)) == ([], [TEA])


# --- contradictions -------------------------------------------------------------------------------


def corrects(it: Any, answer: Callable[[CorrectRequest], Sequence[Correction]]) -> list[CorrectRequest]:
    """Have the mind decide contradictions so; return what it is asked."""
    return answering(it, "correct", answer)


@pytest.mark.parametrize(
    ("action", "text", "lasting", "status"),
    [
        (CorrectAction.KEEP_OLD, "", [TEA], "denied"),
        (CorrectAction.KEEP_NEW, "", [NO_TEA], "promoted"),
        (CorrectAction.KEEP_BOTH, "", [TEA, NO_TEA], "promoted"),
        (CorrectAction.REPLACE, "Sam liked tea once.", ["Sam liked tea once."], "merged"),
    ],
)
async def test_a_mind_decides_between_an_entry_and_what_contradicts_it(
    life: Lives, action: CorrectAction, text: str, lasting: list[str], status: str
) -> None:
    async with life(TEA, NO_TEA) as it:
        await two(it)
        asked = corrects(it, lambda _: [Correction(pair=0, action=action, text=text)])
        await stable(it, NO_TEA)
        assert [(pair.old.text, pair.new.text) for pair in asked[0].pairs] == [(TEA, NO_TEA)]
        assert await texts(it) == lasting
        assert (await reflection(it, NO_TEA)).status == status


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [Correction(pair=1, action=CorrectAction.KEEP_NEW), Correction(pair=-1, action=CorrectAction.KEEP_NEW)],
        [Correction(pair=7, action=CorrectAction.KEEP_NEW)] * 10_000,
        [Correction(pair=0, action=CorrectAction.REPLACE, text="")],
    ],
    ids=["nothing", "other pairs", "ten thousand", "no text"],
)
async def test_a_decision_on_nothing_that_was_asked_changes_nothing_and_is_parked_at_last(
    life: Lives, answer: list[Correction]
) -> None:
    async with life(TEA, NO_TEA) as it:
        await two(it)
        before: tuple[PersonaEntry, ...] = await it.character.persona()
        corrects(it, lambda _: answer)
        await stable(it, NO_TEA)
        assert await it.character.persona() == before
        assert ((await reflection(it, NO_TEA)).status, (await it.character.settle()).parked) == ("confirmed", 1)


async def test_of_two_decisions_on_one_pair_the_first_counts(life: Lives) -> None:
    async with life(TEA, NO_TEA) as it:
        await two(it)
        both = [
            Correction(pair=0, action=CorrectAction.KEEP_OLD),
            Correction(pair=0, action=CorrectAction.KEEP_NEW),
        ]
        corrects(it, lambda _: both)
        await stable(it, NO_TEA)
        assert await texts(it) == [TEA]
