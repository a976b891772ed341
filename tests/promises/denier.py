"""A person who denies what they said: values in three languages, and a conversation in which they come up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from omoide.protocols.messages import Candidate
from omoide.protocols.ports import ExtractRequest
from omoide.protocols.records import Entity, Rejection, Speaker
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.models.offline import OfflineEngine

START = 1_772_442_000.0
DAY_S = 86_400.0
GROUP = "group:qq:77"
ALICE = Speaker(platform="qq", account="1001", label="Alice")
BOB = Speaker(platform="qq", account="1002", label="Bob")


class Value(NamedTuple):
    """One value in one language: how it is said, denied, asked for and seen, and how it may try to come back."""

    owner: str
    said: str
    denied: str
    query: str
    seen: str
    """A piece of the value that no other statement here has."""
    by_others: Sequence[str]
    invented: Sequence[str]
    again: str
    affirmed: str


NURSE = Value(
    owner="Sam",
    said="I work as a nurse at Saint Mary's hospital.",
    denied="No, that's wrong, I don't work as a nurse.",
    query="does Sam work as a nurse at the hospital",
    seen="work as a nurse",
    by_others=("Sam works as a nurse at Saint Mary's hospital.", "SAM WORKS AS A NURSE!!"),
    invented=("Sam works as a nurse", "works as a nurse at the hospital", "The user is a nurse.", "I AM A NURSE"),
    again="I work as a nurse now.",
    affirmed="I do work as a nurse after all.",
)
HUSHI = Value(
    owner="阿明",
    said="我在圣玛丽医院当护士。",
    denied="不对，我不是护士。",
    query="阿明是护士吗",
    seen="护士",
    by_others=("阿明是护士。", "阿明是護士。"),
    invented=("我是護士", "阿明是护士", "在医院当护士"),
    again="我现在是护士。",
    affirmed="我确实是护士。",
)
KANGOSHI = Value(
    owner="健太",
    said="病院で看護師として働いています。",
    denied="違う、看護師ではありません。",
    query="健太は看護師ですか",
    seen="看護師",
    by_others=("健太は看護師です。",),
    invented=("健太は看護師だ", "私は看護師です", "看護師として働いている"),
    again="私は看護師です。",
    affirmed="やっぱり看護師です。",
)
VALUES = [pytest.param(NURSE, id="en"), pytest.param(HUSHI, id="zh"), pytest.param(KANGOSHI, id="ja")]


class Scripted(OfflineEngine):
    """The offline engine, but for turns for which a test says what a model makes of them."""

    def __init__(self) -> None:
        self.makes: dict[str, Sequence[str]] = {}

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        """Return what the test says; a model's labels are its own affair."""
        texts = self.makes.get(request.turn.text)
        if texts is None:
            return await super().extract(request)
        return [Candidate(text=text, entity=Entity.OWNER, importance=7) for text in texts]


class Talk:
    """A conversation with one character, a day from one line to the next."""

    def __init__(self, runtime: Runtime, character: Character, clock: VirtualClock, model: Scripted) -> None:
        self.runtime = runtime
        self.character = character
        self.clock = clock
        self.model = model

    async def hear(self, text: str, *, makes: Sequence[str] | None = None, **envelope: Any) -> None:
        if makes is not None:
            self.model.makes[text] = makes
        self.clock.advance_to(self.clock.now() + DAY_S)
        await self.character.hear(text, **envelope)
        await self.settle()

    async def say(self, text: str, **envelope: Any) -> None:
        self.clock.advance_to(self.clock.now() + DAY_S)
        await self.character.say(text, **envelope)
        await self.settle()

    async def settle(self) -> None:
        while (drained := await self.character.drain()).next_at is not None:
            self.clock.advance_to(drained.next_at)
        assert drained.parked == 0

    async def recalled(self, query: str, *subjects: str) -> list[str]:
        found = await self.character.recall(query, subjects=subjects or (PRIVATE,), limit=50)
        return [hit.text for hit in found.hits]

    async def comes_back(self, value: Value, *subjects: str) -> bool:
        """Return whether the value is recalled or listed as in force, apart from what denies it."""
        denials = {value.denied.rstrip("。."), value.denied}
        listed = [fact.text for fact in await self.character.facts()]
        texts = {*await self.recalled(value.query, *subjects), *listed} - denials
        return any(_says(value, text) for text in texts)

    async def rejections(self) -> tuple[Rejection, ...]:
        async with self.runtime.resident(self.character.name) as resident:
            return await resident.journal.records(Rejection)

    async def statuses(self, text: str) -> list[str]:
        return [one.status for one in await self.character.explain(text) if one.kind == "fact"]


def _says(value: Value, text: str) -> bool:
    folded = text.casefold().replace("護", "护").replace("師", "师")
    seen = ["nurse"] if value is NURSE else [value.seen.replace("護", "护").replace("師", "师")]
    negated = any(mark in folded for mark in ("don't", "not", "不", "ません", "じゃない"))
    return not negated and any(one in folded for one in seen)


@asynccontextmanager
async def talking(folder: Path, owner: str = "Sam", *, now: float = START) -> AsyncIterator[Talk]:
    clock, model = VirtualClock(now), Scripted()
    async with open_runtime(Settings(data_dir=folder), clock=clock, model=model) as runtime:
        yield Talk(runtime, await runtime.character("yui", owner=owner), clock, model)
