"""P4: every way by which words leave the character, in every state that it can be in, with a control for each.

The control is the same life without the ban: there the topic comes out by every way, so that a way that is
closed is closed by the ban.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from omoide.protocols.settings import Settings
from omoide.runtime.character import Character
from omoide.runtime.clock import VirtualClock
from omoide.runtime.host import open_runtime

FORBIDDER: Final = Path(__file__).with_name("forbidder.py")
START: Final = 1_772_442_000.0
HOUR_S: Final = 3_600.0
DAY_S: Final = 86_400.0

OPTIONS: Final[dict[str, Any]] = {"window": {"most": 4, "kept": 2}}
"""A short window, so that what was told is in the memo as well."""

TOLD: Final = (
    "My brother Petrus lives in Oslo.",
    "I play chess with Petrus.",
    "I love chess with Petrus.",
    "Petrus likes chess and climbing.",
    "My brother Petrus works as a chess teacher.",
    "Petrus gave me a chess clock.",
)
BAN: Final = "Please stop mentioning Petrus."
NO_BAN: Final = "What a lovely day it is."
NAMES_IT: Final = "Petrus would have loved this film!"
IN_DISGUISE: Final = "**Pet**rus would have loved it!"


async def unprompted_speech(character: Character) -> bool:
    return (await character.gate(NAMES_IT, unprompted=True)).verdict == "allow"


async def unprompted_speech_in_disguise(character: Character) -> bool:
    return (await character.gate(IN_DISGUISE, unprompted=True)).verdict == "allow"


async def a_reply(character: Character) -> bool:
    return (await character.gate(NAMES_IT, unprompted=False, said="What shall we watch?")).verdict == "allow"


async def streamed(character: Character, *, unprompted: bool) -> bool:
    async def chunks() -> AsyncIterator[str]:
        for chunk in ("It is sunny. ", "Maybe Pet", "rus would like it", ". Shall we walk?"):
            yield chunk

    stream = character.gate_stream(unprompted=unprompted, said="" if unprompted else "What shall we do?")
    out = "".join([part async for part in stream.over(chunks())])
    assert out.startswith("It is sunny. ")
    assert out.endswith("Shall we walk?")
    return "Petrus" in out


async def an_unprompted_stream(character: Character) -> bool:
    return await streamed(character, unprompted=True)


async def a_streamed_reply(character: Character) -> bool:
    return await streamed(character, unprompted=False)


async def recall_that_nobody_asked_for(character: Character) -> bool:
    return any("Petrus" in hit.text for hit in (await character.recall("Petrus chess Oslo", said="")).hits)


async def recall_of_something_near(character: Character) -> bool:
    return any("Petrus" in hit.text for hit in (await character.recall("Who lives in Oslo?")).hits)


async def a_briefing(character: Character) -> bool:
    return "petrus" in (await character.briefing()).text.casefold()


async def a_briefing_with_a_cue(character: Character) -> bool:
    return "petrus" in (await character.briefing(cue="I'm flying to Oslo for chess.")).text.casefold()


async def the_memo_of_a_briefing(character: Character) -> bool:
    return any("petrus" in entry.text.casefold() for entry in (await character.briefing()).memo)


async def what_is_offered(character: Character) -> bool:
    return any("petrus" in one.text.casefold() for one in await character.offers(limit=20))


async def a_prompt_that_does_not_forbid_it(character: Character) -> bool:
    return "Petrus" not in await character.directives_block()


WAYS: Final[tuple[Callable[[Character], Awaitable[bool]], ...]] = (
    unprompted_speech,
    unprompted_speech_in_disguise,
    a_reply,
    an_unprompted_stream,
    a_streamed_reply,
    recall_that_nobody_asked_for,
    recall_of_something_near,
    a_briefing,
    a_briefing_with_a_cue,
    the_memo_of_a_briefing,
    what_is_offered,
    a_prompt_that_does_not_forbid_it,
)


async def ways_open(character: Character) -> dict[str, bool]:
    return {way.__name__: await way(character) for way in WAYS}


@asynccontextmanager
async def opened(folder: Path, clock: VirtualClock) -> AsyncIterator[Character]:
    settings = Settings.model_validate({"data_dir": folder, **OPTIONS})
    async with open_runtime(settings, clock=clock) as runtime:
        yield await runtime.character("yui", owner="Sam")


async def live(character: Character, last: str) -> None:
    """Hear of the topic, learn it, and hear the last line."""
    for line in TOLD:
        await character.hear(line)
    await character.settle()
    await character.hear(last)


@asynccontextmanager
async def fresh(folder: Path, last: str) -> AsyncIterator[Character]:
    clock = VirtualClock(START)
    async with opened(folder, clock) as character:
        await live(character, last)
        clock.advance_to(START + HOUR_S)
        yield character


@asynccontextmanager
async def restarted(folder: Path, last: str, later_s: float = HOUR_S) -> AsyncIterator[Character]:
    async with opened(folder, VirtualClock(START)) as character:
        await live(character, last)
        await character.settle()
    async with opened(folder, VirtualClock(START + later_s)) as character:
        yield character


@asynccontextmanager
async def after_sixty_days(folder: Path, last: str) -> AsyncIterator[Character]:
    async with restarted(folder, last, 60 * DAY_S) as character:
        yield character


@asynccontextmanager
async def killed(folder: Path, last: str) -> AsyncIterator[Character]:
    job = {"data_dir": str(folder), "lines": (*TOLD, last), "kill": "", "now": START, "settings": OPTIONS}
    done = subprocess.run(
        [sys.executable, FORBIDDER],
        input=json.dumps([job]),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert json.loads(done.stdout) == [{"killed": True, "acknowledged": True}], done.stderr
    async with opened(folder, VirtualClock(START + HOUR_S)) as character:
        yield character


@asynccontextmanager
async def imported(folder: Path, last: str) -> AsyncIterator[Character]:
    async with opened(folder / "old", VirtualClock(START)) as character:
        await live(character, last)
        await character.settle()
    settings = Settings.model_validate({"data_dir": folder / "old", **OPTIONS})
    async with open_runtime(settings, clock=VirtualClock(START)) as runtime:
        await runtime.export("yui", folder / "exported")
    settings = Settings.model_validate({"data_dir": folder / "new", **OPTIONS})
    async with open_runtime(settings, clock=VirtualClock(START + HOUR_S)) as runtime:
        await runtime.import_(folder / "exported")
        yield await runtime.character("yui", create=False)


STATES: Final = (
    fresh,
    restarted,
    after_sixty_days,
    pytest.param(killed, marks=pytest.mark.kill),
    imported,
)


@pytest.mark.parametrize("state", STATES)
async def test_without_the_ban_the_topic_comes_out_by_every_way(state: Any, tmp_path: Path) -> None:
    async with state(tmp_path, NO_BAN) as character:
        await character.settle()
        assert await ways_open(character) == {way.__name__: True for way in WAYS}


@pytest.mark.parametrize("state", STATES)
async def test_with_the_ban_it_comes_out_by_none(state: Any, tmp_path: Path) -> None:
    async with state(tmp_path, BAN) as character:
        assert await ways_open(character) == {way.__name__: False for way in WAYS}
        await character.settle()
        assert await ways_open(character) == {way.__name__: False for way in WAYS}
