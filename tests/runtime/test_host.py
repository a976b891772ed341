"""Opening and closing a runtime."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from omoide.protocols.errors import ActorDeadError, InvalidRequestError, SettingsError
from omoide.runtime.host import open_runtime


@pytest.mark.parametrize("settings", [None, 5, {"data_dir": "x"}, "", " "])
async def test_what_is_neither_settings_nor_a_folder_is_refused(settings: Any) -> None:
    with pytest.raises(SettingsError, match="data folder"):
        async with open_runtime(settings):
            pass


def test_asyncio_is_told_to_use_a_thread_with_trio(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_runtime(tmp_path):
            pass

    with pytest.raises(InvalidRequestError, match=r"trio\.run"):
        asyncio.run(main())


async def test_a_call_after_closing_says_that_the_runtime_is_closed(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        character = await runtime.character("yui")

    with pytest.raises(ActorDeadError, match="is closed"):
        await character.hear("I keep bees.")


async def test_an_error_of_the_block_comes_out_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="mine"):  # noqa: PT012 - the block is what is tested
        async with open_runtime(tmp_path) as runtime:
            await runtime.character("yui")
            raise KeyError("mine")
