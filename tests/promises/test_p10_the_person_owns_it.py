"""P10: the person owns it. Everything can be listed, explained, corrected, exported, imported and erased."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal

import pytest

from omoide import open_runtime
from omoide.protocols.erasure import EraseSubject, Erasure
from omoide.protocols.errors import (
    CharacterOwnedError,
    ErasedError,
    InvalidRequestError,
    NotFoundError,
    OmoideError,
    UnknownCharacterError,
)
from omoide.protocols.events import record_of
from omoide.protocols.ports import Synthesis, SynthesiseRequest
from omoide.protocols.records import Entity
from omoide.protocols.scopes import PRIVATE
from omoide.protocols.settings import Settings
from omoide.protocols.work import OpState
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.models.offline import OfflineEngine
from omoide.runtime.store import examine
from omoide.tests.promises.axolotls import ALICE, BOB, GROUP, START, WORDS, settle, talk, texts
from omoide.tests.runtime.store.traces import traces

Layout = Literal["per-character", "shared"]

# --- listing, explaining, correcting, moving -----------------------------------------------------


async def test_what_is_remembered_is_listed_explained_corrected_and_moved(
    settings: Settings, clock: VirtualClock, tmp_path: Path
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I work as a nurse.")
        await settle(yui, clock)
        (fact,) = await yui.facts()

        (why,) = await yui.explain(fact.id)
        assert why.supports[0].text == "I work as a nurse."
        await yui.reject(fact.id)
        assert await texts(yui) == []
        await runtime.export("yui", tmp_path / "set")
        await runtime.import_(tmp_path / "set", "mio")

        mio = await runtime.character("mio", create=False)
        assert [one.status for one in await mio.explain(fact.id)] == ["retracted"]


# --- erasing -------------------------------------------------------------------------------------


async def test_an_erased_subject_is_in_no_byte_of_any_file(settings: Settings, clock: VirtualClock) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await talk(yui, clock)
        assert (await yui.recall("axolotls", subjects=[GROUP])).hits
        assert set(WORDS) <= {found.partition(": ")[2] for found in traces(settings.data_dir, *WORDS)}

        report = await yui.erase(subject=GROUP)

        assert report.scrubbed
        assert traces(settings.data_dir, *WORDS) == []
        assert not (await yui.recall("axolotls theremins", subjects=[GROUP])).hits
        assert "theremin" not in (await yui.briefing(subjects=[GROUP])).text
        assert await yui.directives() == ()
        assert await texts(yui) == ["I live in Osaka."]
        assert [hit.text for hit in (await yui.recall("Osaka")).hits] == ["I live in Osaka."]
    assert traces(settings.data_dir, *WORDS) == []
    assert examine(settings, "yui").findings == ()


async def test_an_erased_account_is_gone_everywhere_and_nobody_else_is(
    settings: Settings, clock: VirtualClock
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I breed axolotls.", subject=GROUP, speaker=ALICE)
        await yui.hear("I like trains.", subject=GROUP, speaker=BOB)
        await yui.hear("I sing in a choir.", subject="participant:qq:1001", speaker=ALICE)
        await yui.hear("I paint fences.", subject="member:qq:77:1001", speaker=ALICE)
        await settle(yui, clock)

        await yui.erase(account="QQ:1001")

        assert await texts(yui) == ["I like trains."]
        assert traces(settings.data_dir, "axolotl", "choir", "fences", "Quillfeather") == []
    assert examine(settings, "yui").findings == ()


async def test_an_erased_fact_takes_the_words_it_was_learned_from_and_no_other_memory(
    settings: Settings, clock: VirtualClock
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I have diabetes. I live in Kyoto.")
        await yui.hear("I have diabetes.")
        await settle(yui, clock)
        illness = next(fact for fact in await yui.facts() if "diabetes" in fact.text)

        report = await yui.erase(memory=illness.id)

        assert report.removed == {"fact": 1, "turn": 2}
        assert await texts(yui) == ["I live in Kyoto."]
        assert traces(settings.data_dir, "diabetes") == []
        with pytest.raises(NotFoundError):
            await yui.explain(illness.id)
        (kyoto,) = await yui.explain("Kyoto")
        assert kyoto.supports[0].text == "I live in Kyoto."


async def test_erasing_words_takes_all_that_holds_them_and_the_ban_on_them(
    settings: Settings, clock: VirtualClock
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("Marcus is my brother.")
        await yui.hear("I don't like ＭＡＲＣＵＳ any more.")
        await yui.hear("Never mention Marcus again.")
        await yui.hear("I live in Kyoto.")
        await settle(yui, clock)

        await yui.erase(words="marcus")

        assert await texts(yui) == ["I live in Kyoto."]
        assert await yui.directives() == ()
        assert traces(settings.data_dir, "Marcus", "marcus", "ＭＡＲＣＵＳ") == []


async def test_a_rejected_value_is_erased_with_the_fact_that_held_it(
    settings: Settings, clock: VirtualClock
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I work as a nurse.")
        await settle(yui, clock)
        (fact,) = await yui.facts()
        await yui.reject(fact.id)
        await settle(yui, clock)

        await yui.erase(memory=fact.id)

        assert traces(settings.data_dir, "nurse") == []


class Judge(OfflineEngine):
    """A mind that makes one judgement of whatever facts it is given."""

    async def synthesise(self, request: SynthesiseRequest) -> Synthesis | None:
        return Synthesis(text=f"They love {len(request.facts)} operas", entity=Entity.OWNER)


async def test_what_rests_on_an_erased_fact_goes_and_is_made_again_of_the_rest(
    settings: Settings, clock: VirtualClock
) -> None:
    async with open_runtime(settings, clock=clock, model=Judge()) as runtime:
        yui = await runtime.character("yui")
        for line in ("I love opera in Verona.", "I love opera in Milan."):
            await yui.hear(line)
        await settle(yui, clock)
        (reflection,) = await yui.reflections()
        first, second = reflection.sources

        await yui.erase(memory=first)
        assert await yui.reflections() == ()
        await yui.hear("I love opera in Rome.")
        await settle(yui, clock)

        (again,) = await yui.reflections()
        assert first not in again.sources
        assert second in again.sources


async def test_an_erased_judgement_is_not_made_again_of_the_same_facts(
    settings: Settings, clock: VirtualClock
) -> None:
    async with open_runtime(settings, clock=clock, model=Judge()) as runtime:
        yui = await runtime.character("yui")
        for line in ("I love opera in Verona.", "I love opera in Milan."):
            await yui.hear(line)
        await settle(yui, clock)
        (reflection,) = await yui.reflections()

        await yui.erase(memory=reflection.id)
        await yui.hear("I love opera in Rome.")
        await settle(yui, clock)

        assert len(await yui.facts()) == 3
        assert await yui.reflections() == ()


async def test_the_erasure_is_an_event_that_tells_no_words(settings: Settings, clock: VirtualClock) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("Marcus is my brother.")
        await settle(yui, clock)
        ids = {fact.id for fact in await yui.facts()} | {turn.id for turn in await yui.turns(newest=9)}

        report = await yui.erase(words="Marcus")

        *_, last = await yui.events()
        assert last.change is not None
        erasure = record_of(last.change)
        assert isinstance(erasure, Erasure)
        assert (last.kind, erasure.id, erasure.removed) == ("memory_erased", report.id, {"fact": 1, "turn": 1})
        assert set(erasure.ids) == ids
        assert "arcus" not in str(erasure)


async def test_a_dry_run_tells_the_same_and_changes_nothing(settings: Settings, clock: VirtualClock) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await talk(yui, clock)
        before = await yui.events()

        ahead = await yui.erase(subject=GROUP, dry_run=True)

        assert await yui.events() == before
        done = await yui.erase(subject=GROUP)
        assert ahead.dry_run
        assert (ahead.removed, ahead.payloads, ahead.ops) == (done.removed, done.payloads, done.ops)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"subject": "private", "words": "x"},
        {"subject": "group:qq"},
        {"account": "1001"},
        {"memory": "fact_that_is_not_there"},
        {"words": "   "},
        {"words": "never said"},
    ],
)
async def test_what_can_not_be_erased_is_refused_and_nothing_changes(
    tmp_path: Path, clock: VirtualClock, wrong: dict[str, str]
) -> None:
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I live in Osaka.")
        await settle(yui, clock)
        before = await yui.events()

        with pytest.raises(OmoideError):
            await yui.erase(**wrong)  # type: ignore[arg-type]

        assert await yui.events() == before


async def test_the_card_is_the_hosts_and_stays(settings: Settings, clock: VirtualClock) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui", card=["Yui loves Zanzibar."])
        await yui.hear("I was in Zanzibar.")
        await settle(yui, clock)
        (card,) = await yui.persona()

        report = await yui.erase(words="Zanzibar")

        assert await texts(yui) == []
        assert [entry.text for entry in await yui.persona()] == ["Yui loves Zanzibar."]
        assert "owner or card" in report.kept[0]
        with pytest.raises(InvalidRequestError, match="card"):
            await yui.erase(memory=card.id)


# --- a whole character ---------------------------------------------------------------------------


async def test_an_erased_character_is_gone_and_others_stay(settings: Settings, clock: VirtualClock) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        mio = await runtime.character("mio")
        await talk(yui, clock)
        await mio.hear("I live in Lima.")
        await settle(mio, clock)

        report = await runtime.erase("yui", None)

        assert report.removed["turn"] == 5
        assert report.scrubbed
        assert runtime.stored_characters() == ("mio",)
        assert traces(settings.data_dir, *WORDS, "Osaka") == []
        assert await texts(mio) == ["I live in Lima."]
        with pytest.raises(UnknownCharacterError):
            await runtime.character("yui", create=False)
        anew = await runtime.character("yui")
        assert await anew.turns(newest=9) == ()
    assert examine(settings, "mio").findings == ()


async def test_a_character_that_another_owns_is_not_erased(settings: Settings, clock: VirtualClock) -> None:
    async with open_runtime(settings, clock=clock) as owner:
        yui = await owner.character("yui")
        await talk(yui, clock)
        async with open_runtime(settings, clock=clock) as other:
            for target in (None, EraseSubject(GROUP)):
                with pytest.raises(CharacterOwnedError):
                    await other.erase("yui", target)
            assert (await other.erase("yui", None, dry_run=True)).removed["turn"] == 5

        assert len(await yui.turns(newest=9)) == 5


# --- export and import ---------------------------------------------------------------------------


async def test_an_export_after_erasing_holds_nothing_of_it(
    settings: Settings, clock: VirtualClock, tmp_path: Path
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await talk(yui, clock)
        await yui.erase(subject=GROUP)

        await runtime.export("yui", tmp_path / "set")
        await runtime.import_(tmp_path / "set", "mio")

        assert traces(tmp_path, *WORDS) == []
        mio = await runtime.character("mio")
        assert await texts(mio) == ["I live in Osaka."]
        with pytest.raises(ErasedError):
            await mio.hear("I breed axolotls.", subject=GROUP, speaker=ALICE, said_at=START - 60)


@pytest.mark.parametrize("whole", [True, False])
async def test_export_then_erase_then_import_is_the_same_state(
    settings: Settings,
    clock: VirtualClock,
    tmp_path: Path,
    whole: bool,
) -> None:
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam", card=["Yui loves rain."])
        await talk(yui, clock)
        before = await _state(yui)
        await runtime.export("yui", tmp_path / "set")
        await runtime.erase("yui", None if whole else EraseSubject(GROUP))
        if not whole:
            assert await _state(yui) != before
            await runtime.erase("yui", None)

        await runtime.import_(tmp_path / "set")

        assert await _state(yui) == before
        await yui.hear("Axolotls like it cool.", subject=GROUP, speaker=ALICE, said_at=START - 60)


async def _state(character: Character) -> object:
    return (
        await character.turns(newest=99),
        await character.facts(),
        await character.reflections(),
        await character.persona(),
        await character.directives(),
        await character.events(),
        await character.outbox(states=tuple(OpState)),
        [hit.text for hit in (await character.recall("axolotls Osaka", subjects=[GROUP, PRIVATE])).hits],
    )


async def test_nothing_that_is_erased_is_in_the_log(
    tmp_path: Path, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with open_runtime(tmp_path, clock=clock) as runtime:
        yui = await runtime.character("yui")
        await talk(yui, clock)
        await yui.erase(words="axolotls")
        await yui.erase(subject=GROUP)

    told = " ".join(str(record.__dict__) for record in caplog.records)
    assert "store.erased" in told
    assert [word for word in WORDS if word.casefold() in told.casefold()] == []
