"""A review takes turns that a later one repeats or takes back out of briefings, and rewrites nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from omoide.actors.compaction.reviewing import review_due, still_overtaken
from omoide.protocols.errors import ModelCutOffError
from omoide.protocols.memos import ConversationMemo, memo_id, reviewed
from omoide.protocols.records import Role, Turn, TurnId
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings, WindowSettings
from omoide.protocols.tasks import Overtaken, ReviewRequest
from omoide.protocols.work import OpState, ReviewWindow
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine

START = 1_772_442_000.0
WANTED = WindowSettings(review=True)
HEARD = (
    "I drink tea with two cats around me.",
    "Yes.",
    "The weather is fine.",
    "Yes.",
    "I have a job in a small bakery downtown.",
    "I bought a red bicycle last week.",
    "I have a job in a small bakery downtown.",
    "My sister visits on Sunday.",
    "We will go to the museum.",
    "Then we will have cake.",
)


class Reviewer(OfflineEngine):
    """A mind whose reviews can be cut off; it keeps what it was shown."""

    def __init__(self, *, cut_off_above: int = 100) -> None:
        self.asked: list[ReviewRequest] = []
        self.cut_off_above = cut_off_above

    async def review(self, request: ReviewRequest) -> Sequence[Overtaken]:
        self.asked.append(request)
        if len(request.turns) > self.cut_off_above:
            raise ModelCutOffError("cut off", ())
        return await super().review(request)


async def told(folder: Path, mind: Reviewer, *, review: bool = True, heard: Sequence[str] = HEARD) -> list[str]:
    """Return what a briefing tells of the last turns."""
    clock = VirtualClock(START)
    settings = Settings(data_dir=folder, window=WindowSettings(review=review))
    async with open_runtime(settings, clock=clock, model=mind) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        for text in heard:
            await yui.hear(text)
        await yui.settle()
        assert [turn.text for turn in await yui.turns(newest=20)] == list(heard)
        return [turn.text for turn in (await yui.briefing()).recent]


async def test_what_is_said_again_is_told_once_and_an_answer_each_time(tmp_path: Path) -> None:
    recent = await told(tmp_path, Reviewer())
    assert (recent.count("I have a job in a small bakery downtown."), recent.count("Yes.")) == (1, 2)


async def test_without_the_switch_everything_is_told_and_no_mind_asked(tmp_path: Path) -> None:
    mind = Reviewer()
    assert (await told(tmp_path, mind, review=False), mind.asked) == (list(HEARD), [])


async def test_a_window_that_is_too_long_for_the_mind_is_reviewed_in_its_newer_half(tmp_path: Path) -> None:
    mind = Reviewer(cut_off_above=6)
    await told(tmp_path, mind)
    assert [len(request.turns) for request in mind.asked] == [10, 5]


@pytest.mark.parametrize("at", [1, 4, 5, 7, 10])
async def test_a_restart_moves_no_review(tmp_path: Path, at: int) -> None:
    settings = Settings(data_dir=tmp_path, window=WANTED)
    lines = [f"I own the painting P{number}." for number in range(12)]
    for part in (lines[:at], lines[at:]):
        async with open_runtime(settings, clock=VirtualClock(START)) as runtime:
            yui = await runtime.character("yui", owner="Sam")
            for text in part:
                await yui.hear(text)
            await yui.drain()
            heard = [turn.id for turn in await yui.turns(newest=99)]
            done = await yui.outbox(states=[OpState.DONE])

    assert [op.work.turn for op in done if isinstance(op.work, ReviewWindow)] == [heard[4], heard[9]]


def turn(number: int, role: Role = Role.PERSON) -> Turn:
    return Turn(id=TurnId(f"t{number}"), role=role, text=f"Turn {number}.", said_at=number, heard_at=number)


def last_review(upto: int, at: float) -> ConversationMemo:
    return reviewed(None, PRIVATE, at, upto=TurnId(f"t{upto}"), overtaken=())


@pytest.mark.parametrize(
    ("turns", "memo", "now", "due"),
    [
        (8, None, 8.0, True),
        (7, None, 8.0, False),
        (9, last_review(4, 0.0), 100.0, False),
        (10, last_review(4, 0.0), 100.0, True),
        (9, last_review(7, 0.0), 1_807.0, False),
        (9, last_review(7, 0.0), 1_809.0, True),
        (9, last_review(8, 0.0), 1_809.0, False),
    ],
)
def test_a_review_is_due_by_what_was_said_since_the_last(
    turns: int, memo: ConversationMemo | None, now: float, *, due: bool
) -> None:
    assert review_due([turn(number) for number in range(turns)], memo, now, WANTED) is due


def test_lines_of_the_character_alone_make_no_review_due() -> None:
    assert not review_due([turn(number, Role.CHARACTER) for number in range(9)], None, 9.0, WANTED)


def test_a_turn_that_stands_for_another_is_told_whatever_an_answer_says() -> None:
    turns = [turn(number) for number in range(4)]
    found = [Overtaken(turn=TurnId("t0"), by=TurnId("t1")), Overtaken(turn=TurnId("t2"), by=TurnId("t1"))]
    assert still_overtaken(found, None, turns) == ("t0",)


def test_what_an_earlier_review_found_stays_while_it_is_in_the_window() -> None:
    memo = reviewed(None, PRIVATE, 0.0, upto=TurnId("t1"), overtaken=(TurnId("t0"), TurnId("t2")))
    assert still_overtaken((), memo, [turn(2), turn(3)]) == ("t2",)
    assert memo.id == memo_id(PRIVATE)
