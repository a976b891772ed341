"""Turns that leave the recent window are kept in mind as a memo, and what was taken back is in no memo."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from omoide.actors.compaction import actor, heeding
from omoide.protocols.errors import ModelError
from omoide.protocols.memos import ConversationMemo
from omoide.protocols.prompt_tokens import estimated_tokens
from omoide.protocols.records import Speaker
from omoide.protocols.scopes import Subject
from omoide.protocols.settings import Settings
from omoide.protocols.tasks import Memo, SummariseRequest
from omoide.protocols.work import OpState
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.models.offline import OfflineEngine

START = 1_772_442_000.0
GROUP = "group:qq:77"
ALICE = Speaker(platform="qq", account="1001", label="Alice")
LUNCHES = [f"My lunch on day {number} was soup." for number in range(24)]


class Chronicler(OfflineEngine):
    """A mind whose memos can be scripted; an error among them is raised, and None asks the offline engine."""

    def __init__(self, *memos: str | Exception | None) -> None:
        self.memos = list(memos)
        self.asked: list[SummariseRequest] = []
        self.gate = trio.Event()
        self.gate.set()

    async def summarise(self, request: SummariseRequest) -> Memo:
        self.asked.append(request)
        await self.gate.wait()
        memo = self.memos.pop(0) if self.memos else None
        if isinstance(memo, Exception):
            raise memo
        return await super().summarise(request) if memo is None else Memo(text=memo)


class Talk:
    """A character with its runtime, clock, mind and failpoints."""

    def __init__(
        self,
        runtime: Runtime,
        character: Character,
        clock: VirtualClock,
        mind: Chronicler,
        failpoints: ArmedFailpoints,
    ) -> None:
        self.runtime = runtime
        self.character = character
        self.clock = clock
        self.mind = mind
        self.failpoints = failpoints

    async def hear(self, *texts: str, subject: str = "private", speaker: Speaker | None = None) -> None:
        for text in texts:
            await self.character.hear(text, subject=subject, speaker=speaker)

    async def settle(self) -> None:
        while (drained := await self.character.drain()).next_at is not None:
            self.clock.advance_to(drained.next_at)

    async def memo(self, subject: str = "private") -> str:
        async with self.runtime.resident("yui") as resident:
            memos = await resident.journal.records(ConversationMemo)
        return next((memo.text for memo in memos if memo.subject == Subject(subject)), "")

    async def told(self, *subjects: str) -> list[str]:
        """Return the lines of the memo that a briefing tells."""
        return [entry.text for entry in (await self.character.briefing(subjects=subjects or None)).memo]


Talks = Callable[..., AbstractAsyncContextManager[Talk]]


@pytest.fixture
def talk(tmp_path: Path) -> Talks:
    """Open a character: `async with talk("a memo", window={...}) as it`."""

    @asynccontextmanager
    async def live(*memos: str | Exception | None, **sections: object) -> AsyncIterator[Talk]:
        clock, mind, failpoints = VirtualClock(START), Chronicler(*memos), ArmedFailpoints()
        tree = Settings.model_validate({"data_dir": tmp_path, **sections})
        async with open_runtime(tree, clock=clock, model=mind, failpoints=failpoints) as runtime:
            yield Talk(runtime, await runtime.character("yui", owner="Sam"), clock, mind, failpoints)

    return live


def words_of(requests: Sequence[SummariseRequest]) -> str:
    return " ".join(" ".join([*(turn.text for turn in one.turns), one.earlier]) for one in requests)


async def test_what_must_not_be_in_a_memo_is_looked_for_beside_the_loop(
    talk: Talks, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[int] = set()

    def rejected_in(*given: Any, **named: Any) -> bool:
        threads.add(threading.get_ident())
        return heeding.rejected_in(*given, **named)

    monkeypatch.setattr(actor, "rejected_in", rejected_in)
    async with talk() as it:
        await it.hear(*LUNCHES)
        await it.settle()

        assert await it.memo()
    assert threads
    assert threading.get_ident() not in threads


async def test_twenty_turns_are_told_word_for_word_and_make_no_memo(talk: Talks) -> None:
    async with talk() as it:
        await it.hear(*LUNCHES[:20])
        await it.settle()
        briefing = await it.character.briefing()
        assert ([turn.text for turn in briefing.recent], it.mind.asked) == (LUNCHES[:20], [])


async def test_one_turn_more_leaves_ten_word_for_word_and_the_rest_in_the_memo(talk: Talks) -> None:
    async with talk() as it:
        await it.hear(*LUNCHES[:21])
        await it.settle()
        briefing = await it.character.briefing()
        assert [turn.text for turn in briefing.recent] == LUNCHES[11:21]
        assert [entry.text for entry in briefing.memo] == LUNCHES[:11]
        assert "Earlier in the conversation" in briefing.text


async def test_the_next_memo_is_made_of_the_last_one_and_ten_more_turns(talk: Talks) -> None:
    async with talk("They talked of soup.", "They talked of soup, and of more soup.") as it:
        await it.hear(*LUNCHES[:21])
        await it.settle()
        it.clock.advance_to(START + 7_200)
        await it.hear(*(f"{text} Again." for text in LUNCHES[:11]))
        await it.settle()
        second = it.mind.asked[1]
        assert (second.earlier, len(second.turns), second.elapsed_s) == ("They talked of soup.", 11, 7_200)
        assert await it.memo() == "They talked of soup, and of more soup."


async def test_hearing_never_waits_for_the_mind_that_makes_a_memo(talk: Talks) -> None:
    async with talk() as it:
        it.mind.gate = trio.Event()
        with trio.fail_after(20):
            await it.hear(*LUNCHES)
        assert await it.memo() == ""
        it.mind.gate.set()
        await it.settle()
        assert await it.told() == LUNCHES[:14]


async def test_what_the_person_asks_to_forget_leaves_the_memo_at_once_and_does_not_come_back(talk: Talks) -> None:
    async with talk() as it:
        await it.hear("My old number is 555 0199.", *LUNCHES)
        await it.settle()
        before = await it.told()
        await it.hear("Please forget my old number.")
        at_once = await it.memo()
        await it.settle()
        after = await it.told()
        assert "My old number is 555 0199." in before
        assert at_once == ""
        assert "555" not in " ".join(after)
        assert LUNCHES[3] in after


async def test_a_memo_in_the_making_is_not_stored_when_its_words_are_taken_back(talk: Talks) -> None:
    async with talk() as it:
        it.mind.gate = trio.Event()
        async with trio.open_nursery() as nursery:
            await it.hear("My old number is 555 0199.", *LUNCHES[:20])
            nursery.start_soon(it.settle)
            while not it.mind.asked:  # noqa: ASYNC110 - the mind tells nobody that it was asked
                await trio.sleep(0.01)
            await it.hear("Please forget my old number.")
            it.mind.gate.set()
        assert "555" in words_of(it.mind.asked)
        assert "555" not in await it.memo()


@pytest.mark.parametrize("by_hand", [True, False])
async def test_a_memo_tells_nothing_that_was_rejected_since_however_it_puts_it(talk: Talks, by_hand: bool) -> None:
    async with talk("Sam is employed in nursing.\nSam had soup.", None) as it:
        await it.hear("I work as a nurse.", *LUNCHES[:20])
        await it.settle()
        before = await it.told()
        it.clock.advance_to(START + 60)
        if by_hand:
            await it.character.reject(await it.character.meant("as a nurse", affirms=False))
        else:
            await it.hear("I'm not a nurse.")
            await it.settle()
        at_once = await it.told()
        await it.hear(*LUNCHES)
        await it.settle()
        after = " ".join(await it.told())
        assert (before, at_once) == (["Sam is employed in nursing.", "Sam had soup."], [])
        assert "as a nurse" not in after
        assert "nursing" not in words_of(it.mind.asked[1:])
        assert LUNCHES[5] in after


async def test_a_banned_topic_is_in_no_memo_that_is_told_until_it_is_lifted(talk: Talks) -> None:
    async with talk("Marcus moved away.\nSam had soup.") as it:
        await it.hear("Marcus moved away.", *LUNCHES[:20])
        await it.settle()
        directive = await it.character.add_directive("Marcus")
        banned = await it.told()
        await it.character.remove_directive(directive.id)
        assert (banned, await it.told()) == (["Sam had soup."], ["Marcus moved away.", "Sam had soup."])


async def test_what_is_banned_already_does_not_go_into_a_memo(talk: Talks) -> None:
    async with talk() as it:
        await it.character.add_directive("Marcus")
        await it.hear("Marcus moved away.", *LUNCHES[:20])
        await it.settle()
        assert "Marcus" not in words_of(it.mind.asked)
        assert LUNCHES[0] in words_of(it.mind.asked)


async def test_a_memo_is_told_where_its_words_were_said_and_nowhere_else(talk: Talks) -> None:
    async with talk() as it:
        await it.hear(*LUNCHES[:21], subject=GROUP, speaker=ALICE)
        await it.hear("I keep bees.", *(f"It's day {number}." for number in range(20)))
        await it.settle()
        private, group = await it.told("private"), await it.told(GROUP)
        assert "I keep bees." in private
        assert f"Alice: {LUNCHES[0]}" in group
        assert set(private).isdisjoint(group)


async def test_a_mind_that_fails_is_parked_and_costs_no_words(talk: Talks) -> None:
    async with talk(*[ModelError("out of order")] * 5) as it:
        await it.hear(*LUNCHES[:21])
        await it.settle()
        parked = await it.character.outbox(states=[OpState.PARKED])
        briefing = await it.character.briefing()
        assert ([op.error for op in parked], briefing.memo) == (["ModelError: out of order"], ())
        assert [turn.text for turn in briefing.recent] == LUNCHES[1:21]
        await it.character.retry(parked[0].id)
        await it.settle()
        assert await it.told() == LUNCHES[:11]


@pytest.mark.parametrize("moment", ["received", "summarised"])
async def test_a_crash_on_the_way_makes_the_memo_all_the_same_and_once(talk: Talks, moment: str) -> None:
    async with talk() as it:
        it.failpoints.arm(f"compaction.{moment}", Fault.CRASH)
        await it.hear(*LUNCHES[:21])
        await it.settle()
        kinds = [event.kind for event in await it.character.events()]
        assert (await it.told(), kinds.count("memo_written")) == (LUNCHES[:11], 1)


async def test_a_memo_that_got_too_long_is_told_again_and_else_cut(talk: Talks) -> None:
    long = "\n".join(f"Line {number} of a memo that never ends and goes on." for number in range(200))
    async with talk(long, long) as it:
        await it.hear(*LUNCHES[:21])
        await it.settle()
        again = it.mind.asked[1]
        assert (again.turns, again.max_tokens) == ((), 500)
        assert estimated_tokens(await it.memo()) <= 1_000
        assert (await it.told())[-1] == "Line 199 of a memo that never ends and goes on."


async def test_text_that_cannot_be_stored_fails_the_step_and_stores_nothing(talk: Talks) -> None:
    async with talk(*["\ud800"] * 5) as it:
        await it.hear(*LUNCHES[:21])
        await it.settle()
        (parked,) = await it.character.outbox(states=[OpState.PARKED])
        assert (parked.error.split(":")[0], await it.memo()) == ("ModelOutputError", "")


async def test_a_restart_counts_the_turns_of_the_window_anew(talk: Talks) -> None:
    async with talk() as it:
        await it.hear(*LUNCHES[:15])
        await it.settle()
    async with talk() as it:
        await it.hear(*LUNCHES[15:21])
        await it.settle()
        assert await it.told() == LUNCHES[:11]


@pytest.mark.parametrize("by", ["memory", "words"])
async def test_a_memo_goes_with_an_erased_turn_of_its_place_and_with_no_other(talk: Talks, by: str) -> None:
    async with talk("Sam has a number.", "Alice had soup.") as it:
        await it.hear("My old number is 555 0199.", *LUNCHES[:20])
        await it.settle()
        await it.hear(*LUNCHES[:21], subject=GROUP, speaker=ALICE)
        await it.settle()
        (first, *_) = await it.character.turns(newest=99)
        if by == "memory":
            await it.character.erase(memory=first.id)
        else:
            await it.character.erase(words="555 0199")
        await it.settle()
        assert (await it.told("private"), await it.told(GROUP)) == ([], ["Alice had soup."])
