"""Accounts that a human bound together are one person, wherever it matters who spoke."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from omoide import open_runtime
from omoide.protocols.ports import Synthesis, SynthesiseRequest
from omoide.protocols.records import Entity, Provenance, Speaker
from omoide.protocols.settings import ReflectionSettings, Settings
from omoide.protocols.work import ReportAttestation
from omoide.runtime.character import Character
from omoide.runtime.host import Runtime
from omoide.runtime.models.offline import OfflineEngine
from omoide.runtime.store import is_stored

GROUP = "group:qq:77"
ALICE = Speaker(platform="qq", account="1001", label="Alice")
AGAIN = Speaker(platform="qq", account="1009", label="Alice")
BOB = Speaker(platform="qq", account="1002", label="Bob")


class Judge(OfflineEngine):
    """A mind that makes one judgement of whatever facts it is given."""

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        return Synthesis(text=request.facts[0].text, entity=Entity.OTHER)


def opened(folder: Path) -> Settings:
    return Settings(data_dir=folder, reflections=ReflectionSettings(min_facts=2, min_importance=1))


async def hear(yui: Character, text: str, speaker: Speaker | None, trust: str | None) -> None:
    await yui.hear(text, subject=GROUP, speaker=speaker, trust=trust)
    await yui.drain()


async def contradict(runtime: Runtime) -> list[str]:
    yui = await runtime.character("yui", owner="Sam")
    await hear(yui, "Erin lives in Osaka.", ALICE, "admin")
    await hear(yui, "Erin lives in Kyoto.", AGAIN, "none")
    return [fact.text for fact in await yui.facts(subjects=[GROUP])]


async def test_the_newer_word_of_one_person_stands_though_that_account_is_trusted_less(tmp_path: Path) -> None:
    async with open_runtime(opened(tmp_path / "two")) as runtime:
        assert await contradict(runtime) == ["Erin lives in Osaka."]
    async with open_runtime(opened(tmp_path / "one")) as runtime:
        await runtime.trust.bind(AGAIN.key, ALICE.key, by="Sam")
        assert await contradict(runtime) == ["Erin lives in Kyoto."]


@pytest.mark.parametrize(
    ("second", "binds", "expected"),
    [
        (ALICE, False, Provenance(speaker=ALICE, trust=0.5)),
        (BOB, False, Provenance(mixed=True)),
        (AGAIN, False, Provenance(mixed=True)),
        (AGAIN, True, Provenance(speaker=ALICE, trust=0.5)),
    ],
    ids=["one account", "two people", "two accounts of one name", "two accounts of one person"],
)
async def test_a_judgement_says_whose_words_it_rests_on(
    tmp_path: Path, second: Speaker, binds: bool, expected: Provenance
) -> None:
    async with open_runtime(opened(tmp_path), model=Judge()) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        if binds:
            await runtime.trust.bind(AGAIN.key, ALICE.key, by="Sam")
        await yui.hear("Erin plays the harp.", subject=GROUP, speaker=ALICE, trust="normal")
        await yui.hear("Erin keeps two goats.", subject=GROUP, speaker=second, trust="normal")
        await yui.drain()

        (reflection,) = await yui.reflections(subjects=[GROUP])
        assert reflection.provenance is not None
        rounded = reflection.provenance.trust and round(reflection.provenance.trust, 1)
        assert (reflection.provenance.speaker, rounded, reflection.provenance.mixed) == (
            expected.speaker,
            expected.trust,
            expected.mixed,
        )


async def test_the_account_that_spoke_first_stands_for_the_person_until_it_leaves(tmp_path: Path) -> None:
    async with open_runtime(opened(tmp_path)) as runtime:
        yui = await runtime.character("yui")
        await hear(yui, "I like trains.", AGAIN, "normal")
        await hear(yui, "I like ships.", ALICE, "normal")
        await runtime.trust.merge(ALICE.key, AGAIN.key, by="Sam")

        async def canonical() -> list[str]:
            person = await runtime.trust.person(ALICE.key)
            return [one.account for one in person.canonicals] if person else []

        assert await canonical() == [AGAIN.key]
        await hear(yui, "I like planes.", ALICE, "normal")
        assert await canonical() == [AGAIN.key]
        await runtime.trust.unbind(AGAIN.key, by="Sam")
        await hear(yui, "I like boats.", ALICE, "normal")
        assert await canonical() == [ALICE.key]


async def test_asking_who_is_one_person_begins_no_pool(tmp_path: Path) -> None:
    settings = opened(tmp_path)
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui")
        await hear(yui, "I like trains.", ALICE, None)
        await hear(yui, "I like ships.", BOB, None)

        assert not is_stored(settings, "@trust")


# --- a history that is still to come ---------------------------------------------------------------


async def test_until_the_history_of_a_platform_is_there_its_accounts_are_weighed_by_nobody(tmp_path: Path) -> None:
    awaiting = Settings.model_validate({"data_dir": tmp_path, "trust": {"awaited": ["qq"]}})
    async with open_runtime(awaiting) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await hear(yui, "Erin lives in Osaka.", ALICE, "admin")
        await hear(yui, "Erin lives in Oslo.", Speaker(platform="discord", account="5"), "normal")
        await yui.hear("Erin lives in Osaka.", subject=GROUP)
        await yui.drain()

        weighed = {turn.speaker.key: turn.trust is not None for turn in await yui.turns(newest=3) if turn.speaker}
        assert weighed == {ALICE.key: False, "discord:5": True}
        assert await runtime.trust.person(ALICE.key) is None
        (waiting,) = await yui.outbox()
        assert isinstance(waiting.work, ReportAttestation)
        assert (waiting.work.account, waiting.attempts, "awaited" in waiting.error) == (ALICE.key, 0, True)

    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        with trio.fail_after(60):
            await yui.settle()
        alice = await runtime.trust.person(ALICE.key)
        assert alice
        assert (alice.tally.confirmations, alice.tally.messages) == (1, 0)


async def test_a_pool_is_brought_along_whole_and_never_over_another(tmp_path: Path) -> None:
    async with open_runtime(tmp_path / "old") as runtime:
        yui = await runtime.character("yui")
        await hear(yui, "I like trains.", ALICE, "normal")
        await runtime.export("@trust", tmp_path / "set")

    async with open_runtime(tmp_path / "new") as runtime:
        await runtime.import_(tmp_path / "set")
        alice = await runtime.trust.person(ALICE.key)
        assert alice
        assert alice.tally.messages == 1
