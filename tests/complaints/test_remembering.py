"""What people complain of in systems like this one, as far as it touches hearing, learning and recall.

Each test is one kind of fault, with an input that would show it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity, Speaker
from omoide.runtime.character import Character
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine


class Mind(OfflineEngine):
    """A model that answers every turn with the same statements."""

    def __init__(self, *statements: str, delay_s: float = 0.0) -> None:
        self.statements = statements
        self.delay_s = delay_s

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        del request
        await trio.sleep(self.delay_s)
        return [Candidate(text=text, entity=Entity.OWNER, importance=5) for text in self.statements]


async def texts(character: Character) -> list[str]:
    return [fact.text for fact in await character.facts()]


async def test_the_same_sentence_heard_at_once_from_many_tasks_is_one_fact(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        async with trio.open_nursery() as nursery:
            for _ in range(20):
                nursery.start_soon(character.hear, "My sister Ingrid lives in Bergen.")
        await character.settle()

        assert await texts(character) == ["My sister Ingrid lives in Bergen."]


async def test_what_the_character_says_back_is_not_learned_again(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui", card=["Yui has a parrot."])
        await character.hear("I have a cat named Miso.")
        for _ in range(20):
            await character.say("You have a cat named Miso! I have a parrot.")
        await character.settle()

        assert await texts(character) == ["I have a cat named Miso."]


async def test_a_statement_that_nobody_made_is_not_stored(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, model=Mind("Sam is 32.", "Sam is allergic to peanuts.")) as runtime:
        character = await runtime.character("yui", owner="Sam")
        await character.hear("I'm allergic to peanuts.")
        await character.settle()

        assert await texts(character) == ["Sam is allergic to peanuts."]


async def test_an_id_that_was_returned_stays_findable_while_work_goes_on(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        await character.hear("I have a cat named Miso.")
        await character.settle()
        (fact,) = await character.facts()
        for number in range(50):
            await character.hear(f"I have a cat named Miso, and {number} plants.")
            await character.hear("I HAVE a cat named Miso!")

            assert fact.id in {stored.id for stored in await character.facts()}


async def test_a_limit_is_kept_with_distinct_rows_and_says_that_there_are_more(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        for number in range(30):
            await character.hear(f"I planted tree number {number} in my garden.")
        await character.settle()

        recollection = await character.recall("tree garden", limit=25)

        assert (len({hit.id for hit in recollection.hits}), recollection.truncated) == (25, True)


async def test_a_private_row_is_found_among_many_better_matches_of_somebody_else(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        bob = Speaker(platform="qq", account="1002")
        for number in range(300):
            await character.hear(
                f"We love the hiking trail, our hiking trail number {number}.", speaker=bob, subject="group:qq:88"
            )
        await character.hear("I love the hiking trail at Larkspur.")
        await character.settle()

        of_others = await character.recall("hiking trail number", subjects=["group:qq:88"], limit=100)
        recollection = await character.recall("hiking trail number", limit=1)

        found = [hit.text for hit in recollection.hits]
        assert of_others.truncated, "the better matches are not there"
        assert (found, recollection.truncated) == (["I love the hiking trail at Larkspur."], False)


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("我对花生过敏", "花生"),
        ("我叫林晚", "林晚"),
        ("ピーナッツアレルギーなんだ", "ピーナッツ"),
        ("Tengo alergia a los cacahuetes.", "cacahuetes"),
    ],
)
async def test_a_fact_is_kept_in_the_language_in_which_it_was_said(tmp_path: Path, said: str, word: str) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        await character.hear(said)
        await character.settle()

        assert [word in text for text in await texts(character)] == [True]


async def test_hearing_does_not_wait_for_a_model_that_takes_half_a_minute(tmp_path: Path) -> None:
    async with open_runtime(tmp_path, model=Mind(delay_s=30.0)) as runtime:
        character = await runtime.character("yui")
        await character.hear("I keep bees on the roof.")

        waits_s = []
        for number in range(100):
            begun = time.perf_counter()
            await character.hear(f"I have {number} hives.")
            waits_s.append(time.perf_counter() - begun)

        assert sorted(waits_s)[50] < 0.5


async def test_a_fact_is_found_by_the_turn_that_follows_its_settling(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        await character.recall("anything at all")
        await character.hear("My favourite fruit is the quince.")
        await character.settle()

        assert len((await character.recall("which fruit")).hits) == 1


async def test_closing_does_not_wait_for_a_model_and_leaves_its_work_for_the_next_opening(tmp_path: Path) -> None:
    begun = trio.current_time()
    async with open_runtime(tmp_path, model=Mind(delay_s=30.0)) as runtime:
        character = await runtime.character("yui")
        await character.hear("I keep bees on the roof.")
        await trio.sleep(0.05)
    closed_after_s = trio.current_time() - begun

    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")
        await character.settle()

        assert await texts(character) == ["I keep bees on the roof."]
    assert closed_after_s < 3
