"""A hit tells how far its speaker is believed, and that a contested word of little trust is to be doubted."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide import open_runtime
from omoide.protocols.records import Speaker
from omoide.protocols.settings import RenderSettings, Settings
from omoide.tests.runtime.cli.command_line import Omoide

GROUP = "group:qq:77"
ALICE = Speaker(platform="qq", account="1001", label="Alice")
BOB = Speaker(platform="qq", account="1002", label="Bob")


async def talk(folder: Path, locale: str) -> tuple[str, str]:
    """Let two of little trust contradict each other and one of much trust speak, and return what is told."""
    # What was said a moment ago is quoted as conversation, and not told as a memory.
    settings = Settings(data_dir=folder, render=RenderSettings(recent_turns=1))
    async with open_runtime(settings) as runtime:
        yui = await runtime.character("yui", owner="Sam", locale=locale)
        await yui.hear("Erin lives in Osaka.", speaker=ALICE, subject=GROUP, trust="none")
        await yui.drain()
        await yui.hear("Erin lives in Kyoto.", speaker=BOB, subject=GROUP, trust="none")
        await yui.hear("Erin plays the harp.", speaker=ALICE, subject=GROUP, trust="admin")
        await yui.drain()
        found = await yui.recall("Where does Erin live? harp", subjects=[GROUP])
        briefing = await yui.briefing(subjects=[GROUP], cue="Where does Erin live?")
    hits = {hit.text: (hit.band, hit.doubtful) for hit in found.hits if hit.kind == "fact"}
    assert hits["Erin lives in Kyoto."] == ("low", True)
    assert hits["Erin plays the harp."] == ("high", False)
    return found.text, briefing.text


def line(text: str, words: str, kind: str) -> str:
    return next(one for one in text.splitlines() if words in one and kind in one)


@pytest.mark.parametrize(
    ("locale", "kind", "low", "high", "doubt"),
    [
        ("en", "(fact;", "little trusted", "trusted", "doubtful"),
        ("zh", "(事实;", "可信度低", "可信", "存疑"),
        ("ja", "(事実;", "信頼度が低い", "信頼できる", "不確か"),
    ],
)
async def test_the_text_for_a_model_names_the_trust_and_the_doubt(
    tmp_path: Path, locale: str, kind: str, low: str, high: str, doubt: str
) -> None:
    recalled, briefing = await talk(tmp_path / "data", locale)

    doubted, trusted = line(recalled, "Kyoto", kind), line(recalled, "harp", kind)
    assert f"; {low};" in doubted
    assert doubt in doubted
    assert f"; {high};" in trusted
    assert doubt not in trusted
    assert doubt in line(briefing, "Kyoto", doubt)
    assert not any(doubt in one for one in briefing.splitlines() if "harp" in one)


async def test_the_command_and_its_json_name_them_too(tmp_path: Path) -> None:
    await talk(tmp_path / "data", "en")
    omoide = Omoide(tmp_path / "data")

    shown = omoide.process("recall", "yui", "where does Erin live", "--as", GROUP, COLUMNS="200").out
    (found,) = omoide.process("recall", "yui", "where does Erin live", "--as", GROUP, "--json").documents

    assert "low, doubtful" in line(shown, "Kyoto", "doubtful")
    kyoto = next(hit for hit in found["hits"] if hit["text"] == "Erin lives in Kyoto." and hit["kind"] == "fact")
    assert (kyoto["trust"], kyoto["band"], kyoto["doubtful"]) == (0.3, "low", True)
