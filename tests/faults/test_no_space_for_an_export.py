"""Real disks that are too small for an export or an import: said so, and nothing is left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from omoide.protocols.errors import StorageFullError
from omoide.runtime.host import open_runtime

LONG = "I keep bees on the roof, and this is what they did on day {}: " + "buzz " * 2_000


async def test_a_disk_that_is_too_small_gets_no_half_export(tmp_path: Path, mount: Callable[[str], Path]) -> None:
    disk = mount("size=100k")
    async with open_runtime(tmp_path / "data") as runtime:
        yui = await runtime.character("yui")
        for day in range(20):
            await yui.hear(LONG.format(day))

        with pytest.raises(StorageFullError, match=r"no space is left for the export .*disk.*Free some"):
            await runtime.export("yui", disk / "x")

    assert list(disk.iterdir()) == []


@pytest.mark.parametrize("layout", ["per-character", "shared"])
async def test_a_disk_that_is_too_small_gets_no_half_character(
    tmp_path: Path, mount: Callable[[str], Path], layout: str
) -> None:
    disk = mount("size=700k")
    async with open_runtime(tmp_path / "data") as runtime:
        yui = await runtime.character("yui")
        for day in range(60):
            await yui.hear(LONG.format(day))
        await runtime.export("yui", tmp_path / "x")

    settings = runtime.settings.model_copy(
        update={
            "data_dir": disk / "there",
            "storage": runtime.settings.storage.model_copy(update={"layout": layout}),
        }
    )
    async with open_runtime(settings) as there:
        rin = await there.character("rin")
        with pytest.raises(StorageFullError, match="no space is left"):
            await there.import_(tmp_path / "x")
        await rin.hear("There is space again.")

        assert there.stored_characters() == ("rin",)
