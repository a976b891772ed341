"""What tests of roles share: a character on a clock of its own, with a mind that says what the test wants."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from omoide.protocols.errors import StorageFullError
from omoide.protocols.evidence import Signal
from omoide.protocols.messages import Commit
from omoide.protocols.ports import Embedder, Feedback, FeedbackRequest, Synthesis, SynthesiseRequest
from omoide.protocols.records import Entity, Reflection
from omoide.protocols.settings import Settings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import ArmedFailpoints
from omoide.runtime.host import open_runtime
from omoide.runtime.models.offline import OfflineEngine
from omoide.runtime.store import SqliteJournal

START = 1_772_442_000.0
"""Monday 2 March 2026, 09:00 UTC."""


class Believer(OfflineEngine):
    """A mind whose judgements and readings of answers are scripted; it extracts by rules.

    `judgements` are given one a call, and None after the last; an error among them is raised. `reading` is how
    every answer is read.
    """

    def __init__(self, *judgements: str | Exception | None) -> None:
        self.judgements = list(judgements)
        self.reading: Callable[[FeedbackRequest], Sequence[Feedback]] = lambda _: ()
        self.asked: list[tuple[str, ...]] = []
        self.shown: list[tuple[str, ...]] = []
        self.beside: list[tuple[str, ...]] = []

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        self.asked.append(tuple(sorted(fact.id for fact in request.facts)))
        self.beside.append(tuple(fact.text for fact in request.related))
        judgement = self.judgements.pop(0) if self.judgements else None
        if isinstance(judgement, Exception):
            raise judgement
        return None if judgement is None else Synthesis(text=judgement, entity=Entity.OWNER)

    async def judge_feedback(self, request: FeedbackRequest) -> Sequence[Feedback]:
        self.shown.append(tuple(reflection.text for reflection in request.reflections))
        return self.reading(request)

    def reads(self, signal: Signal) -> None:
        """Read every answer to every reflection so."""
        self.reading = lambda request: [
            Feedback(reflection=reflection.id, signal=signal) for reflection in request.reflections
        ]


class Life:
    """A character with its clock, its mind and its failpoints."""

    def __init__(
        self, character: Character, clock: VirtualClock, mind: Believer, failpoints: ArmedFailpoints
    ) -> None:
        self.character = character
        self.clock = clock
        self.mind = mind
        self.failpoints = failpoints

    async def hear(self, *texts: str) -> None:
        """Hear texts and do the work that they imply."""
        for text in texts:
            await self.character.hear(text)
        await self.settle()

    async def settle(self) -> None:
        """Do all work, moving the clock to what waits."""
        while (drained := await self.character.drain()).next_at is not None:
            self.clock.advance_to(drained.next_at)

    async def wait(self, days: float) -> None:
        """Move the clock, from alarm to alarm."""
        end = self.clock.now() + days * 86_400
        await self.character.drain()
        while (alarm := self.clock.next_alarm()) is not None and alarm <= end:
            self.clock.advance_to(alarm)
            await self.character.drain()
        self.clock.advance_to(end)
        await self.settle()

    async def every_reflection(self) -> dict[str, Reflection]:
        """Return each reflection as its last event has it, whatever its status, by its id."""
        found: dict[str, Reflection] = {}
        for event in await self.character.events():
            reflection = getattr(event.change, "reflection", None)
            if isinstance(reflection, Reflection):
                found[reflection.id] = reflection
        return found

    async def recalled(self, query: str) -> list[str]:
        """Return the texts of the hits."""
        return [hit.text for hit in (await self.character.recall(query)).hits]


Lives = Callable[..., AbstractAsyncContextManager[Life]]


@pytest.fixture
def life(tmp_path: Path) -> Lives:
    """Open a character in this test's folder: `async with life("a judgement", start=...) as it`."""

    @asynccontextmanager
    async def live(
        *judgements: str | Exception | None, start: float = START, embedder: Embedder | None = None
    ) -> AsyncIterator[Life]:
        clock, mind, failpoints = VirtualClock(start), Believer(*judgements), ArmedFailpoints()
        async with open_runtime(
            Settings(data_dir=tmp_path), clock=clock, model=mind, failpoints=failpoints, embedder=embedder
        ) as runtime:
            yield Life(await runtime.character("yui", owner="Sam"), clock, mind, failpoints)

    return live


@pytest.fixture
def disk_refuses(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Commit], bool]], None]:
    """Have the disk be full at the first commits of which one is such."""
    commit_all = SqliteJournal.commit_all

    def refuse_the_first(is_such: Callable[[Commit], bool]) -> None:
        async def refuse(journal: SqliteJournal, commits: Sequence[Commit]) -> Any:
            if any(map(is_such, commits)):
                monkeypatch.setattr(SqliteJournal, "commit_all", commit_all)
                return [StorageFullError("full") for _ in commits]
            return await commit_all(journal, commits)

        monkeypatch.setattr(SqliteJournal, "commit_all", refuse)

    return refuse_the_first
