"""What people complain of in systems like this one, as far as it touches what they asked to forget or not to hear.

Each test is one kind of fault, with an input that would show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine


class Eager(OfflineEngine):
    """A model that takes every sentence for a statement, wishes among them."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        return [
            Candidate(text=sentence.strip(), entity=Entity.OWNER, importance=5)
            for sentence in request.turn.text.split(".")
            if sentence.strip()
        ]


@pytest.mark.parametrize(
    ("told", "wish", "question"),
    [
        ("My phone number is 555 0199.", "Can you forget my phone number?", "What is my phone number?"),
        ("我的电话是13800138000。", "能不能忘掉我的电话", "我的电话是多少"),
        ("My brother Marcus lives in Oslo.", "Stop talking about my brother Marcus!", "Where does Marcus live?"),
    ],
)
async def test_a_wish_to_forget_or_not_to_hear_brings_nothing_of_it_into_the_prompt_before_it_is_heard(
    tmp_path: Path, told: str, wish: str, question: str
) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui", owner="Sam")
        await character.hear(told)
        await character.settle()

        assert [hit.text for hit in (await character.recall(question)).hits] == [told]
        assert (await character.recall(wish)).hits == ()


@pytest.mark.parametrize(
    ("told", "wish", "question", "seen"),
    [
        ("My phone number is 555 0199.", "Can you forget my phone number?", "What is my phone number?", "0199"),
        ("我的电话是13800138000。", "能不能忘掉我的电话", "我的电话是多少", "138"),
        ("My locker code is 7741.", "Please forget what I just said.", "What is my locker code?", "7741"),
    ],
)
async def test_what_is_to_be_forgotten_is_gone_in_the_very_turn_and_the_receipt_says_what(
    tmp_path: Path, told: str, wish: str, question: str, seen: str
) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui", owner="Sam")
        await character.hear(told)
        await character.settle()
        receipt = await character.hear(wish)

        assert receipt.forgotten == (told,)
        assert (await character.recall(question)).hits == ()
        assert seen not in (await character.briefing(cue=question)).text


@pytest.mark.parametrize("wish", ["Please stop mentioning Marcus", "Forget my old number", "I hate beets"])
async def test_a_wish_is_no_fact_whatever_the_model_takes_it_for(tmp_path: Path, wish: str) -> None:
    async with open_runtime(tmp_path, model=Eager()) as runtime:
        character = await runtime.character("yui", owner="Sam")
        await character.hear(f"I keep bees. {wish}.")
        await character.settle()

        learned = ["I keep bees", "I hate beets"] if "beets" in wish else ["I keep bees"]
        assert [fact.text for fact in await character.facts()] == learned
