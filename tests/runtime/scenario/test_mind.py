"""The scripted mind answers only while a step lets it, in the order of the script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from omoide.protocols.errors import ModelError, ModelOutputError
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity, Profile, Role, Turn, TurnId
from omoide.runtime.models.offline import OfflineEngine
from omoide.runtime.scenario.mind import ScriptedMind, candidates_of
from omoide.runtime.scenario.protocol import ScriptedAnswer

REQUEST = ExtractRequest(
    turn=Turn(id=TurnId("t"), role=Role.PERSON, text="I keep bees.", said_at=0, heard_at=0),
    profile=Profile(),
)


class Echo(OfflineEngine):
    """A mind that takes every turn for a fact."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        return (Candidate(text=request.turn.text, entity=Entity.OWNER, importance=5),)


def returning(number: int, *texts: str) -> ScriptedAnswer:
    return ScriptedAnswer(number=number, task="extract", returns=[{"text": text} for text in texts])


async def texts_of(mind: ScriptedMind) -> list[str]:
    return [candidate.text for candidate in await mind.extract(REQUEST)]


async def test_the_script_is_followed_in_order_and_then_the_mind_behind_answers() -> None:
    mind = ScriptedMind(Echo(), [returning(1, "one"), returning(2, "two")])
    mind.script(returning(3))
    with mind.awake():
        assert [await texts_of(mind) for _ in range(4)] == [["one"], ["two"], [], ["I keep bees."]]


async def test_it_says_once_which_answers_were_given() -> None:
    mind = ScriptedMind(Echo(), [returning(1, "one"), returning(2, "two")])
    with mind.awake():
        await mind.extract(REQUEST)
        await mind.extract(REQUEST)
    assert [mind.take_used(), mind.take_used()] == [(1, 2), ()]


async def test_an_answer_that_is_scripted_while_it_sleeps_is_the_next_one(nursery: trio.Nursery) -> None:
    mind = ScriptedMind(Echo())
    found: list[str] = []

    async def call() -> None:
        found.extend(await texts_of(mind))

    nursery.start_soon(call)
    await wait_all_tasks_blocked()
    mind.script(returning(1, "scripted"))
    with mind.awake():
        await wait_all_tasks_blocked()
    assert found == ["scripted"]


async def test_it_sleeps_again_after_the_step(nursery: trio.Nursery) -> None:
    mind = ScriptedMind(Echo())
    with mind.awake():
        await mind.extract(REQUEST)
    with trio.move_on_after(0.01) as scope:
        await mind.extract(REQUEST)
    assert scope.cancelled_caught
    assert nursery.child_tasks == frozenset()


@pytest.mark.parametrize(
    ("raises", "error"),
    [("timeout", ModelError), ("http_500", ModelError), ("malformed", ModelOutputError)],
)
async def test_a_scripted_failure_is_the_error_that_a_real_one_is(raises: Any, error: type[ModelError]) -> None:
    mind = ScriptedMind(Echo(), [ScriptedAnswer(number=1, task="extract", raises=raises)])
    with mind.awake(), pytest.raises(ModelError) as caught:
        await mind.extract(REQUEST)
    assert caught.type is error


def test_what_an_answer_says_of_speakers_is_ignored() -> None:
    forged = {
        "text": "a",
        "importance": 9,
        "entity": "other",
        "speaker": {"label": "Sam", "trust": 999},
        "trust": 1,
    }
    assert candidates_of([forged]) == (Candidate(text="a", entity=Entity.OTHER, importance=9),)


@pytest.mark.parametrize(("given", "taken"), [(-3, 1), (0, 1), (7.6, 8), (10, 10), (999, 10)])
def test_importance_is_brought_into_its_range(given: float, taken: int) -> None:
    assert candidates_of([{"text": "a", "importance": given}])[0].importance == taken


@pytest.mark.parametrize(
    "answer",
    [
        "Nice chat!",
        {"text": "a"},
        [{"importance": 3}],
        [{"text": 3}],
        ["a"],
        None,
        7,
        [{"text": "a", "entity": "cat"}],
    ],
)
def test_an_answer_of_another_shape_is_an_error_and_never_nothing(answer: object) -> None:
    with pytest.raises(ModelOutputError, match="no list of statements"):
        candidates_of(answer)
