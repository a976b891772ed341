"""A character is in memory once, whenever whoever wanted it there gave up."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from omoide.actors.directives.actor import Directives
from omoide.protocols.erasure import EraseWords
from omoide.protocols.errors import UnknownCharacterError
from omoide.runtime.host import open_runtime


class Lives:
    """What the directives of a character live through, each end of it held up until it may go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
        self.told: list[str] = []
        self.began = trio.Event()
        self.goes_on = trio.Event()
        self._moment = moment
        monkeypatch.setattr(Directives, "on_start", lambda _: self._pass("on_start"))
        monkeypatch.setattr(Directives, "on_stop", lambda _: self._pass("on_stop"))

    async def _pass(self, moment: str) -> None:
        self.told.append(moment)
        if moment == self._moment:
            self.began.set()
            await self.goes_on.wait()
            self.told.append(f"{moment} is over")


async def test_a_character_whose_coming_was_given_up_is_not_there_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives = Lives(monkeypatch, "on_start")
    async with open_runtime(tmp_path) as runtime:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(runtime.character, "yui")
            await lives.began.wait()
            nursery.cancel_scope.cancel()
            lives.goes_on.set()

        yui = await runtime.character("yui")
        await yui.hear("I keep bees.")
        assert lives.told == ["on_start", "on_start is over"]


async def test_a_character_does_not_come_back_before_it_has_gone_though_its_going_was_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives = Lives(monkeypatch, "on_stop")
    async with open_runtime(tmp_path) as runtime:
        yui = await runtime.character("yui")
        await yui.hear("I keep bees.")
        given_up = trio.CancelScope()

        async def erase() -> None:
            with given_up:
                await runtime.erase("yui", EraseWords("bees"))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(erase)
            await lives.began.wait()
            given_up.cancel()
            nursery.start_soon(yui.hear, "I keep wasps.")
            await wait_all_tasks_blocked(0.2)
            lives.goes_on.set()

        assert lives.told == ["on_start", "on_stop", "on_stop is over", "on_start"]


async def test_asking_for_names_that_nobody_has_leaves_nothing(tmp_path: Path) -> None:
    async with open_runtime(tmp_path) as runtime:
        for number in range(20):
            with pytest.raises(UnknownCharacterError):
                await runtime.character(f"nobody_{number}", create=False)
            if number == 9:
                before = locks()

        assert locks() == before


def locks() -> int:
    gc.collect()
    return sum(isinstance(one, trio.Lock) for one in gc.get_objects())
