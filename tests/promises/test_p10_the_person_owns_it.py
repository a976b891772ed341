"""P10: the person owns it. Everything can be listed, explained, corrected, exported, imported and erased."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from omoide import open_runtime
from omoide.protocols.records import Speaker
from omoide.protocols.settings import ReflectionSettings, Settings, StorageSettings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.store import examine

Layout = Literal["per-character", "shared"]

START = 1_772_442_000.0
GROUP = "group:qq:77"
ALICE = Speaker(platform="qq", account="1001", label="Alice Quillfeather")
BOB = Speaker(platform="qq", account="1002", label="Bob")


def settings_of(folder: Path, layout: Layout = "per-character") -> Settings:
    return Settings(
        data_dir=folder,
        storage=StorageSettings(layout=layout),
        reflections=ReflectionSettings(min_facts=2, min_importance=1),
    )


@pytest.fixture(params=["per-character", "shared"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return settings_of(tmp_path / "data", request.param)


def files_with(folder: Path, *texts: str) -> list[str]:
    """Return where in a folder a text stands, in UTF-8 and both UTF-16, in any file whatever its name."""
    found = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        raw = path.read_bytes()
        found += [
            f"{path.name}: {text}"
            for text in texts
            for encoding in ("utf-8", "utf-16-le", "utf-16-be")
            if text.encode(encoding) in raw
        ]
    return found


async def settle(character: Character, clock: VirtualClock) -> None:
    while (drained := await character.drain()).next_at is not None:
        clock.advance_to(drained.next_at)


# --- erasing -------------------------------------------------------------------------------------


async def test_an_erased_subject_is_in_no_byte_of_any_file(settings: Settings) -> None:
    clock = VirtualClock(START)
    async with open_runtime(settings, clock=clock) as runtime:
        yui = await runtime.character("yui", owner="Sam")
        await yui.hear("I breed axolotls in Zanzibar.", subject=GROUP, speaker=ALICE)
        await yui.hear("I collect vintage theremins.", subject=GROUP, speaker=ALICE)
        await yui.hear("I live in Osaka.")
        await yui.hear("Don't mention quokkas again.", subject=GROUP, speaker=BOB)
        await yui.say("Zanzibar has fine axolotls.", subject=GROUP)
        await settle(yui, clock)
        assert (await yui.recall("axolotls", subjects=[GROUP])).hits

        report = await yui.erase(subject=GROUP)

        assert report.scrubbed
        words = ("axolotl", "Zanzibar", "theremin", "Quillfeather", "quokka")
        assert files_with(settings.data_dir, *words) == []
        assert not (await yui.recall("axolotls theremins", subjects=[GROUP])).hits
        assert [fact.text for fact in await yui.facts()] == ["I live in Osaka."]
        assert [hit.text for hit in (await yui.recall("Osaka")).hits] == ["I live in Osaka."]
        assert files_with(settings.data_dir, "Osaka")
    assert files_with(settings.data_dir, *words) == []
    assert examine(settings, "yui").healthy
