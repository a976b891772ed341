"""P3: what was rejected doesn't come back in other words either, where there is an embedding model to know them.

Real inference: the English model that an extra brings.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from omoide.protocols.events import FactAdded, FactDisputed, PersonaEntryAdded
from omoide.protocols.messages import Candidate, Commit
from omoide.protocols.ports import Embedder, ExtractRequest, Likeness, Synthesis, SynthesiseRequest
from omoide.protocols.records import Entity, EntryId, EntrySource, Evidence, FactStatus, PersonaEntry
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import Runtime, open_runtime
from omoide.runtime.models.offline import OfflineEngine
from omoide.runtime.store.doctor import examine
from omoide.tests.embedders import WordEmbedder

START = 1_772_442_000.0
REJECTED = "I love sailing."
IN_OTHER_WORDS = "Sailing is a great passion of mine."
CONTROLS = (
    "I hate sailing.",
    "I love swimming.",
    "My brother is a sailing teacher.",
    "I own a red bicycle.",
)
BESIDE = (
    "My brother is a sailing teacher.",
    "I have a daughter named Mia.",
    "I am married to Robin.",
    "I live in Kyoto.",
    "I am allergic to cashew nuts.",
)
"""Enough to make a judgement of, and none of it what was rejected."""


class Inventor(OfflineEngine):
    """A mind that words what it is told to, whatever was said."""

    def __init__(self) -> None:
        self.invents: tuple[str, ...] = ()
        self.judgement: str | None = None

    async def extract(self, request: ExtractRequest) -> Sequence[Candidate]:
        invented = [Candidate(text=text, entity=Entity.OWNER, importance=5) for text in self.invents]
        found = [replace(candidate, importance=5) for candidate in await super().extract(request)]
        return [*found, *invented]

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        del request
        return None if self.judgement is None else Synthesis(text=self.judgement, entity=Entity.OWNER)


class Talk:
    """A character with its clock and its mind."""

    def __init__(self, runtime: Runtime, character: Character, clock: VirtualClock, mind: Inventor) -> None:
        self.runtime = runtime
        self.character = character
        self.clock = clock
        self.mind = mind

    async def hear(self, *texts: str) -> None:
        for text in texts:
            self.clock.advance_to(self.clock.now() + 60.0)
            await self.character.hear(text)
        await self.settle()

    async def settle(self) -> None:
        while (drained := await self.character.drain()).next_at is not None:
            self.clock.advance_to(drained.next_at)

    async def reject(self, text: str) -> None:
        """Reject a fact in the interface."""
        (fact,) = [fact for fact in await self.character.facts() if fact.text == text]
        self.clock.advance_to(self.clock.now() + 60.0)
        await self.character.reject(fact.id)
        await self.settle()

    async def promote(self, text: str) -> None:
        """Make a text lasting knowledge, past every judgement."""
        now = self.clock.now()
        entry = PersonaEntry(
            id=EntryId("entry_1"),
            text=text,
            entity=Entity.OWNER,
            subject=PRIVATE,
            source=EntrySource.REFLECTION,
            importance=5,
            evidence=Evidence(),
            created_at=now,
            status_at=now,
        )
        async with self.runtime.resident("yui") as resident:
            changes = (PersonaEntryAdded(entry=entry),)
            await resident.journal.commit(Commit(actor="persona", cause="promotion", changes=changes))
        await self.settle()

    async def known(self) -> list[str]:
        return [fact.text for fact in await self.character.facts()]


Talks = Callable[..., AbstractAsyncContextManager[Talk]]


@pytest.fixture
def talk(tmp_path: Path) -> Talks:
    """Open a character in this test's folder: `async with talk(minilm) as it`."""

    @asynccontextmanager
    async def open_it(embedder: Embedder | None, name: str = "yui", later_s: float = 0.0) -> AsyncIterator[Talk]:
        clock, mind = VirtualClock(START + later_s), Inventor()
        async with open_runtime(
            Settings(data_dir=tmp_path / "data"), clock=clock, model=mind, embedder=embedder
        ) as runtime:
            yield Talk(runtime, await runtime.character(name, owner="Sam"), clock, mind)

    return open_it


async def test_it_does_not_come_back_by_extraction(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        await it.hear(IN_OTHER_WORDS)
        assert await it.known() == []
        assert not (await it.character.recall("sailing")).hits


@pytest.mark.parametrize(
    ("rejected", "in_other_words", "control"),
    [
        ("我抽烟。", "我是个烟民。", "我不抽烟。"),
        ("私はコーヒーが好きです。", "コーヒーは私の大好物です。", "私は紅茶が好きです。"),
    ],
)
async def test_it_does_not_come_back_in_other_languages(
    talk: Talks, multilingual: Embedder, rejected: str, in_other_words: str, control: str
) -> None:
    async with talk(multilingual) as it:
        await it.hear(rejected)
        (fact,) = await it.character.facts()
        await it.reject(fact.text)
        await it.hear(in_other_words, control)
        assert [text.rstrip("。") for text in await it.known()] == [control.rstrip("。")]


async def test_it_is_not_believed_for_a_moment(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        await it.hear(IN_OTHER_WORDS)
        states = [
            event.change.fact.status
            for event in await it.character.events()
            if isinstance(event.change, FactAdded | FactDisputed) and event.change.fact.text == IN_OTHER_WORDS
        ]
        assert states == [FactStatus.DISPUTED]


async def test_a_model_that_fails_meanwhile_catches_up(talk: Talks) -> None:
    embedder = WordEmbedder()
    embedder.likeness = Likeness(same=0.0)
    async with talk(embedder) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        embedder.failure = "died"
        await it.character.hear(IN_OTHER_WORDS)
        await it.character.drain()
        assert await it.known() == [IN_OTHER_WORDS]
        embedder.failure = ""
        await it.settle()
        assert await it.known() == []


async def test_control_nobody_rejected_it(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED, IN_OTHER_WORDS)
        assert await it.known() == [REJECTED, IN_OTHER_WORDS]


async def test_control_what_is_near_and_says_something_else_is_believed(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        await it.hear(*CONTROLS)
        assert await it.known() == list(CONTROLS)


async def test_control_without_a_model_only_words_count(talk: Talks) -> None:
    async with talk(None) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        await it.hear(IN_OTHER_WORDS)
        assert await it.known() == [IN_OTHER_WORDS]


async def test_what_is_believed_in_other_words_goes_with_the_rejection(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED, IN_OTHER_WORDS, *CONTROLS[1:])
        await it.reject(REJECTED)
        assert await it.known() == list(CONTROLS[1:])


async def test_a_model_that_comes_later_finds_what_words_missed(talk: Talks, minilm: Embedder) -> None:
    async with talk(None) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        await it.hear(IN_OTHER_WORDS)
        assert await it.known() == [IN_OTHER_WORDS]
    async with talk(minilm, later_s=3_600.0) as it:
        await it.settle()
        assert await it.known() == []


async def test_what_was_recognised_once_stays_out_without_a_model_and_after_a_move(
    talk: Talks, minilm: Embedder, tmp_path: Path
) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        await it.hear(IN_OTHER_WORDS)
        await it.runtime.export("yui", tmp_path / "set")
        await it.runtime.import_(tmp_path / "set", "rin")
    for name in ("yui", "rin"):
        async with talk(None, name, later_s=3_600.0) as it:
            await it.hear(IN_OTHER_WORDS)
            assert await it.known() == []
        assert examine(Settings(data_dir=tmp_path / "data"), name).healthy


async def test_it_does_not_come_back_by_synthesis(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        it.mind.judgement = IN_OTHER_WORDS
        await it.hear(*BESIDE)
        (made,) = [one for one in await it.character.reflections() if one.text == IN_OTHER_WORDS]
        assert made.evidence.disputation >= 1.0
        assert not [hit for hit in (await it.character.recall("sailing passion")).hits if "passion" in hit.text]
        assert "passion" not in (await it.character.briefing(cue="sailing")).text


async def test_control_a_synthesis_that_nobody_rejected_is_believed(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        it.mind.judgement = IN_OTHER_WORDS
        await it.hear(*BESIDE)
        assert [one.evidence.disputation for one in await it.character.reflections()] == [0.0]
        assert [hit for hit in (await it.character.recall("sailing passion")).hits if "passion" in hit.text]
        assert "passion" in (await it.character.briefing(cue="sailing")).text


async def test_it_does_not_stay_in_the_persona(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED)
        await it.promote(IN_OTHER_WORDS)
        assert IN_OTHER_WORDS in [entry.text for entry in await it.character.persona()]
        await it.reject(REJECTED)
        assert IN_OTHER_WORDS not in [entry.text for entry in await it.character.persona()]


async def test_it_does_not_come_into_the_persona(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        await it.promote(IN_OTHER_WORDS)
        assert IN_OTHER_WORDS not in [entry.text for entry in await it.character.persona()]


async def test_the_persons_newer_word_counts_where_they_did_not_insist(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED, "I don't love sailing any more.")
        assert REJECTED not in await it.known()
        await it.hear(IN_OTHER_WORDS)
        assert IN_OTHER_WORDS in await it.known()


@pytest.mark.parametrize("rejected", [False, True])
async def test_what_a_mind_words_so_is_not_the_persons_newer_word(
    talk: Talks, minilm: Embedder, *, rejected: bool
) -> None:
    async with talk(minilm) as it:
        if rejected:
            await it.hear(REJECTED, "I don't love sailing any more.")
        it.mind.invents = (IN_OTHER_WORDS,)
        await it.hear("What a great film about sailing that was, and what passion!")
        assert (IN_OTHER_WORDS in await it.known()) is not rejected


async def test_affirming_the_value_brings_it_back_in_all_its_words(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        await it.hear(IN_OTHER_WORDS)
        await it.hear("I do love sailing after all.")
        assert {REJECTED, IN_OTHER_WORDS} <= set(await it.known())


async def test_looking_twice_changes_nothing_more(talk: Talks, minilm: Embedder) -> None:
    async with talk(minilm) as it:
        await it.hear(REJECTED)
        await it.reject(REJECTED)
        await it.hear(IN_OTHER_WORDS)
        before = len(await it.character.events())
        await it.settle()
        assert len(await it.character.events()) == before
