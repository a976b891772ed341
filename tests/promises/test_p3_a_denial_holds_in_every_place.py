"""P3: what a person denies of themself, in words or in the interface, holds wherever they are who speaks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from omoide import open_runtime
from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity, Speaker
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings
from omoide.runtime.character import Character
from omoide.runtime.models.offline import OfflineEngine
from omoide.runtime.store import examine

GROUP = "group:qq:77"
OTHER = "group:qq:78"
ALICE = Speaker(platform="qq", account="1001", label="Alice")
BOB = Speaker(platform="qq", account="1002", label="Bob")


class Inventive(OfflineEngine):
    """A mind that makes of any word about a hospital that its speaker is a nurse there."""

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        if "hospital" in request.turn.text:
            return (Candidate(text="Works as a nurse at the hospital", entity=Entity.OWNER, importance=6),)
        return await super().extract(request)


@asynccontextmanager
async def living(folder: Path) -> AsyncIterator[Character]:
    async with open_runtime(folder, model=Inventive()) as runtime:
        yield await runtime.character("yui", owner="Sam")
    assert examine(Settings(data_dir=folder), "yui").findings == ()


async def hear(yui: Character, text: str, where: str = PRIVATE, speaker: Speaker | None = None) -> None:
    await yui.hear(text, subject=where, speaker=speaker)
    await yui.drain()


async def known(yui: Character, where: str) -> list[str]:
    texts = [fact.text for fact in await yui.facts(subjects=[where])]
    return [text for text in texts if "nurse" in text and "don't" not in text]


async def reject(yui: Character, where: str) -> None:
    (fact,) = [fact for fact in await yui.facts(subjects=[where]) if "nurse" in fact.text]
    await yui.reject(fact.id)
    await yui.drain()


@pytest.mark.parametrize("here", [PRIVATE, GROUP])
async def test_what_the_owner_rejects_in_the_interface_is_gone_wherever_they_said_it(
    tmp_path: Path, here: str
) -> None:
    async with living(tmp_path) as yui:
        for where in (PRIVATE, GROUP, OTHER):
            await hear(yui, "I work as a nurse.", where)
        await hear(yui, "I work as a nurse.", GROUP, ALICE)

        own = next(fact for fact in await yui.facts(subjects=[here]) if fact.speaker is None)
        await yui.reject(own.id)
        await yui.drain()

        assert [await known(yui, where) for where in (PRIVATE, OTHER)] == [[], []]
        (alices,) = await yui.facts(subjects=[GROUP])
        assert alices.speaker == ALICE


async def test_what_a_member_said_of_themself_is_rejected_in_each_group_and_nobody_elses(tmp_path: Path) -> None:
    async with living(tmp_path) as yui:
        for where in (GROUP, OTHER):
            await hear(yui, "I work as a nurse.", where, ALICE)
        await hear(yui, "I work as a nurse.", OTHER, BOB)

        await reject(yui, GROUP)

        assert [fact.speaker for fact in await yui.facts(subjects=[OTHER])] == [BOB]


@pytest.mark.parametrize("in_the_interface", [True, False])
async def test_a_mind_does_not_bring_it_back_in_another_place(tmp_path: Path, in_the_interface: bool) -> None:
    async with living(tmp_path) as yui:
        await hear(yui, "I pass by the hospital as I work downtown.", OTHER)
        assert await known(yui, OTHER)  # the mind makes it up where nothing speaks against it
        await hear(yui, "I work as a nurse.")
        if in_the_interface:
            await reject(yui, PRIVATE)
        else:
            await hear(yui, "I don't work as a nurse.")

        await hear(yui, "I work near the hospital, as you know.", GROUP)

        assert await known(yui, GROUP) == []
        assert await known(yui, OTHER) == []


async def test_what_was_said_before_the_denial_and_is_learned_late_is_held_back(tmp_path: Path) -> None:
    async with living(tmp_path) as yui:
        await yui.hear("I work as a nurse.", said_at=2_000.0)
        await yui.drain()
        await yui.hear("I don't work as a nurse.", said_at=3_000.0)
        await yui.drain()

        await yui.hear("I work as a nurse.", subject=GROUP, said_at=2_500.0)
        await yui.drain()

        assert await known(yui, GROUP) == []


async def test_who_says_it_again_there_afterwards_is_believed_there(tmp_path: Path) -> None:
    async with living(tmp_path) as yui:
        await hear(yui, "I work as a nurse.")
        await hear(yui, "I don't work as a nurse.")
        await hear(yui, "I work as a nurse.", GROUP)

        assert await known(yui, GROUP) == ["I work as a nurse."]
        assert await known(yui, PRIVATE) == []


async def test_no_other_reader_learns_the_words_of_the_denial(tmp_path: Path) -> None:
    async with living(tmp_path) as yui:
        await hear(yui, "I work as a nurse at Mercy.", GROUP)
        await hear(yui, "I work as a nurse.")
        await hear(yui, "Between us: I don't work as a nurse, I was sacked in Bergen.")

        here = await yui.recall("nurse Bergen sacked", subjects=[GROUP])

        assert not any("Bergen" in hit.text for hit in here.hits)
